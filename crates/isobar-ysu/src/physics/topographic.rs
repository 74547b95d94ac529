//! The height up to which unresolved orography matters, from a diagnostic turbulent energy and from potential
//! temperature, and the share of the drag that it leaves alone (Jimenez and Dudhia 2012, Lorente-Plazas et al. 2016).

use isobar_core::Real;

use crate::constants::{
    BEYOND_TEMPERATURES, ENERGY_DECAY, ENERGY_EXPONENT, ENERGY_FACTOR, EVEN_HEIGHT, EVEN_SCALE, EXTREMES_BELOW,
    GRAVITY, LARGEST_ENERGY, LEAST_DIFFERENCE, LEAST_ENERGY, OROGRAPHIC_LENGTH, OROGRAPHIC_THIRD, SHARE_OF_HEIGHT,
    SHARE_OF_VELOCITY, SMOOTH_HEIGHT, SMOOTH_SCALE, WARMER_OVER_LAND, WARMER_OVER_WATER,
};
use crate::physics::boundary_layer::BoundaryLayer;
use crate::physics::diffusivity::Interface;
use crate::physics::free_atmosphere::{asymptotic_length, mixing_length};
use crate::physics::layer::{Heights, Layer};
use crate::physics::mixing::Mixing;
use crate::physics::per_lane::per_lane;
use crate::physics::potential_temperature::{deviation, virtual_deviation};

per_lane! {
    /// Energy, virtual potential temperature less the reference and thickness of the layer below, and the heights \[m\]
    /// that follow from energy and temperature.
    struct Found { energy_below, warmth_below, thickness_below, by_energy, by_warmth }
}

per_lane! {
    /// What the search for the height of mixing reads of a layer, and the energy that the first sweep left.
    struct Searched { temperature, exner, vapour, thickness, energy }
}

/// Turbulent energy, twice, at the interface between two layers: shear production less buoyancy over a mixing length.
#[inline(always)]
fn energy<R: Real>(
    lower: &Layer<R>,
    upper: &Layer<R>,
    mixing: &Mixing<R>,
    reference: R,
    momentum: R,
    heat: R,
    below: bool,
) -> R {
    let distance = upper.centre - lower.centre;
    let (du, dv) = ((upper.u - lower.u) / distance, (upper.v - lower.v) / distance);
    let shear = momentum * ((du - mixing.counter_u) * du + (dv - mixing.counter_v) * dv);
    let warming = (upper.theta - lower.theta) / distance;
    let buoyancy = heat * (R::from_f64(GRAVITY) / (reference + lower.theta)) * (warming - mixing.counter_heat);
    let asymptotic = if below { R::from_f64(OROGRAPHIC_LENGTH) } else { asymptotic_length(distance) };
    let dissipated = R::from_f64(ENERGY_FACTOR) * mixing_length(lower.top, asymptotic) * (shear - buoyancy);
    let energy = dissipated.max(R::ZERO).powf(R::from_f64(ENERGY_EXPONENT));
    if dissipated > R::ZERO { energy } else { R::ZERO }
}

/// The largest energy and the least virtual potential temperature of the lowest layers, and which layers have them,
/// counted from 1.
pub(crate) struct Extremes<R, const W: usize> {
    largest: [R; W],
    coldest: [R; W],
    energy_layer: [u32; W],
    cold_layer: [u32; W],
}

impl<R: Real, const W: usize> Extremes<R, W> {
    #[inline(always)]
    pub(crate) fn start() -> Self {
        Self {
            largest: [R::ZERO; W],
            coldest: [R::from_f64(BEYOND_TEMPERATURES); W],
            energy_layer: [1; W],
            cold_layer: [1; W],
        }
    }

    /// Looks at the layer `lower` of a level, above the interface at height `bottom`; gives the energy at the interface
    /// above it.
    #[inline(always)]
    pub(crate) fn add(
        &mut self,
        boundary_layer: &BoundaryLayer<R, W>,
        level: usize,
        bottom: &[R; W],
        (lower, upper): (&Layer<[R; W]>, &Layer<[R; W]>),
        at: &Interface<R, W>,
    ) -> [R; W] {
        let reference = &boundary_layer.lowest.reference;
        let mut energies = [R::ZERO; W];
        for lane in 0..W {
            let here = lower.lane(lane);
            let (momentum, heat) = (at.local_momentum[lane], at.diffusivity.heat[lane]);
            let mixing = boundary_layer.mixing.lane(lane);
            let energy =
                energy(&here, &upper.lane(lane), &mixing, reference[lane], momentum, heat, at.below[lane] != 0);
            energies[lane] = energy;
            let low = (level > 0) & (bottom[lane] <= R::from_f64(EXTREMES_BELOW));
            let more = low & (energy > self.largest[lane]);
            self.largest[lane] = if more { energy } else { self.largest[lane] };
            self.energy_layer[lane] = if more { level as u32 + 1 } else { self.energy_layer[lane] };
            let colder = low & (here.virtual_theta < self.coldest[lane]);
            self.coldest[lane] = if colder { here.virtual_theta } else { self.coldest[lane] };
            self.cold_layer[lane] = if colder { level as u32 + 1 } else { self.cold_layer[lane] };
        }
        energies
    }
}

