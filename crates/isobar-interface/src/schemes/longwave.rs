//! Long-wave radiation as RRTMG_LW.

use std::path::PathBuf;

use isobar_longwave::{KDistribution, Longwave, Options, Precision, analytic};
use serde_json::{Map, Value, json};

use super::{Setup, as_defaults, parts};
use crate::callable::Callable;
use crate::error::CallError;

pub(super) fn defaults() -> Map<String, Value> {
    as_defaults(&Options::default(), &[])
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    k_distribution: PathBuf,
}

pub(super) fn open<R: Precision>(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    let Tables { k_distribution: path } = setup.tables("rrtmg_longwave")?;
    let k = if path.as_os_str() == "analytic" {
        analytic::k_distribution()
    } else {
        KDistribution::open(&path).map_err(|error| CallError::File(error.to_string()))?
    };
    let limits: Vec<[f64; 2]> = k.bands.iter().map(|band| band.wavenumbers_per_cm).collect();
    let facts = json!({ "bands": k.bands.len(), "g_points": k.points(), "band_limits_per_cm": limits });
    setup.wrap(|devices| Longwave::<R>::new(&k).on(devices), parts("rrtmg_longwave", defaults(), facts))
}
