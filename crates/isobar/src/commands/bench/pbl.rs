//! `isobar bench pbl`: boundary-layer diffusion.

use std::time::Instant;

use clap::Args;
use isobar_launch::{Device, Queue};
use isobar_ysu::launch::{BoundaryLayer, Precision, Resident};
use isobar_ysu::{Columns, Options, Outputs, analytic};

use super::{COPIED, copy_bandwidth, slowest};
use crate::commands::{DeviceOptions, Failure, PrecisionOption};

/// The options of `isobar bench pbl`.
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

pub(super) fn run(options: &PblBench) -> Result<(), Failure> {
    options.device.with_threads(|devices| match options.device.precision {
        PrecisionOption::F32 => all::<f32>(options, devices),
        PrecisionOption::F64 => all::<f64>(options, devices),
    })
}

fn all<R: Precision>(bench: &PblBench, devices: &[Device]) -> Result<(), Failure> {
    let options = Options { top_down: bench.top_down, topographic: bench.topographic, ..Options::new(72.0) };
    let names = devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    println!("{names}, {}, {} layers, {} tracers", R::NAME, bench.layers, bench.tracers);
    let bandwidth = copy_bandwidth(devices[0], COPIED)?;
    println!("{:>9} {:>12} {:>12} {:>12} {:>7}", "columns", "ms", "columns/s", "bytes ms", "limit %");
    let counts = if bench.curve { vec![1_000, 10_000, 100_000, 1_000_000, 10_000_000] } else { vec![bench.columns] };
    for count in counts {
        let columns = analytic::columns::<R>(count, bench.layers, bench.tracers);
        let ms = resident_ms(bench, &options, &columns, devices)?;
        let bound = traffic::<R>(bench, count) as f64 / (bandwidth * devices.len() as f64) * 1e3;
        let rate = count as f64 / ms * 1e3;
        println!("{count:9} {ms:12.4} {rate:12.0} {bound:12.4} {:7.1}", bound / ms * 100.0);
        if bench.transfers {
            let model = BoundaryLayer::<R>::new(devices);
            let (whole, copies) =
                (host_ms(&model, &options, &columns)?, host_ms(&model.transfers_only(), &options, &columns)?);
            println!(
                "from and to the host's memory: {whole:.2} ms; copies alone {copies:.2} ms, ratio {:.2}",
                whole / copies
            );
        }
    }
    Ok(())
}

/// Milliseconds of a batch that lies on the devices in equal parts.
fn resident_ms<R: Precision>(
    bench: &PblBench,
    options: &Options,
    columns: &Columns<R>,
    devices: &[Device],
) -> Result<f64, Failure> {
    slowest(devices, columns.columns(), |device, range, together| {
        let launches = (bench.launches * 100_000 / range.len()).clamp(1, bench.launches);
        let prepared = Queue::parallel(device).and_then(|queue| {
            let mut resident = Resident::new(&queue, columns, options, range.len())?;
            resident.load(&queue, columns, &range)?;
            resident.compute(&queue)?;
            queue.synchronize()?;
            Ok((queue, resident))
        });
        together.wait();
        let (queue, mut resident) = prepared?;
        let ((), time) = queue.time(|| (0..launches).try_for_each(|_| resident.compute(&queue)))?;
        Ok(time.as_secs_f64() / launches as f64 * 1e3)
    })
}

/// The median of seven runs after one, into the same results.
fn host_ms<R: Precision>(model: &BoundaryLayer<R>, options: &Options, columns: &Columns<R>) -> Result<f64, Failure> {
    let (mut times, mut results) = (Vec::new(), Outputs::default());
    for _ in 0..8 {
        let start = Instant::now();
        let refused = model.run_valid_into(columns, options, &mut results, &|_| {});
        refused.map_err(|error| Failure(error.to_string()))?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let mut times = times.split_off(1);
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

/// Bytes that a launch reads and writes at least: nine fields and the pressure of interfaces in, six tendencies and two
/// diffusivities out.
fn traffic<R>(bench: &PblBench, columns: usize) -> usize {
    let inputs = 9 * bench.layers + bench.layers + 1 + 14;
    let outputs = 8 * bench.layers + 9;
    let options = usize::from(bench.top_down) * bench.layers + usize::from(bench.topographic) * 2;
    let tracers = 2 * bench.tracers * bench.layers;
    columns * ((inputs + outputs + options + tracers) * size_of::<R>() + 2 * size_of::<u32>())
}
