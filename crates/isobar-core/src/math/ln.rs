//! The natural logarithm: `x = 2^k (1 + f)` with `1 + f` in `[sqrt(1/2), sqrt 2)`, then `k ln 2 + ln(1 + f)`.
//!
//! f64 takes `ln(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2))`, `s = f / (2 + f)`, with the minimax R of FreeBSD's `e_log.c`
//! (Sun Microsystems, 1993). f32 takes `f - f^2/2 + f^3 P(f)` with P from `tests/data/make_coefficients.py`, as in S.
//! Moshier's Cephes: no division. The sum `k ln 2 + f` keeps its rounding error.

/// `x = 2^k m`, `m` in `[sqrt(1/2), sqrt 2)`: `m`, `k` and the biased `k`, for a positive normal `x`.
#[inline(always)]
pub(super) fn double_split(x: f64) -> (f64, f64, u64) {
    const ROOT: u64 = 0x3fe6_a09e_0000_0000;
    let bits = x.to_bits().wrapping_add(0x3ff0_0000_0000_0000 - ROOT);
    let biased = bits >> 52;
    // A small integer in the low bits of 2^52 is that integer added.
    let k = f64::from_bits(biased | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    (f64::from_bits((bits & 0x000f_ffff_ffff_ffff) + ROOT), k, biased)
}

/// `k ln 2 + ln(1 + f) + rest`, where `rest` is small.
#[inline(always)]
pub(super) fn double_sum(k: f64, f: f64, rest: f64) -> f64 {
    const LN2_HIGH: f64 = 0.6931471803691238;
    const LN2_LOW: f64 = 1.9082149292705877e-10;
    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let odd = w * polynomial!(w; 0.3999999999940942, 0.22222198432149784, 0.15313837699209373);
    let even = z * polynomial!(w; 0.6666666666666735, 0.2857142874366239, 0.1818357216161805, 0.14798198605116586);
    let tail = s * (half_square + (odd + even)) + (k * LN2_LOW + rest) - half_square;
    // k ln 2 is zero or larger than f: the rounding error is exact.
    let whole = k * LN2_HIGH;
    let sum = whole + f;
    let lost = f - (sum - whole);
    sum + (lost + tail)
}

/// See [`crate::Real::ln`]. Within 1 unit in the last place.
#[inline(always)]
#[must_use]
pub fn double(x: f64) -> f64 {
    let subnormal = x < f64::MIN_POSITIVE;
    let normal = if subnormal { x * 18_014_398_509_481_984.0 } else { x };
    let (m, k, _) = double_split(normal);
    let k = if subnormal { k - 54.0 } else { k };
    let result = double_sum(k, m - 1.0, 0.0);
    let result = if x == f64::INFINITY { x } else { result };
    let result = if x == 0.0 { f64::NEG_INFINITY } else { result };
    if x >= 0.0 { result } else { f64::NAN }
}

/// As [`double_split`].
#[inline(always)]
pub(super) fn single_split(x: f32) -> (f32, f32, u32) {
    const ROOT: u32 = 0x3f35_04f3;
    let bits = x.to_bits().wrapping_add(0x3f80_0000 - ROOT);
    let biased = bits >> 23;
    let k = f32::from_bits(biased | 0x4b00_0000) - (8_388_608.0 + 127.0);
    (f32::from_bits((bits & 0x007f_ffff) + ROOT), k, biased)
}

/// As [`double_sum`].
#[inline(always)]
pub(super) fn single_sum(k: f32, f: f32, rest: f32) -> f32 {
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let z = f * f;
    let p = polynomial!(f; 0.333_333_1, -0.249_999_87, 0.200_022_28, -0.166_692_76, 0.142_186_24, -0.123_838_72,
        0.118_729_055, -0.117_926_39, 0.069_187_09);
    let tail = z * (f * p - 0.5) + (k * LN2_LOW + rest);
    let whole = k * LN2_HIGH;
    let sum = whole + f;
    let lost = f - (sum - whole);
    sum + (lost + tail)
}

/// See [`crate::Real::ln`]. Within 1 unit in the last place.
#[inline(always)]
#[must_use]
pub fn single(x: f32) -> f32 {
    let subnormal = x < f32::MIN_POSITIVE;
    let normal = if subnormal { x * 33_554_432.0 } else { x };
    let (m, k, _) = single_split(normal);
    let k = if subnormal { k - 25.0 } else { k };
    let result = single_sum(k, m - 1.0, 0.0);
    let result = if x == f32::INFINITY { x } else { result };
    let result = if x == 0.0 { f32::NEG_INFINITY } else { result };
    if x >= 0.0 { result } else { f32::NAN }
}
