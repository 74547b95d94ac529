//! Formats of tables, and the files that they take.

use std::path::{Path, PathBuf};

use isobar_core::Real;
use isobar_ega::{Curve, EmissivityTable};
use isobar_io::table::{Endian, write_packed_binary, write_table_ascii, write_table_binary, write_tables_netcdf};
use isobar_io::{AtomicFile, Shape, TableFormat, filter_path, table_path, write_shape};

use crate::program::failure::Failure;
use crate::program::remarks::warn;

/// A format of tables.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum Format {
    /// Text: TBLFMT = 1, with a filter a channel
    Tab,
    /// Binary of JURASSIC until 2025: TBLFMT = 2, with a filter a channel
    Bin,
    /// Binary of JURASSIC of 2026, filters inside: TBLFMT = 2
    Packed,
    /// NetCDF, a file a gas, filters inside: TBLFMT = 3
    Nc,
}

pub(super) fn write_table(
    path: &Path,
    format: Format,
    table: &EmissivityTable,
    filter: &Shape,
    endian: Endian,
) -> Result<(), Failure> {
    AtomicFile::write_with(path, |out| match format {
        Format::Bin => write_table_binary(out, table, endian),
        Format::Packed => write_packed_binary(out, table, filter, endian),
        Format::Tab | Format::Nc => write_table_ascii(out, table),
    })?;
    Ok(())
}

/// Writes the tables of a gas with the wavenumbers \[cm^-1\] and filters of their channels; of none, nothing.
pub(in crate::commands) fn write_gas(
    base: &Path,
    gas: &str,
    tables: &[(f64, &EmissivityTable, &Shape)],
    format: Format,
    endian: Endian,
) -> Result<(), Failure> {
    if format == Format::Nc {
        if !tables.is_empty() {
            write_tables_netcdf(&table_path(base, 0.0, gas, TableFormat::Netcdf), gas, tables)?;
        }
        return Ok(());
    }
    let kind = if format == Format::Tab { TableFormat::Ascii } else { TableFormat::Binary };
    for &(nu, table, filter) in tables {
        write_table(&table_path(base, nu, gas, kind), format, table, filter, endian)?;
    }
    Ok(())
}

/// Writes the filters of channels, where a format does not have them inside.
pub(in crate::commands) fn write_filters(
    base: &Path,
    filters: &[(f64, &Shape)],
    format: Format,
) -> Result<(), Failure> {
    if matches!(format, Format::Tab | Format::Bin) {
        for &(nu, filter) in filters {
            AtomicFile::write_with(&filter_path(base, nu), |out| write_shape(out, filter))?;
        }
    }
    Ok(())
}

/// The files that are written at most, of gases and channels.
pub(in crate::commands) fn outputs_of(gases: &[String], nu: &[f64], base: &Path, format: Format) -> Vec<PathBuf> {
    let kind = match format {
        Format::Tab => TableFormat::Ascii,
        Format::Bin | Format::Packed => TableFormat::Binary,
        Format::Nc => {
            let file = |gas: &String| table_path(base, 0.0, gas, TableFormat::Netcdf);
            return gases.iter().map(file).collect();
        }
    };
    let of_gas = |gas: &String| nu.iter().map(|&nu| table_path(base, nu, gas, kind)).collect::<Vec<_>>();
    let mut files: Vec<PathBuf> = gases.iter().flat_map(of_gas).collect();
    if format != Format::Packed {
        files.extend(nu.iter().map(|&nu| filter_path(base, nu)));
    }
    files
}

/// Says what packed and NetCDF tables make of the values of others: they have logarithms in single precision.
pub(super) fn warn_of_rounding<'a>(tables: impl Iterator<Item = &'a EmissivityTable>, format: Format) {
    if !matches!(format, Format::Packed | Format::Nc) {
        return;
    }
    let curves = tables.flat_map(|table| &table.pressures).flat_map(|level| &level.curves);
    let worst = curves.map(rounding).fold([0.0, 0.0], |worst: [f64; 2], one| [0, 1].map(|i| worst[i].max(one[i])));
    if worst.iter().any(|&share| share > f64::from(f32::EPSILON)) {
        let [column, emissivity] = worst;
        warn(format!(
            "this format has logarithms in single precision: column densities change by up to {column:.1e} of \
             themselves, emissivities by {emissivity:.1e}"
        ));
    }
}

/// The largest share by which column densities and emissivities differ from what their logarithms say.
fn rounding(curve: &Curve) -> [f64; 2] {
    let mut worst = [0.0_f64; 2];
    for (i, pair) in curve.to_logarithms().iter().enumerate() {
        let values = [curve.column_per_cm2[i], curve.emissivity[i]];
        for axis in [0, 1] {
            if values[axis] > 0.0 {
                let share = Real::exp(f64::from(pair[axis])) / f64::from(values[axis]) - 1.0;
                worst[axis] = worst[axis].max(share.abs());
            }
        }
    }
    worst
}

/// The nodes of all its curves.
pub(in crate::commands) fn nodes(table: &EmissivityTable) -> usize {
    table.pressures.iter().flat_map(|level| &level.curves).map(|curve| curve.emissivity.len()).sum()
}
