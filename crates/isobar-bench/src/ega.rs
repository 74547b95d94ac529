//! `isobar-bench ega`: emissivity growth.

use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use isobar::core::Real;
use isobar::core::kernel::WARP;
use isobar::ega::jacobian::{Elements, Geometry};
use isobar::ega::launch::{Infrared, Precision, Radiances};
use isobar::ega::tables::Cell;
use isobar::ega::{Interpolation, TableData};
use isobar::launch::Device;
use isobar::raytrace::{Atmosphere, Ray};
use serde_json::json;

use crate::infrared::{self, BenchCase};
use crate::measure::{TABLE_BYTES, copy_bandwidth, made, need_memory, waiting};
use crate::report::{Report, names, say};
use isobar::program::failure::Failure;
use isobar::program::memory::need_for;
use isobar::program::options::{DeviceOptions, PrecisionOption};

/// The options of `isobar-bench ega`.
#[derive(Args, Debug)]
pub(crate) struct EgaBench {
    /// Rays
    #[arg(long, default_value_t = 660)]
    rays: usize,
    /// Gases, 1 to 13
    #[arg(long, default_value_t = 13, value_parser = gases)]
    gases: usize,
    /// Channels
    #[arg(long, default_value_t = 32)]
    channels: usize,
    /// Runs, of which the median counts
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Nadir rays instead of limb rays
    #[arg(long)]
    nadir: bool,
    /// Limb, nadir and slant rays from random places instead of scans
    #[arg(long, conflicts_with_all = ["nadir", "scaling"])]
    random: bool,
    /// Also show how the time grows with rays, gases and channels
    #[arg(long)]
    scaling: bool,
    /// Compare this many random rays bit for bit with one thread of the CPU
    #[arg(long, value_name = "RAYS")]
    compare: Option<usize>,
    /// Also the derivatives of a weighted sum of each ray's radiances by the whole state, in double precision
    #[arg(long)]
    gradient: bool,
    /// Interpolate tables in logarithms, as JURASSIC does since 2026
    #[arg(long)]
    log: bool,
    #[command(flatten)]
    device: DeviceOptions,
}

/// The case has 13 gases.
fn gases(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=13).contains(number));
    number.ok_or_else(|| "expected 1 to 13".into())
}

impl EgaBench {
    fn interpolation(&self) -> Interpolation {
        if self.log { Interpolation::Logarithmic } else { Interpolation::Linear }
    }
}

pub(crate) fn run(options: &EgaBench, report: &Report) -> Result<(), Failure> {
    options.device.with_threads(|devices| match options.device.precision {
        PrecisionOption::F32 => ega::<f32>(options, report, devices),
        PrecisionOption::F64 => ega::<f64>(options, report, devices),
    })
}

fn ega<R: Precision>(options: &EgaBench, report: &Report, devices: &[Device]) -> Result<(), Failure> {
    // A ray has what is seen in each channel.
    need_for(false, options.gases.saturating_mul(options.channels), "tables", TABLE_BYTES)?;
    let of_channels = options.channels.saturating_mul(4).saturating_add(20);
    need_memory::<f64>(devices[0], options.rays, "rays", [10, of_channels, of_channels])?;
    let mut case = made(|| infrared::case(options.gases, options.channels));
    case.setup.interpolation = options.interpolation();
    let tables = Arc::new(TableData::packed(&case.tables, options.channels, false, case.setup.interpolation)?);
    let parts = tables.parts();
    say!(
        report,
        "tables: {} gases x {} channels, {} curves, {:.1} MB, {:.2} bytes a node",
        options.gases,
        options.channels,
        parts.curves.len(),
        parts.bytes() as f64 / 1e6,
        // Two infinities stand around a curve.
        parts.bytes() as f64 / (parts.emissivity.len() - 2 * parts.curves.len()).max(1) as f64
    );
    if let Some(rays) = options.compare {
        compare::<R>(report, &case, &tables, devices, rays)?;
    }
    let rays =
        if options.random { infrared::random_rays(options.rays) } else { infrared::scan(options.nadir, options.rays) };
    let (seconds, points) = measure::<R>(&case, &tables, devices, &rays, options.runs)?;
    let work = json!({
        "rays": options.rays,
        "points": points,
        "gases": options.gases,
        "channels": options.channels,
        "logarithmic": options.log,
        "nadir": options.nadir,
        "random": options.random,
        "precision": R::NAME,
        "device": names(devices),
    });
    report.figure("host to host", options.rays as f64 / seconds, "rays/s", work.clone());
    let look_ups = points as f64 * (options.gases * options.channels) as f64;
    say!(
        report,
        "{} {} rays, {} points: {seconds:.4} s a run, {:.1} rays/s, {:.3e} look-ups/s",
        R::NAME,
        options.rays,
        points,
        options.rays as f64 / seconds,
        look_ups / seconds
    );
    let bytes = streamed_bytes::<R>(points as f64, options.gases as f64, options.channels as f64);
    let limit: f64 = devices.iter().map(|&device| copy_bandwidth(device)).sum::<Result<f64, Failure>>()?;
    say!(
        report,
        "{look_ups:.3e} look-ups, {:.2} GB streamed (paths, cells, absorptance; not the tables): {:.1} GB/s, {:.1} % \
         of the {:.0} GB/s of a copy",
        bytes / 1e9,
        bytes / seconds / 1e9,
        100.0 * bytes / seconds / limit,
        limit / 1e9
    );
    stages::<R>(report, &case, &tables, devices, &rays)?;
    let model = Infrared::<R>::new(&case.setup, tables.clone())?.on(devices);
    let mut result = Radiances::default();
    report
        .energy(devices, (rays.len(), "ray"), &work, || Ok(model.run_into(&case.atmosphere, &rays, &mut result)?))?;
    if options.gradient {
        gradient((options, report), &case, &tables, devices, &rays)?;
    }
    if options.scaling {
        scaling::<R>(options, report, devices)?;
    }
    Ok(())
}

