//! Atmosphere files: one row a level, or profiles in NetCDF.

mod as_asked;
mod binary;
mod layers;
mod meaning;
#[cfg(feature = "netcdf")]
mod netcdf;
mod unread;

use std::io::{self, Write};
use std::path::Path;

use isobar_core::Real;
use isobar_raytrace::{Atmosphere, CloudLayer, Horizontal, SurfaceLayer};

use crate::binary::begins_with;
use crate::column::{Column, TIME, parse_row};
use crate::control::Control;
use crate::control::ProfileFormat;
use crate::error::{Error, Place};
use crate::number::{Number, Range};
use crate::text::{read_bytes, rows, titles, to_text, unwritable, write_header, write_row};
use binary::{LETTERS, read_binary};
use layers::{FIXED, Layers};

pub use as_asked::{write_atmosphere_as_asked, write_profiles_as_asked};
pub use binary::{lost_in_binary, write_atmosphere_binary};
pub use meaning::ProfileMeaning;
#[cfg(feature = "netcdf")]
pub use netcdf::{
    add_atmospheres_netcdf, count_atmospheres_netcdf, read_atmospheres_netcdf, read_each_atmosphere_netcdf,
    write_atmospheres_netcdf,
};
pub use unread::{atmosphere_remarks, unread_of_atmosphere};

/// Those of time and place.
const PLACES: usize = 4;
const KELVIN_MOST: f64 = 1000.0;
const KELVIN: Range = Range::above_to(0.0, KELVIN_MOST);

/// The columns that the control file asks for.
fn columns(control: &Control) -> Vec<Column> {
    let mut columns = vec![
        Column::new(TIME, "", Range::FINITE),
        Column::new("altitude", "km", Range::FINITE),
        Column::new("longitude", "deg", Range::FINITE),
        Column::new("latitude", "deg", Range::LATITUDE),
        Column::new("pressure", "hPa", Range::PRESSURE),
        Column::new("temperature", "K", KELVIN),
    ];
    let mut add = |name: String, unit, range| columns.push(Column::new(name, unit, range));
    for gas in &control.emitters {
        add(format!("{gas} volume mixing ratio"), "ppv", Range::FRACTION);
    }
    for window in 0..control.window_count {
        add(format!("extinction (window {window})"), "km^-1", Range::NOT_NEGATIVE);
    }
    if !control.cloud_wavenumbers_per_cm.is_empty() {
        add("cloud layer height".into(), "km", Range::FINITE);
        add("cloud layer depth".into(), "km", Range::FINITE);
        for nu in &control.cloud_wavenumbers_per_cm {
            add(format!("cloud layer extinction ({nu:.4} cm^-1)"), "km^-1", Range::NOT_NEGATIVE);
        }
    }
    if !control.surface_wavenumbers_per_cm.is_empty() {
        add("surface layer height".into(), "km", Range::FINITE);
        add("surface layer pressure".into(), "hPa", Range::FINITE);
        // Not positive: that of the lowest air.
        add("surface layer temperature".into(), "K", Range::above_to(f64::NEG_INFINITY, KELVIN_MOST));
        for nu in &control.surface_wavenumbers_per_cm {
            add(format!("surface layer emissivity ({nu:.4} cm^-1)"), "", Range::FRACTION);
        }
    }
    columns
}

