//! A table and the filter of its channel in one run of bytes, as JURASSIC of 2026 packs them: numbers of the machine
//! one after the other,
//!
//! | bytes | what |
//! |---|---|
//! | 4, 8 np | number of pressures np, pressures \[hPa\] |
//! | 4, 8 nt | for each pressure: number of temperatures nt, temperatures \[K\] |
//! | 4, 4 nu, 4 nu | for each temperature: number of nodes nu, ln of column densities, ln of emissivities |
//! | 4, 8 n, 8 n | number of the filter's points n, wavenumbers \[cm^-1\], transmissions |
//!
//! `TBLFMT` 2 has it in a `.bin` behind its length in 8 bytes; `TBLFMT` 3 as a variable of a NetCDF file.

use std::io::{self, Write};
use std::path::Path;

use isobar_ega::EmissivityTable;

use super::bytes::{Axes, Endian, Reader, write_count, write_doubles, write_singles};
use crate::error::{Error, Place};
use crate::shape::{Shape, filter_problem};
use crate::text::unwritable;

/// A table with the filter of its channel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PackedTable {
    /// The table; its curves have logarithms.
    pub table: EmissivityTable,
    /// The filter.
    pub filter: Shape,
}

/// Bytes of the length before a table in a `.bin`.
const LENGTH: usize = 8;

/// The byte order of a `.bin` of 2026; none where its first 8 bytes are not the number of the others, as in one of
/// 2025, which begins with a number of pressures, each of which takes 8 bytes and more.
pub(super) fn byte_order(bytes: &[u8]) -> Option<Endian> {
    let (&length, rest) = bytes.split_first_chunk::<LENGTH>()?;
    let is = |length: u64| length == rest.len() as u64;
    match (is(u64::from_le_bytes(length)), is(u64::from_be_bytes(length))) {
        (true, _) => Some(Endian::Little),
        (_, true) => Some(Endian::Big),
        _ => None,
    }
}

/// Reads a `.bin` of 2026, whose byte order is known.
pub(super) fn read_packed_binary(path: &Path, bytes: &[u8], endian: Endian) -> Result<PackedTable, Error> {
    let place = |offset: u64| Place::Byte(path.to_owned(), offset + LENGTH as u64);
    unpack(&bytes[LENGTH..], endian, &place)
}

/// Takes a table and its filter from bytes, of which `place` says where an offset lies.
pub(super) fn unpack(bytes: &[u8], endian: Endian, place: &dyn Fn(u64) -> Place) -> Result<PackedTable, Error> {
    let mut reader = Reader::new(bytes, place);
    reader.endian = endian;
    let table = reader.table(Axes::Logarithms)?;
    let begin = reader.offset;
    let count = reader.count(|| "the number of filter points".into())?;
    let x = reader.doubles(count, || "the wavenumbers of the filter".into())?;
    let y = reader.doubles(count, || "the transmissions of the filter".into())?;
    reader.end("the filter")?;
    let filter = Shape { x, y };
    if let Some(problem) = filter_problem(&filter) {
        return Err(Error::invalid(reader.place(begin), format!("filter: {problem}")));
    }
    table.validate().map_err(|cause| Error::Table { place: place(0), cause })?;
    Ok(PackedTable { table, filter })
}

/// A table and its filter as bytes: of curves that have none, the logarithms of their values. Nodes without emissivity
/// are left out.
///
/// # Errors
/// More entries than a count of 32 bits holds, a curve without any emissivity.
pub(super) fn pack(table: &EmissivityTable, filter: &Shape, endian: Endian) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    write_count(&mut out, table.pressures.len(), endian)?;
    write_doubles(&mut out, table.pressures.iter().map(|level| level.pressure_hpa), endian)?;
    for level in &table.pressures {
        write_count(&mut out, level.curves.len(), endian)?;
        write_doubles(&mut out, level.curves.iter().map(|curve| curve.temperature_k), endian)?;
        for curve in &level.curves {
            let pairs = curve.to_logarithms();
            let pairs: Vec<_> = pairs.iter().filter(|pair| pair[1] > f32::NEG_INFINITY).collect();
            if pairs.is_empty() {
                let (p, t) = (level.pressure_hpa, curve.temperature_k);
                return Err(unwritable(format!("the curve at {p} hPa, {t} K has no emissivity above 0")));
            }
            write_count(&mut out, pairs.len(), endian)?;
            write_singles(&mut out, pairs.iter().map(|pair| pair[0]), endian)?;
            write_singles(&mut out, pairs.iter().map(|pair| pair[1]), endian)?;
        }
    }
    write_count(&mut out, filter.x.len(), endian)?;
    write_doubles(&mut out, filter.x.iter().chain(&filter.y).copied(), endian)?;
    Ok(out)
}

/// Writes a table and its filter as a `.bin` of 2026; JURASSIC reads the byte order of its machine.
///
/// # Errors
/// Those of `out`; more entries than a count of 32 bits holds, a curve without any emissivity.
pub fn write_packed_binary(
    out: &mut impl Write,
    table: &EmissivityTable,
    filter: &Shape,
    endian: Endian,
) -> io::Result<()> {
    let bytes = pack(table, filter, endian)?;
    let length = bytes.len() as u64;
    out.write_all(&if endian == Endian::Little { length.to_le_bytes() } else { length.to_be_bytes() })?;
    out.write_all(&bytes)
}
