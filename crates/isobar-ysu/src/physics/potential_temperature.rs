//! Potential temperatures, in single precision as deviations from that of the column's lowest layer.
//!
//! The scheme lives on small differences of them, and a fused step keeps the digits that `T / exner` would lose. Double
//! precision does without: there they are rounded as in the reference's code, which they have to repeat to 1e-12.

use isobar_core::Real;

use crate::constants::SINGLE_EPSILON;
use crate::physical::Physical;

/// Is this a precision in which digits have to be saved?
#[inline(always)]
pub(crate) fn is_single<R: Real>() -> bool {
    R::EPSILON > R::from_f64(SINGLE_EPSILON)
}

/// What potential temperatures of a column are less, with this one in its lowest layer.
#[inline(always)]
pub(crate) fn reference<R: Real>(lowest: R) -> R {
    if is_single::<R>() { lowest } else { R::ZERO }
}

/// Potential temperature less `reference`.
#[inline(always)]
pub(crate) fn deviation<R: Real>(temperature: R, exner: R, reference: R) -> R {
    if is_single::<R>() {
        (-reference).mul_add(exner, temperature).plain_quotient(exner)
    } else {
        temperature.plain_quotient(exner) - reference
    }
}

/// Virtual potential temperature less `reference`, from the deviation.
#[inline(always)]
pub(crate) fn virtual_deviation<R: Real>(deviation: R, vapour: R, reference: R, physical: &Physical<R>) -> R {
    let share = physical.virtual_share * vapour;
    // In double precision nothing is subtracted.
    if is_single::<R>() { share.mul_add(reference + deviation, deviation) } else { deviation * (R::ONE + share) }
}

/// Potential temperature of air whose condensate has evaporated, less `reference`.
#[inline(always)]
pub(crate) fn liquid_deviation<R: Real>(
    temperature: R,
    [water, ice]: [R; 2],
    exner: R,
    reference: R,
    physical: &Physical<R>,
) -> R {
    let latent = physical.latent * water + physical.sublimation * ice;
    if is_single::<R>() {
        ((-reference).mul_add(exner, temperature) - latent) / exner
    } else {
        (temperature - latent) / exner - reference
    }
}
