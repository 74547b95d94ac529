//! The entrainment zone: just above the boundary layer, diffusivities are geometric means of the local ones and of one that entrainment
//! makes.

use isobar_core::Real;

use crate::boundary_layer::Mixing;
use crate::constants::{ENTRAINMENT_ZONE, LARGEST_DIFFUSIVITY};
use crate::mixed_layer::Diffusivity;

/// Is height `z` within the zone? Only for interfaces above the top.
#[inline(always)]
pub(crate) fn inside<R: Real>(z: R, mixing: &Mixing<R>) -> bool {
    let distance = z - mixing.height;
    let depth = mixing.zone_depth;
    distance * distance < R::from_f64(ENTRAINMENT_ZONE) * (depth * depth)
}

/// The diffusivities for the local ones, with the least that momentum and heat may have.
#[inline(always)]
pub(crate) fn mean<R: Real>(z: R, mixing: &Mixing<R>, local: &Diffusivity<R>, least: (R, R)) -> Diffusivity<R> {
    let largest = R::from_f64(LARGEST_DIFFUSIVITY);
    // Outside the zone the result is not used; the depth may be 0 there.
    let distance = (z - mixing.height).plain_quotient(mixing.zone_depth.max(R::from_f64(1e-3)));
    let squared = (distance * distance).min(R::from_f64(ENTRAINMENT_ZONE));
    let entrained = mixing.zone_diffusivity * (-squared).exp();
    let heat = (entrained * local.heat).sqrt().min(largest).max(least.1);
    let momentum = (heat * local.momentum).sqrt().min(largest).max(least.0);
    Diffusivity { momentum, heat, moisture: heat }
}
