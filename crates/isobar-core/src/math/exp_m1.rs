//! `e^x - 1` as `(2^k - 1) + 2^k (e^r - 1)`, its sum kept with its rounding error.
//!
//! All terms are halved until the end, so that `k = 1024` (128) does not overflow before the result does.

use super::reduction;

macro_rules! exponential_less_one {
    ($name:ident, $halves:ident, $float:ident, $bias:literal, $mantissa:literal, $low:literal, $high:literal,
        $tiny:literal) => {
        /// Half of `e^x - 1` as a number and its small rest, for arguments that do not overflow.
        #[inline(always)]
        pub(super) fn $halves(x: $float) -> ($float, $float) {
            let reduced = reduction::$name(x);
            // 2^(k - 1); the bits above k are shifted out.
            let scale = $float::from_bits(reduced.shifted.to_bits().wrapping_add($bias - 1) << $mantissa);
            let whole = scale - 0.5;
            let whole_lost = -0.5 - (whole - scale);
            let part = scale * reduced.high;
            // |whole| >= |part|, or whole is zero: the rounding error is exact.
            let sum = whole + part;
            let lost = part - (sum - whole);
            (sum, lost + (whole_lost + scale * reduced.tail))
        }

        /// See [`crate::Real::exp_m1`]. Within 1 unit in the last place.
        #[inline(always)]
        #[must_use]
        pub fn $name(x: $float) -> $float {
            // Beyond these the result is -1 or infinity.
            let clamped = if x < $low { $low } else { x };
            let clamped = if clamped > $high { $high } else { clamped };
            let (half, rest) = $halves(clamped);
            let result = 2.0 * (half + rest);
            let result = if x.abs() < $tiny { x } else { result };
            if x.is_nan() { $float::NAN } else { result }
        }
    };
}

exponential_less_one!(double, double_halves, f64, 1023, 52, -40.0, 710.0, 5e-17);
exponential_less_one!(single, single_halves, f32, 127, 23, -20.0, 89.0, 2e-8);
