//! What an atmosphere's file has and the control file does not ask for.

use std::path::Path;

#[cfg(feature = "netcdf")]
use isobar_raytrace::Horizontal;

use super::binary::LETTERS;
use super::levels::columns;
use crate::control::Control;
#[cfg(feature = "netcdf")]
use crate::profiles::profiles_left_out;
use crate::text::{read_bytes, rows, titles, to_text};

/// The most names that are listed.
const MOST_NAMES: usize = 20;

/// The columns or variables of a file that [`super::read_atmosphere`] takes, and that the control file does not ask
/// for, in words. Binary files have no others, and a file that cannot be read has none.
#[must_use]
pub fn unread_of_atmosphere(path: &Path, control: &Control) -> Option<String> {
    #[cfg(feature = "netcdf")]
    let names = match crate::netcdf::is_netcdf(path) {
        true => super::netcdf::unread(path, control)?,
        false => further_columns(path, control)?,
    };
    #[cfg(not(feature = "netcdf"))]
    let names = further_columns(path, control)?;
    let (said, more) = names.split_at(names.len().min(MOST_NAMES));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    (!said.is_empty()).then(|| {
        let said = said.join(", ");
        format!("{}: not read: {said}{more} (EMITTER, NW, NCL and NSF say what is)", path.display())
    })
}

/// What there is to say of a file that [`super::read_atmosphere`] has read, a line each: what the control file does not
/// ask for ([`unread_of_atmosphere`]), and profiles that are left out because nothing says which one is wanted.
#[must_use]
pub fn atmosphere_remarks(path: &Path, control: &Control) -> Vec<String> {
    let lines = unread_of_atmosphere(path, control).into_iter();
    #[cfg(feature = "netcdf")]
    let lines = {
        let one = control.horizontal == Horizontal::Uniform && crate::netcdf::is_netcdf(path);
        let left_out = if one { super::netcdf::left_out(path, control) } else { 0 };
        lines.chain(profiles_left_out(path, control, left_out, "; IP = 2 takes all for a track"))
    };
    lines.collect()
}

/// The numbers of the first row after those that are read, by the titles of their columns.
fn further_columns(path: &Path, control: &Control) -> Option<Vec<String>> {
    let bytes = read_bytes(path).ok()?;
    if bytes.starts_with(&LETTERS) {
        return None;
    }
    let text = to_text(&bytes);
    let (_, row) = rows(&text).next()?;
    let count = row.split_ascii_whitespace().take_while(|token| token.parse::<f64>().is_ok()).count();
    let name = |column: usize| {
        let title = titles(&text).find(|&(_, number, _)| number == column);
        title.map_or_else(|| format!("column {column}"), |(_, _, title)| title.to_owned())
    };
    Some((columns(control).len() + 1..=count).map(name).collect())
}
