//! Profiles for the adding method, and the command's radiances of them.

use std::path::Path;

use isobar_core::Real;
use isobar_io::netcdf::{NetcdfOutput, OutputVariable};

use super::folder::Folder;
use super::{short, us_standard_temperature};

const PROFILES: u32 = 8;
const LAYERS: u32 = 40;
const LAYER_KM: f64 = 1.5;
/// An infrared window.
const WAVENUMBER_PER_CM: f64 = 900.0;
/// Optical depth of the driest and of the moistest profile.
const OPTICAL_DEPTHS: [f64; 2] = [0.05, 5.0];
/// Scale height of water vapour.
const WATER_KM: f64 = 2.0;
/// The vertical, which is only looked along, and Gauss and Legendre's five nodes on (0, 1).
const COSINES: [f64; 6] =
    [1.0, 0.953_089_922_969_332, 0.769_234_655_052_841_5, 0.5, 0.230_765_344_947_158_5, 0.046_910_077_030_668];
/// Their weights.
const WEIGHTS: [f64; 6] = [
    0.0,
    0.118_463_442_528_094_5,
    0.239_314_335_249_683_2,
    0.284_444_444_444_444_4,
    0.239_314_335_249_683_2,
    0.118_463_442_528_094_5,
];

/// The input file.
pub(super) fn profiles() -> Result<Vec<u8>, String> {
    let folder = Folder::new()?;
    write_profiles(&folder.path("profiles.nc")).map_err(|error| error.to_string())?;
    folder.read("profiles.nc")
}

/// What the command says to it. The command line, which the file records, is that of the README.
pub(super) fn radiances(data: &Path) -> Result<Vec<u8>, String> {
    let folder = Folder::with(&data.join("adding/profiles.nc"))?;
    folder.isobar(&["adding", "profiles.nc", "-o", "radiances.nc", "--levels", "--device", "cpu"])?;
    folder.read("radiances.nc")
}

/// From cold and dry to warm and moist; the top first.
fn write_profiles(path: &Path) -> Result<(), isobar_io::Error> {
    let mut file = NetcdfOutput::create(path)?;
    file.attribute("Conventions", "CF-1.11")?;
    file.attribute("title", "Clear-sky profiles from cold and dry to warm and moist, in an infrared window")?;
    file.attribute("comment", "Made by cargo xtask demo-data; for demonstration only")?;
    file.attribute("orientation", "top_first")?;
    for (name, size) in
        [("profile", PROFILES), ("layer", LAYERS), ("level", LAYERS + 1), ("angle", COSINES.len() as u32)]
    {
        file.dimension(name, size as usize)?;
    }
    let mut put = |name, dimensions: &[&str], units, long_name, standard_name, values: Vec<f64>| {
        let variable = OutputVariable { name, dimensions, units, long_name, standard_name, reference_name: None };
        file.variable(&variable, &values)
    };
    let column = ["layer", "profile"];
    put("cosine", &["angle"], "1", "cosine of the angle against the vertical", None, COSINES.to_vec())?;
    put("weight", &["angle"], "1", "quadrature weight of the angle", None, WEIGHTS.to_vec())?;
    let wavenumber = Some("sensor_band_central_radiation_wavenumber");
    put("wavenumber", &[], "cm-1", "wavenumber", wavenumber, vec![WAVENUMBER_PER_CM])?;
    let middle_km = |layer: u32| height_km(layer) - 0.5 * LAYER_KM;
    let air = Some("air_temperature");
    put(
        "temperature",
        &column,
        "K",
        "temperature of the layer",
        air,
        table(LAYERS, |k, p| temperature(middle_km(k), p)),
    )?;
    let levels = table(LAYERS + 1, |k, p| temperature(height_km(k), p));
    put("temperature_level", &["level", "profile"], "K", "temperature of the level", air, levels)?;
    put("optical_depth", &column, "1", "vertical optical depth of the layer", None, table(LAYERS, optical_depth))?;
    let surface = (0..PROFILES).map(|p| short(temperature(0.0, p) + 0.25 * f64::from(p))).collect();
    put("surface_temperature", &["profile"], "K", "temperature of the surface", Some("surface_temperature"), surface)?;
    let emissivity =
        table(COSINES.len() as u32, |angle, p| 0.99 - 0.005 * f64::from(p) - 0.055 * (1.0 - COSINES[angle as usize]));
    let longwave = Some("surface_longwave_emissivity");
    put("emissivity", &["angle", "profile"], "1", "emissivity of the surface", longwave, emissivity)?;
    file.commit()
}

/// A value for each row and profile.
fn table(rows: u32, value: impl Fn(u32, u32) -> f64) -> Vec<f64> {
    (0..rows)
        .flat_map(|row| (0..PROFILES).map(move |profile| (row, profile)))
        .map(|(k, p)| short(value(k, p)))
        .collect()
}

/// The height of a level, counted from the top.
fn height_km(level: u32) -> f64 {
    LAYER_KM * f64::from(LAYERS - level)
}

/// The US Standard Atmosphere, colder or warmer near the ground.
fn temperature(height_km: f64, profile: u32) -> f64 {
    us_standard_temperature(height_km) + (5.0 * f64::from(profile) - 20.0) * Real::exp(-height_km / 8.0)
}

/// The share of the profile's total in a layer.
fn optical_depth(layer: u32, profile: u32) -> f64 {
    let [driest, moistest] = OPTICAL_DEPTHS;
    let total = driest * Real::exp(Real::ln(moistest / driest) * f64::from(profile) / f64::from(PROFILES - 1));
    let above = |level| Real::exp(-height_km(level) / WATER_KM);
    total * (above(layer + 1) - above(layer)) / (above(LAYERS) - above(0))
}
