//! The exponential, the cube root and a coarse logarithm of plain numbers: fused operations, and none of the selects
//! for zero, infinity, NaN and numbers near the ends of the range. They take a third of the instructions of the
//! functions for all numbers, with the same bits everywhere.

use super::ln::single_split;
use super::mul_add::{double as fused_double, single as fused_single};
use super::reduction::{ROUND_F32, ROUND_F64};

/// [`polynomial!`](super), fused: `fused!(f; x; a, b, c)` is `a + x (b + x c)`.
macro_rules! fused {
    ($fma:ident; $x:expr; $last:expr $(,)?) => { $last };
    ($fma:ident; $x:expr; $first:expr, $($rest:expr),+ $(,)?) => { $fma($x, fused!($fma; $x; $($rest),+), $first) };
}

/// See [`crate::FastMath::plain_exp`].
///
/// `x = k ln 2 + r`; `e^r` by a minimax polynomial, and `k` added to the bits of its exponent.
#[inline(always)]
#[must_use]
pub fn exp_single(x: f32) -> f32 {
    let shifted = fused_single(x, core::f32::consts::LOG2_E, ROUND_F32);
    let k = shifted - ROUND_F32;
    let r = fused_single(-k, 0.693_359_4, x);
    let r = fused_single(-k, -2.121_944_4e-4, r);
    let rest = fused!(fused_single; r; 0.5, 0.166_665_28, 0.041_666_467, 0.008_368_065, 0.001_393_479_3);
    let power = 1.0 + fused_single(r * r, rest, r);
    f32::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 23))
}

/// See [`crate::FastMath::plain_exp`].
#[inline(always)]
#[must_use]
pub fn exp_double(x: f64) -> f64 {
    let shifted = fused_double(x, core::f64::consts::LOG2_E, ROUND_F64);
    let k = shifted - ROUND_F64;
    let r = fused_double(-k, 0.6931471803691238, x);
    let r = fused_double(-k, 1.9082149292705877e-10, r);
    let rest = fused!(fused_double; r; 0.5, 0.1666666666666668, 0.04166666666660916, 0.00833333333331891,
        0.0013888888924791913,
        0.00019841269892298556, 2.4801511094177477e-05, 2.755723851932269e-06, 2.7624264701680054e-07,
            2.511087861487679e-08);
    let power = 1.0 + fused_double(r * r, rest, r);
    f64::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 52))
}

/// `x^(-1/3)` within 2e-5, from a guess made of x's bits and a step of fourth order.
#[inline(always)]
fn inverse_root(x: f32) -> f32 {
    // 0x5556 / 2^16 is a third.
    let z = f32::from_bits(0x54a2_3000 - (((x.to_bits() >> 14) * 0x5556) >> 2));
    let e = fused_single(-(x * (z * z)), z, 1.0);
    fused_single(z * e, fused!(fused_single; e; 1.0 / 3.0, 2.0 / 9.0, 14.0 / 81.0), z)
}

/// 2^-100: below it the cube root starts from here, and logarithms are this one's.
const SMALLEST: f32 = 7.888_609e-31;

#[inline(always)]
fn larger(x: f32) -> f32 {
    if x > SMALLEST { x } else { SMALLEST }
}

/// See [`crate::FastMath::plain_cbrt`].
///
/// With `z` near `x^(-1/3)` and `e = 1 - x z^3`, the root is `x z^2 (1 - e)^(-2/3)`.
#[inline(always)]
#[must_use]
pub fn cbrt_single(x: f32) -> f32 {
    let x = larger(x);
    let z = inverse_root(x);
    let t = x * (z * z);
    let e = fused_single(-t, z, 1.0);
    fused_single(t * (2.0 / 3.0), e, t)
}

/// See [`crate::FastMath::plain_cbrt`].
#[inline(always)]
#[must_use]
pub fn cbrt_double(x: f64) -> f64 {
    let start = x as f32;
    let start = larger(start);
    let z = inverse_root(start);
    let e = fused_single(-(start * (z * z)), z, 1.0);
    let z = f64::from(fused_single(z * (1.0 / 3.0), e, z));
    let t = x * (z * z);
    let e = fused_double(-t, z, 1.0);
    fused_double(t * e, fused_double(e, 5.0 / 9.0, 2.0 / 3.0), t)
}

/// `ln m` and `k` of `x = 2^k m`, `m` in `[sqrt(1/2), sqrt 2)`.
#[inline(always)]
fn logarithm(x: f32) -> (f32, f32) {
    let (m, k, _) = single_split(larger(x));
    let f = m - 1.0;
    let p = fused!(fused_single; f; -0.5, 0.333_347_57, -0.249_798_84, 0.199_103_68, -0.171_799_1, 0.161_325_02,
        -0.101_571_89);
    (fused_single(f * f, p, f), k)
}

/// See [`crate::FastMath::coarse_ln`].
#[inline(always)]
#[must_use]
pub fn ln_single(x: f32) -> f32 {
    let (logarithm, k) = logarithm(x);
    fused_single(k, core::f32::consts::LN_2, logarithm)
}

/// See [`crate::FastMath::coarse_ln`].
#[inline(always)]
#[must_use]
pub fn ln_double(x: f64) -> f64 {
    let (logarithm, k) = logarithm(x as f32);
    fused_double(f64::from(k), core::f64::consts::LN_2, f64::from(logarithm))
}
