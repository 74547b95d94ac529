//! The real power: `x^y = 2^(y log2 |x|)`, and IEEE 754's special cases by selects.
//!
//! f64 carries `log2 |x|` in two parts of together some 70 bits, by the method and with the constants of FreeBSD's
//! `e_pow.c` (Sun Microsystems, 2004), and then e^r as in `exp`. f32 computes in f64 (2^-44 of `log2`), and rounds
//! once.

use super::reduction::{self, ROUND_F64};

/// The high half of the bits: at most 21 of the mantissa, so that products of two such numbers are exact.
#[inline(always)]
fn high_half(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0xffff_ffff_0000_0000)
}

/// `log2` of a positive normal number plus `more`: a part of at most 21 bits, and the rest.
#[inline(always)]
fn log2(x: f64, more: f64) -> (f64, f64) {
    // 2 / (3 ln 2), its first 24 bits and the rest; log2(3/2) likewise.
    const SCALE: f64 = 0.9617966939259756;
    const SCALE_HIGH: f64 = 0.9617967009544373;
    const SCALE_LOW: f64 = -7.028461650952758e-9;
    const LOG_HIGH: f64 = 0.5849624872207642;
    const LOG_LOW: f64 = 1.350039202129749e-8;
    let bits = x.to_bits();
    let mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    // Near 1, near 3/2, or nearer to 2: `m` is within 23 % of `centre`.
    let upper = mantissa >= 1.732_050_8;
    let middle = (mantissa >= 1.224_744_9) & !upper;
    let m = if upper { 0.5 * mantissa } else { mantissa };
    let exponent = f64::from_bits((bits >> 52) | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    let exponent = exponent + more + if upper { 1.0 } else { 0.0 };
    let centre = if middle { 1.5 } else { 1.0 };
    let (centre_high, centre_low) = (if middle { LOG_HIGH } else { 0.0 }, if middle { LOG_LOW } else { 0.0 });
    // s = (m - centre) / (m + centre) in two parts.
    let difference = m - centre;
    let sum = m + centre;
    let reciprocal = 1.0 / sum;
    let s = difference * reciprocal;
    let s_high = high_half(s);
    let sum_high = high_half(sum);
    let sum_low = m - (sum_high - centre);
    let s_low = reciprocal * ((difference - s_high * sum_high) - s_high * sum_low);
    // ln m = 2 s (3 + s^2 + rest) / 3.
    let z = s * s;
    let rest = z
        * z
        * polynomial!(z; 0.5999999999999946, 0.4285714285785502, 0.33333332981837743, 0.272728123808534,
            0.23066074577556175, 0.20697501780033842)
        + s_low * (s_high + s);
    let square = s_high * s_high;
    let factor_high = high_half(3.0 + square + rest);
    let factor_low = rest - ((factor_high - 3.0) - square);
    let product = s_high * factor_high;
    let product_low = s_low * factor_high + factor_low * s;
    let log_high = high_half(product + product_low);
    let log_low = product_low - (log_high - product);
    let high = SCALE_HIGH * log_high;
    let low = SCALE_LOW * log_high + log_low * SCALE + centre_low;
    let first = high_half(((high + low) + centre_high) + exponent);
    (first, low - (((first - exponent) - centre_high) - high))
}

/// See [`crate::Real::powf`]. Within 2 units in the last place.
#[inline(always)]
#[must_use]
pub fn double(x: f64, y: f64) -> f64 {
    const LN2: f64 = core::f64::consts::LN_2;
    const LN2_HIGH: f64 = 0.6931471824645996;
    const LN2_LOW: f64 = -1.904654299957768e-9;
    // Powers beyond it give 0, 1 or infinity for every x.
    const FAR: f64 = 36_893_488_147_419_103_232.0;
    let magnitude = x.abs();
    let subnormal = magnitude < f64::MIN_POSITIVE;
    let normal = if subnormal { magnitude * 18_014_398_509_481_984.0 } else { magnitude };
    let (log_high, log_low) = log2(normal, if subnormal { -54.0 } else { 0.0 });
    let power = if y > FAR { FAR } else { y };
    let power = if power < -FAR { -FAR } else { power };
    let power_high = high_half(power);
    let low = (power - power_high) * log_high + power * log_low;
    let high = power_high * log_high;
    // Beyond these the result is infinity or 0.
    let exponent = low + high;
    let (over, under) = (exponent > 1100.0, exponent < -1100.0);
    let high = if over { 1100.0 } else { high };
    let high = if under { -1100.0 } else { high };
    let low = if over | under { 0.0 } else { low };
    let shifted = (high + low) + ROUND_F64;
    let high = high - (shifted - ROUND_F64);
    // (high + low) ln 2 in two parts.
    let first = high_half(high + low);
    let main = first * LN2_HIGH;
    let minor = (low - (first - high)) * LN2 + first * LN2_LOW;
    let r = main + minor;
    let r_low = minor - (r - main);
    let sum = 1.0 + r;
    let lost = r - (sum - 1.0);
    let tail = reduction::double_rest(r) + (r_low + r_low * r);
    special_cases(x, y, reduction::double_scale(sum + (lost + tail), shifted))
}

/// See [`crate::Real::powf`]. Within 1 unit in the last place.
#[inline(always)]
#[must_use]
pub fn single(x: f32, y: f32) -> f32 {
    const FAR: f64 = 1_099_511_627_776.0;
    let (x, y) = (f64::from(x), f64::from(y));
    // A subnormal f32 is a normal f64.
    let (m, k, _) = super::ln::double_split(x.abs());
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    // 2 atanh(s) / (s ln 2), minimax to 2^-45: `tests/data/make_coefficients.py`.
    let p = polynomial!(z; 2.8853900817778495, 0.9617966941149132, 0.5770779418970803, 0.41220930077220697,
        0.3199036664892311, 0.2829298097044403);
    let log = k + s * p;
    let power = if y > FAR { FAR } else { y };
    let power = if power < -FAR { -FAR } else { power };
    let exponent = power * log;
    let exponent = if exponent > 200.0 { 200.0 } else { exponent };
    let exponent = if exponent < -200.0 { -200.0 } else { exponent };
    let shifted = exponent + ROUND_F64;
    let r = (exponent - (shifted - ROUND_F64)) * core::f64::consts::LN_2;
    // e^r, minimax to 2^-34: as above.
    let e = polynomial!(r; 0.999999999961655, 1.000000000243279, 0.5000000104595537, 0.16666665125304542,
        0.04166622525355484, 0.008333561165587252, 0.0013948195049382404, 0.00019775166052341125);
    let result = e * f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    special_cases(x, y, result) as f32
}

/// The power from `|x|^y`, which is right for finite numbers that are not zero.
#[inline(always)]
fn special_cases(x: f64, y: f64, magnitude: f64) -> f64 {
    // A number below 2^52 is an integer if nothing is lost by adding 2^52; above 2^53 all numbers are even integers.
    const INTEGERS: f64 = 4_503_599_627_370_496.0;
    let power = y.abs();
    let half = 0.5 * power;
    let integer = (power >= INTEGERS) | ((power + INTEGERS) - INTEGERS == power);
    let odd = integer & (power < 2.0 * INTEGERS) & ((half + INTEGERS) - INTEGERS != half);
    let base = x.abs();
    let limit = if (base > 1.0) == (y > 0.0) { f64::INFINITY } else { 0.0 };
    let result = if (base == 0.0) | (base == f64::INFINITY) { limit } else { magnitude };
    let result = if odd { result.copysign(x) } else { result };
    let result = if (x < 0.0) & !integer & (base != f64::INFINITY) { f64::NAN } else { result };
    let result = if x.is_nan() | y.is_nan() { f64::NAN } else { result };
    if (x == 1.0) | (y == 0.0) { 1.0 } else { result }
}
