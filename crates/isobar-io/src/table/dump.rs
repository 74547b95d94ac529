//! JURASSIC-GPU's dump of all tables: a text of 16,384 bytes, then the memory of its arrays, whose sizes are those with
//! which it was compiled. The channel is the fastest index, the gas the slowest.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use isobar_ega::{Curve, EmissivityTable, PressureLevel, planck};

use super::{TableReport, TableSet, checked, curvature};
use crate::control::Control;
use crate::error::{Error, Place};
use crate::shape::Shape;
use crate::text::unwritable;

const HEADER: usize = 16_384;
const VERSION: u32 = 20_200_211;
/// Temperatures of the source function, a quarter of a kelvin apart from 100 K.
const SOURCES: usize = 1201;

/// The sizes of the arrays of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DumpSizes {
    /// `NG`.
    pub gases: usize,
    /// `TBLNP`.
    pub pressures: usize,
    /// `TBLNT`.
    pub temperatures: usize,
    /// `TBLNU`.
    pub columns: usize,
    /// `ND`.
    pub channels: usize,
}

/// Of a file of 128 GB, a hundred times the usual one.
const MOST_NODES: u64 = 1 << 34;

impl Default for DumpSizes {
    /// Those of JURASSIC-GPU 2.0, if nobody sets others.
    fn default() -> Self {
        Self { gases: 27, pressures: 40, temperatures: 30, columns: 304, channels: 32 }
    }
}

/// Where the arrays begin, in bytes after the header.
struct Offsets {
    pressure_counts: u64,
    temperature_counts: u64,
    column_counts: u64,
    pressures: u64,
    temperatures: u64,
    columns: u64,
    emissivities: u64,
    end: u64,
}

impl DumpSizes {
    /// The name that JURASSIC-GPU looks for in its working directory.
    #[must_use]
    pub fn file_name(&self) -> String {
        let Self { gases, pressures, temperatures, columns, channels } = self;
        format!("bin.jurassic-fp32-tables-g{gases}-p{pressures}-T{temperatures}-u{columns}-d{channels}")
    }

    /// None where a size is zero, or the whole is no file.
    fn offsets(&self) -> Option<Offsets> {
        let [g, p, t, u, d] =
            [self.gases, self.pressures, self.temperatures, self.columns, self.channels].map(|size| size as u64);
        let rows = |sizes: &[u64]| sizes.iter().try_fold(1_u64, |product, &size| product.checked_mul(size));
        let (gas, level, curve) = (rows(&[g, d])?, rows(&[g, p, d])?, rows(&[g, p, t, d])?);
        let nodes = rows(&[g, p, t, u, d])?;
        if nodes == 0 || nodes > MOST_NODES {
            return None;
        }
        let temperature_counts = 4 * gas;
        let column_counts = temperature_counts + 4 * level;
        // Doubles lie at multiples of 8.
        let pressures = (column_counts + 4 * curve).next_multiple_of(8);
        let temperatures = pressures + 8 * level;
        let columns = temperatures + 8 * curve;
        let emissivities = columns + 4 * nodes;
        let end = emissivities + 4 * nodes + 8 * SOURCES as u64 * (d + 1);
        Some(Offsets {
            pressure_counts: 0,
            temperature_counts,
            column_counts,
            pressures,
            temperatures,
            columns,
            emissivities,
            end,
        })
    }
}

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

