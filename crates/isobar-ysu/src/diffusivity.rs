//! The diffusivities at the interface between two layers of a tile: of the mixed layer below the top, local ones above.

use isobar_core::Real;

use crate::boundary_layer::BoundaryLayer;
use crate::constants::{KARMAN, LARGEST_DIFFUSIVITY};
use crate::entrainment_zone;
use crate::free_atmosphere::{both_cloudy, local, moist_richardson, richardson, squared_shear};
use crate::layer::Layer;
use crate::mixed_layer::{Diffusivity, by_prandtl, from_cloud, shape, velocity_scale};
use crate::tile::Tile;
use crate::version::Parameters;

/// The diffusivities of a tile at an interface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interface<R, const W: usize> {
    pub(crate) diffusivity: Diffusivity<[R; W]>,
    /// That of momentum before the entrainment zone changed it.
    pub(crate) local_momentum: [R; W],
    /// The share of the fluxes at the top that arrives here; 0 above the top.
    pub(crate) entrained: [R; W],
    /// Is the interface below the top? 0 or 1.
    pub(crate) below: [u32; W],
}

/// With background and limits; `least` is that of momentum and heat.
#[inline(always)]
fn limited<R: Real>(raw: &Diffusivity<R>, parameters: &Parameters<R>, least: (R, R)) -> Diffusivity<R> {
    let largest = R::from_f64(LARGEST_DIFFUSIVITY);
    Diffusivity {
        momentum: (raw.momentum + parameters.background_momentum).min(largest).max(least.0),
        heat: (raw.heat + parameters.background_heat).min(largest).max(least.1),
        moisture: (raw.moisture + parameters.background_heat).min(largest).max(least.1),
    }
}

#[inline(always)]
fn least<R: Real>(parameters: &Parameters<R>, distance: R) -> (R, R) {
    let by_distance = parameters.least_per_thickness * distance;
    (parameters.background_momentum + by_distance, parameters.background_heat + by_distance)
}

/// The diffusivities above layer `level` (counted from 0).
#[inline(always)]
pub(crate) fn interface<R: Real, const W: usize>(
    parameters: &Parameters<R>,
    tile: &Tile<W>,
    boundary_layer: &BoundaryLayer<R, W>,
    level: usize,
    lower: &Layer<[R; W]>,
    upper: &Layer<[R; W]>,
) -> Interface<R, W> {
    let mixing = &boundary_layer.mixing;
    let number = level as u32 + 1;
    let (mut below, mut above) = ([0; W], [0; W]);
    for lane in 0..W {
        below[lane] = u32::from(number < boundary_layer.layer[lane]);
        above[lane] = 1 - below[lane];
    }
    let mut result =
        Interface { diffusivity: Diffusivity::ZEROS, local_momentum: [R::ZERO; W], entrained: [R::ZERO; W], below };
    // What no lane needs is skipped; each lane takes what it needs.
    if tile.any(&below) {
        let mut cloud = [R::ZERO; W];
        if parameters.top_down != 0 && tile.any(&boundary_layer.cloud) {
            for lane in 0..W {
                let mixing = mixing.lane(lane);
                let z = lower.top[lane];
                cloud[lane] = from_cloud(z, shape(z, &mixing).0, &mixing);
            }
        }
        for lane in 0..W {
            let mixing = mixing.lane(lane);
            let (z, distance) = (lower.top[lane], upper.centre[lane] - lower.centre[lane]);
            let (over, entrained) = shape(z, &mixing);
            let momentum = velocity_scale(z, over, &mixing) * R::from_f64(KARMAN) * z * (over * over) + cloud[lane];
            // A cloud's top that entrains closes the uppermost interface.
            let closed = (number + 1 == boundary_layer.layer[lane])
                & (boundary_layer.cloud[lane] != 0)
                & (mixing.zone_diffusivity > R::ZERO);
            let momentum = if closed { R::ZERO } else { momentum };
            let raw = by_prandtl(z, momentum, &mixing);
            let inside = below[lane] != 0;
            let limited = limited(&raw, parameters, least(parameters, distance));
            result.diffusivity.set(lane, limited);
            result.entrained[lane] = if inside { entrained } else { R::ZERO };
        }
    }
    if tile.any(&above) {
        free(parameters, tile, boundary_layer, lower, upper, &above, &mut result);
    }
    for lane in 0..W {
        let local = result.local_momentum[lane];
        result.local_momentum[lane] = if above[lane] != 0 { local } else { result.diffusivity.momentum[lane] };
    }
    result
}

/// The same above the top.
#[inline(always)]
fn free<R: Real, const W: usize>(
    parameters: &Parameters<R>,
    tile: &Tile<W>,
    boundary_layer: &BoundaryLayer<R, W>,
    lower: &Layer<[R; W]>,
    upper: &Layer<[R; W]>,
    above: &[u32; W],
    result: &mut Interface<R, W>,
) {
    let mut shears = [R::ZERO; W];
    let mut numbers = [R::ZERO; W];
    let (mut cloudy, mut zone) = ([0; W], [0; W]);
    for lane in 0..W {
        let (lower, upper) = (lower.lane(lane), upper.lane(lane));
        let distance = upper.centre - lower.centre;
        let shear = squared_shear(&lower, &upper, R::ONE.plain_quotient(distance));
        shears[lane] = shear;
        numbers[lane] = richardson(&lower, &upper, distance, shear, boundary_layer.lowest.reference[lane]);
        cloudy[lane] = u32::from(both_cloudy(&lower, &upper)) & above[lane];
        zone[lane] = u32::from(entrainment_zone::inside(lower.top, &boundary_layer.mixing.lane(lane))) & above[lane];
    }
    if tile.any(&cloudy) {
        for lane in 0..W {
            let moist = moist_richardson(&lower.lane(lane), &upper.lane(lane), shears[lane], numbers[lane]);
            numbers[lane] = if cloudy[lane] != 0 { moist } else { numbers[lane] };
        }
    }
    for lane in 0..W {
        let distance = upper.centre[lane] - lower.centre[lane];
        let raw = local(lower.top[lane], distance, shears[lane], numbers[lane]);
        let limited = limited(&raw, parameters, least(parameters, distance));
        let before = result.diffusivity.lane(lane);
        result.diffusivity.set(lane, if above[lane] != 0 { limited } else { before });
        result.local_momentum[lane] = limited.momentum;
    }
    if tile.any(&zone) {
        for lane in 0..W {
            let distance = upper.centre[lane] - lower.centre[lane];
            let before = result.diffusivity.lane(lane);
            let mean = entrainment_zone::mean(
                lower.top[lane],
                &boundary_layer.mixing.lane(lane),
                &before,
                least(parameters, distance),
            );
            result.diffusivity.set(lane, if zone[lane] != 0 { mean } else { before });
        }
    }
}