/// The median time of the derivatives of weighted sums, a sum and an atmosphere a ray, beside that of radiances in the
/// same precision.
fn gradient(
    (options, report): (&EgaBench, &Report),
    case: &BenchCase,
    tables: &Arc<TableData>,
    devices: &[Device],
    rays: &[Ray],
) -> Result<(), Failure> {
    let (forward, _) = measure::<f64>(case, tables, devices, rays, options.runs)?;
    let waiting = waiting();
    let model = Infrared::<f64>::new(&case.setup, tables.clone())?.on(devices);
    let weights: Vec<f64> = (0..options.channels).map(|channel| Real::sin(channel as f64)).collect();
    let cases: Vec<(&Atmosphere, &[Ray])> = rays.chunks(1).map(|ray| (&case.atmosphere, ray)).collect();
    let lists: Vec<&[f64]> = cases.iter().map(|_| &weights[..]).collect();
    let elements = Elements::of(&case.atmosphere).count();
    let mut times = Vec::new();
    // The first run makes room.
    for _ in 0..options.runs.max(1) + 1 {
        let start = Instant::now();
        let found = model.pullback(&cases, &lists, Geometry::Moving, &|_| {})?;
        times.push(start.elapsed().as_secs_f64());
        drop(std::hint::black_box(found));
    }
    times.remove(0);
    times.sort_by(f64::total_cmp);
    let seconds = times[times.len() / 2];
    drop(waiting);
    let per_second = rays.len() as f64 / seconds;
    say!(
        report,
        "gradients by {elements} elements, f64: {seconds:.4} s, {per_second:.1} rays/s, {:.2} runs for radiances",
        seconds / forward
    );
    let work = json!({
        "rays": rays.len(),
        "gases": options.gases,
        "channels": options.channels,
        "elements": elements,
        "nadir": options.nadir,
        "device": names(devices),
    });
    report.figure("gradients", per_second, "rays/s", work);
    let timed = Infrared::<f64>::new(&case.setup, tables.clone())?.timed().on(devices);
    timed.pullback(&cases, &lists, Geometry::Moving, &|_| {})?;
    for (name, time) in timed.pullback(&cases, &lists, Geometry::Moving, &|_| {})?.stages {
        say!(report, "  {name:26} {:10.3} ms", time.as_secs_f64() * 1e3);
    }
    Ok(())
}

/// The median time of a run into memory that is there, and the points of all paths.
fn measure<R: Precision>(
    case: &BenchCase,
    tables: &Arc<TableData>,
    devices: &[Device],
    rays: &[Ray],
    runs: usize,
) -> Result<(f64, u64), Failure> {
    let _waiting = waiting();
    let model = Infrared::<R>::new(&case.setup, tables.clone())?.on(devices);
    let warm = model.run(&case.atmosphere, rays)?;
    if !warm.statuses.iter().any(|status| status.is_ok()) {
        warm.check()?;
    }
    let points = warm.points.iter().map(|&points| u64::from(points)).sum();
    let mut result = warm;
    let mut times = Vec::new();
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        model.run_into(&case.atmosphere, rays, &mut result)?;
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok((times[times.len() / 2], points))
}

