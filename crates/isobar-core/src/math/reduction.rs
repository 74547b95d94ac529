//! What exponentials share: `x = k ln 2 + r` and multiplication by `2^k`.
//!
//! `k` is rounded by adding 1.5 2^52 (2^23), which leaves `k` in the low bits of the sum: no conversion to an
//! integer, for which vectors of f64 have no instruction before AVX-512. ln 2 is in two parts, of which `k` times
//! the high one is exact (W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980).

/// Adding it rounds to an integer and leaves that in the low bits.
pub(super) const ROUND_F64: f64 = 6_755_399_441_055_744.0;
/// As [`ROUND_F64`].
pub(super) const ROUND_F32: f32 = 12_582_912.0;

/// An exponential before its scaling: `e^x = 2^k (1 + high + tail)` with `|high| < 0.35`, and `tail` its small rest.
///
/// `shifted` is `k` plus the rounding constant.
#[derive(Clone, Copy)]
pub(super) struct Reduced<R> {
    pub(super) shifted: R,
    pub(super) high: R,
    pub(super) tail: R,
}

/// `x - k ln 2`, and the terms of its exponential after the first two.
#[inline(always)]
pub(super) fn double(x: f64) -> Reduced<f64> {
    const LN2_HIGH: f64 = 0.6931471803691238;
    const LN2_LOW: f64 = 1.9082149292705877e-10;
    let shifted = x * core::f64::consts::LOG2_E + ROUND_F64;
    let k = shifted - ROUND_F64;
    let high = x - k * LN2_HIGH;
    let low = k * LN2_LOW;
    let r = high - low;
    let lost = (high - r) - low;
    Reduced { shifted, high, tail: (double_rest(r) + r * lost) - low }
}

/// `e^r - 1 - r` for `|r| < 0.35`, to 2^-61 of `e^r - 1`: minimax, `tests/data/make_coefficients.py`.
///
/// The square, which is the most of it, is added last and exactly halved.
#[inline(always)]
pub(super) fn double_rest(r: f64) -> f64 {
    let z = r * r;
    let even = polynomial!(z; 0.16666666666666677, 0.008333333333321697, 0.0001984126988598481, 2.7557244336864e-06,
        2.510899595719348e-08);
    let odd = polynomial!(z; 0.04166666666666669, 0.0013888888888870224, 2.480158735595762e-05, 2.755724570769106e-07,
        2.092372080856229e-09);
    0.5 * z + (r * z) * (even + r * odd)
}

/// `x 2^k` for `|k| < 2044` in two exact steps, of which only the last can leave the normal numbers.
#[inline(always)]
pub(super) fn double_scale(x: f64, shifted: f64) -> f64 {
    // The constant's bits are even above its low 12 bits, so that the halves of k stay clean there.
    let k = shifted.to_bits();
    let half = k >> 1;
    let first = f64::from_bits(half.wrapping_add(1023) << 52);
    let second = f64::from_bits(k.wrapping_sub(half).wrapping_add(1023) << 52);
    x * first * second
}

/// As [`double`].
#[inline(always)]
pub(super) fn single(x: f32) -> Reduced<f32> {
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let shifted = x * core::f32::consts::LOG2_E + ROUND_F32;
    let k = shifted - ROUND_F32;
    let high = x - k * LN2_HIGH;
    let low = k * LN2_LOW;
    let r = high - low;
    let lost = (high - r) - low;
    // Minimax to 2^-31 of e^r - 1: `tests/data/make_coefficients.py`.
    let cubic = polynomial!(r; 0.166_666_67, 0.041_666_48, 0.008_333_283, 0.001_393_331_7, 0.000_199_096_93);
    let z = r * r;
    Reduced { shifted, high, tail: (0.5 * z + (r * z) * cubic + r * lost) - low }
}

/// `x 2^k` for `|k| < 252` in two exact steps, of which only the last can leave the normal numbers.
#[inline(always)]
pub(super) fn single_scale(x: f32, shifted: f32) -> f32 {
    let k = shifted.to_bits();
    let half = k >> 1;
    let first = f32::from_bits(half.wrapping_add(127) << 23);
    let second = f32::from_bits(k.wrapping_sub(half).wrapping_add(127) << 23);
    x * first * second
}
