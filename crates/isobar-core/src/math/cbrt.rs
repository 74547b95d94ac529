//! The cube root without a division: `x = 8^q m` with `m` in `[1, 8)`, `z = m^(-1/3)` by Halley-like steps from a
//! guess made of m's bits, and one last step from `t = m z^2` cut to so few bits that `t^3` is exact.
//!
//! With `v = (m - t^3) / m`, the root is `t (1 - v)^(-1/3) = t + t v (1/3 + 2/9 v + ...)`: little beyond the last
//! rounding is lost. The powers of two are exact.

/// See [`crate::Real::cbrt`]. Within 1 unit in the last place.
#[inline(always)]
#[must_use]
pub fn double(x: f64) -> f64 {
    let magnitude = x.abs();
    let subnormal = magnitude < f64::MIN_POSITIVE;
    let bits = (if subnormal { magnitude * 18_014_398_509_481_984.0 } else { magnitude }).to_bits();
    // The exponent is 3 q' + rest; 21846 / 2^16 is a third for the integers below 2^11.
    let exponent = bits >> 52;
    let third = (exponent * 21_846) >> 16;
    let rest = exponent - 3 * third;
    let m = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | ((rest + 1023) << 52));
    // The guess is within 4 %; the first step leaves 1.4e-5, the second 1e-14.
    let guess = (0x553e_e800 - (((m.to_bits() >> 32) * 0x5555_5556) >> 32)) << 32;
    let z = f64::from_bits(guess);
    let e = 1.0 - m * (z * z * z);
    let z = z + z * (e * (1.0 / 3.0 + e * (2.0 / 9.0 + e * (14.0 / 81.0))));
    let e = 1.0 - m * (z * z * z);
    let z = z + z * (e * (1.0 / 3.0 + e * (2.0 / 9.0)));
    // 17 bits.
    let t = f64::from_bits(((m * z * z).to_bits() + (1 << 35)) & !((1 << 36) - 1));
    let v = (m - t * t * t) * (z * z * z);
    let root = t + t * (v * (1.0 / 3.0 + v * (2.0 / 9.0 + v * (14.0 / 81.0))));
    let scale = third + (1023 - 341) - if subnormal { 18 } else { 0 };
    let result = root * f64::from_bits(scale << 52);
    let result = if magnitude == 0.0 || magnitude == f64::INFINITY { magnitude } else { result };
    if x.is_nan() { f64::NAN } else { result.copysign(x) }
}

/// See [`crate::Real::cbrt`]. Within 1 unit in the last place.
#[inline(always)]
#[must_use]
pub fn single(x: f32) -> f32 {
    let magnitude = x.abs();
    let subnormal = magnitude < f32::MIN_POSITIVE;
    let bits = (if subnormal { magnitude * 16_777_216.0 } else { magnitude }).to_bits();
    let exponent = (bits >> 23) + 2;
    let third = (exponent * 21_846) >> 16;
    let rest = exponent - 3 * third;
    let m = f32::from_bits((bits & 0x007f_ffff) | ((rest + 127) << 23));
    let guess = (0x54a1 - (((m.to_bits() >> 16) * 0x5556) >> 16)) << 16;
    let z = f32::from_bits(guess);
    let e = 1.0 - m * (z * z * z);
    let z = z + z * (e * (1.0 / 3.0 + e * (2.0 / 9.0 + e * (14.0 / 81.0))));
    let e = 1.0 - m * (z * z * z);
    let z = z + z * (e * (1.0 / 3.0));
    // 8 bits.
    let t = f32::from_bits(((m * z * z).to_bits() + (1 << 15)) & !((1 << 16) - 1));
    let v = (m - t * t * t) * (z * z * z);
    let root = t + t * (v * (1.0 / 3.0 + v * (2.0 / 9.0 + v * (14.0 / 81.0 + v * (35.0 / 243.0)))));
    let scale = third + (127 - 43) - if subnormal { 8 } else { 0 };
    let result = root * f32::from_bits(scale << 23);
    let result = if magnitude == 0.0 || magnitude == f32::INFINITY { magnitude } else { result };
    if x.is_nan() { f32::NAN } else { result.copysign(x) }
}
