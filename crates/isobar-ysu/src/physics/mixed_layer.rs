//! Diffusivities below the top of the boundary layer: a cubic profile times a velocity scale.

use isobar_core::{Real, per_lane};

use crate::constants::{LEAST_FRACTION_ABOVE, LEAST_VELOCITY_SCALE, PRANDTL_DECAY, SURFACE_LAYER};
use crate::physical::Physical;
use crate::physics::mixing::Mixing;
use crate::physics::scales::{third_power, velocity_of_cube};

per_lane! {
    /// Diffusivities at an interface \[m^2/s\].
    pub(crate) struct Diffusivity { momentum, heat, moisture }
}

/// `z` as the fraction of the mixed layer above it, and the share of the entrainment fluxes that reaches down to `z`.
#[inline(always)]
pub(crate) fn shape<R: Real>(z: R, mixing: &Mixing<R>) -> (R, R) {
    let above = ((mixing.height - z) * mixing.per_depth).at_least(R::from_f64(LEAST_FRACTION_ABOVE)).at_most(R::ONE);
    let below = R::ONE - above;
    (above, below * below * below)
}

/// The velocity scale at a level \[m/s\].
#[inline(always)]
pub(crate) fn velocity_scale<R: Real>(z: R, above: R, mixing: &Mixing<R>, physical: &Physical<R>) -> R {
    let cubed = mixing.convective_cubed.mul_add(R::ONE - above, mixing.shear_cubed);
    let unstable = velocity_of_cube(cubed, physical);
    let stable = mixing
        .friction
        .plain_quotient(mixing.stable_slope.at_least(R::ZERO).mul_add(z, R::ONE))
        .at_least(R::from_f64(LEAST_VELOCITY_SCALE));
    if mixing.stable_slope < R::ZERO { unstable } else { stable }
}

/// The diffusivity that a cloud's top drives.
#[inline(always)]
pub(crate) fn from_cloud<R: Real>(z: R, above: R, mixing: &Mixing<R>, physical: &Physical<R>) -> R {
    let below = R::ONE - above;
    third_power(mixing.cloud_cubed * above, physical) * physical.karman * (mixing.height - z) * (below * below)
}

/// Diffusivities for that of momentum. Finite above the top, too, where they are not used.
#[inline(always)]
pub(crate) fn by_prandtl<R: Real>(z: R, momentum: R, mixing: &Mixing<R>) -> Diffusivity<R> {
    let over = z.mul_add(mixing.per_height, R::from_f64(-SURFACE_LAYER)).at_least(R::ZERO).at_most(R::ONE);
    let decay = (R::from_f64(-PRANDTL_DECAY) * (over * over)).plain_exp();
    let heat = mixing.prandtl_heat.mul_add(decay, R::ONE);
    let moisture = mixing.prandtl_moisture.mul_add(decay, R::ONE);
    // One division for both.
    let quotient = momentum.plain_quotient(heat * moisture);
    Diffusivity { momentum, heat: quotient * moisture, moisture: quotient * heat }
}
