//! Emissivity tables as text: pressure, temperature, column density, emissivity.

use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use isobar_core::Real;
use isobar_ega::{Curve, EmissivityTable, PressureLevel};

use super::{TableReport, checked};
use crate::column::Column;
use crate::error::{Error, Place};
use crate::number::Number;
use crate::text::{read_bytes, rows, titles, to_text, write_header};

const NAMES: [&str; 4] = ["pressure", "temperature", "column density", "emissivity"];
const UNITS: [&str; 4] = ["hPa", "K", "molecules/cm^2", "-"];
const MAX_COLUMN_PER_CM2: f32 = 1e30;

/// Reads a table with the logarithms of what stands in the text, not of the same in single precision, as JURASSIC of
/// 2026 takes them: see [`read_table_ascii`]. A curve with a row without emissivity has none.
///
/// # Errors
/// Those of [`read_table_ascii`].
pub fn read_table_ascii_with_logarithms(path: &Path) -> Result<(EmissivityTable, TableReport), Error> {
    read(path, true)
}

/// Reads a table. A change of pressure or temperature starts a new curve. A row that does not exceed the last one of
/// its curve in column density and emissivity replaces it; rows out of range are dropped.
///
/// # Errors
/// A file that cannot be read, a header that says that a column is another or has another unit, a row without four
/// numbers, pressures that are not monotone, temperatures that do not ascend, a curve whose column densities descend
/// from its first row on, a replacement that falls below the row before, no row at all.
pub fn read_table_ascii(path: &Path) -> Result<(EmissivityTable, TableReport), Error> {
    read(path, false)
}

fn read(path: &Path, logarithms: bool) -> Result<(EmissivityTable, TableReport), Error> {
    let bytes = read_bytes(path)?;
    let mut table = EmissivityTable::default();
    let mut report = TableReport::default();
    let text = to_text(&bytes);
    check_header(path, &text)?;
    for (line, row) in rows(&text) {
        let mut tokens = row.split_ascii_whitespace();
        let mut token = |i: usize| {
            tokens.next().ok_or_else(|| Error::MissingColumn {
                place: Place::line(path, line),
                column: i + 1,
                name: NAMES[i].into(),
                found: i,
                expected: NAMES.len(),
            })
        };
        let pressure_hpa = number(token(0)?, path, line, NAMES[0])?;
        let temperature_k = number(token(1)?, path, line, NAMES[1])?;
        let tokens = [token(2)?, token(3)?];
        let column = number(tokens[0], path, line, NAMES[2])?;
        let emissivity = number(tokens[1], path, line, NAMES[3])?;
        if !(column > 0.0 && column <= MAX_COLUMN_PER_CM2 && (0.0..=1.0).contains(&emissivity)) {
            report.dropped += 1;
            continue;
        }
        let curve = open_curve(&mut table, pressure_hpa, temperature_k)
            .map_err(|problem| Error::invalid(Place::line(path, line), problem))?;
        report.overwritten += usize::from(
            add(curve, column, emissivity).map_err(|problem| Error::invalid(Place::line(path, line), problem))?,
        );
        if logarithms {
            curve.logarithms.truncate(curve.emissivity.len() - 1);
            // They were numbers in single precision.
            let ln = |token: &str| token.parse().map_or(f32::NAN, |x: f64| Real::ln(x) as f32);
            curve.logarithms.push(tokens.map(ln));
        }
    }
    let without_emissivity = |curve: &&mut Curve| curve.logarithms.iter().flatten().any(|ln| !ln.is_finite());
    let curves = table.pressures.iter_mut().flat_map(|level| &mut level.curves);
    curves.filter(without_emissivity).for_each(|curve| curve.logarithms.clear());
    if table.pressures.is_empty() {
        return Err(Error::invalid(Place::File(path.to_owned()), "the table holds no row in range"));
    }
    Ok((checked(path, table)?, report))
}

