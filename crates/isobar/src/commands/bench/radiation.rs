//! `isobar bench radiation`: long-wave and short-wave radiation.

use std::path::PathBuf;

use clap::Args;
use isobar_radiation::{CloudSolver, ColumnViews, Device, Options, Precision, Roughness, analytic};

use super::{MEASURED, made, measure, need_memory};
use crate::commands::radiation::choices::SolverOf;
use crate::commands::radiation::{Tables, Waves};
use crate::commands::{DeviceOptions, Failure, PrecisionOption};

/// The options of `isobar bench radiation`.
#[derive(Args, Debug)]
pub(crate) struct RadiationBench {
    /// Columns
    #[arg(long, default_value_t = 100_000)]
    columns: usize,
    /// Layers
    #[arg(long, default_value_t = 60)]
    layers: usize,
    /// With clouds
    #[arg(long)]
    cloudy: bool,
    /// How clouds and clear sky share a layer
    #[arg(long, value_enum, default_value = "mcica")]
    solver: SolverOf,
    /// k-distribution, once for each spectrum; without it those of both that come with the program
    #[arg(long, value_name = "FILE")]
    kdist: Vec<PathBuf>,
    /// Tables of clouds, once for each k-distribution
    #[arg(long, value_name = "FILE")]
    clouds: Vec<PathBuf>,
    /// Runs that are timed together
    #[arg(long, default_value_t = 5)]
    launches: usize,
    /// Also from and to the host's memory, against the copies alone
    #[arg(long)]
    transfers: bool,
    #[command(flatten)]
    device: DeviceOptions,
}

pub(super) fn run(options: &RadiationBench) -> Result<(), Failure> {
    let here = PathBuf::from(".");
    let tables = Tables::find((&options.kdist, Waves::Any), &options.clouds, Roughness::Medium, &here)?;
    options.device.with_threads(|devices| match options.device.precision {
        PrecisionOption::F32 => all::<f32>(options, &tables, devices),
        PrecisionOption::F64 => all::<f64>(options, &tables, devices),
    })
}

fn all<R: Precision>(bench: &RadiationBench, tables: &Tables, devices: &[Device]) -> Result<(), Failure> {
    let options = Options { cloud_solver: bench.solver.of_tables()?, ..Options::default() };
    let radiation = tables.radiation::<R>()?;
    let names = devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let sky = match options.cloud_solver {
        _ if !bench.cloudy => "clear",
        CloudSolver::McIca => "sub-columns",
        CloudSolver::Tripleclouds => "Tripleclouds",
    };
    println!("{names}, {}, {} layers, {sky}; {}", R::NAME, bench.layers, tables.description());
    println!("{MEASURED}");
    let count = bench.columns;
    let rows = |fields: usize| bench.layers.saturating_mul(fields).saturating_add(50);
    need_memory::<R>(devices[0], count, "columns", [rows(if bench.cloudy { 13 } else { 8 }), rows(7), rows(7)])?;
    let columns = made(|| analytic::columns::<R>(count, bench.layers, bench.cloudy));
    let (columns, model) = (ColumnViews::try_from(&columns)?, radiation.on(devices));
    measure(model, columns, &options, (count, bench.launches, bench.transfers))
}
