//! Infrared radiances of pencil beams.

use std::path::{Path, PathBuf};

use isobar_ega::launch::{Infrared, Precision, PreparedAtmosphere};
use isobar_ega::{ForwardSetup, TableData};
use isobar_io::{Control, atmosphere_remarks, read_atmosphere, read_setup, read_tables, table_warnings};
use isobar_launch::BadItems;
use isobar_raytrace::{Atmosphere, CloudLayer, SurfaceLayer};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Setup;
use crate::callable::Callable;
use crate::error::CallError;
use crate::wrapped::Parts;

pub(super) fn defaults() -> Map<String, Value> {
    Map::from_iter([("atmosphere".to_owned(), Value::Null)])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    control: PathBuf,
    #[serde(default)]
    settings: Map<String, Value>,
    #[serde(default)]
    jurassic_exact: bool,
}

/// What an atmosphere in the options, or a dictionary of one, may have.
pub const ATMOSPHERE: [&str; 10] = [
    "time_s",
    "height_km",
    "longitude_deg",
    "latitude_deg",
    "pressure_hpa",
    "temperature_k",
    "mixing_ratio",
    "extinction_per_km",
    "cloud",
    "surface",
];

/// An atmosphere in the options: a file's name, or its levels.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Levels {
    #[serde(default)]
    time_s: Option<Vec<f64>>,
    #[serde(default)]
    longitude_deg: Option<Vec<f64>>,
    #[serde(default)]
    latitude_deg: Option<Vec<f64>>,
    height_km: Vec<f64>,
    pressure_hpa: Vec<f64>,
    temperature_k: Vec<f64>,
    /// By gas.
    #[serde(default)]
    mixing_ratio: Map<String, Value>,
    /// A row a window.
    #[serde(default)]
    extinction_per_km: Vec<Vec<f64>>,
    #[serde(default)]
    cloud: Option<CloudLayer>,
    #[serde(default)]
    surface: Option<SurfaceLayer>,
}

pub(super) fn open<R: Precision>(setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    let Tables { control, settings, jurassic_exact } = setup.tables("infrared")?;
    let file = |error: isobar_io::Error| CallError::File(error.to_string());
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let settings: Vec<(String, String)> = settings.iter().map(|(key, value)| (key.clone(), text(value))).collect();
    let (control, complaints) = Control::read(&control, &settings).map_err(file)?;
    control.require_channels().map_err(file)?;
    let forward = ForwardSetup { jurassic_exact, ..read_setup(&control).map_err(file)? };
    let set = read_tables(&control).map_err(file)?;
    let notes = complaints.iter().map(ToString::to_string).chain(table_warnings(&control, &set, jurassic_exact));
    let notes: Vec<String> = notes.collect();
    let tables = TableData::new(&set.tables, control.wavenumbers_per_cm.len(), jurassic_exact)
        .map_err(|error| CallError::File(error.to_string()))?;
    let infrared = Infrared::<R>::new(&forward, tables).map_err(|error| CallError::Setup(error.to_string()))?;
    let facts = json!({ "wavenumbers_per_cm": control.wavenumbers_per_cm, "gases": control.emitters });
    let read = move |given: &Map<String, Value>| {
        if let Some(unknown) = given.keys().find(|name| *name != "atmosphere") {
            return Err(CallError::name("option", unknown, ["atmosphere"]));
        }
        let mut doubts = Vec::new();
        let atmosphere = match given.get("atmosphere") {
            Some(Value::String(path)) => {
                let path = Path::new(path);
                let atmosphere = read_atmosphere(path, &control);
                doubts.extend(atmosphere_remarks(path, &control));
                atmosphere.map_err(|error| CallError::File(error.to_string()))?
            }
            Some(levels @ Value::Object(_)) => {
                let (atmosphere, zero) = atmosphere(levels, &forward.gases)?;
                check_windows(&atmosphere, &control)?;
                doubts.extend(zero);
                atmosphere
            }
            _ => return Err(CallError::Setup("the option 'atmosphere' has to be given: a file or levels".to_owned())),
        };
        doubts.extend(forward.remarks(&atmosphere));
        doubts.extend(forward.outside_sources(&atmosphere).map(|line| format!("{line}; extrapolated")));
        let prepared = PreparedAtmosphere::new(&forward, &atmosphere);
        Ok((prepared.map_err(|error| CallError::Setup(error.to_string()))?, doubts))
    };
    let parts = Parts {
        name: "infrared",
        threads: 0,
        bad_items: BadItems::Stop,
        defaults: defaults(),
        facts,
        notes,
        read: Box::new(read),
        file: None,
    };
    setup.wrap(|devices| isobar_launch::Model::new(infrared, devices), parts)
}

