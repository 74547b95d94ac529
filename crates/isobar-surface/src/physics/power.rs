//! Powers and exponentials of numbers whose ranges are known: without special cases, as fast as they can be.

use isobar_core::Real;

use crate::constants::{LARGEST_EXPONENT, TINY};

/// `x^power` of a number that is not negative, for a positive power; 0 of those next to nothing, and NaN stays.
#[inline(always)]
pub(crate) fn power<R: Real>(x: R, power: f64) -> R {
    let value = (R::from_f64(power) * x.at_least(R::from_f64(TINY)).plain_ln()).plain_exp();
    if x <= R::from_f64(TINY) { R::ZERO } else { value + x * R::ZERO }
}

/// `x^power` for a negative power: what is next to nothing counts as [`TINY`], and NaN stays.
#[inline(always)]
pub(crate) fn negative_power<R: Real>(x: R, power: f64) -> R {
    let value = exponential(R::from_f64(power) * x.at_least(R::from_f64(TINY)).plain_ln());
    value + x * R::ZERO
}

/// `e^x`, or its value at [`LARGEST_EXPONENT`] beyond that; NaN stays.
#[inline(always)]
pub(crate) fn exponential<R: Real>(x: R) -> R {
    let largest = R::from_f64(LARGEST_EXPONENT);
    x.clamp(-largest, largest).plain_exp() + x * R::ZERO
}
