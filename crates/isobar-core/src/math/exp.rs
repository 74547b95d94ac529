//! The exponential: `e^x = 2^k e^r` with `|r| <= ln 2 / 2`, a minimax polynomial of e^r, and an exact scaling.
//!
//! `1 + r` is formed with its rounding error, so that the error stays near half a unit in the last place.

use super::reduction;

macro_rules! exponential {
    ($name:ident, $float:ident, $scale:ident, $lowest:literal, $highest:literal) => {
        /// See [`crate::Real::exp`]. Within 1 unit in the last place, subnormal results included.
        #[inline(always)]
        #[must_use]
        pub fn $name(x: $float) -> $float {
            // Beyond these the result has already become 0 or infinity.
            let clamped = if x < $lowest { $lowest } else { x };
            let clamped = if clamped > $highest { $highest } else { clamped };
            let reduced = reduction::$name(clamped);
            let sum = 1.0 + reduced.high;
            let lost = reduced.high - (sum - 1.0);
            let result = reduction::$scale(sum + (lost + reduced.tail), reduced.shifted);
            if x.is_nan() { $float::NAN } else { result }
        }
    };
}

exponential!(double, f64, double_scale, -746.0, 710.0);
exponential!(single, f32, single_scale, -104.0, 89.0);
