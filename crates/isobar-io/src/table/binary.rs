//! Emissivity tables as JURASSIC's binary, in either byte order.

use std::io::{self, Write};
use std::path::Path;

use isobar_ega::{Curve, EmissivityTable, PressureLevel};

use super::checked;
use crate::error::{Error, Place};
use crate::text::{read_bytes, unwritable};

/// The order of the bytes of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Endian {
    /// Least significant byte first, as most machines have it.
    #[default]
    Little,
    /// Most significant byte first.
    Big,
}

/// Reads a table; the byte order is found out from the number of pressures.
///
/// # Errors
/// A file that cannot be read, that ends too early or goes on too long, a count below 1, what
/// [`EmissivityTable::validate`] refuses.
pub fn read_table_binary(path: &Path) -> Result<EmissivityTable, Error> {
    let bytes = read_bytes(path)?;
    let mut reader = Reader { path, bytes: &bytes, offset: 0, endian: Endian::Little };
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
    let table = reader.table()?;
    let left = bytes.len() - reader.offset;
    if left > 0 {
        return Err(Error::invalid(
            reader.place(reader.offset),
            format!("the table ends here, but {left} bytes follow"),
        ));
    }
    checked(path, table)
}

struct Reader<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    offset: usize,
    endian: Endian,
}

impl<'a> Reader<'a> {
    fn place(&self, offset: usize) -> Place {
        Place::Byte(self.path.to_owned(), offset as u64)
    }

    fn table(&mut self) -> Result<EmissivityTable, Error> {
        let count = self.count(|| "the number of pressures".into())?;
        let pressures = self.doubles(count, || "the pressures".into())?;
        let level = |(p, pressure_hpa)| Ok(PressureLevel { pressure_hpa, curves: self.curves(p)? });
        Ok(EmissivityTable { pressures: pressures.into_iter().enumerate().map(level).collect::<Result<_, Error>>()? })
    }

    /// The curves of pressure number `p`.
    fn curves(&mut self, p: usize) -> Result<Vec<Curve>, Error> {
        let count = self.count(|| format!("the number of temperatures of pressure {p}"))?;
        let temperatures = self.doubles(count, || format!("the temperatures of pressure {p}"))?;
        let curve = |(t, temperature_k)| {
            let count = self.count(|| format!("the number of column densities of pressure {p}, temperature {t}"))?;
            let column_per_cm2 =
                self.singles(count, || format!("the column densities of pressure {p}, temperature {t}"))?;
            let emissivity = self.singles(count, || format!("the emissivities of pressure {p}, temperature {t}"))?;
            Ok(Curve { temperature_k, column_per_cm2, emissivity })
        };
        temperatures.into_iter().enumerate().map(curve).collect()
    }

    fn take(&mut self, length: u64, what: impl Fn() -> String) -> Result<&'a [u8], Error> {
        let rest = &self.bytes[self.offset..];
        match usize::try_from(length).ok().and_then(|length| rest.get(..length)) {
            Some(bytes) => {
                self.offset += bytes.len();
                Ok(bytes)
            }
            None => Err(Error::Truncated {
                place: self.place(self.offset),
                what: what(),
                missing: length - rest.len() as u64,
            }),
        }
    }

    fn item<const N: usize>(&mut self, what: impl Fn() -> String) -> Result<[u8; N], Error> {
        self.take(N as u64, what).map(|bytes| bytes.try_into().expect("as many bytes were taken"))
    }

    fn count(&mut self, what: impl Fn() -> String) -> Result<u64, Error> {
        let place = self.offset;
        let bytes = self.item(&what)?;
        let count = if self.endian == Endian::Little { i32::from_le_bytes(bytes) } else { i32::from_be_bytes(bytes) };
        match u64::try_from(count) {
            Ok(count) if count > 0 => Ok(count),
            _ => Err(Error::OutOfRange {
                place: self.place(place),
                what: format!("{} {count}", what()),
                range: "[1, 2147483647]".into(),
            }),
        }
    }

    fn doubles(&mut self, count: u64, what: impl Fn() -> String) -> Result<Vec<f64>, Error> {
        let from = if self.endian == Endian::Little { f64::from_le_bytes } else { f64::from_be_bytes };
        Ok(self.take(count * 8, what)?.as_chunks().0.iter().map(|&bytes| from(bytes)).collect())
    }

    fn singles(&mut self, count: u64, what: impl Fn() -> String) -> Result<Vec<f32>, Error> {
        let from = if self.endian == Endian::Little { f32::from_le_bytes } else { f32::from_be_bytes };
        Ok(self.take(count * 4, what)?.as_chunks().0.iter().map(|&bytes| from(bytes)).collect())
    }
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
            for value in column_per_cm2.iter().chain(emissivity) {
                out.write_all(&if endian == Endian::Little { value.to_le_bytes() } else { value.to_be_bytes() })?;
            }
        }
    }
    Ok(())
}

fn write_count(out: &mut impl Write, count: usize, endian: Endian) -> io::Result<()> {
    let count = i32::try_from(count).map_err(|_| unwritable(format!("{count} entries do not fit a 32-bit count")))?;
    out.write_all(&if endian == Endian::Little { count.to_le_bytes() } else { count.to_be_bytes() })
}

fn write_doubles(out: &mut impl Write, values: impl Iterator<Item = f64>, endian: Endian) -> io::Result<()> {
    for value in values {
        out.write_all(&if endian == Endian::Little { value.to_le_bytes() } else { value.to_be_bytes() })?;
    }
    Ok(())
}
