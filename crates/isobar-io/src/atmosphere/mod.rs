//! Atmosphere files: one row a level, or profiles in NetCDF.

mod as_asked;
mod binary;
mod layers;
mod levels;
mod meaning;
#[cfg(feature = "netcdf")]
mod netcdf;
mod unread;

use std::io::{self, Write};
use std::path::Path;

use isobar_raytrace::Atmosphere;
#[cfg(feature = "netcdf")]
use isobar_raytrace::Horizontal;

use crate::binary::begins_with;
use crate::column::{Column, parse_row};
use crate::control::Control;
use crate::control::ProfileFormat;
use crate::error::{Error, Place};
use crate::text::{read_bytes, rows, titles, to_text, unwritable, write_header, write_row};
use binary::{LETTERS, read_binary};
use layers::FIXED;
use levels::{Levels, columns, table};

pub use as_asked::{write_atmosphere_as_asked, write_profiles_as_asked};
pub use binary::{lost_in_binary, write_atmosphere_binary};
pub use meaning::ProfileMeaning;
#[cfg(feature = "netcdf")]
pub use netcdf::{
    add_atmospheres_netcdf, count_atmospheres_netcdf, read_atmospheres_netcdf, read_each_atmosphere_netcdf,
    write_atmospheres_netcdf,
};
pub use unread::{atmosphere_remarks, unread_of_atmosphere};

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
        return levels::checked(path, Atmosphere::join(&found), control);
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
