//! The exponential, the cube root and logarithms of plain numbers: fused operations, and none of the selects
//! for zero, infinity, NaN and numbers near the ends of the range. They take a third of the instructions of the
//! functions for all numbers, with the same bits everywhere.

use super::ln::{double_split, single_split};
use super::mul_add::{double as fused_double, single as fused_single};
use super::plain::quotient_double;
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

/// `ln(1 + f)` for `1 + f` in `[sqrt(1/2), sqrt 2)`, with the polynomials of [`super::ln`].
#[inline(always)]
fn near_one_double(f: f64) -> f64 {
    let half_square = 0.5 * f * f;
    let s = quotient_double(f, 2.0 + f);
    let z = s * s;
    let w = z * z;
    let odd = fused!(fused_double; w; 0.3999999999940942, 0.22222198432149784, 0.15313837699209373);
    let even = fused!(fused_double; w; 0.6666666666666735, 0.2857142874366239, 0.1818357216161805, 0.14798198605116586);
    let rest = fused_double(w, odd, fused_double(z, even, half_square));
    f + fused_double(s, rest, -half_square)
}

/// As [`near_one_double`].
#[inline(always)]
fn near_one_single(f: f32) -> f32 {
    let p = fused!(fused_single; f; -0.5, 0.333_333_1, -0.249_999_87, 0.200_022_28, -0.166_692_76, 0.142_186_24,
        -0.123_838_72, 0.118_729_055, -0.117_926_39, 0.069_187_09);
    fused_single(f * f, p, f)
}

macro_rules! logarithms {
    ($plain:ident, $one_more:ident, $float:ident, $fma:ident, $split:ident, $near_one:ident) => {
        /// See [`crate::FastMath::plain_ln`].
        #[inline(always)]
        #[must_use]
        pub fn $plain(x: $float) -> $float {
            let (m, k, _) = $split(x);
            $fma(k, core::$float::consts::LN_2, $near_one(m - 1.0))
        }

        /// See [`crate::FastMath::plain_ln_1p`]: step by step for all numbers, as `exp2_m1` is computed.
        #[inline(always)]
        #[must_use]
        pub fn $one_more<const N: usize>(x: [$float; N]) -> [$float; N] {
            let (mut f, mut k) = ([0.0; N], [0.0; N]);
            for i in 0..N {
                let (m, exponent, _) = $split(1.0 + x[i]);
                k[i] = exponent;
                // What the sum loses counts where the logarithm is small, and there it needs no scaling.
                f[i] = if exponent == 0.0 { x[i] } else { m - 1.0 };
            }
            let mut result = [0.0; N];
            for i in 0..N {
                result[i] = $fma(k[i], core::$float::consts::LN_2, $near_one(f[i]));
            }
            result
        }
    };
}

logarithms!(plain_ln_double, ln_1p_double, f64, fused_double, double_split, near_one_double);
logarithms!(plain_ln_single, ln_1p_single, f32, fused_single, single_split, near_one_single);
