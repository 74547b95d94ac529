//! What the sweep over the levels has to know of a column: its boundary layer.

use isobar_core::Real;

use crate::batch::YsuArgs;
use crate::coming::Coming;
use crate::constants::{CONVECTIVE_FACTOR, COUNTER_GRADIENT, COUNTER_GRADIENT_MOMENTUM, KARMAN, SURFACE_LAYER};
use crate::entrainment::{Entrainment, by_surface, top_fluxes};
use crate::height::height;
use crate::sample::Sample;
use crate::scales::Scales;
use crate::surface::{Ground, Lowest};
use crate::tile::{Tile, per_lane};
use crate::top_down::{CloudTop, cloudy};

per_lane! {
    /// The constants of a column's diffusivities and fluxes.
    struct Mixing {
        /// Height of the boundary layer \[m\].
        height,
        /// Its reciprocal, and that of its distance from the middle of the lowest layer \[1/m\].
        per_height,
        per_depth,
        /// Below zero: the surface is unstable. Otherwise `5 z / L` over the height \[1/m\].
        stable_slope,
        friction,
        shear_cubed,
        /// w* to the third power, as it enters the velocity scale of a level.
        convective_cubed,
        /// The same of turbulence from a cloud's top.
        cloud_cubed,
        /// Prandtl numbers at the surface, less 1.
        prandtl_moisture,
        prandtl_heat,
        /// Counter-gradient terms over the height, per metre.
        counter_heat,
        counter_u,
        counter_v,
        /// Fluxes at the height.
        flux_heat,
        flux_vapour,
        flux_u,
        flux_v,
        /// Diffusivity of the entrainment zone at the height \[m^2/s\].
        zone_diffusivity,
        /// Depth of the entrainment zone; 0 where there is none \[m\].
        zone_depth,
        /// Its reciprocal, infinite where there is none \[1/m\].
        per_zone_depth,
    }
}

/// The boundary layers of a tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundaryLayer<R, const W: usize> {
    pub(crate) ground: Ground<[R; W]>,
    pub(crate) lowest: Lowest<[R; W]>,
    pub(crate) mixing: Mixing<[R; W]>,
    /// w* \[m/s\].
    pub(crate) convective_velocity: [R; W],
    /// The layer in which the boundary layer ends, counted from 1.
    pub(crate) layer: [u32; W],
    /// Are there explicit fluxes? 0 or 1.
    pub(crate) mixed: [u32; W],
    /// Does cloud drive mixing from its top? 0 or 1.
    pub(crate) cloud: [u32; W],
}

