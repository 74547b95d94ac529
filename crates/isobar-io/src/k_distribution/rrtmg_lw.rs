//! WRF's and AER's coefficient files `RRTMG_LW_DATA` (singles) and `RRTMG_LW_DATA_DBL` (doubles), of either byte order.
//!
//! A record a band: its length in bytes, the band's tables, the length again. Files are told apart by the first length.

use std::path::Path;

use isobar_radiation::rrtmg::band::Band;
use isobar_radiation::rrtmg::bands::BANDS;
use isobar_radiation::rrtmg::grid::ORIGINAL_POINTS;
use isobar_radiation::rrtmg::{KDistribution, Table, TableKind};

use crate::error::{Error, Place};
use crate::text::read_bytes;

/// No gas absorbs more \[1e-20 cm^2\]: RRTMG_LW's largest coefficient is 1.2e7, the middle of a line of carbon dioxide
/// in the stratosphere; a bit of the exponent that is wrong multiplies by 16 and more.
const MOST: f64 = 1e8;
/// Planck fractions of a band add up to 1; the published ones do to 2e-5, for they have six digits.
const SUM: f64 = 1e-4;

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

/// Reads RRTMG_LW's coefficient file and reduces it to 140 g-points.
///
/// # Errors
/// A file that cannot be read, or what in it is not as it has to be, with the record and the band.
pub fn read_rrtmg_lw(path: &Path) -> Result<KDistribution, Error> {
    decode(&read_bytes(path)?).map_err(|problem| Error::invalid(Place::File(path.to_owned()), problem))
}

fn decode(bytes: &[u8]) -> Result<KDistribution, String> {
    let encoding = encoding(bytes)?;
    let mut rest = bytes;
    let mut tables = Vec::with_capacity(BANDS.len());
    for (record, band) in (1..).zip(&BANDS) {
        let fails = |what: String| format!("record {record} (band {record}): {what}");
        let expected = count(band) * encoding.width;
        if rest.len() < expected + 8 {
            return Err(fails(format!("{} bytes are left of the file instead of {}", rest.len(), expected + 8)));
        }
        let (lengths, payload) = ([&rest[..4], &rest[4 + expected..8 + expected]], &rest[4..4 + expected]);
        for (marker, which) in lengths.into_iter().zip(["begins", "ends"]) {
            let found = encoding.length(marker);
            if found as usize != expected {
                return Err(fails(format!("it {which} with a length of {found} bytes instead of {expected}")));
            }
        }
        tables.push(band_tables(band, payload, encoding).map_err(fails)?);
        rest = &rest[8 + expected..];
    }
    if rest.is_empty() {
        Ok(KDistribution::reduced(&tables))
    } else {
        Err(format!("{} bytes follow the last of {} records", rest.len(), BANDS.len()))
    }
}

/// The encoding that explains the first length.
fn encoding(bytes: &[u8]) -> Result<Encoding, String> {
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
    Err(match bytes.get(..4) {
        Some(found) => format!(
            "no coefficient file of RRTMG_LW: record 1 (band 1) would have {} bytes, big endian, or {}, little \
             endian, instead of {expected}",
            Encoding { big_endian: true, width: 4 }.length(found),
            Encoding { big_endian: false, width: 4 }.length(found),
        ),
        None => format!("the file has {} bytes: no record 1 (band 1) of {expected}", bytes.len()),
    })
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
        plausible(&table)?;
        tables.push(table);
    }
    Ok(tables)
}

/// What is wrong with a table, if anything is: values are counted from 1.
fn plausible(table: &Table) -> Result<(), String> {
    let kind = table.kind;
    let fractions = matches!(kind, TableKind::Fractions(_));
    let (most, range) = if fractions { (1.0, "[0, 1]") } else { (MOST, "[0, 1e8]") };
    if let Some(i) = table.values.iter().position(|value| !(0.0..=most).contains(value)) {
        return Err(format!("value {} of {kind:?} is {:e}, outside {range}", i + 1, table.values[i]));
    }
    let sums = table.values.chunks_exact(ORIGINAL_POINTS).map(|row| row.iter().sum::<f64>());
    match sums.enumerate().find(|(_, sum)| fractions && (sum - 1.0).abs() > SUM) {
        Some((row, sum)) => Err(format!("row {} of {kind:?} adds up to {sum} instead of 1", row + 1)),
        None => Ok(()),
    }
}
