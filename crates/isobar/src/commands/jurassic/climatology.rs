//! `isobar jurassic climatology`, `hydrostatic`: atmospheres that are made, or made hydrostatic.

use std::path::PathBuf;

use clap::Args;
use isobar_column::{humidity, rcemip, standard_atmosphere};
use isobar_core::{bracket, interpolate};
use isobar_io::FilesInUse;
use isobar_raytrace::constants::{MOLAR_MASS_AIR_KG_PER_MOL as AIR, MOLAR_MASS_WATER_KG_PER_MOL as WATER};
use isobar_raytrace::{Atmosphere, Horizontal};

use super::grid::{constant, gases_once};
use super::numbers::steps;
use super::profile_file::ProfileFile;
use crate::commands::raytrace::hydrostatic as make_hydrostatic;
use crate::inputs::case::{ControlFile, read_profile};
use crate::program::failure::Failure;
use crate::program::remarks::warn;

/// The options of `climatology`.
#[derive(Args, Debug)]
pub(crate) struct Climatology {
    #[command(flatten)]
    control: ControlFile,
    #[command(flatten)]
    output: ProfileFile,
    /// Time [s since 2000-01-01T00:00Z], which carbon dioxide follows
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    time: f64,
    /// Lowest height [km]
    #[arg(long, default_value_t = 0.0)]
    z0: f64,
    /// Highest height [km], at most 86
    #[arg(long, default_value_t = 86.0)]
    z1: f64,
    /// From one to the next [km]
    #[arg(long, default_value_t = 1.0)]
    dz: f64,
    /// A mixing ratio that is the same at all heights, such as CH4=1.9e-6
    #[arg(long = "gas", value_name = "NAME=VALUE")]
    gases: Vec<String>,
}

/// The options of `hydrostatic`.
#[derive(Args, Debug)]
pub(crate) struct Hydrostatic {
    #[command(flatten)]
    control: ControlFile,
    /// The atmosphere
    #[arg(long = "in", value_name = "FILE")]
    input: PathBuf,
    #[command(flatten)]
    output: ProfileFile,
}

/// Mole fraction in dry air (US Standard Atmosphere 1976, table 3).
const NITROGEN: f64 = 0.780_84;
const OXYGEN: f64 = 0.209_476;

/// Height \[km\] and mean molar mass of the air over that at the ground, from where it is less (US Standard Atmosphere
/// 1976, table 8).
const LIGHTER_AIR: [(f64, f64); 13] = [
    (80.0, 1.0),
    (80.5, 0.999_996),
    (81.0, 0.999_989),
    (81.5, 0.999_971),
    (82.0, 0.999_941),
    (82.5, 0.999_909),
    (83.0, 0.999_870),
    (83.5, 0.999_829),
    (84.0, 0.999_786),
    (84.5, 0.999_741),
    (85.0, 0.999_694),
    (85.5, 0.999_641),
    (86.0, 0.999_579),
];

/// Temperature \[K\] and pressure \[Pa\] at a height. Temperature of the standard atmosphere's pieces is that of air of
/// the molar mass at the ground, which is the kinetic one below 80 km.
fn air(height_km: f64) -> (f64, f64) {
    let (molecular_k, pressure) = standard_atmosphere::state(1e3 * height_km);
    let i = bracket::bisect(LIGHTER_AIR.len(), |i| LIGHTER_AIR[i].0, height_km);
    let ((low, heavier), (high, lighter)) = (LIGHTER_AIR[i], LIGHTER_AIR[i + 1]);
    let ratio = interpolate::linear(low, heavier, high, lighter, height_km.max(LIGHTER_AIR[0].0));
    (molecular_k * ratio, pressure)
}

/// Carbon dioxide by JURASSIC's trend, linear since 2002.
fn carbon_dioxide(time_s: f64) -> f64 {
    371.789_948e-6 + 2.026_214e-6 * (time_s - 63_158_400.0) / 31_557_600.0
}

