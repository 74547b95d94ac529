//! Atmospheres in binary, as JURASSIC of 2026 has them (`ATMFMT` 2): one list of a column after the other.

use std::io::{self, Write};
use std::path::Path;

use isobar_raytrace::Atmosphere;

use super::layers::FIXED;
use super::levels::{Levels, columns, table};
use crate::binary::{BinaryFile, write_head, write_values};
use crate::control::Control;
use crate::error::Error;
use crate::text::unwritable;

/// How a binary file begins.
pub(super) const LETTERS: [u8; 4] = *b"ATM1";

/// The sizes in the head of a binary file.
fn sizes(control: &Control) -> [(&'static str, usize); 4] {
    [
        ("NG", control.emitters.len()),
        ("NW", control.window_count),
        ("NCL", control.cloud_wavenumbers_per_cm.len()),
        ("NSF", control.surface_wavenumbers_per_cm.len()),
    ]
}

pub(super) fn read_binary(path: &Path, control: &Control) -> Result<Atmosphere, Error> {
    let mut file = BinaryFile::open(path, LETTERS, &sizes(control))?;
    let count = file.count("levels")?;
    let columns = columns(control);
    let profiles = FIXED + control.emitters.len() + control.window_count;
    let mut lists = Vec::new();
    let (surface, nodes) = (columns.len(), control.surface_wavenumbers_per_cm.len());
    // JURASSIC of 2026 has neither height nor pressure of the surface: its ground is the lowest level.
    let absent = if nodes > 0 { surface - nodes - 3..surface - nodes - 1 } else { surface..surface };
    for (number, column) in columns.iter().enumerate() {
        let (values, item) = if number < profiles { (count, "level") } else { (1, "layer") };
        lists.push(match absent.contains(&number) {
            true => vec![0.0],
            false => file.column(column, values, item)?,
        });
    }
    let place = file.place_of_heights(count);
    file.end()?;
    let mut levels = Levels::new(control);
    for level in 0..count {
        let row = lists.iter().map(|list| list[level.min(list.len() - 1)]).collect();
        levels.push(row).map_err(|problem| Error::invalid(place.clone(), problem))?;
    }
    let mut atmosphere = levels.assemble(path, control)?;
    let lowest_km = lowest_km(&atmosphere);
    if let Some(surface) = &mut atmosphere.surface {
        surface.height_km = lowest_km;
    }
    Ok(atmosphere)
}

/// Writes an atmosphere as JURASSIC's binary file. It has neither height nor pressure of a surface layer
/// ([`lost_in_binary`]).
///
/// # Errors
/// Those of `out`; an atmosphere whose gases, windows, cloud or surface are not those of the control file.
pub fn write_atmosphere_binary(out: &mut impl Write, atmosphere: &Atmosphere, control: &Control) -> io::Result<()> {
    let columns = columns(control).len();
    let rows = table(atmosphere, control, columns).map_err(unwritable)?;
    write_head(out, LETTERS, &sizes(control).map(|(_, size)| size), rows.len())?;
    let profiles = FIXED + control.emitters.len() + control.window_count;
    for column in 0..profiles {
        write_values(out, rows.iter().map(|row| row[column]))?;
    }
    let nodes = control.surface_wavenumbers_per_cm.len();
    let absent = if nodes > 0 { columns - nodes - 3..columns - nodes - 1 } else { columns..columns };
    write_values(out, (profiles..columns).filter(|column| !absent.contains(column)).map(|column| rows[0][column]))
}

/// What of an atmosphere [`write_atmosphere_binary`] leaves out, in words: a surface elsewhere than at the lowest
/// level, or of another pressure than the air there.
#[must_use]
pub fn lost_in_binary(atmosphere: &Atmosphere) -> Option<String> {
    let surface = atmosphere.surface.as_ref()?;
    let lowest_km = lowest_km(atmosphere);
    (surface.height_km != lowest_km || surface.pressure_hpa > 0.0).then(|| {
        format!(
            "a binary atmosphere has no height and pressure of the surface: {} km and {} hPa are not written, and the \
             lowest level, at {lowest_km} km, is the ground of who reads it",
            surface.height_km, surface.pressure_hpa
        )
    })
}

fn lowest_km(atmosphere: &Atmosphere) -> f64 {
    atmosphere.height_km.iter().copied().fold(f64::INFINITY, f64::min)
}
