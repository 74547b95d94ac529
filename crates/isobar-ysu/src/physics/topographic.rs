//! The height up to which unresolved orography matters, from a diagnostic turbulent energy and from potential
//! temperature, and the share of the drag that it leaves alone (Jimenez and Dudhia 2012, Lorente-Plazas et al. 2016).

use isobar_core::{Real, per_lane};

use crate::constants::{
    BEYOND_TEMPERATURES, ENERGY_DECAY, ENERGY_EXPONENT, ENERGY_FACTOR, EVEN_HEIGHT, EVEN_SCALE, EXTREMES_BELOW,
    LARGEST_ENERGY, LEAST_DIFFERENCE, LEAST_ENERGY, OROGRAPHIC_LENGTH, OROGRAPHIC_THIRD, SHARE_OF_HEIGHT,
    SHARE_OF_VELOCITY, SMOOTH_HEIGHT, SMOOTH_SCALE, WARMER_OVER_LAND, WARMER_OVER_WATER,
};
use crate::physical::Physical;
use crate::physics::free_atmosphere::{asymptotic_length, mixing_length};
use crate::physics::layer::{Heights, Layer};
use crate::physics::mixing::Mixing;
use crate::physics::potential_temperature::{deviation, virtual_deviation};
use crate::physics::surface::{Ground, Lowest};

per_lane! {
    /// Energy, virtual potential temperature less the reference and thickness of the layer below, and the heights \[m\]
    /// that follow from energy and temperature.
    pub(crate) struct Found { energy_below, warmth_below, thickness_below, by_energy, by_warmth }
}

per_lane! {
    /// What the search for the height of mixing reads of a layer, and the energy that the first sweep left.
    pub(crate) struct Searched { temperature, exner, vapour, thickness, energy }
}

/// Turbulent energy, twice, at the interface between two layers: shear production less buoyancy over a mixing length.
#[inline(always)]
pub(crate) fn energy<R: Real>(
    lower: &Layer<R>,
    upper: &Layer<R>,
    mixing: &Mixing<R>,
    reference: R,
    [momentum, heat]: [R; 2],
    below: bool,
    physical: &Physical<R>,
) -> R {
    let distance = upper.centre - lower.centre;
    let (du, dv) = ((upper.u - lower.u) / distance, (upper.v - lower.v) / distance);
    let shear = momentum * ((du - mixing.counter_u) * du + (dv - mixing.counter_v) * dv);
    let warming = (upper.theta - lower.theta) / distance;
    let buoyancy = heat * (physical.gravity / (reference + lower.theta)) * (warming - mixing.counter_heat);
    let asymptotic = if below { R::from_f64(OROGRAPHIC_LENGTH) } else { asymptotic_length(distance) };
    let dissipated = R::from_f64(ENERGY_FACTOR) * mixing_length(lower.top, asymptotic, physical) * (shear - buoyancy);
    let energy = dissipated.max(R::ZERO).powf(R::from_f64(ENERGY_EXPONENT));
    if dissipated > R::ZERO { energy } else { R::ZERO }
}

per_lane! {
    /// The largest energy and the least virtual potential temperature of the lowest layers, and which layers have them,
    /// counted from 1.
    pub(crate) struct Extremes<T, N> { largest: T, coldest: T, energy_layer: N, cold_layer: N }
}

impl<R: Real> Extremes<R, u32> {
    #[inline(always)]
    pub(crate) fn start() -> Self {
        Self { largest: R::ZERO, coldest: R::from_f64(BEYOND_TEMPERATURES), energy_layer: 1, cold_layer: 1 }
    }

    /// Looks at a layer, counted from 1, of this virtual potential temperature, and the energy above it; those that
    /// count are `low`.
    #[inline(always)]
    pub(crate) fn with(self, layer: u32, energy: R, warmth: R, low: bool) -> Self {
        let (more, colder) = (low & (energy > self.largest), low & (warmth < self.coldest));
        Self {
            largest: if more { energy } else { self.largest },
            energy_layer: if more { layer } else { self.energy_layer },
            coldest: if colder { warmth } else { self.coldest },
            cold_layer: if colder { layer } else { self.cold_layer },
        }
    }
}

/// Does a layer over the interface at height `bottom` count for the extremes? The lowest, number 1, does not.
#[inline(always)]
pub(crate) fn counts<R: Real>(layer: u32, bottom: R) -> bool {
    (layer > 1) & (bottom <= R::from_f64(EXTREMES_BELOW))
}