/// Reads an atmosphere: one vertical profile, heights strictly ascending or strictly descending; with `IP = 2` all
/// profiles of the file, of which a new one begins where longitude or latitude changes. Otherwise `PROF_IN` names the
/// profile of a file in NetCDF. Cloud and surface come from the first row, which the others must not contradict.
/// Columns beyond those that the control file asks for are ignored ([`unread_of_atmosphere`]). With `NW = 0` there is
/// one window without extinction.
///
/// # Errors
/// A file that cannot be read, a row that is too short or holds something else than numbers, a header that names
/// another gas than the control file, a value out of range, fewer than 2 levels, heights out of order, a pressure that
/// rises with height unless it is made hydrostatic, altitudes in metres, several profiles without `IP = 2`, or profiles
/// of one level or at one place with it.
pub fn read_atmosphere(path: &Path, control: &Control) -> Result<Atmosphere, Error> {
    #[cfg(feature = "netcdf")]
    if crate::netcdf::is_netcdf(path)
        || control.atmosphere_format == ProfileFormat::Netcdf && !begins_with(path, LETTERS)
    {
        if control.horizontal == Horizontal::Uniform {
            let mut found = read_atmospheres_netcdf(path, control, Some(&[control.profile]))?;
            return Ok(found.swap_remove(0));
        }
        let found = read_atmospheres_netcdf(path, control, None)?;
        if let Some(profile) = layers::differing(&found) {
            let problem =
                format!("profile {profile} has another cloud or surface than profile 0: a track has one each");
            return Err(Error::invalid(Place::File(path.to_owned()), problem));
        }
        return checked(path, Atmosphere::join(&found), control);
    }
    if control.atmosphere_format == ProfileFormat::Binary || begins_with(path, LETTERS) {
        return read_binary(path, control);
    }
    let columns = columns(control);
    let bytes = read_bytes(path)?;
    let text = to_text(&bytes);
    check_header(path, &text, &columns, control.emitters.len())?;
    let mut levels = Levels::new(control);
    for (line, row) in rows(&text) {
        let place = Place::line(path, line);
        let level = parse_row(&place, row, &columns, "level", levels.rows.len())?;
        levels.push(level).map_err(|problem| Error::invalid(place, problem))?;
    }
    levels.assemble(path, control)
}

/// Is the pressure of an atmosphere used as it is read, and not made hydrostatic?
fn pressure_counts(control: &Control) -> bool {
    control.hydrostatic_reference_km.is_none()
}

/// The levels of a file, one profile or several.
struct Levels {
    track: bool,
    /// Is the pressure used as it is read?
    pressure_counts: bool,
    rows: Vec<Vec<f64>>,
    /// The first of the latest profile.
    first: usize,
    layers: Layers,
}

impl Levels {
    fn new(control: &Control) -> Self {
        let (track, pressure_counts) = (control.horizontal == Horizontal::Track, pressure_counts(control));
        let layers = Layers::new(columns(control), control);
        Self { track, pressure_counts, rows: Vec::new(), first: 0, layers }
    }

    fn push(&mut self, level: Vec<f64>) -> Result<(), String> {
        if self.track && self.rows.last().is_some_and(|last| last[2..4] != level[2..4]) {
            self.first = self.rows.len();
        }
        let contradiction = || self.layers.contradiction(&self.rows, &level, self.first == self.rows.len());
        match level_problem(&self.rows, self.first, &level, self.pressure_counts).or_else(contradiction) {
            Some(problem) => Err(problem),
            None => {
                self.rows.push(level);
                Ok(())
            }
        }
    }

    fn assemble(&self, path: &Path, control: &Control) -> Result<Atmosphere, Error> {
        if self.rows.len() < 2 {
            let problem = format!("an atmosphere needs at least 2 levels, the file has {}", self.rows.len());
            return Err(Error::invalid(Place::File(path.to_owned()), problem));
        }
        checked(path, assemble(&self.rows, control), control)
    }
}

/// What is wrong with the profiles of a track, if anything.
fn checked(path: &Path, mut atmosphere: Atmosphere, control: &Control) -> Result<Atmosphere, Error> {
    atmosphere.horizontal = control.horizontal;
    if atmosphere.horizontal == Horizontal::Track {
        let wrong = |problem: isobar_raytrace::Error| Error::invalid(Place::File(path.to_owned()), problem.to_string());
        atmosphere.validate().map_err(wrong)?;
    }
    Ok(atmosphere)
}

