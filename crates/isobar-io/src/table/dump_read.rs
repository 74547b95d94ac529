//! JURASSIC-GPU's dump of all tables, read gas by gas.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use isobar_ega::{Curve, EmissivityTable, PressureLevel};

use super::dump::{DumpSizes, HEADER, Offsets, SOURCES};
use super::{TableReport, TableSet, checked, curvature};
use crate::control::Control;
use crate::error::{Error, Place};

/// An open dump.
pub struct TableDump {
    path: PathBuf,
    file: File,
    header: u64,
    offsets: Offsets,
    /// The sizes of its arrays.
    pub sizes: DumpSizes,
    /// Its gases.
    pub gases: Vec<String>,
    /// Its channels \[cm^-1\], with four decimals.
    pub channels: Vec<String>,
}

impl std::fmt::Debug for TableDump {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableDump").field("path", &self.path).field("sizes", &self.sizes).finish_non_exhaustive()
    }
}

impl TableDump {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// A file that cannot be read, whose header is none, or that is too short for its sizes.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let unreadable = |cause| Error::Io { path: path.to_owned(), action: "read", cause };
        let wrong = |problem: String| Error::invalid(Place::Byte(path.to_owned(), 0), problem);
        let mut file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut text = vec![0; HEADER.min(usize::try_from(length).unwrap_or(HEADER))];
        file.read_exact(&mut text).map_err(unreadable)?;
        text.truncate(text.iter().position(|&byte| byte == 0).unwrap_or(text.len()));
        let text = String::from_utf8_lossy(&text).into_owned();
        let lines: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once(char::is_whitespace)).collect();
        if lines.first().is_none_or(|(word, _)| *word != "JURASSIC") {
            return Err(wrong("the file does not begin as a dump of JURASSIC-GPU's tables".into()));
        }
        let place = |key: &str| lines.iter().position(|(word, _)| *word == key);
        let number = |key: &str| {
            let value = place(key).and_then(|line| lines[line].1.split_whitespace().next());
            let value = value.ok_or_else(|| wrong(format!("the header has no {key}")))?;
            value.parse::<usize>().map_err(|_| wrong(format!("{key} {value} of the header is not a number")))
        };
        if place("float").is_none() {
            return Err(wrong("the header does not say float: tables in double precision are not read".into()));
        }
        let sizes = DumpSizes {
            gases: number("NG")?,
            pressures: number("TBLNP")?,
            temperatures: number("TBLNT")?,
            columns: number("TBLNU")?,
            channels: number("ND")?,
        };
        let sources = number("TBLNS")?;
        let offsets = sizes.offsets().filter(|_| sources == SOURCES);
        let offsets = offsets.ok_or_else(|| wrong(format!("sizes {sizes:?} with TBLNS {sources} are no tables")))?;
        let (header, tables) = (number("header_size")? as u64, number("table_size")? as u64);
        // `FAST_INVERSE_OF_U` has another array at the end.
        let inverses = 8 * (sizes.gases * sizes.pressures * sizes.temperatures * sizes.channels) as u64;
        if tables != offsets.end && tables != offsets.end + inverses {
            let text = format!("table_size {tables} is not what {sizes:?} make, {}", offsets.end);
            return Err(wrong(text));
        }
        let named = |key: &str, most: usize| {
            let (count, first) = (number(key)?, place(key).unwrap_or(0) + 1);
            let found = lines.get(first..first + count.min(most)).filter(|_| count <= most);
            let found = found.ok_or_else(|| wrong(format!("the header does not name its {key} {count}")))?;
            Ok::<_, Error>(found.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>())
        };
        let (gases, channels) = (named("ng", sizes.gases)?, named("nd", sizes.channels)?);
        let needed = header.saturating_add(offsets.end);
        if length < needed {
            let place = Place::Byte(path.to_owned(), length);
            return Err(Error::Truncated { place, what: "the tables".into(), missing: needed - length });
        }
        Ok(Self { path: path.to_owned(), file, header, offsets, sizes, gases, channels })
    }

    fn bytes(&mut self, offset: u64, count: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; count];
        let read = self.file.seek(SeekFrom::Start(self.header + offset)).and_then(|_| self.file.read_exact(&mut bytes));
        read.map_err(|cause| Error::Io { path: self.path.clone(), action: "read", cause })?;
        Ok(bytes)
    }

    fn counts(&mut self, start: u64, count: usize, most: usize, name: &str) -> Result<Vec<usize>, Error> {
        let bytes = self.bytes(start, 4 * count)?;
        let one = |(i, word): (usize, &[u8])| {
            let value = i32::from_le_bytes(word.try_into().expect("4 bytes"));
            usize::try_from(value).ok().filter(|&value| value <= most).ok_or_else(|| Error::OutOfRange {
                place: Place::Byte(self.path.clone(), self.header + start + 4 * i as u64),
                what: format!("{name} {value}"),
                range: format!("[0, {most}]"),
            })
        };
        bytes.chunks_exact(4).enumerate().map(one).collect()
    }

    fn doubles(&mut self, start: u64, count: usize) -> Result<Vec<f64>, Error> {
        let bytes = self.bytes(start, 8 * count)?;
        Ok(bytes.chunks_exact(8).map(|word| f64::from_le_bytes(word.try_into().expect("8 bytes"))).collect())
    }

    fn singles(&mut self, start: u64, count: usize) -> Result<Vec<f32>, Error> {
        let bytes = self.bytes(start, 4 * count)?;
        Ok(bytes.chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().expect("4 bytes"))).collect())
    }

    /// The tables of a gas in channels, both by their numbers in the file; none where there is no pressure.
    ///
    /// # Errors
    /// A file that cannot be read; a count beyond the sizes; what [`EmissivityTable::validate`] refuses.
    pub fn tables(&mut self, gas: usize, channels: &[usize]) -> Result<Vec<Option<EmissivityTable>>, Error> {
        let DumpSizes { pressures, temperatures, columns, channels: width, .. } = self.sizes;
        let (levels, curves) = (pressures * width, pressures * temperatures * width);
        let at = |start: u64, size: usize, item: usize| start + (gas * item * size) as u64;
        let Offsets { pressure_counts, temperature_counts, column_counts, .. } = self.offsets;
        let (p_at, t_at) = (at(self.offsets.pressures, 8, levels), at(self.offsets.temperatures, 8, curves));
        let (u_at, eps_at) = (self.offsets.columns, self.offsets.emissivities);
        let np = self.counts(at(pressure_counts, 4, width), width, pressures, "number of pressures")?;
        let nt = self.counts(at(temperature_counts, 4, levels), levels, temperatures, "number of temperatures")?;
        let nu = self.counts(at(column_counts, 4, curves), curves, columns, "number of column densities")?;
        let (p, t) = (self.doubles(p_at, levels)?, self.doubles(t_at, curves)?);
        let mut tables = vec![EmissivityTable::default(); channels.len()];
        let block = temperatures * columns * width;
        for pressure in 0..channels.iter().map(|&channel| np[channel]).max().unwrap_or(0) {
            // A pressure at a time, so that no gas has to fit the memory.
            let start = (4 * (gas * pressures + pressure) * block) as u64;
            let (u, eps) = (self.singles(u_at + start, block)?, self.singles(eps_at + start, block)?);
            for (table, &channel) in tables.iter_mut().zip(channels).filter(|(_, channel)| pressure < np[**channel]) {
                let of_level = pressure * width + channel;
                let curve = |temperature: usize| {
                    let of_curve = (pressure * temperatures + temperature) * width + channel;
                    let node = |i: usize| (temperature * columns + i) * width + channel;
                    Curve {
                        temperature_k: t[of_curve],
                        column_per_cm2: (0..nu[of_curve]).map(|i| u[node(i)]).collect(),
                        emissivity: (0..nu[of_curve]).map(|i| eps[node(i)]).collect(),
                        logarithms: Vec::new(),
                    }
                };
                let curves = (0..nt[of_level]).map(curve).collect();
                table.pressures.push(PressureLevel { pressure_hpa: p[of_level], curves });
            }
        }
        let path = self.path.clone();
        let one = |table: EmissivityTable| {
            if table.pressures.is_empty() { Ok(None) } else { checked(&path, table).map(Some) }
        };
        tables.into_iter().map(one).collect()
    }
}

