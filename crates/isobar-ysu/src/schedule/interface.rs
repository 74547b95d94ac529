//! The diffusivities of a tile at the interface between two layers: what no lane of the warp needs is skipped.

use isobar_core::{Lanes, PerLane, Real, per_lane};

use crate::physics::boundary_layer::BoundaryLayer;
use crate::physics::diffusivity::{Between, between, carried, least, limited, mixed, raised};
use crate::physics::entrainment_zone;
use crate::physics::free_atmosphere::{local, moist_richardson};
use crate::physics::implicit::Upward;
use crate::physics::layer::Layer;
use crate::physics::mixed_layer::{Diffusivity, from_cloud, shape};
use crate::physics::shin_hong::scaled;
use crate::schedule::tile::SCALE_AWARE;
use crate::version::Parameters;

per_lane! {
    /// The diffusivities at an interface.
    pub(crate) struct Interface<T, N> {
        diffusivity: Diffusivity<T>,
        /// That of momentum before the entrainment zone changed it.
        local_momentum: T,
        /// What is carried besides; 0 above the top.
        upward: Upward<T>,
        /// The share of the entrainment fluxes that reaches down to it, and the nonlocal heat flux of Shin-Hong
        /// \[K m/s\].
        entrained: T,
        nonlocal: T,
        /// Is the interface below the top? 0 or 1.
        below: N,
    }
}

/// Raises diffusivities to the least ones. None is below the background, which is the least where thickness does not
/// count.
#[inline(always)]
fn raise<R: Real, const W: usize>(
    parameters: &Parameters<R>,
    upper: &Layer<[R; W]>,
    diffusivities: &mut Diffusivity<[R; W]>,
) {
    if parameters.least_per_thickness > R::ZERO {
        for lane in 0..W {
            let least = least(parameters, upper.distance[lane]);
            diffusivities.set(lane, raised(&diffusivities.lane(lane), least));
        }
    }
}

/// Which lanes are below the top at the interface above layer `level` (counted from 0)?
#[inline(always)]
pub(crate) fn below_top<R: Real, const W: usize>(
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
    level: u32,
) -> [u32; W] {
    let mut below = [0; W];
    for lane in 0..W {
        below[lane] = u32::from(level + 1 < boundary_layer.layer[lane]);
    }
    below
}

/// Are lanes below the top? Who has looked says so; otherwise [`interface`] looks.
pub(crate) const UNKNOWN: u8 = 0;
/// At least one is.
pub(crate) const SOME_BELOW: u8 = 1;
/// None is.
pub(crate) const NONE_BELOW: u8 = 2;