/// Columns count by position, so a gas that the file lacks would be read from its neighbour: where a header names the
/// mixing ratios, they must be those of the control file. It must name no other column and unit either.
fn check_header(path: &Path, text: &str, columns: &[Column], gases: usize) -> Result<(), Error> {
    for (line, number, title) in titles(text) {
        let Some(wanted) = columns.get(number.wrapping_sub(1)) else { continue };
        let name = title.split_once(" [").map_or(title, |(name, _)| name);
        let is_gas = name.ends_with(" volume mixing ratio");
        let wants_gas = (FIXED..FIXED + gases).contains(&(number - 1));
        if (is_gas || (wants_gas && name.starts_with("extinction "))) && !name.eq_ignore_ascii_case(&wanted.name) {
            let problem = format!("column {number} holds {name}, the control file asks for {}", wanted.name);
            return Err(Error::invalid(Place::line(path, line), problem));
        }
        if let Some(problem) = wanted.contradiction(title, columns) {
            return Err(Error::invalid(Place::line(path, line), format!("column {number} {problem}")));
        }
    }
    Ok(())
}

/// An altitude above this \[km\] is one in metres if the pressure falls no faster than this says.
const HIGH_KM: f64 = 1000.0;
/// A scale height that no planet's air reaches; the Earth's is 4 to 9 km, 60 at most in the thermosphere.
const SCALE_HEIGHT_KM: f64 = 500.0;

/// What is wrong with the next level after those of the profile that begins with level `start`, if anything.
/// `pressure_counts`: it is not made hydrostatic.
fn level_problem(levels: &[Vec<f64>], start: usize, level: &[f64], pressure_counts: bool) -> Option<String> {
    order_problem(levels, start, level[1])
        .or_else(|| pressure_problem(levels, start, (level[1], level[4])).filter(|_| pressure_counts))
}

/// Pressures fall with height, and do so within kilometres.
fn pressure_problem(levels: &[Vec<f64>], start: usize, (z, pressure): (f64, f64)) -> Option<String> {
    let n = levels.len();
    let last = levels.get(start..)?.last()?;
    let (last_z, last_pressure) = (last[1], last[4]);
    if (z > last_z && pressure > last_pressure) || (z < last_z && pressure < last_pressure) {
        let ((low, low_hpa), (high, high_hpa)) = match z > last_z {
            true => ((last_z, last_pressure), (z, pressure)),
            false => ((z, pressure), (last_z, last_pressure)),
        };
        return Some(format!(
            "pressure {} hPa of level {n} rises with height: {} hPa at {low} km, {} hPa at {high} km",
            Number(pressure),
            Number(low_hpa),
            Number(high_hpa)
        ));
    }
    let away = (z - levels[start][1]).abs();
    let falls = Real::ln(levels[start][4] / pressure).abs();
    if away > HIGH_KM && falls > 0.0 && away > SCALE_HEIGHT_KM * falls {
        let scale = away / falls;
        return Some(format!(
            "altitude {z} km of level {n}: the pressure falls to 1/e of its value in {scale:.0} km; altitudes are \
             wanted in km, are these in metres?"
        ));
    }
    None
}

/// Whether the next height continues the profile that begins with level `start`.
fn order_problem(levels: &[Vec<f64>], start: usize, z: f64) -> Option<String> {
    let (first, last) = (levels.get(start)?[1], levels.last()?[1]);
    let n = levels.len();
    if z == first {
        return Some(format!(
            "altitude {z} km of level {n} is that of level {start}: several profiles in one file need IP = 2, and \
             places that differ"
        ));
    }
    let ascending = levels.get(start + 1).map_or(z > first, |second| second[1] > first);
    if (z > last) == ascending && z != last {
        return None;
    }
    let order = if ascending { "ascending" } else { "descending" };
    Some(format!(
        "altitude {z} km of level {n} breaks the {order} order: level {} lies at {last} km \
         (several profiles in one file need IP = 2, and places that differ)",
        n - 1
    ))
}

