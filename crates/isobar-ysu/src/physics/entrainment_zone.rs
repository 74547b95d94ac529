//! The entrainment zone: just above the boundary layer, diffusivities are geometric means of the local ones and of one
//! that entrainment makes.

use isobar_core::Real;

use crate::constants::{ENTRAINMENT_ZONE, LARGEST_DIFFUSIVITY, LEAST_SQUARED_DIFFUSIVITY};
use crate::physics::mixed_layer::Diffusivity;
use crate::physics::mixing::Mixing;

/// Is height `z` within the zone? Only for interfaces above the top.
#[inline(always)]
pub(crate) fn inside<R: Real>(z: R, mixing: &Mixing<R>) -> bool {
    // No depth's reciprocal is infinite: nothing is near, or not a number and not near either.
    let distance = (z - mixing.height) * mixing.per_zone_depth;
    distance * distance < R::from_f64(ENTRAINMENT_ZONE)
}

/// The diffusivities for the local ones, with the least that momentum and heat may have.
#[inline(always)]
pub(crate) fn mean<R: Real>(z: R, mixing: &Mixing<R>, local: &Diffusivity<R>, least: (R, R)) -> Diffusivity<R> {
    let largest = R::from_f64(LARGEST_DIFFUSIVITY);
    // Outside the zone the result is not used.
    let distance = (z - mixing.height) * mixing.per_zone_depth;
    let squared = (distance * distance).at_most(R::from_f64(ENTRAINMENT_ZONE));
    let entrained = mixing.zone_diffusivity * (-squared).plain_exp();
    let tiny = R::from_f64(LEAST_SQUARED_DIFFUSIVITY);
    let heat = (entrained * local.heat).at_least(tiny).plain_sqrt().at_most(largest).at_least(least.1);
    let momentum = (heat * local.momentum).at_least(tiny).plain_sqrt().at_most(largest).at_least(least.0);
    Diffusivity { momentum, heat, moisture: heat }
}