#[inline(always)]
pub(crate) fn find<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    coming: &mut Coming<R>,
) -> BoundaryLayer<R, W> {
    let ground = Ground::read(batch, tile);
    let lowest = Lowest::new(&coming.lowest(batch, tile), &ground);
    let found = height(batch, tile, coming, &ground, &lowest);

    let (mut below, mut above) = ([0; W], [0; W]);
    for lane in 0..W {
        above[lane] = found.layer[lane] - 1;
        below[lane] = above[lane].saturating_sub(1);
    }
    let below = Sample::read(batch, tile, coming, &below);
    let above = Sample::read(batch, tile, coming, &above);
    let mut entrainment = Entrainment::<[R; W]>::ZEROS;
    let mut counter = found.counter;
    let mut cloud = [0; W];
    for lane in 0..W {
        let (lowest, scales) = (lowest.lane(lane), found.scales.lane(lane));
        let (below, above) = (below.lane(lane), above.lane(lane));
        let by_surface = by_surface(&lowest, &scales, scales.convective_cubed, found.height[lane], &below, &above);
        entrainment.set(lane, by_surface);
    }
    if batch.parameters.top_down != 0 {
        cloud = cloudy(&below, &found.mixed);
        if tile.any(&cloud) {
            let top = CloudTop::read(batch, tile, coming, &found.layer, &below, &above);
            for lane in 0..W {
                let (ground, lowest, scales) = (ground.lane(lane), lowest.lane(lane), found.scales.lane(lane));
                let (driven, terms) = top.drive(lane, &ground, &lowest, &scales, found.height[lane]);
                let (before, counter_before) = (entrainment.lane(lane), counter.lane(lane));
                entrainment.set(lane, if cloud[lane] != 0 { driven } else { before });
                counter.set(lane, if cloud[lane] != 0 { terms } else { counter_before });
            }
        }
    }

    let mut mixing = Mixing::ZEROS;
    for lane in 0..W {
        let (ground, lowest, scales) = (ground.lane(lane), lowest.lane(lane), found.scales.lane(lane));
        let height = found.height[lane];
        let entrainment = entrainment.lane(lane);
        let fluxes = top_fluxes(&ground, &lowest, &entrainment, height, &below.lane(lane), &above.lane(lane));
        let per_height = R::ONE / height;
        let counter = counter.lane(lane);
        let mixed = found.mixed[lane] != 0;
        let only = |x: R| if mixed { x } else { R::ZERO };
        let (prandtl_moisture, prandtl_heat) = prandtl(&scales, only(entrainment.cloud_cubed));
        let factor = R::from_f64(CONVECTIVE_FACTOR * KARMAN);
        let zone_depth = only(fluxes.depth);
        // Without a mixed layer for the topographic option alone.
        let counted = |x: R| if mixed | (batch.parameters.topographic != 0) { x } else { R::ZERO };
        let centres = found.crossing.centre[lane] - found.crossing.centre_below[lane];
        mixing.set(
            lane,
            Mixing {
                height,
                per_height,
                // Lower than this is no mixed layer.
                per_depth: R::ONE / (height - lowest.centre).max(R::from_f64(1e-4)),
                stable_slope: R::from_f64(5.0) * scales.stability / lowest.centre,
                friction: ground.friction_velocity,
                shear_cubed: scales.shear_cubed,
                convective_cubed: factor * scales.convective_cubed,
                cloud_cubed: factor * only(entrainment.cloud_cubed),
                prandtl_moisture,
                prandtl_heat,
                counter_heat: counted(counter.heat * per_height),
                counter_u: counted(counter.u * per_height),
                counter_v: counted(counter.v * per_height),
                flux_heat: only(fluxes.heat),
                flux_vapour: only(fluxes.vapour),
                flux_u: only(fluxes.u),
                flux_v: only(fluxes.v),
                zone_diffusivity: only(-entrainment.velocity * centres),
                zone_depth,
                per_zone_depth: R::ONE / zone_depth,
            },
        );
    }
    BoundaryLayer {
        ground,
        lowest,
        mixing,
        convective_velocity: found.scales.convective,
        layer: found.layer,
        mixed: found.mixed,
        cloud,
    }
}

/// Prandtl numbers of moisture and heat in the mixed layer, less 1, before their decay with height.
#[inline(always)]
fn prandtl<R: Real>(scales: &Scales<R>, cloud_cubed: R) -> (R, R) {
    let unstable = scales.stability < R::ZERO;
    let convective = scales.convective_cubed + cloud_cubed;
    let number =
        scales.phi_ratio + if unstable { R::from_f64(COUNTER_GRADIENT * KARMAN * SURFACE_LAYER) } else { R::ZERO };
    let moisture = number.clamp(R::from_f64(0.25), R::from_f64(4.0));
    // The smallest number keeps 0/0 away where the shear vanishes.
    let weight = scales.shear_cubed + R::from_f64(4.0 * KARMAN) * convective + R::MIN_POSITIVE;
    let terms = R::from_f64(COUNTER_GRADIENT_MOMENTUM) * convective / weight;
    let terms = if unstable { terms } else { R::ZERO };
    let heat = moisture.plain_quotient(R::ONE + terms * R::from_f64(KARMAN * SURFACE_LAYER));
    (moisture - R::ONE, heat - R::ONE)
}
