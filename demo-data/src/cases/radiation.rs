//! Columns for long-wave and short-wave radiation: the air over a meadow through a summer's day.

use std::path::Path;

use isobar_core::Real;
use isobar_io::netcdf::{DatasetWriter, OutputVariable};

use super::air::{LAYERS, Scene, level_km, middle_km};
use super::folder::Folder;
use super::short;

/// Columns, evenly over a day that begins at midnight.
const COLUMNS: usize = 8;
/// Latitude and the sun's declination \[degree\].
const LATITUDE: f64 = 45.0;
const DECLINATION: f64 = 20.0;
/// How far the ground is warmer in the afternoon than in the mean, at three o'clock \[K\]; and the air at the ground.
const WARMER: [f64; 2] = [9.0, 4.0];
/// Albedo for diffuse light, and how that for the beam falls with the sun's height (Briegleb).
const ALBEDO: f64 = 0.2;
const FALL: f64 = 0.4;

/// Middle latitudes, clear, at this time of the day \[h\].
fn scene(hour: f64) -> Scene {
    let warmth = Real::cos((hour - 15.0) * 15.0_f64.to_radians());
    Scene {
        surface_k: 293.0 + WARMER[0] * warmth,
        emissivity: 0.97,
        ground_k: 292.0 + WARMER[1] * warmth,
        lapse: 6.2,
        tropopause_km: 12.0,
        water: (0.014, 2.1),
    }
}

fn hour(column: usize) -> f64 {
    24.0 * column as f64 / COLUMNS as f64
}

/// The cosine of the zenith angle.
fn cosine(column: usize) -> f64 {
    let angles = [LATITUDE, DECLINATION, 15.0 * (hour(column) - 12.0)].map(f64::to_radians);
    let [latitude, declination, hour] = angles;
    Real::sin(latitude) * Real::sin(declination) + Real::cos(latitude) * Real::cos(declination) * Real::cos(hour)
}

fn beam_albedo(column: usize) -> f64 {
    ALBEDO * (1.0 + FALL) / (1.0 + 2.0 * FALL * cosine(column).max(0.0))
}

/// The input file.
pub(crate) fn columns() -> Result<Vec<u8>, String> {
    let folder = Folder::new()?;
    write(&folder.path("columns.nc")).map_err(|error| error.to_string())?;
    folder.read("columns.nc")
}

fn write(path: &Path) -> Result<(), isobar_io::Error> {
    let mut file = DatasetWriter::create(path)?;
    file.attribute("Conventions", "CF-1.11")?;
    file.attribute("title", "Analytic columns: a clear summer's day in middle latitudes, over grass")?;
    file.attribute("comment", "Made by cargo xtask demo-data")?;
    for (name, size) in [("column", COLUMNS), ("layer", LAYERS), ("level", LAYERS + 1)] {
        file.dimension(name, size)?;
    }
    let scenes: Vec<Scene> = (0..COLUMNS).map(|column| scene(hour(column))).collect();
    let pressures: Vec<_> = scenes.iter().map(Scene::pressures).collect();
    let table = |rows: usize, value: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
        (0..rows).flat_map(|k| (0..COLUMNS).map(move |i| (k, i))).map(|(k, i)| short(value(k, i))).collect()
    };
    let (layer, level, column): (&[&str], &[&str], &[&str]) = (&["layer", "column"], &["level", "column"], &["column"]);
    let mut put = |name, dimensions, units, long_name, standard_name, values: Vec<f64>| {
        let variable = OutputVariable { name, dimensions, units, long_name, standard_name, reference_name: None };
        file.variable(&variable, &values)
    };
    put("local_time", column, "hour", "hours since midnight", None, table(1, &|_, i| hour(i)))?;
    let air_pressure = Some("air_pressure");
    put("pressure", layer, "Pa", "pressure of the layer", air_pressure, table(LAYERS, &|k, i| pressures[i].0[k]))?;
    let levels = table(LAYERS + 1, &|k, i| pressures[i].1[k]);
    put("level_pressure", level, "Pa", "pressure of the level", air_pressure, levels)?;
    let air = Some("air_temperature");
    let layers = table(LAYERS, &|k, i| scenes[i].temperature(middle_km(k)));
    put("temperature", layer, "K", "temperature of the layer", air, layers)?;
    let levels = table(LAYERS + 1, &|k, i| scenes[i].temperature(level_km(k)));
    put("level_temperature", level, "K", "temperature of the level", air, levels)?;
    let water = table(LAYERS, &|k, i| scenes[i].water(middle_km(k)));
    put("h2o", layer, "mol mol-1", "water vapour relative to dry air", None, water)?;
    put("o3", layer, "mol mol-1", "ozone", None, table(LAYERS, &|k, _| Scene::ozone(middle_km(k))))?;
    for (name, units, long_name, value) in [
        ("co2", "1e-6", "carbon dioxide", 420.0),
        ("ch4", "1e-9", "methane", 1900.0),
        ("n2o", "1e-9", "nitrous oxide", 335.0),
        ("o2", "1", "oxygen", 0.209),
        ("n2", "1", "nitrogen", 0.781),
    ] {
        put(name, &[], units, long_name, None, vec![value])?;
    }
    let of = |value: &dyn Fn(usize) -> f64| table(1, &|_, i| value(i));
    let name = Some("surface_temperature");
    put("surface_temperature", column, "K", "temperature of the surface", name, of(&|i| scenes[i].surface_k))?;
    let name = Some("surface_longwave_emissivity");
    put("emissivity", column, "1", "emissivity of the surface in all bands", name, of(&|i| scenes[i].emissivity))?;
    let name = Some("cosine_of_solar_zenith_angle");
    put("cosine_zenith", column, "1", "cosine of the sun's zenith angle, at night below 0", name, of(&cosine))?;
    let name = Some("surface_albedo");
    put("surface_albedo_direct", column, "1", "albedo of the surface for the sun's beam", name, of(&beam_albedo))?;
    put("surface_albedo_diffuse", column, "1", "albedo of the surface for diffuse light", None, of(&|_| ALBEDO))?;
    let name = Some("solar_irradiance");
    put("total_solar_irradiance", &[], "W m-2", "irradiance of the sun", name, vec![1361.0])?;
    file.commit()
}
