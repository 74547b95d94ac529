//! The sections of a case file for radiation, chemistry and what a satellite sees.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

use super::number::{fraction, positive, steps};

/// Long-wave radiation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Longwave {
    /// The k-distribution; relative to the case file.
    pub(super) kdist: Spanned<PathBuf>,
    /// Every so many steps.
    #[serde(default = "Longwave::every", deserialize_with = "steps")]
    pub(super) every: u64,
    #[serde(default = "Longwave::emissivity", deserialize_with = "fraction")]
    pub(super) emissivity: f64,
    /// Mole fractions \[mol/mol\]; RCEMIP's without.
    #[serde(default = "Longwave::co2", deserialize_with = "fraction")]
    pub(super) co2: f64,
    #[serde(default = "Longwave::ch4", deserialize_with = "fraction")]
    pub(super) ch4: f64,
    #[serde(default = "Longwave::n2o", deserialize_with = "fraction")]
    pub(super) n2o: f64,
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

/// Chemistry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chemistry {
    /// The mechanism in KPP's language; relative to the case file.
    pub(super) mechanism: Spanned<PathBuf>,
    /// Every so many steps.
    #[serde(default = "Chemistry::every", deserialize_with = "steps")]
    pub(super) every: u64,
    #[serde(default = "Chemistry::relative", deserialize_with = "positive")]
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
    pub(super) gases: BTreeMap<String, Spanned<f64>>,
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
