//! What a spectrum needs besides the columns.

use isobar_radiation::{LongwaveScattering, Overlap};

use crate::ground::SOLAR_CONSTANT;
use crate::rcemip;
use crate::stages::SolarTime;

/// The temperature of the layers above the model's top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Above {
    /// That of the model's uppermost layer.
    Constant,
    /// It goes over to that of the US Standard Atmosphere.
    #[default]
    Standard,
}

/// Where ozone comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ozone {
    /// The field [`OZONE`](crate::stages::quantity::OZONE).
    #[default]
    Field,
    /// The tracer of this number.
    Tracer(usize),
}

/// Gases that are mixed well, and the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongwaveOptions {
    /// Ozone.
    pub ozone: Ozone,
    /// Mole fractions of carbon dioxide, nitrous oxide, carbon monoxide, methane and oxygen \[mol/mol\].
    pub mixed_mol_per_mol: [f64; 5],
    /// Emissivity of the surface, 0 to 1.
    pub emissivity: f64,
}

/// RCEMIP's gases and a black surface.
impl Default for LongwaveOptions {
    fn default() -> Self {
        Self {
            ozone: Ozone::Field,
            mixed_mol_per_mol: [rcemip::CO2, rcemip::N2O, 0.0, rcemip::CH4, 0.209],
            emissivity: 1.0,
        }
    }
}

/// What a spectrum needs besides the columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RadiationOptions {
    /// Gases that are mixed well, nitrogen aside, ozone, and the emissivity of the ground.
    pub gases: LongwaveOptions,
    /// Layers above the model's top, for radiation alone ([`crate::sky`]), up to 1000.
    pub layers_above: usize,
    /// Their temperature.
    pub above: Above,
    /// Do clouds scatter the long wave?
    pub longwave_scattering: LongwaveScattering,
    /// How clouds of different layers overlap: not less with distance.
    pub overlap: Overlap,
    /// Day of the year at time 0, as of [`super::Sun`].
    pub day_of_year: f64,
    /// By which time the Sun stands, likewise.
    pub solar_time: SolarTime,
    /// The sun's irradiance at its mean distance \[W/m^2\].
    pub total_solar_irradiance_w_per_m2: f64,
}

/// Ten layers above, the Standard Atmosphere's; the first of January.
impl Default for RadiationOptions {
    fn default() -> Self {
        Self {
            gases: LongwaveOptions::default(),
            layers_above: 10,
            above: Above::default(),
            longwave_scattering: LongwaveScattering::default(),
            overlap: Overlap::default(),
            day_of_year: 1.0,
            solar_time: SolarTime::Mean,
            total_solar_irradiance_w_per_m2: SOLAR_CONSTANT,
        }
    }
}

impl RadiationOptions {
    /// Says what is out of range, in a state with this number of tracers.
    pub(super) fn check(&self, tracers: usize) -> Result<(), String> {
        if let Ozone::Tracer(number) = self.gases.ozone
            && number >= tracers
        {
            return Err(format!("there is no tracer {number}: there are {tracers}"));
        }
        let ones = self.gases.mixed_mol_per_mol.iter().chain([&self.gases.emissivity]);
        if let Some(value) = ones.copied().find(|value| !(0.0..=1.0).contains(value)) {
            return Err(format!("{value} is no mole fraction or emissivity in [0, 1]"));
        }
        if self.overlap.is_exponential() {
            return Err("clouds whose overlap is less with distance are not there".to_owned());
        }
        if self.layers_above > 1000 {
            return Err(format!("{} layers above the top are not in [0, 1000]", self.layers_above));
        }
        let irradiance = self.total_solar_irradiance_w_per_m2;
        if !(0.0..=9000.0).contains(&irradiance) {
            return Err(format!("an irradiance of {irradiance} W/m^2 is not in [0, 9000]"));
        }
        Ok(())
    }
}
