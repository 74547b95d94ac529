//! Matrices in JURASSIC's binary format (`MATRIXFMT` 2: letters, sizes and rows of doubles) and in NetCDF (3: one
//! matrix a `dataset`, with what rows and columns stand for).

use std::io::{self, Write};
use std::path::Path;

use crate::binary::{BinaryFile, begins_with, write_values};
use crate::control::ProfileFormat;
use crate::error::Error;
#[cfg(feature = "netcdf")]
use crate::matrix::netcdf;
use crate::matrix::view::MatrixView;
use crate::matrix::{Label, Matrix, write_matrix};

/// How a binary file begins.
const LETTERS: [u8; 4] = *b"MAT1";

impl MatrixView<'_> {
    /// Writes it in a format; in NetCDF as the only one of its file.
    ///
    /// # Errors
    /// Those of `out`; not one value a row and column.
    pub fn write(&self, out: &mut impl Write, format: ProfileFormat) -> io::Result<()> {
        match format {
            ProfileFormat::Ascii => write_matrix(out, self.rows, self.columns, self.values, self.columns_first),
            ProfileFormat::Binary => {
                self.check().map_err(crate::text::unwritable)?;
                out.write_all(&LETTERS)?;
                for count in [self.rows.1.len(), self.columns.1.len()] {
                    out.write_all(&(count as u64).to_le_bytes())?;
                }
                write_values(out, self.values.iter().copied())
            }
            #[cfg(feature = "netcdf")]
            ProfileFormat::Netcdf => {
                let bytes =
                    netcdf::bytes(&[Some(*self)]).map_err(|error| crate::text::unwritable(error.to_string()))?;
                out.write_all(&bytes)
            }
            #[cfg(not(feature = "netcdf"))]
            ProfileFormat::Netcdf => Err(crate::text::unwritable("NetCDF is not compiled in".to_owned())),
        }
    }
}

/// The format of a file, by how it begins.
#[must_use]
pub fn matrix_format(path: &Path) -> ProfileFormat {
    #[cfg(feature = "netcdf")]
    if crate::netcdf::is_netcdf(path) {
        return ProfileFormat::Netcdf;
    }
    if begins_with(path, LETTERS) { ProfileFormat::Binary } else { ProfileFormat::Ascii }
}

/// Reads a binary matrix, whose file does not say what rows and columns stand for.
///
/// # Errors
/// A file that cannot be read, is no binary matrix, has other sizes than there are labels, or ends too early or late.
pub fn read_matrix_binary(path: &Path, rows: Vec<Label>, columns: Vec<Label>) -> Result<Matrix, Error> {
    let mut file = BinaryFile::open(path, LETTERS, &[])?;
    for (count, what) in [(rows.len(), "rows"), (columns.len(), "columns")] {
        let found = file.size(what)?;
        if found != count as u64 {
            return Err(file.wrong(format!("the matrix has {found} {what}, expected {count}")));
        }
    }
    let values = file.values("matrix element", rows.len() * columns.len())?;
    file.end()?;
    Ok(Matrix { rows, columns, values, columns_first: false })
}
