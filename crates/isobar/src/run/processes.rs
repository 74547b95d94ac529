//! The sections of a case file for radiation, chemistry and what a satellite sees.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

use super::number::{Spread, fraction, positive, relative_tolerance, steps};

/// Long-wave radiation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Longwave {
    /// The k-distribution, RRTMG's, RRTMGP's or ecCKD's; relative to the case file. Without it, the one of
    /// `data/radiation`, as `isobar radiation` finds it.
    pub(super) kdist: Option<Spanned<PathBuf>>,
    /// Tables of clouds for it; without, those that stand beside it as `NAME-clouds.nc`, if there are any.
    pub(super) clouds: Option<Spanned<PathBuf>>,
    /// The steps from one call to the next.
    #[serde(default = "Longwave::every", deserialize_with = "steps")]
    pub(super) every: u64,
    #[serde(default = "Longwave::emissivity", deserialize_with = "fraction")]
    pub(super) emissivity: f64,
    /// Do clouds scatter? Not with RRTMG's.
    #[serde(default)]
    pub(super) scattering: Scattering,
    /// Mole fractions \[mol/mol\]; RCEMIP's without.
    #[serde(default = "Longwave::co2", deserialize_with = "fraction")]
    pub(super) co2: f64,
    #[serde(default = "Longwave::ch4", deserialize_with = "fraction")]
    pub(super) ch4: f64,
    #[serde(default = "Longwave::n2o", deserialize_with = "fraction")]
    pub(super) n2o: f64,
}

impl Default for Longwave {
    fn default() -> Self {
        Self {
            kdist: None,
            clouds: None,
            every: Self::every(),
            emissivity: Self::emissivity(),
            scattering: Scattering::default(),
            co2: Self::co2(),
            ch4: Self::ch4(),
            n2o: Self::n2o(),
        }
    }
}

impl Longwave {
    fn every() -> u64 {
        10
    }

    fn emissivity() -> f64 {
        0.98
    }

    fn co2() -> f64 {
        isobar_column::rcemip::CO2
    }

    fn ch4() -> f64 {
        isobar_column::rcemip::CH4
    }

    fn n2o() -> f64 {
        isobar_column::rcemip::N2O
    }
}

/// How clouds scatter the long wave.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Scattering {
    /// They only absorb.
    #[default]
    None,
    /// As RTE has it.
    Rescaled,
    /// As ecRad has it.
    TwoStream,
}

/// How clouds of different layers overlap.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum CloudOverlap {
    /// At random.
    Random,
    /// At random across clear layers, as much as possible within a cloud.
    #[default]
    MaximumRandom,
    /// As much as possible.
    Maximum,
}

/// Short-wave radiation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shortwave {
    /// As of the long wave.
    pub(super) kdist: Option<Spanned<PathBuf>>,
    /// As of the long wave.
    pub(super) clouds: Option<Spanned<PathBuf>>,
    /// The steps from one call to the next.
    #[serde(default = "Longwave::every", deserialize_with = "steps")]
    pub(super) every: u64,
    /// The albedo of the ground: a number, or a pair of the first column's and the last column's; 0.2 of land and 0.07
    /// of water without.
    pub(super) albedo: Option<Spanned<Spread>>,
    /// The sun's at its mean distance \[W/m^2\].
    #[serde(default = "Shortwave::irradiance")]
    pub(super) total_solar_irradiance_w_per_m2: Spanned<f64>,
}

impl Shortwave {
    fn irradiance() -> Spanned<f64> {
        Spanned::new(0..0, isobar_column::ground::SOLAR_CONSTANT)
    }
}

/// Layers above the model's top, for radiation alone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Above {
    /// Their number, down to 1 Pa.
    pub(super) layers: Spanned<usize>,
    /// Their temperature; the standard atmosphere's if it is left out.
    pub(super) temperature: Option<AboveKind>,
}

