//! `isobar-bench pbl`: boundary-layer diffusion.

use clap::Args;
use isobar::ysu::{BoundaryLayers, ColumnViews, Device, Launched, Options, Precision, ShinHongOptions, analytic};
use serde_json::json;

use crate::measure::{copy_bandwidth, host_ms, made, need_memory, resident_energy, resident_ms};
use crate::report::{Report, names, say};
use isobar::program::failure::Failure;
use isobar::program::options::{DeviceOptions, PrecisionOption};

/// The options of `isobar-bench pbl`.
#[derive(Args, Debug)]
pub(crate) struct PblBench {
    /// Columns; the published domain has 433 x 308
    #[arg(long, default_value_t = 133_364)]
    columns: usize,
    /// Layers
    #[arg(long, default_value_t = 35)]
    layers: usize,
    /// Further tracers
    #[arg(long, default_value_t = 0)]
    tracers: usize,
    /// Shin-Hong instead of YSU
    #[arg(long)]
    shin_hong: bool,
    /// Mix downward from cloud tops
    #[arg(long)]
    top_down: bool,
    /// Adjust to unresolved orography
    #[arg(long)]
    topographic: bool,
    /// Launches that are timed together
    #[arg(long, default_value_t = 50)]
    launches: usize,
    /// Also from and to the host's memory, against the copies alone
    #[arg(long)]
    transfers: bool,
    /// Times from 1,000 to 10 million columns
    #[arg(long)]
    curve: bool,
    #[command(flatten)]
    device: DeviceOptions,
}

pub(crate) fn run(options: &PblBench, report: &Report) -> Result<(), Failure> {
    options.device.with_threads(|devices| match options.device.precision {
        PrecisionOption::F32 => each::<f32>(options, report, devices),
        PrecisionOption::F64 => each::<f64>(options, report, devices),
    })
}

fn each<R: Precision>(bench: &PblBench, report: &Report, devices: &[Device]) -> Result<(), Failure> {
    let PblBench { top_down, topographic, .. } = *bench;
    if bench.shin_hong {
        let options = ShinHongOptions { cloud_mixing: top_down, topographic, ..ShinHongOptions::new(72.0) };
        return all::<R, _>(bench, &options, report, devices);
    }
    all::<R, _>(bench, &Options { top_down, topographic, ..Options::new(72.0) }, report, devices)
}

fn all<R: Precision, O: Launched>(
    bench: &PblBench,
    options: &O,
    report: &Report,
    devices: &[Device],
) -> Result<(), Failure> {
    let names = names(devices);
    say!(report, "{names}, {}, {} layers, {} tracers", R::NAME, bench.layers, bench.tracers);
    let bandwidth = copy_bandwidth(devices[0])?;
    say!(report, "{:>9} {:>12} {:>12} {:>12} {:>7}", "columns", "ms", "columns/s", "bytes ms", "limit %");
    let counts = if bench.curve { vec![1_000, 10_000, 100_000, 1_000_000, 10_000_000] } else { vec![bench.columns] };
    for count in counts {
        let rows = |fields: usize| bench.layers.saturating_mul(fields.saturating_add(bench.tracers)).saturating_add(20);
        need_memory::<R>(devices[0], count, "columns", [rows(11), rows(8), rows(5)])?;
        let columns = made(|| analytic::columns::<R>(count, bench.layers, bench.tracers));
        let columns = ColumnViews::try_from(&columns)?;
        let model = BoundaryLayers::<R, O>::on(devices);
        let launches = (bench.launches * 100_000 / count.div_ceil(devices.len())).clamp(1, bench.launches);
        let mut resident = model.resident(columns, options)?;
        let ms = resident_ms(&mut resident, options, launches)?;
        let bound = traffic::<R>(bench, count) as f64 / (bandwidth * devices.len() as f64) * 1e3;
        let rate = count as f64 / ms * 1e3;
        let work = json!({
            "columns": count,
            "layers": bench.layers,
            "tracers": bench.tracers,
            "top_down": bench.top_down,
            "topographic": bench.topographic,
            "precision": R::NAME,
            "device": names,
        });
        report.figure("resident", rate, "columns/s", work.clone());
        say!(report, "{count:9} {ms:12.4} {rate:12.0} {bound:12.4} {:7.1}", bound / ms * 100.0);
        resident_energy(report, &mut resident, options, (count, "column"), (&work, ms))?;
        drop(resident);
        if bench.transfers {
            let (whole, copies) =
                (host_ms(&model, columns, options)?, host_ms(&model.transfers_only(), columns, options)?);
            say!(
                report,
                "from and to the host's memory: {whole:.2} ms; copies alone {copies:.2} ms, ratio {:.2}",
                whole / copies
            );
            report.figure("host to host", count as f64 / whole * 1e3, "columns/s", work);
        }
    }
    Ok(())
}

/// Bytes that a launch reads and writes at least: nine fields and the pressure of interfaces in, six tendencies and two
/// diffusivities out.
fn traffic<R>(bench: &PblBench, columns: usize) -> usize {
    let inputs = 9 * bench.layers + bench.layers + 1 + 14;
    let outputs = 8 * bench.layers + 9;
    let options = usize::from(bench.top_down) * bench.layers + usize::from(bench.topographic) * 2;
    // Energy in, energy and its length out.
    let options = options + usize::from(bench.shin_hong) * (3 * bench.layers + 2);
    let tracers = 2 * bench.tracers * bench.layers;
    columns * ((inputs + outputs + options + tracers) * size_of::<R>() + 2 * size_of::<u32>())
}
