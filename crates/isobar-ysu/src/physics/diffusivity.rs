//! The diffusivities at the interface between two layers of a tile: of the mixed layer below the top, local ones above.

use isobar_core::{Lanes, Real};

use crate::constants::{KARMAN, LARGEST_DIFFUSIVITY};
use crate::physics::boundary_layer::BoundaryLayer;
use crate::physics::entrainment_zone;
use crate::physics::free_atmosphere::{both_cloudy, local, moist_richardson, richardson_and_length, squared_shear};
use crate::physics::implicit::Upward;
use crate::physics::layer::Layer;
use crate::physics::mixed_layer::{Diffusivity, by_prandtl, from_cloud, shape, velocity_scale};
use crate::version::Parameters;

/// The diffusivities of a tile at an interface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interface<R, const W: usize> {
    pub(crate) diffusivity: Diffusivity<[R; W]>,
    /// That of momentum before the entrainment zone changed it.
    pub(crate) local_momentum: [R; W],
    /// What is carried besides; 0 above the top.
    pub(crate) upward: Upward<[R; W]>,
    /// Is the interface below the top? 0 or 1.
    pub(crate) below: [u32; W],
}

/// With background, and limited.
#[inline(always)]
fn limited<R: Real>(raw: &Diffusivity<R>, parameters: &Parameters<R>) -> Diffusivity<R> {
    let largest = R::from_f64(LARGEST_DIFFUSIVITY);
    Diffusivity {
        momentum: (raw.momentum + parameters.background_momentum).at_most(largest),
        heat: (raw.heat + parameters.background_heat).at_most(largest),
        moisture: (raw.moisture + parameters.background_heat).at_most(largest),
    }
}

/// The least diffusivities of momentum and heat.
#[inline(always)]
fn least<R: Real>(parameters: &Parameters<R>, distance: R) -> (R, R) {
    let by_distance = parameters.least_per_thickness * distance;
    (parameters.background_momentum + by_distance, parameters.background_heat + by_distance)
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
            let raw = diffusivities.lane(lane);
            let raised = Diffusivity {
                momentum: raw.momentum.at_least(least.0),
                heat: raw.heat.at_least(least.1),
                moisture: raw.moisture.at_least(least.1),
            };
            diffusivities.set(lane, raised);
        }
    }
}

