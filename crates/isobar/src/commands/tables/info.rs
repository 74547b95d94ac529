//! `isobar tables info`: axes, ranges and dropped rows.

use std::path::{Path, PathBuf};

use clap::Args;
use isobar::jurassic::table_warning;
use isobar_core::Real;
use isobar_ega::{Curve, EmissivityTable};
use isobar_io::netcdf::is_netcdf;
use isobar_io::table::{PackedTable, read_any_tables_netcdf};
use isobar_io::{Control, TableFile, TableFormat, TableReport, read_table, table_path};
use serde_json::json;

use crate::program::failure::Failure;
use crate::program::options::Json;
use crate::program::options::key_values;
use crate::program::progress::patiently;
use crate::program::remarks::warn;

/// The options of `isobar tables info`.
#[derive(Args, Debug)]
pub(crate) struct Info {
    /// Control file that names gases, channels and TBLBASE
    #[arg(long, value_name = "FILE")]
    ctl: Option<PathBuf>,
    /// Tables; with --ctl: keys that win over the control file
    #[arg(value_name = "FILE | KEY=VALUE", required_unless_present = "ctl")]
    items: Vec<String>,
    #[command(flatten)]
    print: Json,
}

/// One line a table.
pub(super) fn info(options: &Info) -> Result<(), Failure> {
    let files = match &options.ctl {
        Some(ctl) => files_of(ctl, &options.items)?,
        None => options.items.iter().map(PathBuf::from).collect(),
    };
    if options.print.json {
        return info_as_json(options, &files);
    }
    print_line!(
        "{:>9} {:>12} {:>6} {:>8}  {:21} {:15} {:19} {:19} {:15} {:>7}  file",
        "pressures",
        "temperatures",
        "curves",
        "nodes",
        "p [hPa]",
        "T [K]",
        "u [cm^-2]",
        "emissivity",
        "u grid",
        "dropped"
    );
    for file in &files {
        match patiently(false, "reading the table", || tables_of(file)) {
            Ok(tables) => tables.iter().for_each(|(name, table, report)| {
                print_line!("{}  {name}", line(table, report));
                // Rows have a column of their own.
                let bends = TableReport { dropped: 0, overwritten: 0, ..*report };
                table_warning(file, &bends).into_iter().for_each(warn);
            }),
            // A gas without a table in a channel is transparent there.
            Err(error) if error.is_not_found() && options.ctl.is_some() => print_line!("missing  {}", file.display()),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// The tables of a file with what they are called: one, or those of all channels in NetCDF.
fn tables_of(file: &Path) -> Result<Vec<(String, EmissivityTable, TableReport)>, isobar_io::Error> {
    let name = file.display();
    if !is_netcdf(file) {
        let (table, report) = read_table(file)?;
        return Ok(vec![(name.to_string(), table, report)]);
    }
    let of_channel = |(nu, read): (f64, PackedTable)| {
        let TableFile { table, report, .. } = TableFile::from(read).with_bends();
        (format!("{name}, {nu} cm^-1"), table, report)
    };
    Ok(read_any_tables_netcdf(file)?.into_iter().map(of_channel).collect())
}

/// What [`info`] says for programs: one object a table.
fn info_as_json(options: &Info, files: &[PathBuf]) -> Result<(), Failure> {
    let mut tables = Vec::new();
    for file in files {
        let found = match tables_of(file) {
            Err(error) if error.is_not_found() && options.ctl.is_some() => {
                tables.push(json!({ "file": file.to_string_lossy(), "missing": true }));
                continue;
            }
            read => read?,
        };
        tables.extend(found.iter().map(as_json));
    }
    crate::program::print::summary(json!({ "tables": tables }));
    Ok(())
}

fn as_json((name, table, report): &(String, EmissivityTable, TableReport)) -> serde_json::Value {
    let curves: Vec<&Curve> = table.pressures.iter().flat_map(|level| &level.curves).collect();
    let columns = extent(curves.iter().flat_map(|curve| &curve.column_per_cm2).map(|&u| f64::from(u)));
    let emissivities = extent(curves.iter().flat_map(|curve| &curve.emissivity).map(|&e| f64::from(e)));
    json!({
        "file": name,
        "pressures": table.pressures.len(),
        "curves": curves.len(),
        "nodes": curves.iter().map(|curve| curve.emissivity.len()).sum::<usize>(),
        "pressure_hpa": extent(table.pressures.iter().map(|level| level.pressure_hpa)),
        "temperature_k": extent(curves.iter().map(|curve| curve.temperature_k)),
        "column_per_cm2": columns,
        "emissivity": emissivities,
        "ln_column_step": log_step(&curves),
        "dropped": report.dropped + report.overwritten,
    })
}

/// The tables of a control file, gas by gas.
fn files_of(ctl: &Path, overrides: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let (control, complaints) = Control::read(ctl, &key_values(overrides)?)?;
    complaints.iter().for_each(warn);
    control.require_channels()?;
    let base = control.require_table_base()?;
    let of_gas = |gas: &String| {
        let file = |&nu: &f64| table_path(base, nu, gas, control.table_format);
        control.wavenumbers_per_cm.iter().map(file).collect::<Vec<_>>()
    };
    let mut files: Vec<PathBuf> = control.emitters.iter().flat_map(of_gas).collect();
    if control.table_format == TableFormat::Netcdf {
        // A file a gas.
        files.dedup();
    }
    Ok(files)
}

fn line(table: &EmissivityTable, report: &TableReport) -> String {
    let curves: Vec<&Curve> = table.pressures.iter().flat_map(|level| &level.curves).collect();
    let temperatures = extent(table.pressures.iter().map(|level| level.curves.len() as f64));
    let columns = extent(curves.iter().flat_map(|curve| &curve.column_per_cm2).map(|&u| f64::from(u)));
    let emissivities = extent(curves.iter().flat_map(|curve| &curve.emissivity).map(|&e| f64::from(e)));
    let pressures = extent(table.pressures.iter().map(|level| level.pressure_hpa));
    let kelvins = extent(curves.iter().map(|curve| curve.temperature_k));
    format!(
        "{:>9} {:>12} {:>6} {:>8}  {:21} {:15} {:19} {:19} {:15} {:>7}",
        table.pressures.len(),
        if temperatures.0 == temperatures.1 {
            temperatures.0.to_string()
        } else {
            format!("{} to {}", temperatures.0, temperatures.1)
        },
        curves.len(),
        curves.iter().map(|curve| curve.emissivity.len()).sum::<usize>(),
        format!("{:.3e} to {:.3e}", pressures.0, pressures.1),
        format!("{:.1} to {:.1}", kelvins.0, kelvins.1),
        format!("{:.2e} to {:.2e}", columns.0, columns.1),
        format!("{:.2e} to {:.4}", emissivities.0, emissivities.1),
        log_step(&curves).map_or("not logarithmic".into(), |step| format!("log, x {:.4}", Real::exp(step))),
        report.dropped + report.overwritten
    )
}

/// Lowest and highest value.
fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

/// The step of ln u, if it is the same everywhere within a hundredth.
fn log_step(curves: &[&Curve]) -> Option<f64> {
    let ratios = curves.iter().flat_map(|curve| curve.column_per_cm2.windows(2));
    let (low, high) = extent(ratios.map(|pair| Real::ln(f64::from(pair[1]) / f64::from(pair[0]))));
    (low > 0.0 && high - low < 0.01 * high).then_some(0.5 * (low + high))
}
