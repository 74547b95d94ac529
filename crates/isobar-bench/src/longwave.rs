//! `isobar-bench longwave`: longwave radiation.

use std::path::PathBuf;

use clap::Args;
use isobar::radiation::rrtmg::KDistribution;
use isobar::radiation::{ColumnViews, Device, Options, Precision, Radiation, analytic, rrtmg};
use serde_json::json;

use crate::measure::{MEASURED, made, measure, need_memory};
use crate::report::{Report, names, say};
use isobar::program::failure::Failure;
use isobar::program::options::{DeviceOptions, PrecisionOption};

/// The options of `isobar-bench longwave`.
#[derive(Args, Debug)]
pub(crate) struct LongwaveBench {
    /// Columns
    #[arg(long, default_value_t = 100_000)]
    columns: usize,
    /// Layers
    #[arg(long, default_value_t = 60)]
    layers: usize,
    /// With clouds, by sub-columns, whose masks are generated each time
    #[arg(long)]
    cloudy: bool,
    /// Coefficients: WRF's RRTMG_LW_DATA, or Isobar's own format; otherwise those of formulas
    #[arg(long, value_name = "FILE")]
    kdist: Option<PathBuf>,
    /// Runs that are timed together
    #[arg(long, default_value_t = 5)]
    launches: usize,
    /// Also from and to the host's memory, against the copies alone
    #[arg(long)]
    transfers: bool,
    /// Rates from 100 to 1 million columns
    #[arg(long)]
    curve: bool,
    #[command(flatten)]
    device: DeviceOptions,
}

pub(crate) fn run(options: &LongwaveBench, report: &Report) -> Result<(), Failure> {
    options.device.with_threads(|devices| match options.device.precision {
        PrecisionOption::F32 => all::<f32>(options, report, devices),
        PrecisionOption::F64 => all::<f64>(options, report, devices),
    })
}

fn all<R: Precision>(bench: &LongwaveBench, report: &Report, devices: &[Device]) -> Result<(), Failure> {
    let (radiation, options) = (Radiation::<R>::new().with_rrtmg(&coefficients(bench)?)?, Options::of_rrtmg());
    let names = names(devices);
    let sky = if bench.cloudy { "sub-columns" } else { "clear" };
    say!(report, "{names}, {}, {} layers, {sky}", R::NAME, bench.layers);
    say!(report, "{MEASURED}");
    let counts = if bench.curve { vec![100, 1_000, 10_000, 100_000, 1_000_000] } else { vec![bench.columns] };
    for count in counts {
        // With clouds, masks of all g-points.
        let rows = |fields: usize| bench.layers.saturating_mul(fields).saturating_add(50);
        need_memory::<R>(devices[0], count, "columns", [rows(if bench.cloudy { 16 } else { 8 }), rows(6), rows(6)])?;
        let columns = made(|| analytic::columns::<R>(count, bench.layers, bench.cloudy));
        let (columns, model) = (ColumnViews::try_from(&columns)?, radiation.clone().on(devices));
        let work = json!({ "layers": bench.layers, "sky": sky, "precision": R::NAME, "device": names });
        measure((report, work), model, columns, &options, (count, bench.launches, bench.transfers))?;
    }
    Ok(())
}

/// Coefficients from a file, or made up.
fn coefficients(bench: &LongwaveBench) -> Result<KDistribution, Failure> {
    let Some(path) = &bench.kdist else { return Ok(rrtmg::analytic::k_distribution()) };
    isobar::io::read_rrtmg_lw(path).map_err(|error| Failure::new(error.to_string()))
}