/// Which lanes are below the top at the interface above layer `level` (counted from 0)?
#[inline(always)]
pub(crate) fn below_top<R: Real, const W: usize>(boundary_layer: &BoundaryLayer<R, W>, level: u32) -> [u32; W] {
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
pub(crate) fn interface<R: Real, const W: usize, const BELOW: u8>(
    parameters: &Parameters<R>,
    lanes: &Lanes<W>,
    boundary_layer: &BoundaryLayer<R, W>,
    level: usize,
    lower: &Layer<[R; W]>,
    upper: &Layer<[R; W]>,
) -> Interface<R, W> {
    let mixing = &boundary_layer.mixing;
    let number = level as u32 + 1;
    let below = if BELOW == NONE_BELOW { [0; W] } else { below_top(boundary_layer, level as u32) };
    let mut above = [1; W];
    for lane in 0..W {
        above[lane] -= below[lane];
    }
    let mut result =
        Interface { diffusivity: Diffusivity::ZEROS, local_momentum: [R::ZERO; W], upward: Upward::ZEROS, below };
    // What no lane needs is skipped; each lane takes what it needs.
    if BELOW == SOME_BELOW || (BELOW == UNKNOWN && lanes.any(&below)) {
        let mut cloud = [R::ZERO; W];
        if parameters.top_down != 0 && lanes.any(&boundary_layer.cloud) {
            for lane in 0..W {
                let mixing = mixing.lane(lane);
                let z = lower.top[lane];
                cloud[lane] = from_cloud(z, shape(z, &mixing).0, &mixing);
            }
        }
        let mut shares = [R::ZERO; W];
        for lane in 0..W {
            let mixing = mixing.lane(lane);
            let z = lower.top[lane];
            let (over, entrained) = shape(z, &mixing);
            let momentum = velocity_scale(z, over, &mixing) * R::from_f64(KARMAN) * z * (over * over);
            let momentum = if parameters.top_down != 0 { momentum + cloud[lane] } else { momentum };
            // A cloud's top that entrains closes the uppermost interface.
            let closed = (number + 1 == boundary_layer.layer[lane])
                & (boundary_layer.cloud[lane] != 0)
                & (mixing.zone_diffusivity > R::ZERO);
            let momentum = if closed { R::ZERO } else { momentum };
            let raw = by_prandtl(z, momentum, &mixing);
            let limited = limited(&raw, parameters);
            result.diffusivity.set(lane, limited);
            shares[lane] = entrained;
        }
        raise(parameters, upper, &mut result.diffusivity);
        for lane in 0..W {
            let (mixing, diffusivity) = (mixing.lane(lane), result.diffusivity.lane(lane));
            let entrained = shares[lane];
            let mass = (lower.pressure[lane] - upper.pressure[lane]) * upper.per_distance[lane];
            let mass = if boundary_layer.mixed[lane] & below[lane] != 0 { mass } else { R::ZERO };
            let carried = |diffusivity: R, counter: R, flux: R| mass * diffusivity.mul_add(counter, entrained * flux);
            result.upward.set(
                lane,
                Upward {
                    theta: carried(diffusivity.heat, mixing.counter_heat, mixing.flux_heat),
                    vapour: mass * (entrained * mixing.flux_vapour),
                    u: carried(diffusivity.momentum, mixing.counter_u, mixing.flux_u),
                    v: carried(diffusivity.momentum, mixing.counter_v, mixing.flux_v),
                },
            );
        }
    }
    let mut zone = [0; W];
    if BELOW == NONE_BELOW || lanes.any(&above) {
        zone = free(parameters, lanes, boundary_layer, lower, upper, &above, &mut result.diffusivity);
        raise(parameters, upper, &mut result.diffusivity);
    }
    result.local_momentum = result.diffusivity.momentum;
    if lanes.any(&zone) {
        for lane in 0..W {
            let before = result.diffusivity.lane(lane);
            let mean = entrainment_zone::mean(
                lower.top[lane],
                &boundary_layer.mixing.lane(lane),
                &before,
                least(parameters, upper.distance[lane]),
            );
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
    boundary_layer: &BoundaryLayer<R, W>,
    lower: &Layer<[R; W]>,
    upper: &Layer<[R; W]>,
    above: &[u32; W],
    result: &mut Diffusivity<[R; W]>,
) -> [u32; W] {
    let mut shears = [R::ZERO; W];
    let mut numbers = [R::ZERO; W];
    let mut lengths = [R::ZERO; W];
    let (mut cloudy, mut zone) = ([0; W], [0; W]);
    for lane in 0..W {
        let (lower, upper) = (lower.lane(lane), upper.lane(lane));
        let shear = squared_shear(&lower, &upper);
        shears[lane] = shear;
        (numbers[lane], lengths[lane]) =
            richardson_and_length(&lower, &upper, shear, boundary_layer.lowest.reference[lane]);
        cloudy[lane] = u32::from(both_cloudy(&lower, &upper)) & above[lane];
        zone[lane] = u32::from(entrainment_zone::inside(lower.top, &boundary_layer.mixing.lane(lane))) & above[lane];
    }
    if lanes.any(&cloudy) {
        for lane in 0..W {
            let moist = moist_richardson(&lower.lane(lane), &upper.lane(lane), shears[lane], numbers[lane]);
            numbers[lane] = if cloudy[lane] != 0 { moist } else { numbers[lane] };
        }
    }
    for lane in 0..W {
        let limited = limited(&local(lengths[lane], shears[lane], numbers[lane]), parameters);
        let before = result.lane(lane);
        result.set(lane, if above[lane] != 0 { limited } else { before });
    }
    zone
}
