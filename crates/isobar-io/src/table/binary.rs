//! Emissivity tables as the binary of JURASSIC until 2025, in either byte order.

use std::io::{self, Write};
use std::path::Path;

use isobar_ega::{Curve, EmissivityTable};

use super::bytes::{Axes, Endian, Reader, write_count, write_doubles, write_singles};
use super::checked;
use crate::error::{Error, Place};
use crate::text::{read_bytes, unwritable};

/// Reads a table; the byte order is found out from the number of pressures.
///
/// # Errors
/// A file that cannot be read, that ends too early or goes on too long, a count below 1, what
/// [`EmissivityTable::validate`] refuses.
pub fn read_table_binary(path: &Path) -> Result<EmissivityTable, Error> {
    let bytes = read_bytes(path)?;
    read_values(path, &bytes)
}

/// Reads a table from the bytes of a file.
pub(super) fn read_values(path: &Path, bytes: &[u8]) -> Result<EmissivityTable, Error> {
    let place = |offset: u64| Place::Byte(path.to_owned(), offset);
    let mut reader = Reader::new(bytes, &place);
    let count = reader.item::<4>(|| "the number of pressures".into())?;
    // At most one byte order gives a number below 65536.
    let small = |count: u32| (1..=0xffff).contains(&count);
    reader.endian = match (small(u32::from_le_bytes(count)), small(u32::from_be_bytes(count))) {
        (true, _) => Endian::Little,
        (_, true) => Endian::Big,
        _ => {
            let what = format!("the number of pressures {}", i32::from_le_bytes(count));
            return Err(Error::OutOfRange {
                place: reader.place(0),
                what,
                range: "[1, 65535] in either byte order".into(),
            });
        }
    };
    reader.offset = 0;
    let table = reader.table(Axes::Values)?;
    reader.end("the table")?;
    checked(path, table)
}

/// Writes a table as binary; JURASSIC reads the byte order of its machine.
///
/// # Errors
/// Those of `out`; a curve with unequal numbers of column densities and emissivities.
pub fn write_table_binary(out: &mut impl Write, table: &EmissivityTable, endian: Endian) -> io::Result<()> {
    write_count(out, table.pressures.len(), endian)?;
    write_doubles(out, table.pressures.iter().map(|level| level.pressure_hpa), endian)?;
    for level in &table.pressures {
        write_count(out, level.curves.len(), endian)?;
        write_doubles(out, level.curves.iter().map(|curve| curve.temperature_k), endian)?;
        for Curve { column_per_cm2, emissivity, .. } in &level.curves {
            if column_per_cm2.len() != emissivity.len() {
                let (columns, emissivities) = (column_per_cm2.len(), emissivity.len());
                return Err(unwritable(format!(
                    "a curve has {columns} column densities and {emissivities} emissivities"
                )));
            }
            write_count(out, column_per_cm2.len(), endian)?;
            write_singles(out, column_per_cm2.iter().chain(emissivity).copied(), endian)?;
        }
    }
    Ok(())
}