/// The tables of a control file from a dump of JURASSIC-GPU's. A gas or channel that it lacks counts as missing.
///
/// # Errors
/// Those of [`TableDump::open`] and [`TableDump::tables`]; none of the gases and channels is there.
pub fn read_tables_dump(path: &Path, control: &Control) -> Result<TableSet, Error> {
    let mut dump = TableDump::open(path)?;
    let mut set = TableSet::default();
    let channel = |nu: &f64| {
        let name = format!("{nu:.4}");
        dump.channels.iter().position(|channel| *channel == name)
    };
    let places: Vec<Option<usize>> = control.wavenumbers_per_cm.iter().map(channel).collect();
    let there: Vec<usize> = places.iter().flatten().copied().collect();
    for emitter in &control.emitters {
        let gas = dump.gases.iter().position(|gas| gas.eq_ignore_ascii_case(emitter));
        let mut found = match gas {
            Some(gas) => dump.tables(gas, &there)?,
            None => vec![None; there.len()],
        }
        .into_iter();
        for (place, nu) in places.iter().zip(&control.wavenumbers_per_cm) {
            let table = place.and_then(|_| found.next().flatten());
            let name = PathBuf::from(format!("{}, {nu:.4} {emitter}", path.display()));
            match &table {
                Some(table) => {
                    let (bends, first_bend) = curvature::bends(table);
                    let report = TableReport { bends, first_bend, ..TableReport::default() };
                    if report != TableReport::default() {
                        set.reports.push((name, report));
                    }
                }
                None => set.missing.push(name),
            }
            set.tables.push(table);
        }
    }
    if !set.tables.is_empty() && set.tables.iter().all(Option::is_none) {
        let text = "it has none of the gases and channels of the control file";
        return Err(Error::invalid(Place::File(path.to_owned()), text));
    }
    Ok(set)
}
