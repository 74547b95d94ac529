//! What is absorbed of radiation on its way.

use isobar_core::Real;

/// Optical depths beyond which nothing is left of 1 to the last bit.
const OPAQUE: f64 = 44.0;

/// `1 - exp(-depth)`, within 2 units in the last place.
#[inline(always)]
pub fn absorbed<R: Real>(depth: R) -> R {
    let bounded = depth.at_most(R::from_f64(OPAQUE));
    let [grown] = R::exp2_m1_products([bounded], R::from_f64(-core::f64::consts::LOG2_E));
    -grown
}

/// An optical depth to divide by [`isobar_core::FastMath::plain_quotient`]. Smaller ones do nothing to radiation,
/// larger ones let nothing through.
#[inline(always)]
pub(crate) fn divisor<R: Real>(depth: R) -> R {
    depth.at_least(R::from_f64(1e-30)).at_most(R::from_f64(1e30))
}
