//! Emissivity tables: where they lie, and sets of them.

mod ascii;
mod binary;
mod curvature;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use isobar_ega::EmissivityTable;
use rayon::prelude::*;

use crate::control::{Control, TableFormat};
use crate::error::{Error, Place};

pub use ascii::{read_table_ascii, write_table_ascii};
pub use binary::{Endian, read_table_binary, write_table_binary};
pub use curvature::Bend;

/// The tables of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableSet {
    /// `gas * channels + channel`; none: the file is missing and the gas counts as transparent in this channel.
    pub tables: Vec<Option<EmissivityTable>>,
    /// The files that are missing.
    pub missing: Vec<PathBuf>,
    /// The files of which rows were dropped or overwritten, or whose curves bend the wrong way.
    pub reports: Vec<(PathBuf, TableReport)>,
}

/// What the reader of a table should know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableReport {
    /// Rows of a text with a column density outside (0, 1e30] or an emissivity outside [0, 1]; they did not stay.
    pub dropped: usize,
    /// Rows of a text that a later row of their curve replaced, since it did not exceed them in both columns.
    pub overwritten: usize,
    /// Emissivities more than 1e-4 of themselves below the line through their neighbours, which those of no band are:
    /// they grow ever more slowly with the column density.
    pub bends: usize,
    /// The first of these.
    pub first_bend: Option<Bend>,
}

/// `<base>_<wavenumber>_<gas>.tab` or `.bin`, the wavenumber \[cm^-1\] with 4 decimals.
#[must_use]
pub fn table_path(base: &Path, wavenumber_per_cm: f64, gas: &str, format: TableFormat) -> PathBuf {
    let extension = match format {
        TableFormat::Ascii => "tab",
        TableFormat::Binary => "bin",
    };
    append(base, &format!("_{wavenumber_per_cm:.4}_{gas}.{extension}"))
}

/// `<base>_<wavenumber>.filt`, the wavenumber \[cm^-1\] with 4 decimals.
#[must_use]
pub fn filter_path(base: &Path, wavenumber_per_cm: f64) -> PathBuf {
    append(base, &format!("_{wavenumber_per_cm:.4}.filt"))
}

fn append(base: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(base);
    name.push(ending);
    name.into()
}

/// Reads a table: `.bin` as binary, any other as text.
///
/// # Errors
/// Those of [`read_table_ascii`] and [`read_table_binary`].
pub fn read_table(path: &Path) -> Result<(EmissivityTable, TableReport), Error> {
    let (table, mut report) = if path.extension().is_some_and(|extension| extension == "bin") {
        (read_table_binary(path)?, TableReport::default())
    } else {
        read_table_ascii(path)?
    };
    (report.bends, report.first_bend) = curvature::bends(&table);
    Ok((table, report))
}

/// Reads the table of each gas and channel, on all cores.
///
/// # Errors
/// No `TBLBASE`, no table at all though there are gases and channels, those of [`read_table`] except a missing file.
pub fn read_tables(control: &Control) -> Result<TableSet, Error> {
    let (gases, channels) = (&control.emitters, &control.wavenumbers_per_cm);
    if gases.is_empty() || channels.is_empty() {
        return Ok(TableSet::default());
    }
    let base = control.require_table_base()?;
    let path =
        |i: usize| table_path(base, channels[i % channels.len()], &gases[i / channels.len()], control.table_format);
    let count = gases.len() * channels.len();
    let results: Vec<_> = (0..count).into_par_iter().map(|i| read_table(&path(i))).collect();
    let mut set = TableSet::default();
    for (i, result) in results.into_iter().enumerate() {
        set.tables.push(match result {
            Ok((table, report)) => {
                if report != TableReport::default() {
                    set.reports.push((path(i), report));
                }
                Some(table)
            }
            Err(error) if error.is_not_found() => {
                set.missing.push(path(i));
                None
            }
            Err(error) => return Err(error),
        });
    }
    if set.missing.len() == count {
        let problem = format!(
            "TBLBASE = {}: none of the {count} emissivity tables exists, for example {}",
            base.display(),
            path(0).display()
        );
        return Err(Error::invalid(control.place("TBLBASE"), problem));
    }
    Ok(set)
}

fn checked(path: &Path, table: EmissivityTable) -> Result<EmissivityTable, Error> {
    match table.validate() {
        Ok(()) => Ok(table),
        Err(cause) => Err(Error::Table { place: Place::File(path.to_owned()), cause }),
    }
}
