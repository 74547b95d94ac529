//! What is there for speed alone: functions of plain numbers within a range, or with less accuracy.

use crate::math;
use crate::sealed::Sealed;

/// Functions of a [`crate::Real`] that are faster than its own, for a smaller range or with less accuracy; the same
/// bits on every processor all the same, where nothing else is said.
pub trait FastMath: Sealed + Copy {
    /// `2^(x * rate) - 1` for each `x`, where the product is between -120 and 120 (f64: -1000 and 1000): less a layer's
    /// absorptance. Nothing sensible elsewhere.
    #[must_use]
    fn exp2_m1_products<const N: usize>(x: [Self; N], rate: Self) -> [Self; N];

    /// `self / divisor` of plain numbers, the same bits without branches on a GPU: all three are within `2^-100` and
    /// `2^100` (f64: `2^-900` and `2^900`) in magnitude, or the dividend and the quotient are 0, not -0. Elsewhere bits
    /// differ between processors.
    #[must_use]
    fn plain_quotient(self, divisor: Self) -> Self;
    /// The square root of a plain positive number: as [`FastMath::plain_quotient`].
    #[must_use]
    fn plain_sqrt(self) -> Self;
    /// e to the power of a number between -80 and 80, within 2 units in the last place. Nothing sensible elsewhere.
    #[must_use]
    fn plain_exp(self) -> Self;
    /// The cube root of a number between `2^-100` and `2^100`, within 2 units in the last place. Of numbers below, 0
    /// too, something of at most `2^-33`.
    #[must_use]
    fn plain_cbrt(self) -> Self;
    /// The natural logarithm of a number between `2^-100` and `2^100` (of smaller ones that of `2^-100`), to 3e-7; in
    /// f32 to a unit in the last place if that is more.
    #[must_use]
    fn coarse_ln(self) -> Self;

    /// The natural logarithm of a positive normal number, to 2 units in the last place, or to that of 1 if it is more.
    #[must_use]
    fn plain_ln(self) -> Self;
    /// `ln(1 + x)` for each `x`, which is not negative and finite, within 3 units in the last place.
    #[must_use]
    fn plain_ln_1p<const N: usize>(x: [Self; N]) -> [Self; N];

    /// The integer part, brought between `first`, which is not negative, and `last`, which is at most 1e9: an index
    /// that is inside whatever the number is. NaN gives `first`, and so does a `last` below it.
    #[must_use]
    fn index(self, first: i32, last: i32) -> i32;
}

macro_rules! fast_math {
    ($float:ident, $functions:ident) => {
        impl FastMath for $float {
            #[inline(always)]
            fn exp2_m1_products<const N: usize>(x: [Self; N], rate: Self) -> [Self; N] {
                math::$functions::exp2_m1_products(x, rate)
            }
            #[inline(always)]
            fn plain_quotient(self, divisor: Self) -> Self {
                math::$functions::plain_quotient(self, divisor)
            }
            #[inline(always)]
            fn plain_sqrt(self) -> Self {
                math::$functions::plain_sqrt(self)
            }
            #[inline(always)]
            fn plain_exp(self) -> Self {
                math::$functions::plain_exp(self)
            }
            #[inline(always)]
            fn plain_cbrt(self) -> Self {
                math::$functions::plain_cbrt(self)
            }
            #[inline(always)]
            fn coarse_ln(self) -> Self {
                math::$functions::coarse_ln(self)
            }
            #[inline(always)]
            fn plain_ln(self) -> Self {
                math::$functions::plain_ln(self)
            }
            #[inline(always)]
            fn plain_ln_1p<const N: usize>(x: [Self; N]) -> [Self; N] {
                math::$functions::plain_ln_1p(x)
            }
            #[inline(always)]
            fn index(self, first: i32, last: i32) -> i32 {
                #[cfg(target_arch = "nvptx64")]
                let whole = self as i32;
                // A CPU has no saturating conversion of vectors.
                #[cfg(not(target_arch = "nvptx64"))]
                let whole: i32 = {
                    let bounded = if self > -1e9 { self } else { -1e9 };
                    let bounded = if bounded < 1e9 { bounded } else { 1e9 };
                    // SAFETY: a plain number, far from the ends of the range; NaN was not above the lower end.
                    unsafe { bounded.to_int_unchecked() }
                };
                // In integers: whatever the conversion made of it.
                whole.min(last).max(first)
            }
        }
    };
}

fast_math!(f32, single);
fast_math!(f64, double);
