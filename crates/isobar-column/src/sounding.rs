//! Columns of air to start from.

use std::vec;
use std::vec::Vec;

use isobar_core::Real;

use crate::constants::{GAS_CONSTANT, GRAVITY, HEAT_CAPACITY, REFERENCE_PRESSURE, VIRTUAL};
use crate::{SoundingError, Table};
use crate::{humidity, rcemip, standard_atmosphere};

/// Which analytic atmosphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind<'a> {
    /// RCEMIP's, over a sea of this temperature \[K\], 295 to 305.
    Rcemip {
        /// The temperature.
        sea_surface_k: f64,
    },
    /// The US Standard Atmosphere 1976, with the mean relative humidity of Manabe and Wetherald and RCEMIP's ozone.
    StandardAtmosphere,
    /// Hydrostatic, of profiles by height, those at the time 0; RCEMIP's ozone.
    Profile {
        /// Pressure at the ground \[Pa\], 1e4 to 1.2e5.
        surface_pressure_pa: f64,
        /// Potential temperature \[K\].
        theta_k: &'a Table,
        /// Mixing ratio of water vapour \[kg/kg\].
        vapour_kg_per_kg: &'a Table,
    },
}

/// The profile of a column from the surface up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sounding {
    /// Pressure of the interfaces \[Pa\], one more than layers.
    pub interface_pressure_pa: Vec<f64>,
    /// Pressure of the layers \[Pa\].
    pub pressure_pa: Vec<f64>,
    /// Exner function of the layers.
    pub exner: Vec<f64>,
    /// Temperature of the layers \[K\].
    pub temperature_k: Vec<f64>,
    /// Mixing ratio of water vapour \[kg/kg\].
    pub vapour_kg_per_kg: Vec<f64>,
    /// Mole fraction of ozone \[mol/mol\].
    pub ozone_mol_per_mol: Vec<f64>,
}

/// Heights of the interfaces of `layers` layers up to `top_m`, rising with the power `stretch`: 1 for layers of one
/// thickness, more for thinner ones below.
#[must_use]
pub fn heights(layers: usize, top_m: f64, stretch: f64) -> Vec<f64> {
    (0..=layers).map(|level| top_m * Real::powf(level as f64 / layers as f64, stretch)).collect()
}

impl Sounding {
    /// The profile on layers between these heights \[m\], the first 0. A layer has the state in the middle of its
    /// heights.
    ///
    /// # Errors
    /// Heights that do not rise from 0 to at most 86 km, a temperature of the sea outside 295 to 305 K, a pressure at
    /// the ground outside 1e4 to 1.2e5 Pa, or profiles by which the air ends below the top.
    pub fn new(kind: Kind<'_>, heights_m: &[f64]) -> Result<Self, SoundingError> {
        check(kind, heights_m)?;
        if let Kind::Profile { surface_pressure_pa, theta_k, vapour_kg_per_kg } = kind {
            return of_profile(surface_pressure_pa, theta_k, vapour_kg_per_kg, heights_m);
        }
        let state = |height: f64| match kind {
            Kind::Rcemip { sea_surface_k } => {
                let air = rcemip::state(height, sea_surface_k);
                (air.temperature_k, air.pressure_pa, air.humidity_kg_per_kg / (1.0 - air.humidity_kg_per_kg))
            }
            _ => {
                let (temperature, pressure) = standard_atmosphere::state(height);
                let (_, surface) = standard_atmosphere::state(0.0);
                (temperature, pressure, humidity::mean_mixing_ratio(temperature, pressure, surface))
            }
        };
        let interface_pressure = heights_m.iter().map(|&height| state(height).1).collect();
        let mut sounding = Self { interface_pressure_pa: interface_pressure, ..Self::default() };
        for pair in heights_m.windows(2) {
            let (temperature, pressure, vapour) = state(0.5 * (pair[0] + pair[1]));
            sounding.pressure_pa.push(pressure);
            sounding.exner.push(exner(pressure));
            sounding.temperature_k.push(temperature);
            sounding.vapour_kg_per_kg.push(vapour);
            sounding.ozone_mol_per_mol.push(rcemip::ozone(pressure));
        }
        Ok(sounding)
    }
}

