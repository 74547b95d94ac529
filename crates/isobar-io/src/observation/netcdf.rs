//! Observations in NetCDF, as JURASSIC of 2026 has them (`OBSFMT` 3): profiles over `profile` and `ray`, of which each
//! has `nray` rays.

use std::io;
use std::path::Path;

use super::{Observation, columns};
use crate::control::Control;
use crate::error::Error;
use crate::netcdf::Sample;
use crate::profiles::{
    Along, Cells, ProfileDataset, RecordDimension, RecordFile, RecordVariable, Values, invalid, nameless,
};

const ALONG: Along = Along { dimension: "ray", count: "nray" };

const RADIANCE: &str = "rad";
/// Files of early 2026 have brightness temperatures under the name of radiances, too.
const TEMPERATURE: &str = "bt";

/// Name, unit and long name of the variable of each column of the text, in the order of [`columns`].
fn variables(control: &Control) -> Vec<(String, &'static str, String)> {
    let mut all = vec![("time".to_owned(), "s", "time in seconds since 2000-01-01, 00:00 UTC".to_owned())];
    for (short, point) in [("obs", "observer"), ("vp", "view point"), ("tp", "tangent point")] {
        for (axis, unit, name) in
            [("z", "km", "altitude"), ("lon", "degrees_east", "longitude"), ("lat", "degrees_north", "latitude")]
        {
            all.push((format!("{short}_{axis}"), unit, format!("{point} {name}")));
        }
    }
    let measured = match control.brightness_temperature {
        true => (TEMPERATURE, "K", "brightness temperature"),
        false => (RADIANCE, "W/(m^2 sr cm^-1)", "radiance"),
    };
    for (short, unit, quantity) in [measured, ("tau", "1", "transmittance")] {
        let channel = |nu: &f64| (format!("{short}_{nu:.4}"), unit, format!("{quantity} ({nu:.4} cm^-1)"));
        all.extend(control.wavenumbers_per_cm.iter().map(channel));
    }
    all
}

/// The observations of a NetCDF file: those of some profiles, or all.
///
/// # Errors
/// A file that cannot be read or is no NetCDF; a profile that it has not; a variable that is missing or has another
/// unit or other dimensions; a coordinate that is not finite.
pub fn read_observations_netcdf(
    path: &Path,
    control: &Control,
    profiles: Option<&[usize]>,
) -> Result<Vec<Observation>, Error> {
    read_each_observation_netcdf(path, control, profiles)?.into_iter().collect()
}

/// Reads observations as [`read_observations_netcdf`] does; what is wrong with a profile leaves the others.
///
/// # Errors
/// A file that cannot be read or is no NetCDF; a variable that is missing or has another unit or other dimensions. Of a
/// profile: the others of [`read_observations_netcdf`].
pub fn read_each_observation_netcdf(
    path: &Path,
    control: &Control,
    profiles: Option<&[usize]>,
) -> Result<Vec<Result<Observation, Error>>, Error> {
    let file = ProfileDataset::open(path, ALONG)?;
    let (columns, channels) = (columns(control), control.wavenumbers_per_cm.len());
    let read = |(name, unit, _): &(String, &'static str, String)| match name.strip_prefix(TEMPERATURE) {
        Some(channel) if !file.has(name) => file.read(&format!("{RADIANCE}{channel}"), unit),
        _ => file.read(name, unit),
    };
    let values = variables(control).iter().map(read).collect::<Result<Vec<Values>, Error>>()?;
    let one = |&profile: &usize| {
        let mut observation = Observation::default();
        for ray in 0..file.entries(profile)? {
            let at = |(values, column): (&Values, _)| values.at(path, (profile, ray), column, "ray");
            let row = values.iter().zip(&columns).map(at).collect::<Result<Vec<f64>, Error>>()?;
            observation.push(&row, channels);
        }
        Ok(observation)
    };
    let all: Vec<usize> = (0..file.profiles()).collect();
    Ok(profiles.unwrap_or(&all).iter().map(one).collect())
}

/// The number of profiles of a NetCDF file of observations, those without rays counted.
///
/// # Errors
/// A file that cannot be read or is no NetCDF of observations.
pub fn count_observations_netcdf(path: &Path) -> Result<usize, Error> {
    Ok(ProfileDataset::open(path, ALONG)?.profiles())
}

/// Writes observations as the profiles of a NetCDF file, in their order; where there is none, the profile stays empty.
///
/// # Errors
/// A file that cannot be written; no ray; vectors that do not fit the number of rays and channels.
pub fn write_observations_netcdf(
    path: &Path,
    control: &Control,
    observations: &[Option<&Observation>],
) -> Result<(), Error> {
    records(path, control, observations)?.write(path)
}

/// The profiles with rays that are left out where one is read.
pub(super) fn left_out(path: &Path, control: &Control) -> usize {
    ProfileDataset::open(path, ALONG).map_or(0, |file| file.filled_besides(control.profile))
}

/// The bytes of the file that [`write_observations_netcdf`] writes.
pub(super) fn bytes(control: &Control, observations: &[Option<&Observation>]) -> io::Result<Vec<u8>> {
    let path = Path::new("");
    records(path, control, observations).and_then(|file| file.bytes(path)).map_err(nameless)
}

/// Adds observations to a NetCDF file, whose profiles stay where there is no new one. Several processes may do so at a
/// time.
///
/// # Errors
/// As [`write_observations_netcdf`]; a file of other variables.
pub fn add_observations_netcdf(
    path: &Path,
    control: &Control,
    observations: &[Option<&Observation>],
) -> Result<(), Error> {
    records(path, control, observations)?.add(path)
}

fn records(path: &Path, control: &Control, observations: &[Option<&Observation>]) -> Result<RecordFile, Error> {
    let channels = control.wavenumbers_per_cm.len();
    let mut rows = Vec::new();
    for (profile, observation) in observations.iter().enumerate() {
        let misfit = observation.and_then(|observation| observation.misfit(channels));
        if let Some(problem) = misfit {
            return Err(invalid(path, format!("profile {profile}: {problem}")));
        }
        let of_rays = |observation: &&Observation| -> Vec<Vec<f64>> {
            (0..observation.rays.len()).map(|ray| observation.row(ray, channels)).collect()
        };
        rows.push(observation.as_ref().map(of_rays).unwrap_or_default());
    }
    let rays = rows.iter().map(Vec::len).max().unwrap_or(0);
    if rays == 0 {
        return Err(invalid(path, "there is no ray to write".into()));
    }
    let counts: Vec<i32> = rows.iter().map(|rows| rows.len() as i32).collect();
    let filled = rows.iter().map(|rows| !rows.is_empty()).collect();
    let mut all = vec![RecordVariable {
        name: ALONG.count.into(),
        units: "1",
        long_name: "number of ray paths".into(),
        dimensions: Vec::new(),
        cells: Cells::Whole(counts),
    }];
    for (i, (name, units, long_name)) in variables(control).into_iter().enumerate() {
        let value = |rows: &Vec<Vec<f64>>, ray: usize| rows.get(ray).map_or(f64::FILL, |row| row[i]);
        let values = rows.iter().flat_map(|rows| (0..rays).map(move |ray| value(rows, ray))).collect();
        let dimensions = vec![ALONG.dimension];
        all.push(RecordVariable { name, units, long_name, dimensions, cells: Cells::Numbers(values) });
    }
    let along = RecordDimension { name: ALONG.dimension, size: rays, varies: true };
    Ok(RecordFile { record: "profile", filled, dimensions: vec![along], variables: all })
}
