//! Emissivity tables: where they lie, and sets of them.

mod ascii;
mod binary;
mod bytes;
mod curvature;
mod dump;
mod dump_read;
mod dump_write;
#[cfg(feature = "netcdf")]
mod netcdf;
mod packed;
mod thin;
mod warnings;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use isobar_ega::{EmissivityTable, Interpolation};
use rayon::prelude::*;

use crate::control::{Control, TableFormat};
use crate::error::{Error, Place};
use crate::shape::{Shape, read_filter};
use crate::text::read_bytes;

pub use ascii::{read_table_ascii, read_table_ascii_with_logarithms, write_table_ascii};
pub use binary::{read_table_binary, write_table_binary};
pub use bytes::Endian;
pub use curvature::Bend;
pub use dump::DumpSizes;
pub use dump_read::{TableDump, read_tables_dump};
pub use dump_write::write_tables_dump;
#[cfg(feature = "netcdf")]
pub use netcdf::{read_any_tables_netcdf, read_tables_netcdf, write_tables_netcdf};
pub use packed::{PackedTable, write_packed_binary};
pub use thin::Thinning;
pub use warnings::{table_warning, table_warnings};

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

/// `<base>_<wavenumber>_<gas>.tab` or `.bin`, the wavenumber \[cm^-1\] with 4 decimals; `<base>_<gas>.nc`.
#[must_use]
pub fn table_path(base: &Path, wavenumber_per_cm: f64, gas: &str, format: TableFormat) -> PathBuf {
    let extension = match format {
        TableFormat::Ascii => "tab",
        TableFormat::Binary => "bin",
        TableFormat::Netcdf => return append(base, &format!("_{gas}.nc")),
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

/// A table's file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableFile {
    /// The table.
    pub table: EmissivityTable,
    /// What its reader should know.
    pub report: TableReport,
    /// The filter of the channel, where the file holds it.
    pub filter: Option<Shape>,
}

impl From<PackedTable> for TableFile {
    fn from(PackedTable { table, filter }: PackedTable) -> Self {
        Self { table, filter: Some(filter), ..Self::default() }
    }
}

/// Reads a table: `.bin` as binary, any other as text.
///
/// # Errors
/// Those of [`read_table_file`].
pub fn read_table(path: &Path) -> Result<(EmissivityTable, TableReport), Error> {
    let TableFile { table, report, .. } = read_table_file(path, false)?;
    Ok((table, report))
}

/// Reads a table: `.bin` as binary, that of 2025 or of 2026, any other as text, of which `logarithms` are kept on
/// demand.
///
/// # Errors
/// Those of [`read_table_ascii`] and [`read_table_binary`]; a filter that is none; a file in NetCDF, which has tables
/// of several channels.
pub fn read_table_file(path: &Path, logarithms: bool) -> Result<TableFile, Error> {
    #[cfg(feature = "netcdf")]
    if crate::netcdf::is_netcdf(path) {
        let problem = "the file is NetCDF, with the tables of a gas in several channels: TBLFMT = 3 reads it";
        return Err(Error::invalid(Place::File(path.to_owned()), problem));
    }
    let file = if path.extension().is_some_and(|extension| extension == "bin") {
        let bytes = read_bytes(path)?;
        match packed::byte_order(&bytes) {
            Some(endian) => packed::read_packed_binary(path, &bytes, endian)?.into(),
            None => TableFile { table: binary::read_values(path, &bytes)?, ..TableFile::default() },
        }
    } else {
        let read = if logarithms { read_table_ascii_with_logarithms } else { read_table_ascii };
        let (table, report) = read(path)?;
        TableFile { table, report, filter: None }
    };
    Ok(file.with_bends())
}

impl TableFile {
    /// With what its reader should know of its curves.
    #[must_use]
    pub fn with_bends(mut self) -> Self {
        (self.report.bends, self.report.first_bend) = curvature::bends(&self.table);
        self
    }
}

/// Reads the table of each gas and channel, on all cores.
///
/// # Errors
/// No `TBLBASE`, no table at all though there are gases and channels, those of [`read_table_file`] except a missing
/// file; a NetCDF file that cannot be read.
pub fn read_tables(control: &Control) -> Result<TableSet, Error> {
    let (gases, channels) = (&control.emitters, &control.wavenumbers_per_cm);
    if gases.is_empty() || channels.is_empty() {
        return Ok(TableSet::default());
    }
    let base = control.require_table_base()?;
    let place = |i: usize| (&gases[i / channels.len()], channels[i % channels.len()]);
    let path = |i: usize| table_path(base, place(i).1, place(i).0, control.table_format);
    let logarithms = control.interpolation == Interpolation::Logarithmic;
    let count = gases.len() * channels.len();
    let sources = Sources::open(control, base)?;
    let read = |i: usize| sources.read(i / channels.len(), place(i).1, &path(i), logarithms);
    let results: Vec<_> = (0..count).into_par_iter().map(read).collect();
    let mut set = TableSet::default();
    for (i, result) in results.into_iter().enumerate() {
        set.tables.push(match result? {
            Some(TableFile { table, report, .. }) => {
                if report != TableReport::default() {
                    set.reports.push((path(i), report));
                }
                Some(table)
            }
            None => {
                set.missing.push(path(i));
                None
            }
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

/// Reads the filter of each channel: from the tables of the last gas that has it inside, as those of `TBLFMT` 3 have,
/// and `.bin` of 2026; otherwise [`filter_path`] below the control file's `TBLBASE`.
///
/// # Errors
/// No `TBLBASE` though there are channels, a missing filter, wavenumbers outside \[0, 20000\] cm^-1, more samples than
/// can be averaged over, those of [`crate::read_shape`].
pub fn read_filters(control: &Control) -> Result<Vec<Shape>, Error> {
    if control.wavenumbers_per_cm.is_empty() {
        return Ok(Vec::new());
    }
    let base = control.require_table_base()?;
    let inside = filters_in_tables(control)?;
    let filter = |(inside, &nu): (Option<Shape>, &f64)| {
        let beside = filter_path(base, nu);
        match (inside, control.emitters.last()) {
            (Some(filter), _) => Ok(filter),
            (None, Some(gas)) if control.table_format == TableFormat::Netcdf && !beside.exists() => {
                let problem =
                    format!("no table of {nu} cm^-1 with a filter inside, and there is no {}", beside.display());
                Err(Error::invalid(Place::File(table_path(base, nu, gas, control.table_format)), problem))
            }
            _ => read_filter(&beside),
        }
    };
    inside.into_iter().zip(&control.wavenumbers_per_cm).map(filter).collect()
}

/// The filter of each channel, where tables have them inside: that of the last gas, as JURASSIC has it.
fn filters_in_tables(control: &Control) -> Result<Vec<Option<Shape>>, Error> {
    let channels = &control.wavenumbers_per_cm;
    let mut filters = vec![None; channels.len()];
    if control.table_format == TableFormat::Ascii {
        return Ok(filters);
    }
    let base = control.require_table_base()?;
    let sources = Sources::open(control, base)?;
    for (filter, &nu) in filters.iter_mut().zip(channels) {
        for (number, gas) in control.emitters.iter().enumerate().rev() {
            let path = table_path(base, nu, gas, control.table_format);
            // Those of 2025 have none: one look is enough.
            if let Some(file) = sources.read(number, nu, &path, false)? {
                *filter = file.filter;
                break;
            }
        }
    }
    Ok(filters)
}

/// Where tables come from: files, or for each gas variables of one.
#[derive(Default)]
struct Sources {
    #[cfg(feature = "netcdf")]
    datasets: Option<Vec<Option<netcdf::TableDataset>>>,
}

impl Sources {
    #[cfg_attr(not(feature = "netcdf"), allow(unused_variables, clippy::unnecessary_wraps, reason = "files alone"))]
    fn open(control: &Control, base: &Path) -> Result<Self, Error> {
        #[cfg(feature = "netcdf")]
        if control.table_format == TableFormat::Netcdf {
            let open = |gas: &String| {
                let file = netcdf::TableDataset::open(&table_path(base, 0.0, gas, TableFormat::Netcdf), gas);
                match file {
                    Ok(file) => Ok(Some(file)),
                    Err(error) if error.is_not_found() => Ok(None),
                    Err(error) => Err(error),
                }
            };
            return Ok(Self { datasets: Some(control.emitters.iter().map(open).collect::<Result<_, _>>()?) });
        }
        Ok(Self::default())
    }

    /// The table of a gas at a wavenumber \[cm^-1\], none if there is no such file or variable.
    #[cfg_attr(not(feature = "netcdf"), allow(unused_variables, clippy::unused_self, reason = "files alone"))]
    fn read(&self, gas: usize, nu: f64, path: &Path, logarithms: bool) -> Result<Option<TableFile>, Error> {
        #[cfg(feature = "netcdf")]
        if let Some(datasets) = &self.datasets {
            let Some(dataset) = &datasets[gas] else { return Ok(None) };
            let found = dataset.read(nu)?.map(TableFile::from);
            return Ok(found.map(|mut file| {
                (file.report.bends, file.report.first_bend) = curvature::bends(&file.table);
                file
            }));
        }
        match read_table_file(path, logarithms) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn checked(path: &Path, table: EmissivityTable) -> Result<EmissivityTable, Error> {
    match table.validate() {
        Ok(()) => Ok(table),
        Err(cause) => Err(Error::Table { place: Place::File(path.to_owned()), cause }),
    }
}