/// Of profiles: the Exner function falls by `g dz / (cp theta_v)`, in the steps of half layers, in each of which
/// `theta_v` is that of its middle.
fn of_profile(surface: f64, theta: &Table, vapour: &Table, heights_m: &[f64]) -> Result<Sounding, SoundingError> {
    let (theta, vapour) = (|height| theta.at_height(0.0, height), |height| vapour.at_height(0.0, height));
    let mut exner_here = exner(surface);
    let pressure = |exner: f64| REFERENCE_PRESSURE * Real::powf(exner, HEAT_CAPACITY / GAS_CONSTANT);
    let mut sounding = Sounding { interface_pressure_pa: vec![surface], ..Sounding::default() };
    for (layer, pair) in heights_m.windows(2).enumerate() {
        let middle = 0.5 * (pair[0] + pair[1]);
        let mut up = |low: f64, high: f64| {
            let height = 0.5 * (low + high);
            let warmth = theta(height) * (1.0 + VIRTUAL * vapour(height));
            exner_here -= GRAVITY * (high - low) / (HEAT_CAPACITY * warmth);
            exner_here
        };
        let (at_middle, above) = (up(pair[0], middle), up(middle, pair[1]));
        if above.partial_cmp(&0.0) != Some(core::cmp::Ordering::Greater) {
            return Err(SoundingError::NoAir { layer });
        }
        sounding.pressure_pa.push(pressure(at_middle));
        sounding.exner.push(at_middle);
        sounding.temperature_k.push(theta(middle) * at_middle);
        sounding.vapour_kg_per_kg.push(vapour(middle));
        sounding.ozone_mol_per_mol.push(rcemip::ozone(pressure(at_middle)));
        sounding.interface_pressure_pa.push(pressure(above));
    }
    Ok(sounding)
}

/// The Exner function at a pressure \[Pa\].
#[must_use]
pub fn exner(pressure: f64) -> f64 {
    Real::powf(pressure / REFERENCE_PRESSURE, GAS_CONSTANT / HEAT_CAPACITY)
}

fn check(kind: Kind<'_>, heights_m: &[f64]) -> Result<(), SoundingError> {
    let [low, high] = rcemip::SURFACE_RANGE_K;
    if let Kind::Rcemip { sea_surface_k } = kind
        && !(low..=high).contains(&sea_surface_k)
    {
        return Err(SoundingError::Value {
            variable: "sea-surface temperature [K]",
            value: sea_surface_k,
            range: "in [295, 305]",
        });
    }
    if let Kind::Profile { surface_pressure_pa, .. } = kind
        && !(1e4..=1.2e5).contains(&surface_pressure_pa)
    {
        return Err(SoundingError::Value {
            variable: "pressure at the ground [Pa]",
            value: surface_pressure_pa,
            range: "in [1e4, 1.2e5]",
        });
    }
    let first = heights_m.first().copied().unwrap_or(f64::NAN);
    if first != 0.0 || heights_m.len() < 2 {
        return Err(SoundingError::Value {
            variable: "lowest height [m]",
            value: first,
            range: "0, below at least one other",
        });
    }
    for (i, pair) in heights_m.windows(2).enumerate() {
        // NaN does not rise, either.
        if pair[1].partial_cmp(&pair[0]) != Some(core::cmp::Ordering::Greater) {
            return Err(SoundingError::Heights { interface: i + 1, value: pair[1] });
        }
    }
    let top = heights_m[heights_m.len() - 1];
    if top > standard_atmosphere::TOP_M {
        return Err(SoundingError::Value { variable: "top of the model [m]", value: top, range: "at most 86000" });
    }
    Ok(())
}
