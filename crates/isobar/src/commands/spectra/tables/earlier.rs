//! Tables of earlier runs in the way of new ones.

use std::path::{Path, PathBuf};
use std::{fs, io};

use isobar_io::table::{PackedTable, read_tables_netcdf};
use isobar_io::{TableFormat, table_path};

use crate::commands::tables::format::Format;
use crate::program::failure::Failure;
use crate::program::remarks::warn;

/// The tables of other channels in a gas's NetCDF file, which has all channels: it keeps them. None in other formats,
/// which have a file each.
pub(super) fn of_other_channels(
    base: &Path,
    gas: &str,
    nu: &[f64],
    format: Format,
) -> Result<Vec<(f64, PackedTable)>, Failure> {
    let path = table_path(base, 0.0, gas, TableFormat::Netcdf);
    if format != Format::Nc || !path.exists() {
        return Ok(Vec::new());
    }
    let mut tables = read_tables_netcdf(&path, gas)?;
    // Their names have four decimals.
    let name = |nu: f64| format!("{nu:.4}");
    tables.retain(|(known, _)| nu.iter().all(|&nu| name(nu) != name(*known)));
    Ok(tables)
}

/// Removes what an earlier run made of a channel in which the gas does not absorb, and says so: read with the new
/// tables, it would absorb there. A NetCDF file goes if it has `others` of no channel.
pub(super) fn remove(base: &Path, gas: &str, nu: f64, format: Format, others: usize) -> Result<(), Failure> {
    let path: PathBuf = match format {
        Format::Tab => table_path(base, nu, gas, TableFormat::Ascii),
        Format::Bin | Format::Packed => table_path(base, nu, gas, TableFormat::Binary),
        Format::Nc if others == 0 => table_path(base, 0.0, gas, TableFormat::Netcdf),
        Format::Nc => return Ok(()),
    };
    match fs::remove_file(&path) {
        Ok(()) => {
            warn(format!("{}: removed, for {gas} has no table at {nu} cm^-1", path.display()));
            Ok(())
        }
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(cause) => Err(Failure::new(format!("{}: cannot remove: {cause}", path.display()))),
    }
}
