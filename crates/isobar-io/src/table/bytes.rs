//! Numbers of binary tables, in either byte order.

use std::io::{self, Write};

use isobar_ega::{Curve, EmissivityTable, PressureLevel};

use crate::error::{Error, Place};
use crate::text::unwritable;

/// The order of the bytes of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Endian {
    /// Least significant byte first, as most machines have it.
    #[default]
    Little,
    /// Most significant byte first.
    Big,
}

/// What a curve's numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axes {
    /// Column density and emissivity.
    Values,
    /// Their natural logarithms.
    Logarithms,
}

/// Takes numbers from bytes, one after the other. `place` says where an offset lies.
pub(super) struct Reader<'a> {
    place: &'a dyn Fn(u64) -> Place,
    bytes: &'a [u8],
    pub(super) offset: usize,
    pub(super) endian: Endian,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], place: &'a dyn Fn(u64) -> Place) -> Self {
        Self { place, bytes, offset: 0, endian: Endian::Little }
    }

    pub(super) fn place(&self, offset: usize) -> Place {
        (self.place)(offset as u64)
    }

    /// Refuses bytes that are left behind `what`.
    pub(super) fn end(&self, what: &str) -> Result<(), Error> {
        match self.bytes.len() - self.offset {
            0 => Ok(()),
            left => {
                let problem = format!("{what} ends here, but {left} bytes follow");
                Err(Error::invalid(self.place(self.offset), problem))
            }
        }
    }

    pub(super) fn table(&mut self, axes: Axes) -> Result<EmissivityTable, Error> {
        let count = self.count(|| "the number of pressures".into())?;
        let pressures = self.doubles(count, || "the pressures".into())?;
        let level = |(p, pressure_hpa)| Ok(PressureLevel { pressure_hpa, curves: self.curves(p, axes)? });
        Ok(EmissivityTable { pressures: pressures.into_iter().enumerate().map(level).collect::<Result<_, Error>>()? })
    }

    /// The curves of pressure number `p`.
    fn curves(&mut self, p: usize, axes: Axes) -> Result<Vec<Curve>, Error> {
        let count = self.count(|| format!("the number of temperatures of pressure {p}"))?;
        let temperatures = self.doubles(count, || format!("the temperatures of pressure {p}"))?;
        let curve = |(t, temperature_k)| {
            let count = self.count(|| format!("the number of column densities of pressure {p}, temperature {t}"))?;
            let column_per_cm2 =
                self.singles(count, || format!("the column densities of pressure {p}, temperature {t}"))?;
            let emissivity = self.singles(count, || format!("the emissivities of pressure {p}, temperature {t}"))?;
            Ok(match axes {
                Axes::Values => Curve { temperature_k, column_per_cm2, emissivity, ..Curve::default() },
                Axes::Logarithms => {
                    let pairs = column_per_cm2.into_iter().zip(emissivity).map(<[f32; 2]>::from).collect();
                    Curve::from_logarithms(temperature_k, pairs)
                }
            })
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

    pub(super) fn item<const N: usize>(&mut self, what: impl Fn() -> String) -> Result<[u8; N], Error> {
        self.take(N as u64, what).map(|bytes| bytes.try_into().expect("as many bytes were taken"))
    }

    pub(super) fn count(&mut self, what: impl Fn() -> String) -> Result<u64, Error> {
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

    pub(super) fn doubles(&mut self, count: u64, what: impl Fn() -> String) -> Result<Vec<f64>, Error> {
        let from = if self.endian == Endian::Little { f64::from_le_bytes } else { f64::from_be_bytes };
        Ok(self.take(count * 8, what)?.as_chunks().0.iter().map(|&bytes| from(bytes)).collect())
    }

    fn singles(&mut self, count: u64, what: impl Fn() -> String) -> Result<Vec<f32>, Error> {
        let from = if self.endian == Endian::Little { f32::from_le_bytes } else { f32::from_be_bytes };
        Ok(self.take(count * 4, what)?.as_chunks().0.iter().map(|&bytes| from(bytes)).collect())
    }
}

pub(super) fn write_count(out: &mut impl Write, count: usize, endian: Endian) -> io::Result<()> {
    let count = i32::try_from(count).map_err(|_| unwritable(format!("{count} entries do not fit a 32-bit count")))?;
    out.write_all(&if endian == Endian::Little { count.to_le_bytes() } else { count.to_be_bytes() })
}

pub(super) fn write_doubles(out: &mut impl Write, values: impl Iterator<Item = f64>, endian: Endian) -> io::Result<()> {
    for value in values {
        out.write_all(&if endian == Endian::Little { value.to_le_bytes() } else { value.to_be_bytes() })?;
    }
    Ok(())
}

pub(super) fn write_singles(out: &mut impl Write, values: impl Iterator<Item = f32>, endian: Endian) -> io::Result<()> {
    for value in values {
        out.write_all(&if endian == Endian::Little { value.to_le_bytes() } else { value.to_be_bytes() })?;
    }
    Ok(())
}
