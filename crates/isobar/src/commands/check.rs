//! `isobar check`: what a command would read of a file, and as what.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use isobar_core::fields::{Declared, OwnedInputs};
use isobar_io::{
    BoundaryLayerRequest, ColumnsInput, Outside, RadiationInput, RadiationRequest, SunAt, read_boundary_layer_files,
    read_radiation,
};
use isobar_optics::CloudTables;
use isobar_radiation::{CloudOptics, Options, Roughness};
use serde_json::json;

use super::column_results::from_where;
use super::pbl::{SurfaceOption, value};
use super::radiation_files::{gas, name};
use crate::inputs::k_distributions::{Tables, Waves};
use crate::program::failure::Failure;
use crate::program::options::Json;

/// The options of `isobar check`.
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Columns, NetCDF; several files complete each other, or go on in time
    #[arg(required = true)]
    columns: Vec<PathBuf>,
    /// The command that would read it
    #[arg(long = "for", value_enum, default_value = "radiation", value_name = "COMMAND")]
    command: Command,
    /// Where a boundary layer's surface layer comes from, as `isobar pbl` takes it
    #[arg(long, value_name = "LAYER,KEY=VALUE,...", default_value = "given")]
    surface: SurfaceOption,
    /// A constant of a boundary layer's columns, as `isobar pbl` takes it
    #[arg(long, value_name = "NAME=NUMBER", value_parser = value)]
    value: Vec<(String, f64)>,
    /// k-distribution, as that command takes it
    #[arg(long, value_name = "FILE")]
    kdist: Vec<PathBuf>,
    /// Constant mixing ratio of a gas in mol/mol, such as co2=420e-6; wins over the file's
    #[arg(long, value_name = "NAME=VALUE", value_parser = gas)]
    gas: Vec<(usize, f64)>,
    /// What the file calls something by a name that is not known, such as co2=xco2: our name, and the file's
    #[arg(long, value_name = "NAME=VARIABLE", value_parser = name)]
    name: Vec<(String, String)>,
    /// The dimension of layers, where neither its name nor its coordinate says so
    #[arg(long, value_name = "DIMENSION")]
    vertical: Option<String>,
    #[command(flatten)]
    print: Json,
}

/// A command that reads columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Command {
    /// `isobar radiation`
    Radiation,
    /// `isobar longwave`
    Longwave,
    /// `isobar shortwave`
    Shortwave,
    /// `isobar pbl`
    Pbl,
}

/// A field as it would be computed with: our name, the file's, the unit, the least and the largest value.
struct Row<'a> {
    name: &'static str,
    from: Option<&'a str>,
    unit: &'static str,
    range: [f64; 2],
    /// How many values there are.
    values: usize,
}

pub(crate) fn run(options: &Check) -> Result<(), Failure> {
    let waves = match options.command {
        Command::Radiation => Waves::Any,
        Command::Longwave => Waves::Long,
        Command::Shortwave => Waves::Short,
        Command::Pbl => return check_boundary_layer(options),
    };
    if options.surface != SurfaceOption::Given || !options.value.is_empty() {
        return Err(Failure::usage("--surface and --value are for --for pbl".to_owned()));
    }
    let mut input = read_for_radiation(options, waves)?;
    let mut rows = Vec::new();
    let names = std::mem::take(&mut input.names);
    input.columns.each_real(&mut |declared, values| rows.extend(Row::of(declared, values, &names)));
    say(options, &input, rows, &names)
}

/// What `isobar pbl` would read.
fn check_boundary_layer(options: &Check) -> Result<(), Failure> {
    if !options.gas.is_empty() || !options.kdist.is_empty() {
        return Err(Failure::usage("--gas and --kdist are for radiation: a boundary layer has neither".to_owned()));
    }
    let request = BoundaryLayerRequest {
        names: &options.name,
        constants: &options.value,
        vertical: options.vertical.as_deref(),
        surface: options.surface.source(None),
        part: None,
        keep_going: true,
    };
    // The time step does not count.
    let read = read_boundary_layer_files(&options.columns, &isobar_ysu::Options::new(60.0), &request)?;
    let (mut input, surface) = (read.air, read.surface);
    let count = input.columns.columns();
    input.notes.extend(read.contradictions.iter().map(|one| one.in_words(count)));
    let mut rows: Vec<Row<'_>> = Vec::new();
    let names = std::mem::take(&mut input.names);
    input.columns.each_real(&mut |declared, values| {
        // What is computed is not there yet.
        if surface.is_none() || !declared.shape.is_empty() {
            rows.extend(Row::of(declared, values, &names));
        }
    });
    if let Some(mut surface) = surface {
        surface.each_real(&mut |declared, values| {
            if rows.iter().all(|row| row.name != declared.file_name) {
                rows.extend(Row::of(declared, values, &names));
            }
        });
    }
    say(options, &input, rows, &names)
}

