//! `isobar-bench spectra`: absorption spectra line by line, lines times points a second.

use std::time::Instant;

use clap::Args;
use isobar::launch::{Device, Queue};
use isobar::spectra::launch::Precision;
use isobar::spectra::lists::made_up_gas;
use isobar::spectra::{Absorber, Air, Gas, Grid, Method, Options};
use serde_json::json;

use crate::measure::waiting;
use crate::report::{Report, say};
use isobar::inputs::line_lists::SourceOptions;
use isobar::inputs::spectral::range;
use isobar::program::failure::Failure;
use isobar::program::options::{DeviceOptions, PrecisionOption};

/// The options of `isobar-bench spectra`.
#[derive(Args, Debug)]
#[command(mut_arg("method", |method| method.hide(true)))]
pub(crate) struct SpectraBench {
    #[command(flatten)]
    sources: SourceOptions,
    /// Made-up lines, without --lines; water vapour has 7,535 from 3400 to 4100 cm^-1
    #[arg(long, default_value_t = 7535)]
    count: usize,
    /// First and last wavenumber [cm^-1]
    #[arg(long, value_name = "FROM:TO", default_value = "3400:4100")]
    range: String,
    /// From one wavenumber to the next [cm^-1]
    #[arg(long, default_value_t = 0.001)]
    step: f64,
    /// The part in the middle that is computed exactly [cm^-1]; without it all on a GPU, 20 on a CPU
    #[arg(long)]
    exact: Option<f64>,
    /// Pressures, hPa
    #[arg(long, value_delimiter = ',', default_value = "1000,10")]
    pressures: Vec<f64>,
    /// Temperature, K
    #[arg(long, default_value_t = 296.0)]
    temperature: f64,
    /// Launches that are timed together
    #[arg(long, default_value_t = 10)]
    launches: usize,
    #[command(flatten)]
    device: DeviceOptions,
}

pub(crate) fn run(options: &SpectraBench, report: &Report) -> Result<(), Failure> {
    options.device.with_threads(|devices| match options.device.precision {
        PrecisionOption::F32 => all::<f32>(options, report, devices[0]),
        PrecisionOption::F64 => all::<f64>(options, report, devices[0]),
    })
}

fn all<R: Precision>(bench: &SpectraBench, report: &Report, device: Device) -> Result<(), Failure> {
    let (low, high) = range("--range", &bench.range)?;
    let gases: Vec<Gas> = if bench.sources.has_lists() {
        bench.sources.read(None, (low, high))?.into_iter().filter_map(|source| source.lines).collect()
    } else {
        vec![made_up_gas("made up", bench.count, (low, high))?]
    };
    let exact = bench.exact.unwrap_or(if device.is_cpu() { 20.0 } else { high - low });
    let half = 0.5 * exact.min(high - low);
    if half <= 0.0 {
        return Err(Failure::usage(format!("--exact {exact} lies outside (0, inf)")));
    }
    let middle = 0.5 * (low + high);
    say!(report, "{device}, {}, step {} cm^-1", R::NAME, bench.step);
    say!(
        report,
        "{:>10} {:>6} {:>9} {:>10} {:>9} {:>12} {:>12} {:>14}",
        "gas",
        "",
        "hPa",
        "lines",
        "points",
        "line-points",
        "ms",
        "line-points/s"
    );
    for gas in &gases {
        for (name, method, first, last) in
            [("exact", Method::Exact, middle - half, middle + half), ("tree", Method::Tree, low, high)]
        {
            let grid = Grid::regular(first, last, bench.step)?;
            let options = Options { method, ..bench.sources.options_of(gas.name()) };
            let mut absorber = Absorber::<R>::new(Queue::parallel(device)?, gas, &grid, options)?;
            for &pressure_hpa in &bench.pressures {
                let air = Air { pressure_hpa, temperature_k: bench.temperature, mole_fraction: 0.0 };
                let seconds = time(&mut absorber, &air, bench.launches.max(1))?;
                let pairs = absorber.line_points();
                let work = json!({
                    "gas": gas.name(),
                    "pressure_hpa": pressure_hpa,
                    "lines": absorber.lines(),
                    "points": grid.wavenumbers_per_cm().len(),
                    "spectra_per_s": 1.0 / seconds,
                    "precision": R::NAME,
                    "device": device.to_string(),
                });
                report.figure(name, pairs / seconds, "line-points/s", work.clone());
                let launches = (0.2 / seconds).ceil() as usize;
                report.energy(&[device], (launches, "spectrum"), &work, || {
                    (0..launches).try_for_each(|_| absorber.enqueue(&air))?;
                    Ok(absorber.queue().synchronize()?)
                })?;
                say!(
                    report,
                    "{:>10} {name:>6} {pressure_hpa:9} {:10} {:9} {pairs:12.3e} {:12.4} {:14.3e}",
                    gas.name(),
                    absorber.lines(),
                    grid.wavenumbers_per_cm().len(),
                    seconds * 1e3,
                    pairs / seconds
                );
            }
        }
    }
    Ok(())
}

/// Seconds of a spectrum that stays on its device: the mean of some, after one.
fn time<R: Precision>(absorber: &mut Absorber<R>, air: &Air<f64>, launches: usize) -> Result<f64, Failure> {
    let _waiting = waiting();
    // It has the statuses checked, too.
    absorber.cross_sections(air)?;
    let start = Instant::now();
    for _ in 0..launches {
        absorber.enqueue(air)?;
    }
    absorber.queue().synchronize()?;
    Ok(start.elapsed().as_secs_f64() / launches as f64)
}