pub(super) fn climatology(options: &Climatology) -> Result<(), Failure> {
    let mut files = FilesInUse::default();
    files.writes("the output", &options.output.out)?;
    let control = options.control.read(&mut files)?;
    for (key, nodes) in [("NCL", &control.cloud_wavenumbers_per_cm), ("NSF", &control.surface_wavenumbers_per_cm)] {
        if !nodes.is_empty() {
            return Err(Failure::usage(format!(
                "{key} asks for a cloud or a surface, which is not made: give {key}=0"
            )));
        }
    }
    if !options.time.is_finite() || !(0.0..=0.01).contains(&carbon_dioxide(options.time)) {
        let problem = format!("--time {} s: the trend of carbon dioxide leaves [0, 0.01] there", options.time);
        return Err(Failure::usage(problem));
    }
    let height_km = steps("heights", options.z0, options.z1, options.dz)?;
    if height_km.len() < 2 {
        return Err(Failure::usage("an atmosphere has at least 2 heights"));
    }
    let top_km = standard_atmosphere::TOP_M / 1e3;
    if let Some(wrong) = height_km.iter().find(|height| !(0.0..=top_km).contains(*height)) {
        return Err(Failure::usage(format!("height {wrong} km lies outside [0, {top_km}]")));
    }
    let mut constants = Vec::new();
    for pair in gases_once(&options.gases)? {
        let (name, value) = constant(pair)?;
        if !control.emitters.iter().any(|emitter| emitter.eq_ignore_ascii_case(&name)) {
            return Err(Failure::usage(format!("--gas {name}: it is no EMITTER of the control file")));
        }
        if !(0.0..=1.0).contains(&value) {
            return Err(Failure::usage(format!("--gas {name}={value} lies outside [0, 1]")));
        }
        constants.push((name, value));
    }
    let states: Vec<(f64, f64)> = height_km.iter().map(|&z| air(z)).collect();
    let (_, surface) = standard_atmosphere::state(0.0);
    let mut mixing_ratio = Vec::new();
    let mut missing = Vec::new();
    for emitter in &control.emitters {
        let of = |f: &dyn Fn(f64, f64) -> f64| states.iter().map(|&(t, p)| f(t, p)).collect::<Vec<f64>>();
        let water = |t: f64, p: f64| {
            let ratio = humidity::mean_mixing_ratio(t, p, surface) * AIR / WATER;
            ratio / (1.0 + ratio)
        };
        let given = constants.iter().find(|(name, _)| name.eq_ignore_ascii_case(emitter)).map(|(_, value)| *value);
        mixing_ratio.push(match (given, emitter.to_uppercase().as_str()) {
            (Some(value), _) => of(&|_, _| value),
            (None, "CO2") => of(&|_, _| carbon_dioxide(options.time)),
            (None, "H2O") => of(&water),
            (None, "O3") => of(&|_, p| rcemip::ozone(p)),
            (None, "N2") => of(&|_, _| NITROGEN),
            (None, "O2") => of(&|_, _| OXYGEN),
            (None, _) => {
                missing.push(emitter.as_str());
                Vec::new()
            }
        });
    }
    if !missing.is_empty() {
        let gases = missing.join(", ");
        return Err(Failure::usage(format!(
            "no profile is known of {gases}: give --gas NAME=VALUE, or leave them out"
        )));
    }
    let is_ozone = |name: &String| name.eq_ignore_ascii_case("O3");
    if control.emitters.iter().any(is_ozone) && !constants.iter().any(|(name, _)| is_ozone(name)) {
        warn("O3 is that of RCEMIP, of the stratosphere in the tropics: the troposphere has none (--gas O3=VALUE)");
    }
    let zeros = vec![0.0; height_km.len()];
    let atmosphere = Atmosphere {
        horizontal: Horizontal::Uniform,
        time_s: vec![options.time; height_km.len()],
        longitude_deg: zeros.clone(),
        latitude_deg: zeros.clone(),
        pressure_hpa: states.iter().map(|(_, pressure)| pressure / 100.0).collect(),
        temperature_k: states.iter().map(|(temperature, _)| *temperature).collect(),
        mixing_ratio,
        extinction_per_km: vec![zeros; control.window_count.max(1)],
        height_km,
        cloud: None,
        surface: None,
    };
    options.output.write_atmospheres(&control, &[atmosphere])
}

pub(super) fn hydrostatic(options: &Hydrostatic) -> Result<(), Failure> {
    let mut files = FilesInUse::default();
    files.reads("the atmosphere", &options.input)?;
    files.writes("the output", &options.output.out)?;
    let control = options.control.read(&mut files)?;
    let Some(reference_km) = control.hydrostatic_reference_km else {
        return Err(Failure::usage("HYDZ names the height whose pressure stays: give HYDZ=KM"));
    };
    let mut atmosphere = read_profile(&options.input, &control)?;
    make_hydrostatic(&mut atmosphere, reference_km, &control.emitters)
        .map_err(|error| error.in_file(options.input.display()))?;
    options.output.write_atmospheres(&control, &[atmosphere])
}
