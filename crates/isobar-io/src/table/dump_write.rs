//! JURASSIC-GPU's dump of all tables, written.

use std::io::{self, Write};

use isobar_ega::{Curve, EmissivityTable, planck};

use super::dump::{DumpSizes, HEADER, SOURCES, VERSION};
use crate::control::Control;
use crate::shape::Shape;
use crate::text::unwritable;

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