/// The search upward to where the energy has decayed and where the air is warmer than the coldest by a threshold.
pub(crate) struct MixingHeight<R, const W: usize> {
    found: Found<[R; W]>,
    seek_energy: [u32; W],
    seek_warmth: [u32; W],
    heights: Heights<[R; W]>,
}

impl<R: Real, const W: usize> MixingHeight<R, W> {
    #[inline(always)]
    pub(crate) fn start(boundary_layer: &BoundaryLayer<R, W>) -> Self {
        let top = boundary_layer.lowest.top;
        let found = Found { by_energy: top, by_warmth: top, ..Found::ZEROS };
        Self { found, seek_energy: [1; W], seek_warmth: [1; W], heights: Heights::ZEROS }
    }

    /// Which lanes seek either of the heights?
    #[inline(always)]
    pub(crate) fn seeking(&self) -> [u32; W] {
        let mut either = [0; W];
        for lane in 0..W {
            either[lane] = self.seek_energy[lane] | self.seek_warmth[lane];
        }
        either
    }

    /// Looks at a layer, counted from 1; the `last` of them leaves the search at the first interface.
    #[inline(always)]
    pub(crate) fn rise(
        &mut self,
        boundary_layer: &BoundaryLayer<R, W>,
        extremes: &Extremes<R, W>,
        air: &Searched<[R; W]>,
        layer: u32,
        last: bool,
    ) {
        let lowest = &boundary_layer.lowest;
        for lane in 0..W {
            let mut at = self.found.lane(lane);
            let bottom = self.heights.top[lane];
            self.heights.set(lane, self.heights.lane(lane).next(air.thickness[lane]));
            let warmth = deviation(air.temperature[lane], air.exner[lane], lowest.reference[lane]);
            let warmth = virtual_deviation(warmth, air.vapour[lane], lowest.reference[lane]);
            let energy = R::from_f64(0.5) * air.energy[lane];
            let threshold = extremes.largest[lane] / R::from_f64(ENERGY_DECAY);
            let threshold = threshold.clamp(R::from_f64(LEAST_ENERGY), R::from_f64(LARGEST_ENERGY));
            let land = boundary_layer.ground.lane(lane).is_land();
            let excess = if land { R::from_f64(WARMER_OVER_LAND) } else { R::from_f64(WARMER_OVER_WATER) };
            let target = extremes.coldest[lane] + excess;
            let tiny = R::from_f64(LEAST_DIFFERENCE);

            let warm = (self.seek_warmth[lane] != 0) & (layer > extremes.cold_layer[lane]) & (warmth >= target);
            let step = ((warmth - target) / (warmth - at.warmth_below).max(tiny)).min(R::ONE);
            let found = if last { lowest.top[lane] } else { bottom - at.thickness_below * step };
            at.by_warmth = if warm { found } else { at.by_warmth };
            self.seek_warmth[lane] = if warm { 0 } else { self.seek_warmth[lane] };

            let calm = (self.seek_energy[lane] != 0) & (layer > extremes.energy_layer[lane]) & (energy <= threshold);
            let step = ((threshold - energy) / (at.energy_below - energy).max(tiny)).min(R::ONE);
            let found = (bottom - at.thickness_below * step).max(lowest.top[lane]);
            let found = if last { lowest.top[lane] } else { found };
            at.by_energy = if calm { found } else { at.by_energy };
            self.seek_energy[lane] = if calm { 0 } else { self.seek_energy[lane] };

            at.warmth_below = warmth;
            at.energy_below = energy;
            at.thickness_below = air.thickness[lane];
            self.found.set(lane, at);
        }
    }

    /// The height of mixing \[m\].
    #[inline(always)]
    pub(crate) fn height(&self) -> [R; W] {
        let half = R::from_f64(0.5);
        let mut height = [R::ZERO; W];
        for lane in 0..W {
            let (by_energy, by_warmth) = (self.found.by_energy[lane], self.found.by_warmth[lane]);
            let weight = half * ((by_warmth - R::from_f64(EVEN_HEIGHT)) / R::from_f64(EVEN_SCALE)).tanh() + half;
            height[lane] = by_energy * (R::ONE - weight) + by_warmth * weight;
        }
        height
    }
}

/// The share of the drag that orography does not change, 0 to 1, by the height of mixing.
#[inline(always)]
pub(crate) fn smooth_share<R: Real, const W: usize>(boundary_layer: &BoundaryLayer<R, W>, height: &[R; W]) -> [R; W] {
    let mut share = [R::ZERO; W];
    for lane in 0..W {
        let (ground, lowest) = (boundary_layer.ground.lane(lane), boundary_layer.lowest.lane(lane));
        let flux = lowest.virtual_flux.max(R::ZERO);
        let convective = R::from_f64(GRAVITY) / lowest.virtual_theta() * height[lane] * flux;
        let velocity = convective.powf(R::from_f64(OROGRAPHIC_THIRD));
        let velocity = if ground.is_land() { velocity } else { R::ZERO };
        let high = (height[lane] - R::from_f64(SMOOTH_HEIGHT)) / R::from_f64(SMOOTH_SCALE);
        share[lane] =
            (R::from_f64(SHARE_OF_VELOCITY) * velocity + R::from_f64(SHARE_OF_HEIGHT) * high.max(R::ZERO)).min(R::ONE);
    }
    share
}
