//! Entrainment at the top of the mixed layer: its velocity, the fluxes that it carries, the depth of its zone.

use isobar_core::{Real, per_lane};

use crate::constants::{
    LARGEST_ZONE_DEPTH, LEAST_JUMP, SHEAR_ENTRAINMENT, ZONE_LAPSE, ZONE_OF_HEIGHT, ZONE_OF_RICHARDSON,
};
use crate::physical::Physical;
use crate::physics::sample::Sample;
use crate::physics::scales::{Scales, squared_velocity_of_cube};
use crate::physics::shin_hong::shares::Shares;
use crate::physics::surface::{Ground, Lowest};

per_lane! {
    /// The entrainment of a column.
    pub(crate) struct Entrainment {
        /// Entrainment velocity, at most 0 \[m/s\].
        velocity,
        /// The third power of the velocity scale: of that which a cloud's top drives if one does.
        cubed,
        /// Velocity scale of entrainment, squared \[m^2/s^2\].
        scale_squared,
        /// w* of turbulence that a cloud's top drives, to the third power; 0 without.
        cloud_cubed,
    }
}

per_lane! {
    /// Fluxes at the top of the mixed layer, and the depth of the entrainment zone.
    pub(crate) struct TopFluxes { heat, vapour, u, v, depth }
}

/// The velocity of entrainment by a velocity scale (its cube and square) against a jump of virtual potential
/// temperature.
#[inline(always)]
pub(crate) fn velocity<R: Real>(
    [cubed, squared]: [R; 2],
    virtual_theta: R,
    height: R,
    jump: R,
    physical: &Physical<R>,
) -> R {
    let cubed = physical.entrainment * virtual_theta * cubed;
    (cubed / (height * jump.max(R::from_f64(LEAST_JUMP)))).max(-squared.sqrt())
}

/// The jump of virtual potential temperature between the layers on both sides of the top.
#[inline(always)]
pub(crate) fn virtual_jump<R: Real>(
    below: &Sample<R>,
    above: &Sample<R>,
    lowest: &Lowest<R>,
    physical: &Physical<R>,
) -> R {
    let reference = lowest.reference;
    above.virtual_deviation(reference, physical) - below.virtual_deviation(reference, physical)
}

/// Entrainment by what the surface drives, with w* of this third power, between the layers on both sides of the top.
#[inline(always)]
pub(crate) fn by_surface<R: Real>(
    lowest: &Lowest<R>,
    scales: &Scales<R>,
    convective_cubed: R,
    height: R,
    [below, above]: [&Sample<R>; 2],
    physical: &Physical<R>,
) -> Entrainment<R> {
    let cubed = convective_cubed + R::from_f64(SHEAR_ENTRAINMENT) * scales.shear_cubed;
    let squared = squared_velocity_of_cube(cubed, physical);
    let jump = virtual_jump(below, above, lowest, physical);
    let velocity = velocity([cubed, squared], lowest.virtual_theta(), height, jump, physical);
    Entrainment { velocity, cubed, scale_squared: squared, cloud_cubed: R::ZERO }
}

#[inline(always)]
pub(crate) fn top_fluxes<R: Real>(
    ground: &Ground<R>,
    lowest: &Lowest<R>,
    entrainment: &Entrainment<R>,
    height: R,
    [below, above]: [&Sample<R>; 2],
    shares: Option<&Shares<R>>,
) -> TopFluxes<R> {
    let velocity = entrainment.velocity;
    let (of_moisture, of_momentum) = (shares.map(|all| all.moisture), shares.map(|all| all.momentum));
    let stress = ground.friction_velocity * ground.friction_velocity;
    let scale = lowest.buoyancy * R::from_f64(ZONE_LAPSE) * height;
    let depth =
        R::from_f64(ZONE_OF_HEIGHT) * height + R::from_f64(ZONE_OF_RICHARDSON) * entrainment.scale_squared / scale;
    TopFluxes {
        heat: velocity
            * (above.deviation(lowest.reference) - below.deviation(lowest.reference)).max(R::from_f64(LEAST_JUMP)),
        vapour: shared(velocity * (above.vapour - below.vapour).min(R::ZERO), of_moisture),
        u: momentum(velocity, above.u - below.u, stress, of_momentum),
        v: momentum(velocity, above.v - below.v, stress, of_momentum),
        depth: depth.min(R::from_f64(LARGEST_ZONE_DEPTH)),
    }
}

/// The share of a flux that the grid does not resolve, where that counts.
#[inline(always)]
fn shared<R: Real>(flux: R, share: Option<R>) -> R {
    match share {
        Some(share) => flux * share,
        None => flux,
    }
}

/// The flux of a wind component, at most the surface's stress.
#[inline(always)]
fn momentum<R: Real>(velocity: R, jump: R, stress: R, share: Option<R>) -> R {
    let least = R::from_f64(LEAST_JUMP);
    let flux = shared(velocity * jump, share);
    let flux = if jump > R::ZERO { flux.max(-stress) } else { flux.min(stress) };
    if (jump > least) | (jump < -least) { flux } else { R::ZERO }
}
