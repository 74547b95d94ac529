//! Long-wave and short-wave radiation with k-distributions of RRTMGP and ecCKD.

use std::path::PathBuf;

use isobar_io::{read_cloud_tables, read_k_distribution};
use isobar_optics::GasOptics;
use isobar_optics::gases::GASES;
use isobar_radiation::{CloudOptics, Options, Precision, Radiation, Roughness};
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
    k_distributions: Vec<PathBuf>,
    #[serde(default)]
    clouds: Vec<PathBuf>,
    #[serde(default)]
    roughness: Roughness,
}

pub(super) fn open<R: Precision>(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    let Tables { k_distributions, clouds, roughness } = setup.tables("radiation")?;
    let file = |error: isobar_io::Error| CallError::File(error.to_string());
    let mut spectra: Vec<(GasOptics, Option<CloudOptics>)> = Vec::new();
    for path in &k_distributions {
        let gases = read_k_distribution(path).map_err(file)?.gas_optics();
        spectra.push((gases.map_err(|error| CallError::File(format!("{}: {error}", path.display())))?, None));
    }
    for path in &clouds {
        let tables = read_cloud_tables(path).map_err(file)?;
        let fitting = spectra.iter_mut().find(|(gases, _)| tables.fit(gases));
        let Some((_, clouds @ None)) = fitting else {
            let what = if fitting.is_some() { "there are such tables already" } else { "they fit no k-distribution" };
            return Err(CallError::File(format!("{}: tables of clouds: {what}", path.display())));
        };
        *clouds = Some(CloudOptics::new(&tables, roughness));
    }
    let mut radiation = Radiation::<R>::new();
    let mut facts = Map::new();
    for (gases, clouds) in &spectra {
        radiation = radiation.with(gases, clouds.as_ref())?;
        let name = if gases.is_longwave() { "longwave" } else { "shortwave" };
        let named = |numbers: &[usize]| numbers.iter().map(|&number| GASES[number]).collect::<Vec<_>>();
        let spectrum = json!({
            "bands": gases.points_of_bands.len(),
            "g_points": gases.points,
            "band_limits_per_cm": gases.band_limits_per_cm,
            "gases": named(&gases.gases),
            "required_gases": named(&gases.key_gases),
            "clouds": clouds.is_some(),
            "solar_irradiance_w_per_m2": gases.solar_irradiance_w_per_m2,
        });
        facts.insert(name.to_owned(), spectrum);
    }
    setup.wrap(|devices| radiation.on(devices), parts("radiation", defaults(), facts.into()))
}
