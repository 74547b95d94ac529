//! `isobar-bench radiation`: long-wave and short-wave radiation.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use isobar::optics::CloudTables;
use isobar::radiation::{
    AdjointPrecision, CloudOptics, CloudSolver, ColumnViews, Columns, Cotangents, Device, Model, Options, Radiation,
    RadiationAdjoint, Roughness, analytic,
};
use serde_json::{Value, json};

use crate::measure::{MEASURED, made, measure, need_memory, seconds};
use crate::report::{Report, names, say};
use isobar::inputs::k_distributions::{Tables, Waves};
use isobar::program::failure::Failure;
use isobar::program::options::{DeviceOptions, PrecisionOption};

/// The options of `isobar-bench radiation`.
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
    /// With rain and snow in clouds, which have the optics of droplets and ice where tables have none of them
    #[arg(long, requires = "cloudy")]
    rain_and_snow: bool,
    /// How clouds and clear sky share a layer
    #[arg(long, value_enum, default_value = "mcica")]
    solver: Solver,
    /// k-distribution, once for each spectrum; without it those of both that come with the program
    #[arg(long, value_name = "FILE")]
    kdist: Vec<PathBuf>,
    /// Tables of clouds, once for each k-distribution
    #[arg(long, value_name = "FILE")]
    clouds: Vec<PathBuf>,
    /// Runs that are timed together
    #[arg(long, default_value_t = 5)]
    launches: usize,
    /// Time the derivatives of the sum of all upward fluxes by all inputs, too
    #[arg(long, conflicts_with = "transfers")]
    gradient: bool,
    /// Also from and to the host's memory, against the copies alone
    #[arg(long)]
    transfers: bool,
    #[command(flatten)]
    device: DeviceOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Solver {
    /// Each g-point sees clouds of its own
    Mcica,
    /// Tripleclouds: a clear, a thin and a thick part of each layer
    Tripleclouds,
}

impl From<Solver> for CloudSolver {
    fn from(solver: Solver) -> Self {
        match solver {
            Solver::Mcica => Self::McIca,
            Solver::Tripleclouds => Self::Tripleclouds,
        }
    }
}

pub(crate) fn run(options: &RadiationBench, report: &Report) -> Result<(), Failure> {
    let here = PathBuf::from(".");
    let optics = |tables: &CloudTables| CloudOptics::new(tables, Roughness::Medium).rain_as_liquid().snow_as_ice();
    let tables = Tables::find((&options.kdist, Waves::Any), (&options.clouds, &optics), &here)?;
    options.device.with_threads(|devices| match options.device.precision {
        PrecisionOption::F32 => all::<f32>(options, report, &tables, devices),
        PrecisionOption::F64 => all::<f64>(options, report, &tables, devices),
    })
}

fn all<R: AdjointPrecision>(
    bench: &RadiationBench,
    report: &Report,
    tables: &Tables,
    devices: &[Device],
) -> Result<(), Failure> {
    let options = Options { cloud_solver: bench.solver.into(), ..Options::default() };
    let radiation = tables.radiation::<R>()?;
    let names = names(devices);
    let sky = match options.cloud_solver {
        _ if !bench.cloudy => "clear",
        CloudSolver::McIca if bench.rain_and_snow => "sub-columns, rain and snow",
        CloudSolver::Tripleclouds if bench.rain_and_snow => "Tripleclouds, rain and snow",
        CloudSolver::McIca => "sub-columns",
        CloudSolver::Tripleclouds => "Tripleclouds",
        CloudSolver::Fractions => "fractions",
    };
    say!(report, "{names}, {}, {} layers, {sky}; {}", R::NAME, bench.layers, tables.description());
    let count = bench.columns;
    let rows = |fields: usize| bench.layers.saturating_mul(fields).saturating_add(50);
    need_memory::<R>(devices[0], count, "columns", [rows(if bench.cloudy { 17 } else { 8 }), rows(7), rows(7)])?;
    let [.., rain, snow] = radiation.spectra().cloud_sizes_um(&Options::default());
    let columns = made(|| {
        let mut columns = analytic::columns::<R>(count, bench.layers, bench.cloudy);
        if bench.rain_and_snow {
            analytic::add_rain_and_snow(&mut columns, [rain, snow]);
        }
        columns
    });
    let adjoint = radiation.clone().adjoint();
    let (inputs, model) = (ColumnViews::try_from(&columns)?, radiation.on(devices));
    let work = json!({
        "layers": bench.layers,
        "sky": sky,
        "tables": tables.description(),
        "precision": R::NAME,
        "device": names,
    });
    if bench.gradient {
        return gradient((report, work), (model, adjoint.on(devices)), &columns, &options, bench.launches);
    }
    say!(report, "{MEASURED}");
    measure((report, work), model, inputs, &options, (count, bench.launches, bench.transfers))
}

/// How much longer than the fluxes their gradient takes.
fn gradient<R: AdjointPrecision>(
    (report, work): (&Report, Value),
    (model, adjoint): (Model<Radiation<R>>, Model<RadiationAdjoint<R>>),
    columns: &Columns<R>,
    options: &Options,
    launches: usize,
) -> Result<(), Failure> {
    let cotangents =
        Cotangents { longwave_up_w_per_m2: vec![R::ONE], shortwave_up_w_per_m2: vec![R::ONE], ..Cotangents::default() };
    let spent = seconds(&mut model.resident(columns, options)?, options, launches)?;
    let longer = seconds(&mut adjoint.resident((columns, &cotangents), options)?, options, launches)?;
    report.figure("gradient of fluxes", longer / spent, "runs", work);
    let columns = (launches * columns.surface_temperature_k.len()) as f64;
    say!(
        report,
        "gradient by all inputs: {:.2} times as long as the fluxes; {:.0} columns/s, of fluxes alone {:.0}",
        longer / spent,
        columns / longer,
        columns / spent
    );
    Ok(())
}