/// Writes tables as JURASSIC-GPU's dump, `gas * channels + channel`, with the source functions of the filters.
/// Pressures and temperatures ascend, as it searches them.
///
/// # Errors
/// Those of `out`; a table that does not fit the sizes.
pub fn write_tables_dump(
    out: &mut impl Write,
    control: &Control,
    tables: &[Option<EmissivityTable>],
    filters: &[Shape],
    sizes: DumpSizes,
) -> io::Result<()> {
    let (gases, channels) = (&control.emitters, &control.wavenumbers_per_cm);
    let offsets = sizes.offsets().ok_or_else(|| unwritable(format!("sizes {sizes:?} are no tables")))?;
    let fits = |what: &str, found: usize, most: usize, key: &str| match found <= most {
        true => Ok(()),
        false => Err(unwritable(format!("{found} {what} do not fit {key} = {most}"))),
    };
    fits("gases", gases.len(), sizes.gases, "NG")?;
    fits("channels", channels.len(), sizes.channels, "ND")?;
    // Ascending; none stands for what is not there.
    let mut sorted: Vec<Vec<Option<EmissivityTable>>> = Vec::new();
    for (gas, of_gas) in gases.iter().zip(tables.chunks(channels.len().max(1))) {
        let mut row = of_gas.to_vec();
        for (table, nu) in row.iter_mut().zip(channels).filter_map(|(table, nu)| Some((table.as_mut()?, nu))) {
            let what = |what: &str| format!("{what} of {gas} at {nu:.4} cm^-1");
            table.pressures.sort_by(|a, b| a.pressure_hpa.total_cmp(&b.pressure_hpa));
            fits(&what("pressures"), table.pressures.len(), sizes.pressures, "TBLNP")?;
            for level in &mut table.pressures {
                level.curves.sort_by(|a, b| a.temperature_k.total_cmp(&b.temperature_k));
                fits(&what("temperatures"), level.curves.len(), sizes.temperatures, "TBLNT")?;
                for curve in &level.curves {
                    fits(&what("column densities"), curve.column_per_cm2.len(), sizes.columns, "TBLNU")?;
                }
            }
        }
        sorted.push(row);
    }
    out.write_all(&header(gases, channels, sizes, offsets.end)?)?;
    let table = |gas: usize, channel: usize| sorted.get(gas).and_then(|row| row.get(channel)).and_then(Option::as_ref);
    let level = |gas, pressure: usize, channel| table(gas, channel).and_then(|table| table.pressures.get(pressure));
    let curve = |gas, pressure, temperature: usize, channel| {
        level(gas, pressure, channel).and_then(|level| level.curves.get(temperature))
    };
    let DumpSizes { gases: g, pressures: p, temperatures: t, columns: u, channels: d } = sizes;
    let levels = || (0..g).flat_map(move |gas| (0..p).map(move |pressure| (gas, pressure)));
    let curves = || levels().flat_map(move |(gas, pressure)| (0..t).map(move |curve| (gas, pressure, curve)));
    let mut written = 0;
    let mut count = |out: &mut dyn Write, value: usize| {
        written += 4;
        out.write_all(&(value as i32).to_le_bytes())
    };
    for gas in 0..g {
        for channel in 0..d {
            count(out, table(gas, channel).map_or(0, |table| table.pressures.len()))?;
        }
    }
    for (gas, pressure) in levels() {
        for channel in 0..d {
            count(out, level(gas, pressure, channel).map_or(0, |level| level.curves.len()))?;
        }
    }
    for (gas, pressure, number) in curves() {
        for channel in 0..d {
            let found = curve(gas, pressure, number, channel);
            count(out, found.map_or(0, |curve| curve.column_per_cm2.len()))?;
        }
    }
    out.write_all(&[0; 8][..(offsets.pressures - written) as usize])?;
    for (gas, pressure) in levels() {
        for channel in 0..d {
            let value = level(gas, pressure, channel).map_or(0.0, |level| level.pressure_hpa);
            out.write_all(&value.to_le_bytes())?;
        }
    }
    for (gas, pressure, number) in curves() {
        for channel in 0..d {
            let value = curve(gas, pressure, number, channel).map_or(0.0, |curve| curve.temperature_k);
            out.write_all(&value.to_le_bytes())?;
        }
    }
    let values: [fn(&Curve) -> &[f32]; 2] = [|curve| &curve.column_per_cm2, |curve| &curve.emissivity];
    for values in values {
        for (gas, pressure, number) in curves() {
            let of_channels: Vec<&[f32]> =
                (0..d).map(|channel| curve(gas, pressure, number, channel).map_or(&[][..], values)).collect();
            let mut block = Vec::with_capacity(4 * u * d);
            for node in 0..u {
                let row = of_channels.iter().map(|values| values.get(node).copied().unwrap_or(0.0));
                block.extend(row.flat_map(f32::to_le_bytes));
            }
            out.write_all(&block)?;
        }
    }
    let temperature = |i: usize| 100.0 + 0.25 * i as f64;
    for i in 0..SOURCES {
        for channel in 0..d {
            let value = filters.get(channel).map_or(0.0, |filter| source(filter, temperature(i)));
            out.write_all(&value.to_le_bytes())?;
        }
    }
    (0..SOURCES).try_for_each(|i| out.write_all(&temperature(i).to_le_bytes()))
}

/// The mean of the Planck function over the samples of a filter.
fn source(filter: &Shape, temperature_k: f64) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (&nu, &weight) in filter.x.iter().zip(&filter.y) {
        weights += weight;
        sum += weight * planck::radiance(temperature_k, nu);
    }
    sum / weights
}

fn header(gases: &[String], channels: &[f64], sizes: DumpSizes, tables: u64) -> io::Result<Vec<u8>> {
    let DumpSizes { gases: g, pressures, temperatures, columns, channels: d } = sizes;
    let mut text = format!(
        "JURASSIC 0  Binary Emissivity Tables\nversion {VERSION}\nfloat   4\nNG     {g} gases\nTBLNP  {pressures} \
         pressures\nTBLNT  {temperatures} temperatures\nTBLNU  {columns} column_densities\nND     {d} \
         detector_channels\nTBLNS  {SOURCES} radiances\n\nfile_size   {}\nheader_size {HEADER}\n\
         table_size  {tables}\n\n\nng {} emitter gases:\n",
        HEADER as u64 + tables,
        gases.len()
    );
    for (i, gas) in gases.iter().enumerate() {
        text += &format!("{gas} {i}\n");
    }
    text += &format!("\n\n\nnd {} channels [cm^-1]:\n", channels.len());
    for (i, nu) in channels.iter().enumerate() {
        text += &format!("{nu:.4} {i}\n");
    }
    text += "\n\nFAST_INVERSE_OF_U 0\n\n\nheader_end 0\n";
    // It is read as a text that ends with a zero.
    if text.len() >= HEADER {
        return Err(unwritable(format!("{} gases and channels do not fit the header", gases.len() + channels.len())));
    }
    let mut bytes = text.into_bytes();
    bytes.resize(HEADER, 0);
    Ok(bytes)
}
