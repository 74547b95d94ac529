//! Atmospheres in NetCDF, as JURASSIC of 2026 has them (`ATMFMT` 3): profiles over `profile` and `level`, of which each
//! has `nlev` levels.

use std::io;
use std::path::Path;

use isobar_raytrace::Atmosphere;

use super::levels::{PLACES, assemble, columns, level_problem, pressure_counts, table};
use super::meaning::ProfileMeaning;
use crate::column::Column;
use crate::control::Control;
use crate::error::Error;
use crate::netcdf::Sample;
use crate::profiles::{
    Along, Cells, ProfileDataset, RecordDimension, RecordFile, RecordVariable, Values, invalid, nameless,
};

const ALONG: Along = Along { dimension: "level", count: "nlev" };

/// A column of the text as a variable.
struct Variable {
    name: String,
    unit: &'static str,
    long_name: String,
    /// Has each level a value, or each profile?
    of_levels: bool,
    /// May a file lack it?
    optional: bool,
}

/// A variable a column, in the order of [`columns`].
fn variables(control: &Control) -> Vec<Variable> {
    let mut all = Vec::new();
    let mut add = |name: String, unit, long_name: String, of_levels, optional| {
        all.push(Variable { name, unit, long_name, of_levels, optional });
    };
    for (name, unit, long_name) in [
        ("time", "s", "time in seconds since 2000-01-01, 00:00 UTC"),
        ("z", "km", "altitude"),
        ("lon", "degrees_east", "longitude"),
        ("lat", "degrees_north", "latitude"),
        ("p", "hPa", "pressure"),
        ("t", "K", "temperature"),
    ] {
        add(name.into(), unit, long_name.into(), true, false);
    }
    for gas in &control.emitters {
        add(gas.clone(), "ppv", format!("{gas} volume mixing ratio"), true, false);
    }
    for window in 0..control.window_count {
        add(format!("ext_win_{window}"), "km**-1", format!("extinction (window {window})"), true, false);
    }
    if !control.cloud_wavenumbers_per_cm.is_empty() {
        add("cld_z".into(), "km", "cloud layer height".into(), false, false);
        add("cld_dz".into(), "km", "cloud layer depth".into(), false, false);
        for nu in &control.cloud_wavenumbers_per_cm {
            let long_name = format!("cloud layer extinction ({nu:.4} cm^-1)");
            add(format!("cld_k_{nu:.4}"), "km**-1", long_name, false, false);
        }
    }
    if !control.surface_wavenumbers_per_cm.is_empty() {
        // JURASSIC of 2026 has neither: its ground is the lowest level.
        add("srf_z".into(), "km", "surface height".into(), false, true);
        add("srf_p".into(), "hPa", "surface pressure (0: by height)".into(), false, true);
        add("srf_t".into(), "K", "surface temperature".into(), false, false);
        for nu in &control.surface_wavenumbers_per_cm {
            add(format!("srf_eps_{nu:.4}"), "1", format!("surface emissivity ({nu:.4} cm^-1)"), false, false);
        }
    }
    all
}

/// The atmospheres of a NetCDF file: those of some profiles, or all.
///
/// # Errors
/// A file that cannot be read or is no NetCDF; a profile that it has not; a variable that is missing or has another
/// unit or other dimensions; a value out of range; fewer than 2 levels, heights out of order.
pub fn read_atmospheres_netcdf(
    path: &Path,
    control: &Control,
    profiles: Option<&[usize]>,
) -> Result<Vec<Atmosphere>, Error> {
    read_each_atmosphere_netcdf(path, control, profiles)?.into_iter().collect()
}

/// Reads atmospheres as [`read_atmospheres_netcdf`] does; what is wrong with a profile leaves the others.
///
/// # Errors
/// A file that cannot be read or is no NetCDF; a variable that is missing or has another unit or other dimensions. Of a
/// profile: the others of [`read_atmospheres_netcdf`].
pub fn read_each_atmosphere_netcdf(
    path: &Path,
    control: &Control,
    profiles: Option<&[usize]>,
) -> Result<Vec<Result<Atmosphere, Error>>, Error> {
    let file = ProfileDataset::open(path, ALONG)?;
    let (columns, variables) = (columns(control), variables(control));
    let read = |variable: &Variable| match variable.optional && !file.has(&variable.name) {
        true => Ok(None),
        false => file.read(&variable.name, variable.unit).map(Some),
    };
    let values = variables.iter().map(read).collect::<Result<Vec<_>, Error>>()?;
    let all: Vec<usize> = (0..file.profiles()).collect();
    let profile = |&profile: &usize| one(&file, control, profile, (&columns, &values));
    Ok(profiles.unwrap_or(&all).iter().map(profile).collect())
}

/// The names of variables that the control file does not ask for.
pub(super) fn unread(path: &Path, control: &Control) -> Option<Vec<String>> {
    let mut names = ProfileDataset::open(path, ALONG).ok()?.names();
    let read: Vec<String> = variables(control).into_iter().map(|variable| variable.name).collect();
    names.retain(|name| name != ALONG.count && !read.contains(name));
    Some(names)
}

/// The number of profiles of a NetCDF file of atmospheres, those without levels counted.
///
/// # Errors
/// A file that cannot be read or is no NetCDF of atmospheres.
pub fn count_atmospheres_netcdf(path: &Path) -> Result<usize, Error> {
    Ok(ProfileDataset::open(path, ALONG)?.profiles())
}