/// The diffusivities above layer `level`, where lanes are `BELOW` the top.
#[inline(always)]
pub(crate) fn interface<R: Real, const W: usize, const BELOW: u8, const F: u8>(
    parameters: &Parameters<R>,
    lanes: &Lanes<W>,
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
    level: usize,
    lower: &Layer<[R; W]>,
    upper: &Layer<[R; W]>,
) -> Interface<[R; W], [u32; W]> {
    let mixing = &boundary_layer.mixing;
    let number = level as u32 + 1;
    let below = if BELOW == NONE_BELOW { [0; W] } else { below_top(boundary_layer, level as u32) };
    let mut above = [1; W];
    for lane in 0..W {
        above[lane] -= below[lane];
    }
    let mut result = Interface { below, ..Interface::<[R; W], [u32; W]>::zeros() };
    // What no lane needs is skipped; each lane takes what it needs.
    if BELOW == SOME_BELOW || (BELOW == UNKNOWN && lanes.any(&below)) {
        let mut cloud = [R::ZERO; W];
        if parameters.top_down != 0 && lanes.any(&boundary_layer.cloud) {
            for lane in 0..W {
                let (z, mixing) = (lower.top[lane], mixing.lane(lane));
                cloud[lane] = from_cloud(z, shape(z, &mixing).0, &mixing, &parameters.physical);
            }
        }
        let mut shares = [R::ZERO; W];
        for lane in 0..W {
            let mixing = mixing.lane(lane);
            // A cloud's top that entrains closes the uppermost interface.
            let closed = (number + 1 == boundary_layer.layer[lane])
                & (boundary_layer.cloud[lane] != 0)
                & (mixing.zone_diffusivity > R::ZERO);
            let (diffusivity, share) = mixed(lower.top[lane], &mixing, cloud[lane], closed, parameters);
            result.diffusivity.set(lane, diffusivity);
            shares[lane] = share;
        }
        raise(parameters, upper, &mut result.diffusivity);
        for lane in 0..W {
            let explicit = boundary_layer.mixed[lane] & below[lane] != 0;
            let (layers, mixing) = ([&lower.lane(lane), &upper.lane(lane)], mixing.lane(lane));
            let upward = carried(layers, &mixing, &result.diffusivity.lane(lane), shares[lane], explicit);
            result.upward.set(lane, upward);
            if F == SCALE_AWARE {
                let scaled = boundary_layer.scaled.lane(lane);
                result.entrained[lane] = shares[lane];
                if parameters.nonlocal_flux != 0 {
                    let z = lower.top[lane];
                    result.nonlocal[lane] = scaled.nonlocal.at(z, mixing.height, mixing.per_height);
                }
                let upward = scaled::upward(layers, &upward, &scaled, result.nonlocal[lane], explicit, parameters);
                result.upward.set(lane, upward);
            }
        }
    }
    let mut zone = [0; W];
    if BELOW == NONE_BELOW || lanes.any(&above) {
        zone = free(parameters, lanes, boundary_layer, [lower, upper], &above, &mut result.diffusivity);
        raise(parameters, upper, &mut result.diffusivity);
    }
    result.local_momentum = result.diffusivity.momentum;
    if lanes.any(&zone) {
        for lane in 0..W {
            let before = result.diffusivity.lane(lane);
            let least = least(parameters, upper.distance[lane]);
            let mean = entrainment_zone::mean(lower.top[lane], &mixing.lane(lane), &before, least);
            result.diffusivity.set(lane, if zone[lane] != 0 { mean } else { before });
        }
    }
    result
}

/// Diffusivities above the top, without the entrainment zone: the result says which lanes are in the zone.
#[inline(always)]
fn free<R: Real, const W: usize>(
    parameters: &Parameters<R>,
    lanes: &Lanes<W>,
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
    [lower, upper]: [&Layer<[R; W]>; 2],
    above: &[u32; W],
    result: &mut Diffusivity<[R; W]>,
) -> [u32; W] {
    let (mut air, mut zone) = (Between::<[R; W], [u32; W]>::zeros(), [0; W]);
    for lane in 0..W {
        let (lower, upper) = (lower.lane(lane), upper.lane(lane));
        let here = between(&lower, &upper, boundary_layer.lowest.reference[lane], &parameters.physical);
        air.set(lane, Between { cloudy: here.cloudy & above[lane], ..here });
        zone[lane] = u32::from(entrainment_zone::inside(lower.top, &boundary_layer.mixing.lane(lane))) & above[lane];
    }
    if lanes.any(&air.cloudy) {
        for lane in 0..W {
            let (shear, dry) = (air.shear[lane], air.richardson[lane]);
            let (lower, upper) = (lower.lane(lane), upper.lane(lane));
            let moist = moist_richardson(&lower, &upper, shear, dry, &parameters.physical);
            air.richardson[lane] = if air.cloudy[lane] != 0 { moist } else { dry };
        }
    }
    for lane in 0..W {
        let air = air.lane(lane);
        let limited = limited(&local(air.length, air.shear, air.richardson), parameters);
        let before = result.lane(lane);
        result.set(lane, if above[lane] != 0 { limited } else { before });
    }
    zone
}