fn read_for_radiation(options: &Check, waves: Waves) -> Result<RadiationInput, Failure> {
    let optics = |tables: &CloudTables| CloudOptics::new(tables, Roughness::Medium);
    let tables = Tables::find((&options.kdist, waves), (&[], &optics), &options.columns[0])?;
    let scheme = if tables.rrtmg_path().is_some() { Options::of_rrtmg() } else { Options::default() };
    Ok(read_radiation(
        &options.columns,
        &RadiationRequest {
            spectra: tables.radiation()?.spectra(),
            options: &scheme,
            constants: &options.gas,
            names: &options.name,
            vertical: options.vertical.as_deref(),
            assume_zero: false,
            aerosols: tables.aerosols(),
            clouds: true,
            cloud_fraction: 1.0,
            rain_and_snow: false,
            rain_as_liquid: false,
            snow_as_ice: false,
            sun: SunAt::Time,
            part: None,
            outside: Outside::Extrapolate,
            keep_going: true,
        },
    )?)
}

/// Says what was read.
fn say<'a, C>(
    options: &Check,
    input: &ColumnsInput<C>,
    mut rows: Vec<Row<'a>>,
    names: &'a [(&'static str, String)],
) -> Result<(), Failure> {
    let columns: usize = input.horizontal.iter().map(|(_, size)| size).product();
    let layers = rows.iter().filter(|row| row.name == "pressure").map(|row| row.values / columns).max().unwrap_or(0);
    // What others are derived from.
    let used: Vec<_> = names.iter().filter(|(ours, _)| rows.iter().all(|row| row.name != *ours)).collect();
    rows.extend(used.into_iter().map(|(ours, theirs)| Row {
        name: ours,
        from: Some(theirs),
        unit: "",
        range: [f64::NAN; 2],
        values: 0,
    }));
    if options.print.json {
        print_line!("{}", as_json(input, &rows, [columns, layers]));
    } else {
        print(input, &rows, [columns, layers]);
    }
    Failure::unless_all(input.bad.len(), columns - input.masked.len())
}

impl<'a> Row<'a> {
    /// A field that has values.
    fn of(declared: &Declared, values: &[f64], names: &'a [(&'static str, String)]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let from = names.iter().find(|(ours, _)| *ours == declared.file_name).map(|(_, theirs)| &**theirs);
        let range = values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], &x| [a.min(x), b.max(x)]);
        Some(Row { name: declared.file_name, from, unit: declared.unit, range, values: values.len() })
    }
}

fn print<C>(input: &ColumnsInput<C>, rows: &[Row<'_>], [columns, layers]: [usize; 2]) {
    let dimensions: Vec<String> = input.horizontal.iter().map(|(name, size)| format!("{name} {size}")).collect();
    let [layer, level] = &input.vertical;
    let order = from_where(input.orientation).trim_end_matches(',');
    print_line!("{columns} columns ({}), {layers} layers{order} ({layer}, {level})", dimensions.join(", "));
    print_line!("{:<32} {:<28} {:<9} {:>12} {:>12}", "as", "from", "unit", "least", "largest");
    for Row { name, from, unit, range, .. } in rows {
        let [least, most] = range.map(|value| if value.is_nan() { String::new() } else { number(value) });
        let line = format!("{name:<32} {:<28} {unit:<9} {least:>12} {most:>12}", from.unwrap_or("(derived)"));
        print_line!("{}", line.trim_end());
    }
    for text in input.derived.iter().chain(&input.notes) {
        print_line!("derived: {text}");
    }
    for text in input.remarks.lines().iter().chain(&input.masked_in_words()).chain(&input.outside.1) {
        print_line!("{text}");
    }
    for bad in input.bad.iter().take(10) {
        print_line!("bad: {}", bad.text);
    }
    if input.bad.len() > 10 {
        print_line!("bad: {} more columns", input.bad.len() - 10);
    }
}

/// Six digits.
fn number(value: f64) -> String {
    if value == 0.0 || (1e-3..1e6).contains(&value.abs()) {
        format!("{}", round(value))
    } else {
        format!("{value:.3e}")
    }
}

fn round(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

fn as_json<C>(input: &ColumnsInput<C>, rows: &[Row<'_>], [columns, layers]: [usize; 2]) -> serde_json::Value {
    let rows: Vec<_> = rows
        .iter()
        .map(|Row { name, from, unit, range: [least, most], .. }| {
            json!({ "as": name, "from": from, "unit": unit, "least": least, "largest": most })
        })
        .collect();
    let dimensions: Vec<_> =
        input.horizontal.iter().map(|(name, size)| json!({ "name": name, "size": size })).collect();
    json!({
        "columns": columns,
        "layers": layers,
        "dimensions": dimensions,
        "vertical": input.vertical,
        "read": rows,
        "derived": input.derived,
        "notes": input.notes,
        "not_read": input.remarks.not_read,
        "masked": input.masked.len(),
        "outside_tables": input.outside.0,
        "bad": input.bad.iter().map(|bad| json!({ "column": bad.column, "why": bad.text })).collect::<Vec<_>>(),
    })
}
