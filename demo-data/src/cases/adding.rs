//! Profiles for the adding method, the command's radiances of them, and what an imager sees of sea and land.

use std::path::Path;

use isobar_core::Real;
use isobar_io::netcdf::{DatasetWriter, OutputVariable};

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

/// What an imager sees of the sea, in winds of three speeds, and of land in the red and in the near infrared.
pub(super) fn scenes() -> Result<[Vec<u8>; 2], String> {
    let folder = Folder::new()?;
    let write = |scene: &Scene| write_scene(&folder.path(scene.file), scene).map_err(|error| error.to_string());
    write(&OCEAN)?;
    write(&LAND)?;
    Ok([folder.read(OCEAN.file)?, folder.read(LAND.file)?])
}

/// Air and haze over a surface, a profile each.
struct Scene {
    file: &'static str,
    title: &'static str,
    /// Irradiance of the Sun \[W m^-2 um^-1\], optical depth of the air, and of the haze.
    spectrum: &'static [[f64; 3]],
    /// Name, unit and description of the surface's parameters, and the values of each profile.
    surface: &'static [(&'static str, &'static str, &'static str, &'static [f64])],
}

const OCEAN: Scene = Scene {
    file: "ocean.nc",
    title: "Air and haze over the sea at 865 nm, in winds of 3, 7 and 12 m/s",
    spectrum: &[[955.0, 0.0155, 0.08]; 3],
    surface: &[
        ("wind_speed", "m s-1", "wind speed 10 m above the sea", &[3.0, 7.0, 12.0]),
        ("water_refractive_index", "1", "refractive index of the water", &[1.33; 3]),
    ],
};

const LAND: Scene = Scene {
    file: "land.nc",
    title: "Air and haze over vegetation, at 650 nm and at 865 nm",
    spectrum: &[[1590.0, 0.0495, 0.15], [955.0, 0.0155, 0.1]],
    surface: &[
        ("ross_li_f_iso", "1", "weight of the isotropic kernel", &[0.06, 0.32]),
        ("ross_li_f_vol", "1", "weight of Ross's kernel, RossThick", &[0.03, 0.18]),
        ("ross_li_f_geo", "1", "weight of Li's kernel, LiSparseReciprocal", &[0.012, 0.04]),
    ],
};

/// Layers of the scenes, and their height.
const SCENE_LAYERS: u32 = 10;
const SCENE_LAYER_KM: f64 = 3.0;
/// Scale heights of air and haze.
const AIR_KM: f64 = 8.0;
const HAZE_KM: f64 = 1.5;

/// The top first.
fn write_scene(path: &Path, scene: &Scene) -> Result<(), isobar_io::Error> {
    let mut file = DatasetWriter::create(path)?;
    file.attribute("Conventions", "CF-1.11")?;
    file.attribute("title", scene.title)?;
    file.attribute("comment", "Made by cargo xtask demo-data; for demonstration only")?;
    file.attribute("orientation", "top_first")?;
    let zeniths: Vec<f64> = (0..=15).map(|i| 5.0 * f64::from(i)).collect();
    let azimuths = [0.0, 90.0, 180.0];
    let profiles = scene.spectrum.len();
    for (name, size) in
        [("profile", profiles), ("layer", SCENE_LAYERS as usize), ("angle", zeniths.len()), ("azimuth", azimuths.len())]
    {
        file.dimension(name, size)?;
    }
    let mut put = |name, dimensions: &[&str], units, long_name, standard_name, values: Vec<f64>| {
        let variable = OutputVariable { name, dimensions, units, long_name, standard_name, reference_name: None };
        file.variable(&variable, &values)
    };
    let sensor = Some("sensor_zenith_angle");
    put("zenith_angle", &["angle"], "degree", "zenith angle of the view", sensor, zeniths)?;
    let between = "azimuth between the directions in which sunbeam and light travel, 0 is forward";
    put("relative_azimuth_angle", &["azimuth"], "degree", between, None, azimuths.to_vec())?;
    let sun = Some("solar_zenith_angle");
    put("solar_zenith_angle", &[], "degree", "zenith angle of the Sun", sun, vec![40.0])?;
    let irradiance = scene.spectrum.iter().map(|[irradiance, ..]| *irradiance).collect();
    put("sun_irradiance", &["profile"], "W m-2 um-1", "irradiance of the Sun, normal to the beam", None, irradiance)?;
    let exponential = |part: usize, scale_km: f64| -> Vec<f64> {
        let above = |level: u32| Real::exp(-SCENE_LAYER_KM * f64::from(SCENE_LAYERS - level) / scale_km);
        let share = |k: u32| (above(k + 1) - above(k)) / (above(SCENE_LAYERS) - above(0));
        let of = |k: u32| scene.spectrum.iter().map(move |of_profile| short(of_profile[part] * share(k)));
        (0..SCENE_LAYERS).flat_map(of).collect()
    };
    let column = ["layer", "profile"];
    put("rayleigh_optical_depth", &column, "1", "optical depth of the air", None, exponential(1, AIR_KM))?;
    put("depolarization_factor", &[], "1", "depolarization factor of the air", None, vec![0.0279])?;
    put("optical_depth", &column, "1", "optical depth of the haze", None, exponential(2, HAZE_KM))?;
    put("single_scattering_albedo", &[], "1", "single-scattering albedo of the haze", None, vec![0.97])?;
    put("forward_asymmetry", &[], "1", "asymmetry of light that the haze scatters forward", None, vec![0.8])?;
    put("backward_asymmetry", &[], "1", "asymmetry of light that the haze scatters back", None, vec![-0.45])?;
    put("forward_fraction", &[], "1", "share of light that the haze scatters forward", None, vec![0.95])?;
    for &(name, units, long_name, values) in scene.surface {
        let standard_name = (name == "wind_speed").then_some("wind_speed");
        put(name, &["profile"], units, long_name, standard_name, values.to_vec())?;
    }
    file.commit()
}

/// What the command says to it. The command line, which the file records, is that of the README.
pub(super) fn radiances(data: &Path) -> Result<Vec<u8>, String> {
    let folder = Folder::with(&data.join("adding/profiles.nc"))?;
    folder.isobar(&["adding", "profiles.nc", "-o", "radiances.nc", "--levels", "--device", "cpu"])?;
    folder.read("radiances.nc")
}

/// From cold and dry to warm and moist; the top first.
fn write_profiles(path: &Path) -> Result<(), isobar_io::Error> {
    let mut file = DatasetWriter::create(path)?;
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
