//! `isobar bench longwave`: longwave radiation.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clap::Args;
use isobar_launch::{Device, Queue};
use isobar_longwave::launch::{DeviceTables, Longwave, Precision, Resident};
use isobar_longwave::{Columns, KDistribution, Options, Outputs, TableData, analytic, rrtmg};

use super::slowest;
use crate::commands::{DeviceOptions, Failure, PrecisionOption};

/// The options of `isobar bench longwave`.
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

pub(super) fn run(options: &LongwaveBench) -> Result<(), Failure> {
    options.device.with_threads(|devices| match options.device.precision {
        PrecisionOption::F32 => all::<f32>(options, devices),
        PrecisionOption::F64 => all::<f64>(options, devices),
    })
}

fn all<R: Precision>(bench: &LongwaveBench, devices: &[Device]) -> Result<(), Failure> {
    let tables = Arc::new(TableData::<R>::new(&coefficients(bench)?));
    let options = Options::default();
    let names = devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let sky = if bench.cloudy { "sub-columns" } else { "clear" };
    println!("{names}, {}, {} layers, {sky}", R::NAME, bench.layers);
    println!("{:>9} {:>12} {:>12} {:>15}", "columns", "ms", "columns/s", "device B/column");
    let counts = if bench.curve { vec![100, 1_000, 10_000, 100_000, 1_000_000] } else { vec![bench.columns] };
    for count in counts {
        let columns = analytic::columns::<R>(count, bench.layers, bench.cloudy);
        let (ms, bytes) = resident(bench, &options, &tables, &columns, devices)?;
        println!("{count:9} {ms:12.4} {:12.0} {:15}", count as f64 / ms * 1e3, bytes / count);
        if bench.transfers {
            let model = Longwave::<R>::new(devices, tables.clone());
            let (whole, copies) =
                (host_ms(&model, &options, &columns)?, host_ms(&model.transfers_only(), &options, &columns)?);
            println!(
                "from and to the host's memory: {whole:.2} ms, {:.0} columns/s, {:.1} % of resident; copies alone \
                 {copies:.2} ms",
                count as f64 / whole * 1e3,
                100.0 * ms / whole
            );
        }
    }
    Ok(())
}

/// Coefficients from a file, whichever of the two formats it has.
fn coefficients(bench: &LongwaveBench) -> Result<KDistribution, Failure> {
    let Some(path) = &bench.kdist else { return Ok(analytic::k_distribution()) };
    let read = KDistribution::read(path, &rrtmg::BANDS);
    read.or_else(|_| KDistribution::from_rrtmg_file(path)).map_err(|error| Failure(error.to_string()))
}

/// Milliseconds of a batch that lies on the devices in equal parts, and the bytes that it takes there.
fn resident<R: Precision>(
    bench: &LongwaveBench,
    options: &Options,
    tables: &TableData<R>,
    columns: &Columns<R>,
    devices: &[Device],
) -> Result<(f64, usize), Failure> {
    let fail = |error: isobar_longwave::Error| Failure(error.to_string());
    let size = (tables.bands.len(), tables.points);
    columns.validate_sizes(size, options).map_err(fail)?;
    let words = columns.words(size, options).map_err(fail)?;
    let bytes = AtomicUsize::new(0);
    let ms = slowest(devices, columns.columns(), |device, range, together| {
        let prepared = Queue::parallel(device).and_then(|queue| {
            let tables = Arc::new(DeviceTables::new(&queue, tables)?);
            let mut resident = Resident::new(&queue, &tables, (columns, &words), options, range.len())?;
            resident.load(&queue, (columns, &words), &range)?;
            resident.compute(&queue)?;
            queue.synchronize()?;
            Ok((queue, resident))
        });
        together.wait();
        let (queue, mut resident) = prepared?;
        bytes.fetch_add(resident.device_bytes(), Ordering::Relaxed);
        let launches = bench.launches.max(1);
        let ((), time) = queue.time(|| (0..launches).try_for_each(|_| resident.compute(&queue)))?;
        Ok(time.as_secs_f64() / launches as f64 * 1e3)
    })?;
    Ok((ms, bytes.into_inner()))
}

/// The median of five runs after one, into the same results.
fn host_ms<R: Precision>(model: &Longwave<R>, options: &Options, columns: &Columns<R>) -> Result<f64, Failure> {
    let (mut times, mut results) = (Vec::new(), Outputs::default());
    for _ in 0..6 {
        let start = Instant::now();
        model.run_into(columns, options, &mut results, &|_| {})?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let mut times = times.split_off(1);
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
