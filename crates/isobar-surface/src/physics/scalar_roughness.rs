//! Roughness lengths of heat and moisture, by the Reynolds number of the roughness of momentum.

use isobar_core::Real;

use crate::constants::{
    COARE_EXPONENT, COARE_FACTOR, COARE_LARGEST, COARE_LEAST, GARRATT_FACTOR, GARRATT_OFFSET, GARRATT_OUTSIDE,
    VISCOSITY, VISCOSITY_AT, VISCOSITY_SLOPE, VISCOSITY_UNIT, ZILITINKEVICH, ZILITINKEVICH_SLOPE,
};
use crate::physics::point::Point;
use crate::physics::power::{exponential, negative_power};

/// The Reynolds number of the roughness, by the friction velocity of the step before.
#[inline(always)]
pub(crate) fn reynolds<R: Real>(point: &Point<R>) -> R {
    let warmer = point.temperature - R::from_f64(VISCOSITY_AT);
    let viscosity = (R::from_f64(VISCOSITY) + R::from_f64(VISCOSITY_SLOPE) * warmer) * R::from_f64(VISCOSITY_UNIT);
    point.friction * point.roughness / viscosity
}

/// COARE 3.0 (Fairall et al. 2003, doi:10.1175/1520-0442(2003)016<0571:BPOASF>2.0.CO;2), of water, limited \[m\].
#[inline(always)]
pub(crate) fn coare<R: Real>(reynolds: R) -> R {
    let length = R::from_f64(COARE_FACTOR) * negative_power(reynolds, COARE_EXPONENT);
    length.clamp(R::from_f64(COARE_LEAST), R::from_f64(COARE_LARGEST))
}

/// Garratt (1992), of water, with the Prandtl or Schmidt number of what is exchanged \[m\].
#[inline(always)]
pub(crate) fn garratt<R: Real>(roughness: R, reynolds: R, number: f64) -> R {
    let root = reynolds.sqrt().sqrt() * R::from_f64(Real::sqrt(number));
    let ratio = R::from_f64(GARRATT_OUTSIDE) * (R::from_f64(GARRATT_FACTOR) * root - R::from_f64(GARRATT_OFFSET));
    roughness * exponential(-ratio)
}

/// Chen and Zhang (2009, doi:10.1029/2009GL037980), of land, or with Zilitinkevich's constant \[m\].
#[inline(always)]
pub(crate) fn of_land<R: Real>(roughness: R, reynolds: R, karman: R, constant: bool) -> R {
    const LN_10: f64 = core::f64::consts::LN_10;
    let by_roughness = exponential(R::from_f64(ZILITINKEVICH_SLOPE * LN_10) * roughness);
    let coefficient = if constant { R::from_f64(ZILITINKEVICH) } else { by_roughness };
    roughness * exponential(-(coefficient * karman * reynolds.sqrt()))
}