/// The least that a run reads and writes a point whatever the tables hold: the absorptance of all gases is read and
/// written for every gas, cells and columns are read for every gas by each 32 channels, and all is written and read
/// once more by tracing and integrating.
fn streamed_bytes<R>(points: f64, gases: f64, channels: f64) -> f64 {
    let (real, double) = (size_of::<R>() as f64, size_of::<f64>() as f64);
    let blocks = (channels / WARP as f64).ceil();
    let grow = gases * (channels * 2.0 * real + blocks * (size_of::<Cell<R>>() as f64 + 2.0 * double));
    let trace = (6.0 + gases) * 2.0 * double + size_of::<Cell<R>>() as f64;
    let integrate = channels * 2.0 * real + blocks * 6.0 * double;
    points * (grow + trace + integrate)
}

/// The time of each kernel.
fn stages<R: Precision>(
    report: &Report,
    case: &BenchCase,
    tables: &Arc<TableData>,
    devices: &[Device],
    rays: &[Ray],
) -> Result<(), Failure> {
    let model = Infrared::<R>::new(&case.setup, tables.clone())?.timed().on(devices);
    let result = model.run(&case.atmosphere, rays)?;
    for (name, time) in &result.stages {
        say!(report, "  {name:16} {:10.3} ms", time.as_secs_f64() * 1e3);
    }
    Ok(())
}

/// Doubles rays, gases and channels in turn: the time should double.
fn scaling<R: Precision>(options: &EgaBench, report: &Report, devices: &[Device]) -> Result<(), Failure> {
    let row = |what: &str, count: usize, gases: usize, channels: usize, rays: usize| -> Result<(), Failure> {
        let mut case = infrared::case(gases, channels);
        case.setup.interpolation = options.interpolation();
        let tables = TableData::packed(&case.tables, channels, false, case.setup.interpolation)?.into();
        let (seconds, _) = measure::<R>(&case, &tables, devices, &infrared::scan(options.nadir, rays), options.runs)?;
        say!(report, "  {what:9} {count:6}  {seconds:10.5} s  {:.3e} s each", seconds / count as f64);
        Ok(())
    };
    for share in [8, 4, 2, 1] {
        // Whole scans, for low rays have longer paths.
        let rays = (options.rays / share / infrared::SCAN).max(1) * infrared::SCAN;
        row("rays", rays, options.gases, options.channels, rays)?;
    }
    for gases in [1, 3, 6, 13] {
        row("gases", gases, gases, options.channels, options.rays)?;
    }
    for channels in [32, 64, 96] {
        row("channels", channels, 3, channels, options.rays)?;
    }
    Ok(())
}

/// Random rays on the devices and on one thread of the CPU, in chunks of different sizes.
fn compare<R: Precision>(
    report: &Report,
    case: &BenchCase,
    tables: &Arc<TableData>,
    devices: &[Device],
    rays: usize,
) -> Result<(), Failure> {
    let rays = infrared::random_rays(rays);
    let on = |devices: &[Device], chunk: Option<usize>| -> Result<Radiances, Failure> {
        let model = Infrared::<R>::new(&case.setup, tables.clone())?.on(devices);
        let model = if let Some(chunk) = chunk { model.items_per_chunk(chunk) } else { model };
        let _waiting = waiting();
        Ok(model.run(&case.atmosphere, &rays)?)
    };
    let one = isobar::launch::with_threads(1, || on(&[Device::Cpu], None))??;
    for (what, other) in [
        ("all CPU threads, chunks of 7", on(&[Device::Cpu], Some(7))?),
        ("the device", on(devices, None)?),
        ("the device, chunks of 1000", on(devices, Some(1000))?),
    ] {
        let differing = |a: &[f64], b: &[f64]| a.iter().zip(b).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
        let tangents = one.tangent_points.iter().zip(&other.tangent_points).filter(|(a, b)| a != b).count();
        say!(
            report,
            "{} random rays, {}: one CPU thread against {what}: {} of {} radiances, {} transmittances, {} tangent \
             points differ",
            rays.len(),
            R::NAME,
            differing(&one.radiance, &other.radiance),
            one.radiance.len(),
            differing(&one.transmittance, &other.transmittance),
            tangents,
        );
    }
    let failed = one.statuses.iter().filter(|status| !status.is_ok()).count();
    say!(report, "  ({failed} of the rays cannot be traced, {} points in all)", one.points.iter().sum::<u32>());
    Ok(())
}