impl Default for Above {
    fn default() -> Self {
        Self { layers: Spanned::new(0..0, 10), temperature: None }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum AboveKind {
    /// It goes over to the US Standard Atmosphere's.
    Us76,
    /// That of the model's uppermost layer.
    Constant,
}

/// Clouds, which stay as they are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CloudSection {
    /// How those of different layers overlap, for radiation; `maximum_random` without.
    pub(super) overlap: Option<CloudOverlap>,
    /// Effective radius of droplets where a cloud has none, or the file of the start \[um\].
    pub(super) liquid_radius_um: Option<Spanned<f64>>,
    /// Effective size of ice where a cloud has none, or the file of the start \[um\].
    pub(super) ice_size_um: Option<Spanned<f64>>,
    /// The clouds; a file has its own.
    #[serde(default)]
    pub(super) layers: Vec<Spanned<Cloud>>,
}

/// A cloud between heights above the ground or between pressures.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cloud {
    pub(super) base_m: Option<Spanned<f64>>,
    pub(super) top_m: Option<Spanned<f64>>,
    pub(super) base_pa: Option<Spanned<f64>>,
    pub(super) top_pa: Option<Spanned<f64>>,
    /// The cloudy part: a number, or a pair of the first column's and the last column's.
    #[serde(default = "Cloud::whole")]
    pub(super) fraction: Spanned<Spread>,
    /// The water path of the cloudy part from base to top \[g/m^2\].
    pub(super) liquid_path_g_per_m2: Option<Spanned<f64>>,
    /// Or of its air \[g/m^3\].
    pub(super) liquid_content_g_per_m3: Option<Spanned<f64>>,
    pub(super) ice_path_g_per_m2: Option<Spanned<f64>>,
    pub(super) ice_content_g_per_m3: Option<Spanned<f64>>,
    /// Effective radius of droplets \[um\].
    pub(super) liquid_radius_um: Option<Spanned<f64>>,
    /// Effective size of ice, the diameter of most tables \[um\].
    pub(super) ice_size_um: Option<Spanned<f64>>,
}

impl Cloud {
    fn whole() -> Spanned<Spread> {
        Spanned::new(0..0, Spread([1.0; 2]))
    }
}

/// Chemistry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chemistry {
    /// The mechanism in KPP's language; relative to the case file.
    pub(super) mechanism: Spanned<PathBuf>,
    /// The steps that a call goes through, after them; fewer where results are kept meanwhile, or at the end.
    #[serde(default = "Chemistry::every", deserialize_with = "steps")]
    pub(super) every: u64,
    #[serde(default = "Chemistry::relative", deserialize_with = "relative_tolerance")]
    pub(super) relative_tolerance: f64,
    /// \[molecule/cm^3\]
    #[serde(default = "Chemistry::absolute", deserialize_with = "positive")]
    pub(super) absolute_tolerance: f64,
    /// Mole fractions at the start where they are not the mechanism's; ozone is RCEMIP's profile without.
    #[serde(default)]
    pub(super) initial: BTreeMap<Spanned<String>, Spanned<f64>>,
    /// Emissions at the surface \[molecule/(cm^2 s)\].
    #[serde(default)]
    pub(super) emission_per_cm2_s: BTreeMap<Spanned<String>, Spanned<f64>>,
    /// Rates of photolysis; without, `SUN` is the only light.
    pub(super) photolysis: Option<Photolysis>,
}

/// Rates of photolysis.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Photolysis {
    /// TUV-x's configuration; relative to the case file.
    pub(super) tuvx: Spanned<PathBuf>,
    /// The albedo of the ground for it, of all wavelengths.
    #[serde(default = "Photolysis::albedo", deserialize_with = "fraction")]
    pub(super) albedo: f64,
    /// The reaction of an input of the mechanism's rates, where they have different names.
    #[serde(default)]
    pub(super) rates: BTreeMap<Spanned<String>, Spanned<String>>,
}

impl Photolysis {
    fn albedo() -> f64 {
        0.1
    }
}

impl Chemistry {
    fn every() -> u64 {
        5
    }

    fn relative() -> f64 {
        1e-3
    }

    fn absolute() -> f64 {
        1e3
    }
}

/// What a satellite sees.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Satellite {
    /// JURASSIC's control file with gases, channels and tables; relative to the case file.
    pub(super) control: Spanned<PathBuf>,
    /// When \[h since the start\]: at outputs.
    pub(super) hours: Spanned<Vec<f64>>,
    /// Height of the satellite \[km\].
    #[serde(default = "Satellite::height")]
    pub(super) height_km: Spanned<f64>,
    /// Views of the ground: angles at the satellite from straight down \[degrees\].
    #[serde(default = "Satellite::straight_down")]
    pub(super) nadir_deg: Spanned<Vec<f64>>,
    /// Views of the limb: heights of the geometric tangent points \[km\].
    #[serde(default = "Satellite::none")]
    pub(super) limb_km: Spanned<Vec<f64>>,
    /// Mole fractions of gases that are no tracers \[mol/mol\], or that are to be the same everywhere.
    #[serde(default)]
    pub(super) gases: BTreeMap<Spanned<String>, Spanned<f64>>,
}

impl Satellite {
    fn height() -> Spanned<f64> {
        Spanned::new(0..0, 800.0)
    }

    fn straight_down() -> Spanned<Vec<f64>> {
        Spanned::new(0..0, vec![0.0])
    }

    fn none() -> Spanned<Vec<f64>> {
        Spanned::new(0..0, Vec::new())
    }
}

/// By which time the Sun stands.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum SolarTimeKey {
    /// It is highest at noon, all year.
    Mean,
    /// With the equation of time.
    Apparent,
}