per_lane! {
    /// The search upward to where the energy has decayed and where the air is warmer than the coldest by a threshold.
    pub(crate) struct MixingHeight<T, N> {
        found: Found<T>,
        /// Is the height by energy sought, and that by temperature? 0 or 1.
        seek_energy: N,
        seek_warmth: N,
        heights: Heights<T>,
    }
}

impl<R: Real> MixingHeight<R, u32> {
    #[inline(always)]
    pub(crate) fn start(lowest: &Lowest<R>) -> Self {
        let found = Found { by_energy: lowest.top, by_warmth: lowest.top, ..Found::default() };
        Self { found, seek_energy: 1, seek_warmth: 1, heights: Heights::default() }
    }

    /// Looks at a layer, counted from 1; the `last` of them leaves the search at the first interface.
    #[inline(always)]
    pub(crate) fn rise(
        self,
        (ground, lowest): (&Ground<R>, &Lowest<R>),
        extremes: &Extremes<R, u32>,
        air: &Searched<R>,
        layer: u32,
        last: bool,
        physical: &Physical<R>,
    ) -> Self {
        let (at, bottom) = (self.found, self.heights.top);
        let warmth = deviation(air.temperature, air.exner, lowest.reference);
        let warmth = virtual_deviation(warmth, air.vapour, lowest.reference, physical);
        let energy = R::from_f64(0.5) * air.energy;
        let threshold = extremes.largest / R::from_f64(ENERGY_DECAY);
        let threshold = threshold.clamp(R::from_f64(LEAST_ENERGY), R::from_f64(LARGEST_ENERGY));
        let land = ground.is_land();
        let excess = if land { R::from_f64(WARMER_OVER_LAND) } else { R::from_f64(WARMER_OVER_WATER) };
        let target = extremes.coldest + excess;
        let tiny = R::from_f64(LEAST_DIFFERENCE);

        let warm = (self.seek_warmth != 0) & (layer > extremes.cold_layer) & (warmth >= target);
        let step = ((warmth - target) / (warmth - at.warmth_below).max(tiny)).min(R::ONE);
        let by_warmth = if last { lowest.top } else { bottom - at.thickness_below * step };

        let calm = (self.seek_energy != 0) & (layer > extremes.energy_layer) & (energy <= threshold);
        let step = ((threshold - energy) / (at.energy_below - energy).max(tiny)).min(R::ONE);
        let by_energy = (bottom - at.thickness_below * step).max(lowest.top);
        let by_energy = if last { lowest.top } else { by_energy };

        let found = Found {
            by_energy: if calm { by_energy } else { at.by_energy },
            by_warmth: if warm { by_warmth } else { at.by_warmth },
            energy_below: energy,
            warmth_below: warmth,
            thickness_below: air.thickness,
        };
        Self {
            found,
            seek_energy: if calm { 0 } else { self.seek_energy },
            seek_warmth: if warm { 0 } else { self.seek_warmth },
            heights: self.heights.next(air.thickness),
        }
    }

    /// The height of mixing \[m\].
    #[inline(always)]
    pub(crate) fn height(&self) -> R {
        let half = R::from_f64(0.5);
        let Found { by_energy, by_warmth, .. } = self.found;
        let weight = half * ((by_warmth - R::from_f64(EVEN_HEIGHT)) / R::from_f64(EVEN_SCALE)).tanh() + half;
        by_energy * (R::ONE - weight) + by_warmth * weight
    }
}

/// The share of the drag that orography does not change, 0 to 1, by the height of mixing.
#[inline(always)]
pub(crate) fn smooth_share<R: Real>(ground: &Ground<R>, lowest: &Lowest<R>, height: R, physical: &Physical<R>) -> R {
    let flux = lowest.virtual_flux.max(R::ZERO);
    let convective = physical.gravity / lowest.virtual_theta() * height * flux;
    let velocity = convective.powf(R::from_f64(OROGRAPHIC_THIRD));
    let velocity = if ground.is_land() { velocity } else { R::ZERO };
    let high = (height - R::from_f64(SMOOTH_HEIGHT)) / R::from_f64(SMOOTH_SCALE);
    (R::from_f64(SHARE_OF_VELOCITY) * velocity + R::from_f64(SHARE_OF_HEIGHT) * high.max(R::ZERO)).min(R::ONE)
}
