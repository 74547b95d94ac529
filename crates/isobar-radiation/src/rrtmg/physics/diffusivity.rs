//! Diffusivity angles: the mean directions along which radiation is followed.

use isobar_core::Real;

/// The secant of a band's diffusivity angle under so much precipitable water \[cm\]:
/// `a0 + a1 exp(a2 w)`, from 1.5 to 1.8.
#[inline(always)]
pub(crate) fn secant<R: Real>([a0, a1, a2]: [R; 3], water_cm: R) -> R {
    let fitted = (a0 + a1 * (a2 * water_cm).exp()).clamp(R::from_f64(1.5), R::from_f64(1.8));
    if a1 == R::ZERO { a0 } else { fitted }
}
