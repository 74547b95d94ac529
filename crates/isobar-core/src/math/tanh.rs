//! The hyperbolic tangent: `-t / (t + 2)` with `t = e^(-2 |x|) - 1`, which keeps the relative accuracy of `exp_m1` near
//! zero.
//!
//! What `t` and `t + 2` lose in rounding is put back at first order, with `1 / (t + 2) = (1 + tanh |x|) / 2`.

use super::exp_m1;

macro_rules! hyperbolic_tangent {
    ($name:ident, $halves:ident, $float:ident, $highest:literal, $tiny:literal) => {
        /// See [`crate::Real::tanh`]. Within 2 units in the last place.
        #[inline(always)]
        #[must_use]
        pub fn $name(x: $float) -> $float {
            let magnitude = x.abs();
            // Beyond it the result is 1.
            let clamped = if magnitude > $highest { $highest } else { magnitude };
            let (half, rest) = exp_m1::$halves(-2.0 * clamped);
            let t = 2.0 * (half + rest);
            let t_low = 2.0 * rest - (t - 2.0 * half);
            let below = t + 2.0;
            let below_low = (t - (below - 2.0)) + t_low;
            let quotient = -t / below;
            let result = quotient - (t_low + quotient * below_low) * (0.5 + 0.5 * quotient);
            let result = if magnitude < $tiny { magnitude } else { result };
            if x.is_nan() { $float::NAN } else { result.copysign(x) }
        }
    };
}

hyperbolic_tangent!(double, double_halves, f64, 22.0, 1e-9);
hyperbolic_tangent!(single, single_halves, f32, 10.0, 1e-4);
