//! What the sweep over the levels has to know of a column: its boundary layer.

use isobar_core::Real;

use crate::constants::{
    CONVECTIVE_FACTOR, COUNTER_GRADIENT, COUNTER_GRADIENT_MOMENTUM, KARMAN, LARGEST_PRANDTL, LEAST_DEPTH,
    LEAST_PRANDTL, PRANDTL_CONVECTIVE, STABLE_SLOPE, SURFACE_LAYER,
};
use crate::physics::entrainment::{Entrainment, by_surface, top_fluxes};
use crate::physics::height::Height;
use crate::physics::mixing::Mixing;
use crate::physics::sample::Sample;
use crate::physics::scales::{CounterGradient, Scales};
use crate::physics::surface::{Ground, Lowest};
use crate::physics::top_down::CloudTop;

/// The boundary layers of the lanes.
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

/// The layers, counted from 0, on both sides of the tops.
#[inline(always)]
pub(crate) fn around_top<R: Real, const W: usize>(found: &Height<R, W>) -> [[u32; W]; 2] {
    let (mut below, mut above) = ([0; W], [0; W]);
    for lane in 0..W {
        above[lane] = found.layer[lane] - 1;
        below[lane] = above[lane].saturating_sub(1);
    }
    [below, above]
}

/// Entrainment by what the surface drives.
#[inline(always)]
pub(crate) fn surface_entrainment<R: Real, const W: usize>(
    lowest: &Lowest<[R; W]>,
    found: &Height<R, W>,
    below: &Sample<[R; W]>,
    above: &Sample<[R; W]>,
) -> Entrainment<[R; W]> {
    let mut entrainment = Entrainment::<[R; W]>::ZEROS;
    for lane in 0..W {
        let (lowest, scales) = (lowest.lane(lane), found.scales.lane(lane));
        let (below, above) = (below.lane(lane), above.lane(lane));
        let by_surface = by_surface(&lowest, &scales, scales.convective_cubed, found.height[lane], &below, &above);
        entrainment.set(lane, by_surface);
    }
    entrainment
}

/// What a cloud's top drives besides, in lanes with `cloud`.
#[inline(always)]
pub(crate) fn add_cloud<R: Real, const W: usize>(
    top: &CloudTop<R, W>,
    cloud: &[u32; W],
    ground: &Ground<[R; W]>,
    lowest: &Lowest<[R; W]>,
    found: &Height<R, W>,
    entrainment: &mut Entrainment<[R; W]>,
    counter: &mut CounterGradient<[R; W]>,
) {
    for lane in 0..W {
        let (ground, lowest, scales) = (ground.lane(lane), lowest.lane(lane), found.scales.lane(lane));
        let (driven, terms) = top.drive(lane, &ground, &lowest, &scales, found.height[lane]);
        let (before, counter_before) = (entrainment.lane(lane), counter.lane(lane));
        entrainment.set(lane, if cloud[lane] != 0 { driven } else { before });
        counter.set(lane, if cloud[lane] != 0 { terms } else { counter_before });
    }
}

/// The boundary layers whose heights were found, with the layers on both sides of their tops.
#[inline(always)]
pub(crate) fn boundary_layer<R: Real, const W: usize>(
    ground: &Ground<[R; W]>,
    lowest: &Lowest<[R; W]>,
    found: &Height<R, W>,
    entrainment: &Entrainment<[R; W]>,
    counter: &CounterGradient<[R; W]>,
    cloud: [u32; W],
    (below, above): (&Sample<[R; W]>, &Sample<[R; W]>),
    topographic: bool,
) -> BoundaryLayer<R, W> {
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
        // Columns without a mixed layer have counter-gradient terms for the topographic option alone.
        let counted = |x: R| if mixed | topographic { x } else { R::ZERO };
        let centres = found.crossing.centre[lane] - found.crossing.centre_below[lane];
        mixing.set(
            lane,
            Mixing {
                height,
                per_height,
                per_depth: R::ONE / (height - lowest.centre).max(R::from_f64(LEAST_DEPTH)),
                stable_slope: R::from_f64(STABLE_SLOPE) * scales.stability / lowest.centre,
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
        ground: *ground,
        lowest: *lowest,
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
    let moisture = number.clamp(R::from_f64(LEAST_PRANDTL), R::from_f64(LARGEST_PRANDTL));
    // The smallest number keeps 0/0 away where the shear vanishes.
    let weight = scales.shear_cubed + R::from_f64(PRANDTL_CONVECTIVE * KARMAN) * convective + R::MIN_POSITIVE;
    let terms = R::from_f64(COUNTER_GRADIENT_MOMENTUM) * convective / weight;
    let terms = if unstable { terms } else { R::ZERO };
    let heat = moisture.plain_quotient(R::ONE + terms * R::from_f64(KARMAN * SURFACE_LAYER));
    (moisture - R::ONE, heat - R::ONE)
}
