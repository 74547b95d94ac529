//! A k-distribution of ecCKD, as its file has it.

use isobar_core::Real;

/// Temperatures of the black bodies for which ecRad averages \[K\]: of the long wave, and of a sun whose spectrum the
/// k-distribution does not have.
const TERRESTRIAL_K: f64 = 273.15;
const SOLAR_K: f64 = 5777.0;

/// `h c / k_B` with ecRad's constants \[K cm\].
const SECOND_RADIATION: f64 = 100.0 * 6.626_069_572_9e-34 * 299_792_458.0 / 1.380_648_813e-23;

/// A gas-optics model of ecCKD, long wave or short wave: what its `ckd-definition.nc` holds. Tables are flat, the last
/// index fastest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ecckd {
    /// The number of g-points.
    pub points: usize,
    /// Pressures \[Pa\], rising by a constant factor.
    pub pressure_pa: Vec<f64>,
    /// Temperatures \[K\] at each pressure, `[temperature][pressure]`, with one step for all.
    pub temperature_k: Vec<f64>,
    /// The absorbers.
    pub gases: Vec<EcckdGas>,
    /// Limits of the bands \[cm^-1\].
    pub bands: Vec<[f64; 2]>,
    /// The band of each g-point.
    pub band_of_point: Vec<usize>,
    /// Where in the spectrum the g-points are, if the file says it.
    pub spectrum: Option<EcckdSpectrum>,
    /// What a long-wave file has besides.
    pub planck: Option<EcckdPlanck>,
    /// What a short-wave file has besides.
    pub solar: Option<EcckdSolar>,
}

/// An absorber.
#[derive(Clone, Debug, PartialEq)]
pub struct EcckdGas {
    /// Its name in the file: `composite`, `h2o`, ...
    pub name: String,
    /// How absorption depends on its mole fraction.
    pub dependence: EcckdDependence,
    /// Absorption \[m^2/mol\]: `[temperature][pressure][g-point]`, with [`EcckdDependence::LookUp`]
    /// `[mole fraction][temperature][pressure][g-point]`.
    pub absorption: Vec<f64>,
}

/// How absorption depends on a gas's mole fraction.
#[derive(Clone, Debug, PartialEq)]
pub enum EcckdDependence {
    /// Not at all: the gases that always are there (code 0).
    None,
    /// It is proportional (code 1).
    Linear,
    /// By a table over these mole fractions, which rise by a constant factor (code 2).
    LookUp(Vec<f64>),
    /// It is proportional to what differs from this mole fraction (code 3).
    RelativeLinear(f64),
}

/// Where in the spectrum the g-points are: what properties of surfaces and particles are averaged with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EcckdSpectrum {
    /// Limits of intervals of the spectrum \[cm^-1\], one after the other.
    pub intervals: Vec<[f64; 2]>,
    /// The part of a g-point that lies in an interval, `[g-point][interval]`: 1 in all of a g-point's.
    pub fraction: Vec<f64>,
    /// Irradiance of the sun in each interval \[W m^-2\], where the file has it.
    pub solar_irradiance: Option<Vec<f64>>,
}

impl EcckdSpectrum {
    /// What each interval counts in a mean over the spectrum, as ecRad has it: the sun's irradiance where the file has
    /// it, else that of a black body at the interval's middle, of 273.15 K in the long wave and 5777 K in the short
    /// wave. Of no unit: means divide by the sum.
    #[must_use]
    pub fn power(&self, longwave: bool) -> Vec<f64> {
        if let Some(irradiance) = &self.solar_irradiance {
            return irradiance.clone();
        }
        let temperature = if longwave { TERRESTRIAL_K } else { SOLAR_K };
        let black_body = |&[low, high]: &[f64; 2]| {
            let middle = 0.5 * (low + high);
            (high - low) * middle * middle * middle / Real::exp_m1(SECOND_RADIATION * middle / temperature)
        };
        self.intervals.iter().map(black_body).collect()
    }
}

/// Sources of a long-wave file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EcckdPlanck {
    /// Temperatures \[K\], at equal distances.
    pub temperature_k: Vec<f64>,
    /// Irradiance of a black body \[W m^-2\], `[temperature][g-point]`.
    pub irradiance: Vec<f64>,
}

/// Sources and scattering of a short-wave file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EcckdSolar {
    /// Irradiance of the sun at a g-point \[W m^-2\].
    pub irradiance: Vec<f64>,
    /// Rayleigh scattering of air \[m^2/mol\].
    pub rayleigh: Vec<f64>,
}