/// An atmosphere of levels, with these gases, and what is said of those that it lacks.
fn atmosphere(levels: &Value, gases: &[String]) -> Result<(Atmosphere, Option<String>), CallError> {
    let refuse = |text: String| CallError::Setup(format!("atmosphere: {text}"));
    if let Some(unknown) =
        levels.as_object().into_iter().flat_map(Map::keys).find(|key| !ATMOSPHERE.contains(&key.as_str()))
    {
        return Err(CallError::name("part of an atmosphere", unknown, ATMOSPHERE));
    }
    let levels = Levels::deserialize(levels).map_err(|error| refuse(error.to_string()))?;
    let count = levels.height_km.len();
    let mut atmosphere = Atmosphere::new(levels.height_km, levels.pressure_hpa, levels.temperature_k)
        .map_err(|error| refuse(error.to_string()))?;
    for (name, values, place) in [
        ("time_s", levels.time_s, &mut atmosphere.time_s),
        ("longitude_deg", levels.longitude_deg, &mut atmosphere.longitude_deg),
        ("latitude_deg", levels.latitude_deg, &mut atmosphere.latitude_deg),
    ] {
        let Some(values) = values else { continue };
        if values.len() != count {
            return Err(refuse(format!("{name} has {} values for {count} levels", values.len())));
        }
        *place = values;
    }
    if let Some(unknown) = levels.mixing_ratio.keys().find(|name| !gases.contains(name)) {
        return Err(CallError::name("gas", unknown, gases.iter().map(String::as_str)));
    }
    let zero = missing_gases(gases, |gas| levels.mixing_ratio.contains_key(gas));
    for gas in gases {
        let values = levels.mixing_ratio.get(gas).cloned().unwrap_or_else(|| vec![0.0; count].into());
        let values: Vec<f64> = serde_json::from_value(values).map_err(|error| refuse(format!("{gas}: {error}")))?;
        if values.len() != count {
            return Err(refuse(format!("{gas} has {} values for {count} levels", values.len())));
        }
        atmosphere.mixing_ratio.push(values);
    }
    atmosphere.extinction_per_km = levels.extinction_per_km;
    (atmosphere.cloud, atmosphere.surface) = (levels.cloud, levels.surface);
    atmosphere.validate().map_err(|error| refuse(error.to_string()))?;
    Ok((atmosphere, zero))
}

/// Refuses an atmosphere with windows of extinction that a control file does not have: no channel would see them.
///
/// # Errors
/// [`CallError::Setup`].
pub fn check_windows(atmosphere: &Atmosphere, control: &Control) -> Result<(), CallError> {
    // An atmosphere of a file has one, of zeros, where the control file has none.
    let (has, most) = (atmosphere.extinction_per_km.len(), control.window_count.max(1));
    if has <= most {
        return Ok(());
    }
    Err(CallError::Setup(format!(
        "extinction_per_km has {has} windows, and the control file has {}: give as many, or set NW",
        control.window_count
    )))
}

/// What is said of the gases of a control file that an atmosphere lacks.
#[must_use]
pub fn missing_gases(gases: &[String], has: impl Fn(&str) -> bool) -> Option<String> {
    let missing: Vec<&str> = gases.iter().map(String::as_str).filter(|gas| !has(gas)).collect();
    (!missing.is_empty()).then(|| format!("mixing_ratio lacks {}: taken for zero", missing.join(", ")))
}
