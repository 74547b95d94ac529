//! `isobar jurassic atmosphere-from`: columns of a weather model as profiles.

use std::path::PathBuf;

use clap::Args;
use isobar::jurassic::{GRID_SPACING_KM, outside_warning, read_rays};
use isobar_io::{FilesInUse, Grid, GridPlace, GridRequest};
use isobar_raytrace::Horizontal;

use super::profile_file::ProfileFile;
use crate::inputs::case::{ControlFile, read_profile};
use crate::program::failure::Failure;
use crate::program::options::key_values;
use crate::program::remarks::{note, warn};

/// The options of `atmosphere-from`.
#[derive(Args, Debug)]
pub(crate) struct AtmosphereFrom {
    #[command(flatten)]
    control: ControlFile,
    /// The model's file in NetCDF: WRF's wrfout, or one with coordinates of longitude and latitude (ERA5)
    #[arg(long = "in", value_name = "FILE")]
    input: PathBuf,
    #[command(flatten)]
    output: ProfileFile,
    /// A place, longitude and latitude [deg], such as 7.5,50.9; several become profiles, in this order
    #[arg(long, value_name = "LON,LAT", allow_hyphen_values = true, conflicts_with = "obs")]
    at: Vec<String>,
    /// Places below the rays of this observation
    #[arg(long, value_name = "FILE")]
    obs: Option<PathBuf>,
    #[arg(long, help = format!("How far apart places below rays are [km] [default: {GRID_SPACING_KM}]"))]
    spacing: Option<f64>,
    /// Without places: every N-th column in both directions instead of all
    #[arg(long, default_value_t = 1, conflicts_with_all = ["at", "obs"])]
    every: usize,
    /// Time [s since 2000-01-01T00:00Z] of all profiles, between two of the file's; below rays that of each ray, if the
    /// file has several
    #[arg(long, allow_negative_numbers = true, conflicts_with = "obs")]
    time: Option<f64>,
    /// A mixing ratio that is the same everywhere, such as CO2=4.2e-4
    #[arg(long = "gas", value_name = "NAME=VALUE")]
    gases: Vec<String>,
    /// A profile that has what the grid lacks: gases, extinctions, cloud, surface, and the levels above
    #[arg(long, value_name = "FILE")]
    background: Option<PathBuf>,
}

/// Finer than any grid of a weather model.
const LEAST_SPACING_KM: f64 = 0.1;

pub(super) fn run(options: &AtmosphereFrom) -> Result<(), Failure> {
    let mut files = FilesInUse::default();
    files.reads("the model's file", &options.input)?;
    options.obs.iter().try_for_each(|path| files.reads("the observation", path))?;
    options.background.iter().try_for_each(|path| files.reads("the background", path))?;
    files.writes("the output", &options.output.out)?;
    if options.spacing.is_some() && options.obs.is_none() {
        return Err(Failure::usage("--spacing has no effect without --obs"));
    }
    let spacing = options.spacing.unwrap_or(GRID_SPACING_KM);
    // Places are looked through for each other.
    if !(spacing.is_finite() && spacing >= LEAST_SPACING_KM) {
        let range = format!("[{LEAST_SPACING_KM}, inf)");
        return Err(Failure::usage(format!("--spacing {spacing} km lies outside {range}")));
    }
    if options.every == 0 {
        return Err(Failure::usage("--every 0 lies outside [1, inf)"));
    }
    let mut control = options.control.read(&mut files)?;
    // The profiles are one track; the background is a single one.
    control.horizontal = Horizontal::Uniform;
    let constants = gases_once(&options.gases)?.into_iter().map(constant).collect::<Result<_, _>>()?;
    let background = options.background.as_ref().map(|path| read_profile(path, &control)).transpose()?;
    let mut request = GridRequest { constants, background, skip_outside: false };
    let grid = Grid::open(&options.input)?;
    let found = if let Some(path) = &options.obs {
        let mut geometry = control.clone();
        // What was measured along the rays does not matter here.
        geometry.wavenumbers_per_cm.clear();
        let rays = read_rays(path, &geometry, &mut warn)?.rays;
        request.skip_outside = true;
        grid.below(&control, &rays, spacing, &request)?
    } else if options.at.is_empty() {
        grid.profiles(&control, &grid.columns(options.every, options.time)?, &request)?
    } else {
        let places = options.at.iter().map(|text| place(text, options.time)).collect::<Result<Vec<_>, _>>()?;
        grid.profiles(&control, &places, &request)?
    };
    if let Some(warning) = outside_warning(&options.input, found.outside) {
        warn(warning);
    }
    found.notes.into_iter().for_each(|text| note(false, text));
    match found.atmosphere.profiles().len() {
        1 => tell!("1 profile"),
        count => tell!("{count} profiles"),
    }
    options.output.write_atmospheres(&control, &[found.atmosphere])
}

/// `NAME=VALUE` of each gas, none of which stands there twice.
pub(super) fn gases_once(texts: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let pairs = key_values(texts)?;
    for (number, (name, value)) in pairs.iter().enumerate() {
        if let Some((_, first)) = pairs[..number].iter().find(|(other, _)| other.eq_ignore_ascii_case(name)) {
            return Err(Failure::usage(format!("--gas {name}: twice, as {first} and as {value}")));
        }
    }
    Ok(pairs)
}

pub(super) fn constant((name, value): (String, String)) -> Result<(String, f64), Failure> {
    match value.parse() {
        Ok(number) => Ok((name, number)),
        Err(_) => Err(Failure::usage(format!("--gas {name}={value}: {value:?} is not a number"))),
    }
}

fn place(text: &str, time_s: Option<f64>) -> Result<GridPlace, Failure> {
    let pair = text.split_once(',').map(|(x, y)| (x.trim().parse::<f64>(), y.trim().parse::<f64>()));
    match pair {
        Some((Ok(longitude_deg), Ok(latitude_deg)))
            if longitude_deg.is_finite() && (-90.0..=90.0).contains(&latitude_deg) =>
        {
            Ok(GridPlace { longitude_deg, latitude_deg, time_s })
        }
        _ => Err(Failure::usage(format!("--at {text:?} is not a longitude and a latitude, such as 7.5,50.9"))),
    }
}
