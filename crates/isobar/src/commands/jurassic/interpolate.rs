//! `interpolate`: an atmosphere at the heights of another one.

use std::path::PathBuf;

use clap::Args;
use isobar_core::{bracket, interpolate};
use isobar_io::{FilesInUse, read_atmosphere};
use isobar_raytrace::air::{Air, Atmospheric};
use isobar_raytrace::{Atmosphere, ProfileData, geodesy};

use super::profile_file::ProfileFile;
use crate::inputs::case::{ControlFile, read_profile};
use crate::program::failure::Failure;
use crate::program::remarks::warn;

/// The options of `interpolate`.
#[derive(Args, Debug)]
pub(crate) struct Interpolate {
    #[command(flatten)]
    control: ControlFile,
    /// The atmosphere
    #[arg(long, value_name = "FILE")]
    atm: PathBuf,
    /// The atmosphere whose times, heights and places are wanted
    #[arg(long, value_name = "FILE")]
    at: PathBuf,
    #[command(flatten)]
    output: ProfileFile,
}

/// Pressure exponential in height, all else linear, beyond the ends by the last layer, as along a path; mixing ratios
/// and extinctions stay in their range.
pub(super) fn interpolated(options: &Interpolate) -> Result<(), Failure> {
    let mut files = FilesInUse::default();
    files.reads("the atmosphere", &options.atm)?;
    files.reads("the wanted heights", &options.at)?;
    files.writes("the output", &options.output.out)?;
    let control = options.control.read(&mut files)?;
    let (mut from, to) = (read_profile(&options.atm, &control)?, read_atmosphere(&options.at, &control)?);
    let heights = from.height_km.iter().copied();
    let ends_km = (heights.clone().fold(f64::INFINITY, f64::min), heights.fold(f64::NEG_INFINITY, f64::max));
    if from.varies() {
        let result = in_range(between_profiles(&from, to)?, ends_km)?;
        return options.output.write_atmospheres(&control, &[result]);
    }
    if from.height_km[0] > from.height_km[1] {
        let lists = from.mixing_ratio.iter_mut().chain(&mut from.extinction_per_km);
        lists.chain([&mut from.height_km, &mut from.pressure_hpa, &mut from.temperature_k]).for_each(|x| x.reverse());
    }
    let z = &from.height_km;
    let places: Vec<usize> = to.height_km.iter().map(|&height| bracket::bisect(z.len(), |i| z[i], height)).collect();
    let linear = |values: &Vec<f64>| -> Vec<f64> {
        let at = |(&height, &i): (&f64, &usize)| interpolate::linear(z[i], values[i], z[i + 1], values[i + 1], height);
        to.height_km.iter().zip(&places).map(at).collect()
    };
    let pressure = |(&height, &i): (&f64, &usize)| {
        interpolate::log_y(z[i], from.pressure_hpa[i], z[i + 1], from.pressure_hpa[i + 1], height)
    };
    let result = Atmosphere {
        pressure_hpa: to.height_km.iter().zip(&places).map(pressure).collect(),
        temperature_k: linear(&from.temperature_k),
        mixing_ratio: from.mixing_ratio.iter().map(linear).collect(),
        extinction_per_km: from.extinction_per_km.iter().map(linear).collect(),
        cloud: from.cloud.clone(),
        surface: from.surface.clone(),
        ..to.clone()
    };
    options.output.write_atmospheres(&control, &[in_range(result, ends_km)?])
}

/// Says what lies beyond the heights of the source, and brings it into its range.
fn in_range(mut result: Atmosphere, (low_km, high_km): (f64, f64)) -> Result<Atmosphere, Failure> {
    if let Some(level) = result.temperature_k.iter().position(|&t| t <= 0.0) {
        let (t, z) = (result.temperature_k[level], result.height_km[level]);
        let problem = format!(
            "temperature {t} K of level {level} at {z} km lies outside (0, inf): it is extrapolated from {low_km} to \
             {high_km} km"
        );
        return Err(Failure::new(problem));
    }
    let mut clamped = 0;
    let mut clamp = |values: &mut Vec<f64>, most: f64| {
        for value in values.iter_mut().filter(|value| !(0.0..=most).contains(*value)) {
            *value = value.clamp(0.0, most);
            clamped += 1;
        }
    };
    result.mixing_ratio.iter_mut().for_each(|values| clamp(values, 1.0));
    result.extinction_per_km.iter_mut().for_each(|values| clamp(values, f64::INFINITY));
    // Profiles of a track may end elsewhere.
    let beyond = result.height_km.iter().filter(|z| !(low_km..=high_km).contains(*z)).count();
    if beyond + clamped == 0 {
        return Ok(result);
    }
    warn(format!(
        "{beyond} of {} levels lie beyond the {low_km} to {high_km} km of the atmosphere and are extrapolated from its \
         last layers{}",
        result.levels(),
        if clamped > 0 {
            format!("; {clamped} mixing ratios and extinctions became the end of their range")
        } else {
            String::new()
        }
    ));
    Ok(result)
}

/// The values of a track at the heights and places of an atmosphere, as along a path.
fn between_profiles(from: &Atmosphere, mut to: Atmosphere) -> Result<Atmosphere, Failure> {
    let data = ProfileData::<f64>::new(from)?;
    let track = data.track().expect("several profiles");
    let place = |level: usize| {
        let x = geodesy::to_cartesian(to.height_km[level], to.longitude_deg[level], to.latitude_deg[level]);
        track.place(x, to.height_km[level], 0)
    };
    let places: Vec<_> = (0..to.levels()).map(place).collect();
    to.pressure_hpa = places.iter().map(|place| track.pressure_there(place)).collect();
    to.temperature_k = places.iter().map(|place| track.temperature_there(place)).collect();
    let gas = |gas: usize| places.iter().map(|place| track.mixing_ratio_there(place, gas)).collect();
    to.mixing_ratio = (0..track.gas_count()).map(gas).collect();
    let window = |window: usize| places.iter().map(|place| track.extinction_there(place, window)).collect();
    to.extinction_per_km = (0..track.window_count()).map(window).collect();
    (to.cloud, to.surface) = (from.cloud.clone(), from.surface.clone());
    Ok(to)
}