fn one(
    file: &ProfileDataset,
    control: &Control,
    profile: usize,
    (columns, values): (&[Column], &[Option<Values>]),
) -> Result<Atmosphere, Error> {
    let path = file.path();
    let mut levels: Vec<Vec<f64>> = Vec::new();
    for level in 0..file.entries(profile)? {
        let mut row = Vec::with_capacity(columns.len());
        for (column, values) in columns.iter().zip(values) {
            let value = values.as_ref().map(|values| values.at(path, (profile, level), column, "level")).transpose()?;
            row.push(value.unwrap_or(0.0));
        }
        if let Some(problem) = level_problem(&levels, 0, &row, pressure_counts(control)) {
            return Err(invalid(path, format!("profile {profile}: {problem}")));
        }
        levels.push(row);
    }
    if levels.len() < 2 {
        return Err(invalid(path, format!("profile {profile}: an atmosphere needs at least 2 levels, it has 1")));
    }
    let mut atmosphere = assemble(&levels, control);
    if let Some(surface) = &mut atmosphere.surface
        && !file.has("srf_z")
    {
        surface.height_km = atmosphere.height_km.iter().copied().fold(f64::INFINITY, f64::min);
    }
    Ok(atmosphere)
}

/// Writes atmospheres, or what else their numbers mean, as the profiles of a NetCDF file, in their order, those of a
/// track one after the other; where there is none, the profile stays empty.
///
/// # Errors
/// A file that cannot be written; no atmosphere; one whose gases, windows, cloud or surface are not those of the
/// control file.
pub fn write_atmospheres_netcdf(
    path: &Path,
    control: &Control,
    atmospheres: &[Option<&Atmosphere>],
    meaning: ProfileMeaning,
) -> Result<(), Error> {
    records(path, control, atmospheres, meaning)?.write(path)
}

/// The profiles with levels that are left out where one is read.
pub(super) fn left_out(path: &Path, control: &Control) -> usize {
    ProfileDataset::open(path, ALONG).map_or(0, |file| file.filled_besides(control.profile))
}

/// The bytes of the file that [`write_atmospheres_netcdf`] writes.
pub(super) fn bytes(
    control: &Control,
    atmospheres: &[Option<&Atmosphere>],
    meaning: ProfileMeaning,
) -> io::Result<Vec<u8>> {
    let path = Path::new("");
    records(path, control, atmospheres, meaning).and_then(|file| file.bytes(path)).map_err(nameless)
}

/// Adds atmospheres to a NetCDF file, whose profiles stay where there is no new one. Several processes may do so at a
/// time.
///
/// # Errors
/// As [`write_atmospheres_netcdf`]; a file of other variables.
pub fn add_atmospheres_netcdf(
    path: &Path,
    control: &Control,
    atmospheres: &[Option<&Atmosphere>],
    meaning: ProfileMeaning,
) -> Result<(), Error> {
    records(path, control, atmospheres, meaning)?.add(path)
}

fn records(
    path: &Path,
    control: &Control,
    atmospheres: &[Option<&Atmosphere>],
    meaning: ProfileMeaning,
) -> Result<RecordFile, Error> {
    let mut variables = variables(control);
    if meaning != ProfileMeaning::Values {
        for variable in &mut variables[PLACES..] {
            (variable.unit, variable.long_name) = ("1", meaning.title(&variable.long_name));
        }
    }
    let mut rows = Vec::new();
    let split = |atmosphere: &Option<&Atmosphere>| match atmosphere {
        Some(atmosphere) => atmosphere.split().into_iter().map(Some).collect(),
        None => vec![None],
    };
    let atmospheres: Vec<Option<Atmosphere>> = atmospheres.iter().flat_map(split).collect();
    for (profile, atmosphere) in atmospheres.iter().enumerate() {
        let table = atmosphere.as_ref().map(|atmosphere| table(atmosphere, control, variables.len())).transpose();
        rows.push(table.map_err(|problem| invalid(path, format!("profile {profile}: {problem}")))?.unwrap_or_default());
    }
    let levels = rows.iter().map(Vec::len).max().unwrap_or(0);
    if levels == 0 {
        return Err(invalid(path, "there is no atmosphere to write".into()));
    }
    let counts: Vec<i32> = rows.iter().map(|rows| rows.len() as i32).collect();
    let filled = rows.iter().map(|rows| !rows.is_empty()).collect();
    let mut all = vec![RecordVariable {
        name: ALONG.count.into(),
        units: "1",
        long_name: "number of vertical levels".into(),
        dimensions: Vec::new(),
        cells: Cells::Whole(counts),
    }];
    for (i, variable) in variables.into_iter().enumerate() {
        let entries = if variable.of_levels { levels } else { 1 };
        let value = |rows: &Vec<Vec<f64>>, level: usize| rows.get(level).map_or(f64::FILL, |row| row[i]);
        let values = rows.iter().flat_map(|rows| (0..entries).map(move |level| value(rows, level))).collect();
        all.push(RecordVariable {
            name: variable.name,
            units: variable.unit,
            long_name: variable.long_name,
            dimensions: if variable.of_levels { vec![ALONG.dimension] } else { Vec::new() },
            cells: Cells::Numbers(values),
        });
    }
    let along = RecordDimension { name: ALONG.dimension, size: levels, varies: true };
    Ok(RecordFile { record: "profile", filled, dimensions: vec![along], variables: all })
}
