//! Long-wave and short-wave radiation with k-distributions of RRTMGP, ecCKD and RRTMG_LW.

use std::path::{Path, PathBuf};

use isobar_io::netcdf::is_netcdf;
use isobar_io::radiation::NEEDED_GASES;
use isobar_io::{
    RadiationRequest, SunAt, names_not_read, read_aerosol_tables, read_cloud_tables, read_k_distribution,
    read_radiation, read_rrtmg_lw,
};
use isobar_launch::Scheme;
use isobar_optics::gases::{GASES, gas_number};
use isobar_optics::{AerosolTables, GasOptics};
use isobar_radiation::rrtmg::{KDistribution, analytic};
use isobar_radiation::{
    AdjointPrecision, CloudOptics, ColumnViews, Options, Precision, Radiation, RadiationAdjoint, Roughness, Spectra,
};
use serde_json::{Map, Value, json};

use super::radiation_options::Computed;
use super::{Setup, as_defaults, of_file};
use crate::callable::Callable;
use crate::error::CallError;
use crate::files::{FileChoices, FileFields, unread};
use crate::wrapped::{Parts, ReadFile};

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
    /// Tables of aerosols, for files with MERRA-2's types.
    #[serde(default)]
    aerosols: Vec<PathBuf>,
    /// Are the optics of droplets taken for rain, and those of ice for snow?
    #[serde(default)]
    rain_as_liquid: bool,
    #[serde(default)]
    snow_as_ice: bool,
}

pub(super) fn open<R: Precision>(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    let Made { radiation, facts, file } = Made::<R>::new(setup, "radiation")?;
    let parts = parts::<R, Radiation<R>>("radiation", &radiation, facts, file);
    setup.wrap(|devices| radiation.on(devices), parts)
}

pub(super) fn open_adjoint<R: AdjointPrecision>(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    let Made { radiation, facts, file } = Made::<R>::new(setup, "radiation_adjoint")?;
    let parts = parts::<R, RadiationAdjoint<R>>("radiation_adjoint", &radiation, facts, file);
    setup.wrap(|devices| radiation.adjoint().on(devices), parts)
}

/// A scheme of these spectra, whose defaults depend on them.
fn parts<R: Precision, S: Scheme<Options = Options>>(
    name: &'static str,
    radiation: &Radiation<R>,
    facts: Value,
    file: Box<ReadFile<S>>,
) -> Parts<S> {
    let spectra = radiation.spectra();
    let computed =
        Computed { longwave: spectra.has_longwave(), shortwave: spectra.has_shortwave(), is_rrtmg: spectra.is_rrtmg() };
    let defaults = computed.defaults();
    let own = defaults.clone();
    Parts {
        read: Box::new(move |given| computed.read(&own, given)),
        file: Some(file),
        ..super::parts(name, defaults, facts)
    }
}

/// A model, what there is to say of it, and how it reads columns of a file.
struct Made<R: Precision> {
    radiation: Radiation<R>,
    facts: Value,
    file: Box<ReadFile<Radiation<R>>>,
}

