//! `isobar-bench machine`: what a machine can do whatever the scheme, as a yardstick for other figures.

use std::time::Instant;

use clap::Args;
use isobar::core::Real;
use isobar::core::selftest::{ElementaryFunctions, FUNCTIONS};
use isobar::launch::{Device, Plain, Queue};
use serde_json::json;

use crate::measure::{copy_bandwidth, waiting};
use crate::report::{Report, say};
use isobar::program::failure::Failure;
use isobar::program::options::{DeviceOptions, PrecisionOption};

/// The options of `isobar-bench machine`.
#[derive(Args, Debug)]
pub(crate) struct MachineBench {
    /// Arguments of each elementary function
    #[arg(long, default_value_t = 1 << 18)]
    arguments: usize,
    /// Runs, of which the fastest counts
    #[arg(long, default_value_t = 5)]
    runs: usize,
    #[command(flatten)]
    device: DeviceOptions,
}

pub(crate) fn run(options: &MachineBench, report: &Report) -> Result<(), Failure> {
    options.device.with_threads(|devices| match options.device.precision {
        PrecisionOption::F32 => all::<f32>(options, report, devices[0], "f32"),
        PrecisionOption::F64 => all::<f64>(options, report, devices[0], "f64"),
    })
}

fn all<R: Real + Plain>(
    options: &MachineBench,
    report: &Report,
    device: Device,
    precision: &str,
) -> Result<(), Failure> {
    let _waiting = waiting();
    let queue = Queue::parallel(device)?;
    let x: Vec<R> = (0..options.arguments).map(|i| R::from_f64(0.1 + i as f64 / options.arguments as f64)).collect();
    let (x, y) = (queue.upload(&x)?, queue.upload(&x)?);
    let mut results = queue.zeros::<R>(FUNCTIONS.len() * options.arguments)?;
    let mut statuses = queue.zeros(options.arguments)?;
    let mut best = f64::INFINITY;
    for _ in 0..options.runs.max(1) + 1 {
        let view = results.item_fastest_mut(FUNCTIONS.len(), options.arguments);
        let start = Instant::now();
        queue.launch(&ElementaryFunctions { x: x.column(), y: y.column(), results: view }, &mut statuses)?;
        queue.synchronize()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    let rate = (FUNCTIONS.len() * options.arguments) as f64 / best;
    let bandwidth = copy_bandwidth(device)?;
    say!(report, "{device}, {precision}: {rate:.3e} elementary functions/s, a copy moves {:.1} GB/s", bandwidth / 1e9);
    let work = json!({ "precision": precision, "device": device.to_string() });
    report.figure("functions", rate, "functions/s", work.clone());
    report.figure("copy", bandwidth, "bytes/s", work);
    Ok(())
}