fn assemble(levels: &[Vec<f64>], control: &Control) -> Atmosphere {
    let column = |i: usize| levels.iter().map(|level| level[i]).collect::<Vec<f64>>();
    let gases = FIXED + control.emitters.len();
    let windows = gases + control.window_count;
    let mut extinction: Vec<Vec<f64>> = (gases..windows).map(column).collect();
    if extinction.is_empty() {
        extinction.push(vec![0.0; levels.len()]);
    }
    let mut rest = &levels[0][windows..];
    let mut layer = |fixed: usize, nodes: usize| {
        let (values, others) = rest.split_at(if nodes == 0 { 0 } else { fixed + nodes });
        rest = others;
        (nodes > 0).then_some(values)
    };
    Atmosphere {
        horizontal: Horizontal::Uniform,
        time_s: column(0),
        height_km: column(1),
        longitude_deg: column(2),
        latitude_deg: column(3),
        pressure_hpa: column(4),
        temperature_k: column(5),
        mixing_ratio: (FIXED..gases).map(column).collect(),
        extinction_per_km: extinction,
        cloud: layer(2, control.cloud_wavenumbers_per_cm.len()).map(|values| CloudLayer {
            height_km: values[0],
            depth_km: values[1],
            extinction_per_km: values[2..].to_vec(),
        }),
        surface: layer(3, control.surface_wavenumbers_per_cm.len()).map(|values| SurfaceLayer {
            height_km: values[0],
            pressure_hpa: values[1],
            temperature_k: values[2],
            emissivity: values[3..].to_vec(),
        }),
    }
}

/// Writes an atmosphere with the columns that the control file asks for; values are not checked.
///
/// # Errors
/// Those of `out`; an atmosphere whose gases, windows, cloud or surface are not those of the control file.
pub fn write_atmosphere(out: &mut impl Write, atmosphere: &Atmosphere, control: &Control) -> io::Result<()> {
    write_profiles(out, atmosphere, control, ProfileMeaning::Values)
}

/// Writes what has the layout of an atmosphere, with the columns that the control file asks for.
///
/// # Errors
/// Those of [`write_atmosphere`].
pub fn write_profiles(
    out: &mut impl Write,
    atmosphere: &Atmosphere,
    control: &Control,
    meaning: ProfileMeaning,
) -> io::Result<()> {
    let columns = meaning.columns(control);
    let rows = table(atmosphere, control, columns.len()).map_err(unwritable)?;
    write_header(out, &columns)?;
    let starts: Vec<usize> = atmosphere.profiles().iter().map(|profile| profile.start).collect();
    for (i, row) in rows.into_iter().enumerate() {
        if i == 0 || atmosphere.time_s[i] != atmosphere.time_s[i - 1] || starts.contains(&i) {
            writeln!(out)?;
        }
        write_row(out, row)?;
    }
    Ok(())
}

/// The values of each level, a column each.
fn table(atmosphere: &Atmosphere, control: &Control, columns: usize) -> Result<Vec<Vec<f64>>, String> {
    let mut layers = Vec::new();
    if let Some(cloud) = &atmosphere.cloud {
        layers.extend([cloud.height_km, cloud.depth_km]);
        layers.extend(&cloud.extinction_per_km);
    }
    if let Some(surface) = &atmosphere.surface {
        layers.extend([surface.height_km, surface.pressure_hpa, surface.temperature_k]);
        layers.extend(&surface.emissivity);
    }
    let row = |i: usize| {
        let mut row = vec![
            atmosphere.time_s[i],
            atmosphere.height_km[i],
            atmosphere.longitude_deg[i],
            atmosphere.latitude_deg[i],
            atmosphere.pressure_hpa[i],
            atmosphere.temperature_k[i],
        ];
        row.extend(atmosphere.mixing_ratio.iter().map(|gas| gas[i]));
        row.extend(atmosphere.extinction_per_km.iter().take(control.window_count).map(|window| window[i]));
        row.extend(&layers);
        match row.len() {
            found if found == columns => Ok(row),
            found => Err(format!("the atmosphere fills {found} of {columns} columns")),
        }
    };
    (0..atmosphere.height_km.len()).map(row).collect()
}
