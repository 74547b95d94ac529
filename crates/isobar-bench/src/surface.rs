//! `isobar-bench surface`: surface layers.

use clap::Args;
use isobar::program::failure::Failure;
use isobar::program::options::{DeviceOptions, PrecisionOption};
use isobar::surface::{ColumnViews, Device, Options, Precision, Root, SurfaceLayer, analytic};
use serde_json::json;

use crate::measure::{copy_bandwidth, made, need_memory, resident_energy, resident_ms};
use crate::report::{Report, names, say};

/// Numbers that a column reads and writes at least.
const INPUTS: usize = 20;
/// See above.
const OUTPUTS: usize = 33;

/// The options of `isobar-bench surface`.
#[derive(Args, Debug)]
pub(crate) struct SurfaceBench {
    /// Columns
    #[arg(long, default_value_t = 133_364)]
    columns: usize,
    /// Look for z/L until it has converged
    #[arg(long)]
    converged: bool,
    /// Launches that are timed together
    #[arg(long, default_value_t = 50)]
    launches: usize,
    #[command(flatten)]
    device: DeviceOptions,
}

pub(crate) fn run(options: &SurfaceBench, report: &Report) -> Result<(), Failure> {
    options.device.with_threads(|devices| match options.device.precision {
        PrecisionOption::F32 => one::<f32>(options, report, devices),
        PrecisionOption::F64 => one::<f64>(options, report, devices),
    })
}

fn one<R: Precision>(bench: &SurfaceBench, report: &Report, devices: &[Device]) -> Result<(), Failure> {
    let root = if bench.converged { Root::Converged } else { Root::Secants };
    let options = Options { root, ..Options::default() };
    let (names, count) = (names(devices), bench.columns);
    say!(report, "{names}, {}", R::NAME);
    let bandwidth = copy_bandwidth(devices[0])?;
    need_memory::<R>(devices[0], count, "columns", [22, OUTPUTS + 2, 0])?;
    let columns = made(|| analytic::columns::<R>(count));
    let columns = ColumnViews::try_from(&columns)?;
    let model = SurfaceLayer::<R>::on(devices);
    let mut resident = model.resident(columns, &options)?;
    let ms = resident_ms(&mut resident, &options, bench.launches)?;
    let bytes = count * ((INPUTS + OUTPUTS) * size_of::<R>() + 2 * size_of::<u32>());
    let bound = bytes as f64 / (bandwidth * devices.len() as f64) * 1e3;
    let rate = count as f64 / ms * 1e3;
    say!(report, "{:>9} {:>12} {:>12} {:>12} {:>7}", "columns", "ms", "columns/s", "bytes ms", "limit %");
    say!(report, "{count:9} {ms:12.4} {rate:12.0} {bound:12.4} {:7.1}", bound / ms * 100.0);
    let work = json!({
        "columns": count,
        "converged": bench.converged,
        "precision": R::NAME,
        "device": names,
    });
    report.figure("resident", rate, "columns/s", work.clone());
    resident_energy(report, &mut resident, &options, (count, "column"), (&work, ms))?;
    Ok(())
}
