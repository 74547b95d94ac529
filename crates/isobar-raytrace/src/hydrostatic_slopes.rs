//! How a hydrostatic pressure follows temperature, water vapour and the pressure at its reference level.

#[cfg(feature = "std")]
use isobar_core::{Column, Dual, Real};

#[cfg(feature = "std")]
use crate::atmosphere::Atmosphere;
#[cfg(feature = "std")]
use crate::hydrostatic::{Layer, outwards};

/// How the pressure at a level follows the level next to it, from which it is made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct HydrostaticStep {
    /// The level next to it.
    pub from: u32,
    /// The level.
    pub to: u32,
    /// Derivative of its pressure by that at `from`.
    pub by_pressure: f64,
    /// Derivatives by temperature at `from` and `to` \[hPa/K\].
    pub by_temperature_hpa_per_k: [f64; 2],
    /// Derivatives by the mixing ratio of water vapour at `from` and `to` \[hPa\].
    pub by_water_hpa: [f64; 2],
}

/// The steps of [`Atmosphere::make_hydrostatic`], the last one first, so that derivatives can be pulled back through
/// them. `atmosphere` is a hydrostatic one, `water` the index of H2O among the gases.
#[cfg(feature = "std")]
#[must_use]
pub fn hydrostatic_steps(atmosphere: &Atmosphere, reference_km: f64, water: Option<usize>) -> Vec<HydrostaticStep> {
    let water = water.map(|gas| &atmosphere.mixing_ratio[gas]);
    let step = |(from, to): (usize, usize)| {
        type Number = Dual<f64, 5>;
        let constants = |values: &[f64]| [from, to].map(|level| Number::constant(values[level]));
        let variables = |values: &[f64], first: usize| {
            [(from, first), (to, first + 1)].map(|(level, number)| Number::variable(values[level], number))
        };
        let layer = Layer {
            height_km: constants(&atmosphere.height_km),
            temperature_k: variables(&atmosphere.temperature_k, 1),
            water: water.map_or([Number::ZERO; 2], |water| variables(water, 3)),
        };
        let pressure = layer.pressure_beyond(Number::variable(atmosphere.pressure_hpa[from], 0));
        let [by_pressure, by_temperature, by_temperature_there, by_water, by_water_there] = pressure.derivative;
        HydrostaticStep {
            from: from as u32,
            to: to as u32,
            by_pressure,
            by_temperature_hpa_per_k: [by_temperature, by_temperature_there],
            by_water_hpa: [by_water, by_water_there],
        }
    };
    let of_profile = |range: core::ops::Range<usize>| {
        let layers = outwards(Column::from(&atmosphere.height_km[range.clone()]), reference_km);
        layers.map(move |(from, to)| (range.start + from, range.start + to)).collect::<Vec<_>>()
    };
    atmosphere.profiles().into_iter().flat_map(of_profile).rev().map(step).collect()
}