fn check_header(path: &Path, text: &str) -> Result<(), Error> {
    let columns: Vec<_> =
        NAMES.into_iter().zip(UNITS).map(|(name, unit)| Column::anything(name.into(), unit)).collect();
    for (line, number, title) in titles(text) {
        let Some(column) = columns.get(number.wrapping_sub(1)) else { continue };
        if let Some(problem) = column.contradiction(title, &columns) {
            return Err(Error::invalid(Place::line(path, line), format!("column {number} {problem}")));
        }
    }
    Ok(())
}

/// The place of an error is built on failure only: files have millions of rows.
fn number<T: FromStr>(token: &str, path: &Path, line: usize, name: &str) -> Result<T, Error> {
    let error =
        |_| Error::NotANumber { place: Place::line(path, line), token: token.to_owned(), name: name.to_owned() };
    token.parse().map_err(error)
}

/// The curve to which a row belongs: the last one, or a new one.
fn open_curve(table: &mut EmissivityTable, pressure_hpa: f64, temperature_k: f64) -> Result<&mut Curve, String> {
    let levels = &mut table.pressures;
    if levels.last().is_none_or(|level| level.pressure_hpa != pressure_hpa) {
        if let [first, .., last] = &levels[..] {
            let rising = last.pressure_hpa > first.pressure_hpa;
            if (pressure_hpa > last.pressure_hpa) != rising {
                return Err(format!(
                    "pressure {pressure_hpa} hPa at index {} breaks the order of the axis: {} hPa stands before it",
                    levels.len(),
                    last.pressure_hpa
                ));
            }
        }
        levels.push(PressureLevel { pressure_hpa, curves: Vec::new() });
    }
    let curves = &mut levels.last_mut().expect("a level was pushed").curves;
    if curves.last().is_none_or(|curve| curve.temperature_k != temperature_k) {
        if let Some(last) = curves.last().filter(|last| temperature_k < last.temperature_k) {
            return Err(format!(
                "temperature {temperature_k} K at index {} breaks the order of the axis: {} K stands before it",
                curves.len(),
                last.temperature_k
            ));
        }
        curves.push(Curve { temperature_k, ..Curve::default() });
    }
    Ok(curves.last_mut().expect("a curve was pushed"))
}

/// Appends a row to a curve or replaces its last one, and says whether it did the latter.
fn add(curve: &mut Curve, column: f32, emissivity: f32) -> Result<bool, String> {
    let (columns, emissivities) = (&mut curve.column_per_cm2, &mut curve.emissivity);
    let exceeds = |i: usize| column > columns[i] && emissivity > emissivities[i];
    let last = columns.len().checked_sub(1);
    let replaces = last.is_some_and(|last| !exceeds(last));
    if let ([first], true) = (&columns[..], replaces)
        && column < *first
    {
        // Row would replace row, and the last one alone stay.
        return Err(format!("column density {column:e} comes after {first:e}: those of a curve have to ascend"));
    }
    if replaces {
        if let Some(before) = last.and_then(|last| last.checked_sub(1)).filter(|&before| !exceeds(before)) {
            return Err(format!(
                "column density {column:e} and emissivity {emissivity} do not exceed {:e} and {}, which stand two rows \
                 before in their curve",
                columns[before], emissivities[before]
            ));
        }
        columns.pop();
        emissivities.pop();
    }
    columns.push(column);
    emissivities.push(emissivity);
    Ok(replaces)
}

/// Writes a table as text. Rows with a column density above 1e30 are written, though readers of text drop them.
///
/// # Errors
/// Those of `out`.
pub fn write_table_ascii(out: &mut impl Write, table: &EmissivityTable) -> io::Result<()> {
    write_header(out, NAMES.iter().zip(UNITS).map(|(name, unit)| format!("{name} [{unit}]")))?;
    for level in &table.pressures {
        for curve in &level.curves {
            writeln!(out)?;
            let axes = format!("{} {}", Number(level.pressure_hpa), Number(curve.temperature_k));
            for (&column, &emissivity) in curve.column_per_cm2.iter().zip(&curve.emissivity) {
                writeln!(out, "{axes} {} {}", Number(column), Number(emissivity))?;
            }
        }
    }
    Ok(())
}
