//! What the sweep over the levels has to know of a column: its boundary layer.

use isobar_core::{Real, per_lane};

use crate::constants::{COUNTER_GRADIENT_MOMENTUM, LARGEST_PRANDTL, LEAST_DEPTH, LEAST_PRANDTL, STABLE_SLOPE};
use crate::physical::Physical;
use crate::physics::entrainment::{Entrainment, top_fluxes};
use crate::physics::height::Height;
use crate::physics::mixing::Mixing;
use crate::physics::sample::Sample;
use crate::physics::scales::{CounterGradient, Scales};
use crate::physics::shin_hong::scaled::Scaled;
use crate::physics::shin_hong::shares::Shares;
use crate::physics::surface::{Ground, Lowest};
use crate::version::Parameters;

per_lane! {
    /// The boundary layer of a column.
    pub(crate) struct BoundaryLayer<T, N> {
        ground: Ground<T>,
        lowest: Lowest<T>,
        mixing: Mixing<T>,
        scales: Scales<T>,
        /// Of Shin-Hong.
        scaled: Scaled<T>,
        /// w* \[m/s\].
        convective_velocity: T,
        /// The layer in which the boundary layer ends, counted from 1.
        layer: N,
        /// Are there explicit fluxes? 0 or 1.
        mixed: N,
        /// Does cloud drive mixing from its top? 0 or 1.
        cloud: N,
    }
}

/// The layers, counted from 0, on both sides of a top in `layer`.
#[inline(always)]
pub(crate) fn around_top(layer: u32) -> [u32; 2] {
    let above = layer - 1;
    [above.saturating_sub(1), above]
}

/// The constants of the diffusivities and fluxes of a column whose height was found, with the layers on both sides of
/// its top.
#[inline(always)]
pub(crate) fn mixing<R: Real>(
    ground: &Ground<R>,
    lowest: &Lowest<R>,
    found: &Height<R, u32>,
    entrainment: &Entrainment<R>,
    counter: &CounterGradient<R>,
    [below, above]: [&Sample<R>; 2],
    shares: Option<&Shares<R>>,
    parameters: &Parameters<R>,
) -> Mixing<R> {
    let physical = &parameters.physical;
    let (scales, height) = (&found.scales, found.height);
    let fluxes = top_fluxes(ground, lowest, entrainment, height, [below, above], shares);
    let per_height = R::ONE / height;
    let mixed = found.mixed != 0;
    let only = |x: R| if mixed { x } else { R::ZERO };
    let (prandtl_moisture, prandtl_heat) = prandtl(scales, only(entrainment.cloud_cubed), physical);
    let zone_depth = only(fluxes.depth);
    // Columns without a mixed layer have counter-gradient terms for the topographic option alone.
    let counted = |x: R| if mixed | (parameters.topographic != 0) { x } else { R::ZERO };
    let centres = found.crossing.centre - found.crossing.centre_below;
    Mixing {
        height,
        per_height,
        per_depth: R::ONE / (height - lowest.centre).max(R::from_f64(LEAST_DEPTH)),
        stable_slope: R::from_f64(STABLE_SLOPE) * scales.stability / lowest.centre,
        friction: ground.friction_velocity,
        shear_cubed: scales.shear_cubed,
        convective_cubed: physical.convective * scales.convective_cubed,
        cloud_cubed: physical.convective * only(entrainment.cloud_cubed),
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
    }
}

/// Prandtl numbers of moisture and heat in the mixed layer, less 1, before their decay with height.
#[inline(always)]
fn prandtl<R: Real>(scales: &Scales<R>, cloud_cubed: R, physical: &Physical<R>) -> (R, R) {
    let unstable = scales.stability < R::ZERO;
    let convective = scales.convective_cubed + cloud_cubed;
    let number = scales.phi_ratio + if unstable { physical.prandtl_surface } else { R::ZERO };
    let moisture = number.clamp(R::from_f64(LEAST_PRANDTL), R::from_f64(LARGEST_PRANDTL));
    // The smallest number keeps 0/0 away where the shear vanishes.
    let weight = scales.shear_cubed + physical.prandtl_convective * convective + R::MIN_POSITIVE;
    let terms = R::from_f64(COUNTER_GRADIENT_MOMENTUM) * convective / weight;
    let terms = if unstable { terms } else { R::ZERO };
    let heat = moisture.plain_quotient(R::ONE + terms * physical.karman_surface);
    (moisture - R::ONE, heat - R::ONE)
}
