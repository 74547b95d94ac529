//! `ln(1 + x)`: as `ln`, with what the sum `1 + x` loses put back.
//!
//! Where the sum needs no scaling (`k = 0`), `f = x` exactly. Elsewhere the result is above 0.34, the lost part below a
//! unit in its last place, and `lost / (1 + x)` to 1 % is enough: a quadratic instead of a division.

use super::ln;

macro_rules! logarithm_of_one_more {
    ($name:ident, $float:ident, $bits:ident, $split:ident, $sum:ident, $bias:literal, $mantissa:literal,
        $large:literal, $tiny:literal) => {
        /// See [`crate::Real::ln_1p`]. Within 1 unit in the last place.
        #[inline(always)]
        #[must_use]
        pub fn $name(x: $float) -> $float {
            let u = 1.0 + x;
            let (m, k, biased) = ln::$split(u);
            // What the sum has lost: exact for any x (D. E. Knuth's TwoSum).
            let back = u - 1.0;
            let lost = (1.0 - (u - back)) + (x - back);
            let scale = $float::from_bits((2 * $bias as $bits).wrapping_sub(biased) << $mantissa);
            let lost = if x < $large { lost * scale } else { 0.0 };
            let f = m - 1.0;
            // 1 / (1 + f) to 1 %: `tests/data/make_coefficients.py`.
            let rest = lost * (1.005 + f * (0.9143 * f - 1.0807));
            let unscaled = k == 0.0;
            let result = ln::$sum(k, if unscaled { x } else { f }, if unscaled { 0.0 } else { rest });
            let result = if x.abs() < $tiny { x } else { result };
            let result = if x == $float::INFINITY { x } else { result };
            let result = if x == -1.0 { $float::NEG_INFINITY } else { result };
            if x >= -1.0 { result } else { $float::NAN }
        }
    };
}

logarithm_of_one_more!(double, f64, u64, double_split, double_sum, 1023, 52, 1e18, 5e-17);
logarithm_of_one_more!(single, f32, u32, single_split, single_sum, 127, 23, 1e9, 2e-8);
