//! Emissivity tables of one gas in a NetCDF file, as JURASSIC of 2026 has them (`TBLFMT` 3): for each channel a
//! variable `tbl_<wavenumber>` of bytes ([`super::packed`], little-endian) over a dimension `len_<wavenumber>`; global
//! attributes `format_version` and `emitter`.

use std::io;
use std::path::{Path, PathBuf};

use isobar_ega::EmissivityTable;
use netcdf_reader::{NcFile, NcType};

use super::bytes::Endian;
use super::packed::{PackedTable, pack, unpack};
use crate::error::{Error, Place};
use crate::netcdf::{DatasetWriter, OutputVariable, global_text, open};
use crate::shape::Shape;

/// The only version there is.
const VERSION: &str = "1";

/// An open file of tables.
pub(super) struct TableDataset {
    path: PathBuf,
    file: NcFile,
}

/// The variable of a channel.
fn name(wavenumber_per_cm: f64) -> String {
    format!("tbl_{wavenumber_per_cm:.4}")
}

impl TableDataset {
    /// Opens a file; the version and `gas`, in any case, must be what it says, where it says so.
    pub(super) fn open(path: &Path, gas: &str) -> Result<Self, Error> {
        let here = || Place::File(path.to_owned());
        let file = open(path)?;
        // A damaged file may open all the same.
        file.variables().map_err(|cause| Error::invalid(here(), format!("its variables cannot be read: {cause}")))?;
        for (attribute, wanted) in [("format_version", VERSION), ("emitter", gas)] {
            if let Some(found) = global_text(file.global_attributes().unwrap_or_default(), attribute)
                && !found.eq_ignore_ascii_case(wanted)
            {
                let problem = format!("its attribute {attribute} is {found:?}, expected {wanted:?}");
                return Err(Error::invalid(here(), problem));
            }
        }
        Ok(Self { path: path.to_owned(), file })
    }

    /// The table of a channel; none if the file has no such variable.
    pub(super) fn read(&self, wavenumber_per_cm: f64) -> Result<Option<PackedTable>, Error> {
        let name = name(wavenumber_per_cm);
        let place = |offset: u64| Place::Variable(Box::new((self.path.clone(), name.clone())), offset);
        let refuse = |problem: String| Error::invalid(Place::File(self.path.clone()), format!("{name}: {problem}"));
        let variables = self.file.variables().map_err(|cause| refuse(cause.to_string()))?;
        let Some(variable) = variables.iter().find(|variable| variable.name == name) else { return Ok(None) };
        if !matches!(variable.dtype, NcType::UByte | NcType::Byte) || variable.dimensions.len() != 1 {
            return Err(refuse("expected a variable of bytes with one dimension".into()));
        }
        let unreadable = |cause: netcdf_reader::Error| refuse(format!("cannot be read: {cause}"));
        let bytes: Vec<u8> = if variable.dtype == NcType::UByte {
            self.file.read_variable::<u8>(&name).map_err(unreadable)?.into_iter().collect()
        } else {
            let signed = self.file.read_variable::<i8>(&name).map_err(unreadable)?;
            signed.into_iter().map(i8::cast_unsigned).collect()
        };
        unpack(&bytes, Endian::Little, &place).map(Some)
    }

    /// The channels of the file \[cm^-1\], in its order.
    fn channels(&self) -> Vec<f64> {
        let variables = self.file.variables().unwrap_or_default();
        variables.iter().filter_map(|variable| variable.name.strip_prefix("tbl_")?.parse().ok()).collect()
    }
}

/// The tables of a NetCDF file with the wavenumbers of their channels \[cm^-1\], in the order of the file.
///
/// # Errors
/// A file that cannot be read or is no NetCDF, a variable that is no packed table, what [`EmissivityTable::validate`]
/// refuses.
pub fn read_tables_netcdf(path: &Path, gas: &str) -> Result<Vec<(f64, PackedTable)>, Error> {
    let file = TableDataset::open(path, gas)?;
    let table = |nu: f64| Ok(file.read(nu)?.map(|table| (nu, table)));
    file.channels().into_iter().filter_map(|nu| table(nu).transpose()).collect()
}

/// As [`read_tables_netcdf`], of whichever gas.
///
/// # Errors
/// As [`read_tables_netcdf`].
pub fn read_any_tables_netcdf(path: &Path) -> Result<Vec<(f64, PackedTable)>, Error> {
    let gas = global_text(open(path)?.global_attributes().unwrap_or_default(), "emitter").unwrap_or_default();
    read_tables_netcdf(path, &gas)
}

/// Writes the tables of a gas: wavenumber \[cm^-1\], table and filter of each channel.
///
/// # Errors
/// A file that cannot be written, two channels that are alike in four decimals, more entries than a count of 32 bits
/// holds, a curve without any emissivity.
pub fn write_tables_netcdf(path: &Path, gas: &str, tables: &[(f64, &EmissivityTable, &Shape)]) -> Result<(), Error> {
    let mut output = DatasetWriter::create(path)?;
    output.attribute("format_version", VERSION)?;
    output.attribute("emitter", gas)?;
    for &(nu, table, filter) in tables {
        let bytes = pack(table, filter, Endian::Little).map_err(|cause| {
            let cause = io::Error::other(format!("{}: {cause}", name(nu)));
            Error::Io { path: path.to_owned(), action: "write", cause }
        })?;
        let dimension = format!("len_{nu:.4}");
        output.dimension(&dimension, bytes.len())?;
        let variable = OutputVariable {
            name: &name(nu),
            dimensions: &[&dimension],
            units: "1",
            long_name: "Packed lookup table blob",
            standard_name: None,
            reference_name: None,
        };
        output.bytes(&variable, &bytes)?;
    }
    output.commit()
}