impl<R: Precision> Made<R> {
    fn new(setup: &Setup, scheme: &'static str) -> Result<Self, CallError> {
        let tables: Tables = setup.tables(scheme)?;
        let Tables { k_distributions, clouds, roughness, aerosols, rain_as_liquid, snow_as_ice } = tables;
        let mut spectra: Vec<(GasOptics, Option<CloudOptics>)> = Vec::new();
        let mut rrtmg = Vec::new();
        for path in &k_distributions {
            if path.as_os_str() == "analytic" {
                rrtmg.push(analytic::k_distribution());
                continue;
            }
            if !is_netcdf(path) {
                rrtmg.push(read_rrtmg_lw(path).map_err(of_file)?);
                continue;
            }
            let gases = read_k_distribution(path).map_err(of_file)?.gas_optics();
            spectra.push((gases.map_err(|error| CallError::File(format!("{}: {error}", path.display())))?, None));
        }
        for path in &clouds {
            let tables = read_cloud_tables(path).map_err(of_file)?;
            let fitting = spectra.iter_mut().find(|(gases, _)| tables.fit(gases));
            let Some((_, clouds @ None)) = fitting else {
                let what =
                    if fitting.is_some() { "there are such tables already" } else { "they fit no k-distribution" };
                return Err(CallError::File(format!("{}: tables of clouds: {what}", path.display())));
            };
            let mut optics = CloudOptics::new(&tables, roughness);
            if rain_as_liquid {
                optics = optics.rain_as_liquid();
            }
            if snow_as_ice {
                optics = optics.snow_as_ice();
            }
            *clouds = Some(optics);
        }
        let aerosols = aerosols.iter().map(|path| read_aerosol_tables(path).map_err(of_file));
        let aerosols: Vec<AerosolTables> = aerosols.collect::<Result<_, _>>()?;
        let mut radiation = Radiation::<R>::new();
        let mut facts = Map::new();
        for k in &rrtmg {
            radiation = radiation.with_rrtmg(k)?;
            facts.insert("longwave".to_owned(), facts_of_rrtmg(k));
        }
        for (gases, clouds) in &spectra {
            radiation = radiation.with(gases, clouds.as_ref())?;
            let name = if gases.is_longwave() { "longwave" } else { "shortwave" };
            let named = |numbers: &[usize]| numbers.iter().map(|&number| GASES[number]).collect::<Vec<_>>();
            let mut needed = named(&gases.gases);
            needed.retain(|name| NEEDED_GASES.contains(name));
            let spectrum = json!({
                "bands": gases.points_of_bands.len(),
                "g_points": gases.points,
                "band_limits_per_cm": gases.band_limits_per_cm,
                "gases": named(&gases.gases),
                "required_gases": named(&gases.key_gases),
                "trained_mole_fractions": Map::from_iter(
                    gases.trained.iter().map(|&(number, range)| (GASES[number].to_owned(), json!(range))),
                ),
                "needed_gases": needed,
                "clouds": clouds.is_some(),
                "solar_irradiance_w_per_m2": gases.solar_irradiance_w_per_m2,
            });
            facts.insert(name.to_owned(), spectrum);
        }
        // Files are read in double precision.
        let wide = rrtmg.iter().try_fold(Spectra::default(), Spectra::with_rrtmg)?;
        let wide = spectra.iter().try_fold(wide, |all, (gases, clouds)| all.with(gases, clouds.as_ref()))?;
        let like = [rain_as_liquid, snow_as_ice];
        let file = Box::new(move |path: &Path, options: &Options, choices: &FileChoices| {
            read(path, &wide, (&aerosols, like), options, choices)
        });
        Ok(Self { radiation, facts: facts.into(), file })
    }
}

/// What RRTMG_LW's k-distribution says, which has optics of clouds of its own.
fn facts_of_rrtmg(k: &KDistribution) -> Value {
    let gases: Vec<_> = k.gases().into_iter().map(|number| GASES[number]).collect();
    let needed: Vec<_> = gases.iter().filter(|name| NEEDED_GASES.contains(name)).collect();
    json!({
        "bands": k.bands.len(),
        "g_points": k.points(),
        "band_limits_per_cm": k.bands.iter().map(|band| band.wavenumbers_per_cm).collect::<Vec<_>>(),
        "gases": gases,
        "required_gases": [],
        "trained_mole_fractions": {},
        "needed_gases": needed,
        "clouds": true,
        "solar_irradiance_w_per_m2": 0.0,
    })
}

/// Columns of a file.
fn read(
    path: &Path,
    spectra: &Spectra<f64>,
    (aerosols, [rain_as_liquid, snow_as_ice]): (&[AerosolTables], [bool; 2]),
    options: &Options,
    choices: &FileChoices,
) -> Result<FileFields, CallError> {
    let gas = |(name, &value): (&String, &f64)| {
        let number = gas_number(&name.to_lowercase()).ok_or_else(|| CallError::name("gas", name, GASES))?;
        Ok((number, value))
    };
    let constants = choices.gases.iter().map(gas).collect::<Result<Vec<_>, CallError>>()?;
    let &FileChoices { assume_zero, clouds, cloud_fraction, rain_and_snow, outside, mean_sun, .. } = choices;
    let names: Vec<(String, String)> = choices.names.clone().into_iter().collect();
    let request = RadiationRequest {
        names: &names,
        vertical: choices.vertical.as_deref(),
        sun: if mean_sun { SunAt::Mean } else { SunAt::Time },
        part: None,
        spectra,
        options,
        constants: &constants,
        assume_zero,
        aerosols,
        clouds,
        cloud_fraction,
        rain_and_snow,
        rain_as_liquid,
        snow_as_ice,
        outside,
        keep_going: false,
    };
    let files: Vec<&Path> = std::iter::once(path).chain(choices.others.iter().map(PathBuf::as_path)).collect();
    let mut input = read_radiation(&files, &request).map_err(of_file)?;
    input.notes.extend(names_not_read(&names, &input.names).map(|name| unread("names", name)));
    input.notes.extend(input.remarks.lines());
    let views = ColumnViews::try_from(&input.columns)?;
    let extents = spectra.extents(&views, options)?;
    Ok(FileFields::of(&views, &extents, input.derived).with_notes(input.notes, input.masked))
}
