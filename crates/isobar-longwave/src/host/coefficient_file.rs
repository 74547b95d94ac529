//! WRF's and AER's coefficient files `RRTMG_LW_DATA` (singles) and `RRTMG_LW_DATA_DBL` (doubles), of either byte order.
//!
//! A record a band: its length in bytes, the band's tables, the length again. Files are told apart by the first length.

use std::path::Path;

use crate::band::Band;
use crate::grid::ORIGINAL_POINTS;
use crate::host::file_error::FileError;
use crate::host::k_distribution::{KDistribution, Table, TableKind};
use crate::host::plausible;
use crate::rrtmg::BANDS;

/// How a file stores its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Encoding {
    big_endian: bool,
    width: usize,
}

impl Encoding {
    fn length(self, bytes: &[u8]) -> u32 {
        let bytes = bytes.try_into().expect("four bytes");
        if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    }

    fn number(self, bytes: &[u8]) -> f64 {
        if self.width == 4 {
            f64::from(f32::from_bits(self.length(bytes)))
        } else {
            let bytes = bytes.try_into().expect("eight bytes");
            f64::from_bits(if self.big_endian { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
        }
    }
}

/// The numbers in a band's record.
fn count(band: &Band) -> usize {
    TableKind::of(band).iter().map(|kind| kind.rows(band)).sum::<usize>() * ORIGINAL_POINTS
}

impl KDistribution {
    /// Reads RRTMG_LW's coefficient file and reduces it to 140 g-points.
    ///
    /// # Errors
    /// A file that cannot be read, or what in it is not as it has to be, with the record and the band.
    pub fn from_rrtmg_file(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let bytes =
            isobar_core::text::read_file(path).map_err(|source| FileError::Read { path: path.into(), source })?;
        Self::from_rrtmg_bytes(&bytes, path)
    }

    /// The same from the bytes of a file, whose name is for messages.
    ///
    /// # Errors
    /// As [`KDistribution::from_rrtmg_file`].
    pub fn from_rrtmg_bytes(bytes: &[u8], path: &Path) -> Result<Self, FileError> {
        let encoding = encoding(bytes, path)?;
        let fails = |record: usize, what: String| {
            let message = format!("record {record} (band {record}): {what}");
            FileError::Format { path: path.into(), message }
        };
        let mut rest = bytes;
        let mut tables = Vec::with_capacity(BANDS.len());
        for (index, band) in BANDS.iter().enumerate() {
            let record = index + 1;
            let expected = count(band) * encoding.width;
            if rest.len() < expected + 8 {
                let what = format!("{} bytes are left of the file instead of {}", rest.len(), expected + 8);
                return Err(fails(record, what));
            }
            let (lengths, payload) = ([&rest[..4], &rest[4 + expected..8 + expected]], &rest[4..4 + expected]);
            for (marker, which) in lengths.into_iter().zip(["begins", "ends"]) {
                let found = encoding.length(marker);
                if found as usize != expected {
                    return Err(fails(
                        record,
                        format!("it {which} with a length of {found} bytes instead of {expected}"),
                    ));
                }
            }
            tables.push(band_tables(band, payload, encoding).map_err(|what| fails(record, what))?);
            rest = &rest[8 + expected..];
        }
        if rest.is_empty() {
            Ok(Self::reduced(&tables))
        } else {
            let message = format!("{} bytes follow the last of {} records", rest.len(), BANDS.len());
            Err(FileError::Format { path: path.into(), message })
        }
    }
}

/// The encoding that explains the first length.
fn encoding(bytes: &[u8], path: &Path) -> Result<Encoding, FileError> {
    let first = count(&BANDS[0]);
    for width in [4, 8] {
        for big_endian in [true, false] {
            let encoding = Encoding { big_endian, width };
            if bytes.len() >= 4 && encoding.length(&bytes[..4]) as usize == first * width {
                return Ok(encoding);
            }
        }
    }
    let expected = format!("{} bytes of singles or {} of doubles", first * 4, first * 8);
    let message = match bytes.get(..4) {
        Some(found) => format!(
            "no coefficient file of RRTMG_LW: record 1 (band 1) would have {} bytes, big endian, or {}, little \
             endian, instead of {expected}",
            Encoding { big_endian: true, width: 4 }.length(found),
            Encoding { big_endian: false, width: 4 }.length(found),
        ),
        None => format!("the file has {} bytes: no record 1 (band 1) of {expected}", bytes.len()),
    };
    Err(FileError::Format { path: path.into(), message })
}

fn band_tables(band: &Band, payload: &[u8], encoding: Encoding) -> Result<Vec<Table>, String> {
    let mut numbers = payload.chunks_exact(encoding.width).map(|bytes| encoding.number(bytes));
    let mut tables = Vec::new();
    for kind in TableKind::of(band) {
        let rows = kind.rows(band);
        let file: Vec<f64> = numbers.by_ref().take(rows * ORIGINAL_POINTS).collect();
        // Fractions have the g-point first in the file, all others last.
        let values = if matches!(kind, TableKind::Fractions(_)) {
            file
        } else {
            (0..file.len()).map(|i| file[i % ORIGINAL_POINTS * rows + i / ORIGINAL_POINTS]).collect()
        };
        let table = Table { kind, values };
        if let Some(problem) = plausible::problem(&table, ORIGINAL_POINTS) {
            return Err(problem);
        }
        tables.push(table);
    }
    Ok(tables)
}
