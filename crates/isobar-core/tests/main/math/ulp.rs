//! Errors in units in the last place.

/// The distance from the f64 of this size to its neighbour above.
fn unit_double(x: f64) -> f64 {
    let exponent = ((x.to_bits() >> 52) & 0x7ff).max(1);
    if exponent > 52 { f64::from_bits((exponent - 52) << 52) } else { f64::from_bits(1 << (exponent - 1)) }
}

/// The error of `result` against the f64 nearest to the true value and the rest in its units.
pub(crate) fn double(result: f64, nearest: f64, rest: f64) -> f64 {
    if !result.is_finite() || !nearest.is_finite() {
        return if result.to_bits() == nearest.to_bits() { 0.0 } else { f64::INFINITY };
    }
    // Subnormal differences are exact, and a quotient of two of them as well.
    ((result - nearest) / unit_double(nearest) - rest).abs()
}

/// The error of an f32 against a value in f64.
pub(crate) fn single(result: f32, value: f64) -> f64 {
    let nearest = value as f32;
    if !result.is_finite() || value.is_nan() {
        // One step past the largest number is infinity.
        return if result.to_bits() == nearest.to_bits() || (result.is_nan() && value.is_nan()) {
            0.0
        } else if result.is_infinite() && value.abs() > f64::from(f32::MAX) && (value > 0.0) == (result > 0.0) {
            1.0
        } else {
            f64::INFINITY
        };
    }
    if nearest.is_infinite() {
        return if result == f32::MAX.copysign(nearest) { 1.0 } else { f64::INFINITY };
    }
    let exponent = ((nearest.to_bits() >> 23) & 0xff).max(1) as i32;
    (f64::from(result) - value).abs() / f64::from_bits(((exponent - 150 + 1023) as u64) << 52)
}
