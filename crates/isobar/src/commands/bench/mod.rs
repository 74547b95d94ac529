//! `isobar bench`: how fast, and how far from the machine's limit.

mod adding;
mod chem;
mod draw;
mod ega;
mod longwave;
mod machine;
mod npy;
mod pbl;
mod radiation;
mod report;
mod retrieval;
mod scattering;
mod spectra;

use std::time::Instant;

use clap::{Args, Subcommand};
use isobar_launch::{Device, Model, Resident, Scheme};

use report::{Report, names, say};
use serde_json::Value;

use super::memory::need_for;
use super::progress::{Waiting, patiently};
use super::{Failure, copy_bandwidth};

/// The options of `isobar bench`.
#[derive(Args, Debug)]
pub(crate) struct BenchOptions {
    #[command(subcommand)]
    what: Bench,
    /// Print what was measured as JSON, and nothing else, on standard output
    #[arg(long, global = true)]
    json: bool,
}

/// What is measured.
#[derive(Subcommand, Debug)]
enum Bench {
    /// Emissivity growth: a scan of 32 channels and 13 gases
    Ega(ega::EgaBench),
    /// Adding of clear-sky layers: the six shapes of the published benchmark, or any other
    Adding(adding::AddingBench),
    /// Adding of layers that scatter
    Scattering(scattering::ScatteringBench),
    /// Jacobians and retrievals of many atmospheres
    Retrieval(retrieval::RetrievalBench),
    /// Boundary-layer diffusion
    Pbl(pbl::PblBench),
    /// Longwave radiation
    Longwave(longwave::LongwaveBench),
    /// Long-wave and short-wave radiation
    Radiation(radiation::RadiationBench),
    /// Chemical kinetics
    Chem(chem::ChemBench),
    /// Absorption spectra line by line
    Spectra(Box<spectra::SpectraBench>),
    /// The machine: a copy in memory, and elementary functions
    Machine(machine::MachineBench),
    /// Draw a chart of measurements
    Draw(draw::Draw),
}

pub(crate) fn run(options: &BenchOptions) -> Result<(), Failure> {
    let report = Report::new(options.json);
    match &options.what {
        Bench::Ega(options) => ega::run(options, &report),
        Bench::Adding(options) => adding::run(options, &report),
        Bench::Scattering(options) => scattering::run(options, &report),
        Bench::Retrieval(options) => retrieval::run(options, &report),
        Bench::Pbl(options) => pbl::run(options, &report),
        Bench::Longwave(options) => longwave::run(options, &report),
        Bench::Radiation(options) => radiation::run(options, &report),
        Bench::Chem(options) => chem::run(options, &report),
        Bench::Spectra(options) => spectra::run(options, &report),
        Bench::Machine(options) => machine::run(options, &report),
        Bench::Draw(options) => return draw::run(options),
    }?;
    report.finish();
    Ok(())
}

/// Refuses items that take more of the host's memory than there is, by the numbers that each of them has as inputs, as
/// results, and between the two: they are the caller's, on their way to the device and back, and there, which may be
/// the host.
fn need_memory<R>(
    device: Device,
    items: usize,
    name: &str,
    [inputs, results, between]: [usize; 3],
) -> Result<(), Failure> {
    let (inputs, results) = (inputs.saturating_mul(if device.is_cpu() { 3 } else { 2 }), results.saturating_mul(2));
    let between = if device.is_cpu() { between } else { 0 };
    let numbers = inputs.saturating_add(results).saturating_add(between);
    need_for(false, items, name, numbers.saturating_mul(size_of::<R>()) as u64)
}

/// What is measured, made.
fn made<T>(make: impl FnOnce() -> T) -> T {
    patiently(false, "making what is measured", make)
}

/// A sign of life while something is made or measured.
fn waiting() -> Waiting {
    Waiting::new(false, "measuring")
}

/// The memory of an emissivity table while it is made: 41 pressures, 29 temperatures and some 190 column densities.
const TABLE_BYTES: u64 = 41 * 29 * 190 * 32;

/// The values of a copy that measures a device.
const COPIED: usize = 1 << 26;

/// Milliseconds in which devices compute a batch that lies on them, once all are busy: the mean of some launches.
fn resident_ms<S: Scheme>(
    resident: &mut Resident<'_, S>,
    options: &S::Options,
    launches: usize,
) -> Result<f64, Failure> {
    let _waiting = waiting();
    resident.compute(options)?;
    resident.synchronize()?;
    let start = Instant::now();
    (0..launches).try_for_each(|_| resident.compute(options))?;
    resident.synchronize()?;
    Ok(start.elapsed().as_secs_f64() / launches as f64 * 1e3)
}

/// Milliseconds of a batch from and to the host's memory: the median of seven runs after one, into the same results.
fn host_ms<S: Scheme>(model: &Model<S>, inputs: S::Inputs<'_>, options: &S::Options) -> Result<f64, Failure> {
    let _waiting = waiting();
    let (mut times, mut results) = (Vec::new(), S::Results::default());
    for _ in 0..8 {
        let start = Instant::now();
        model.run_into(inputs, options, &mut results)?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let mut times = times.split_off(1);
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

/// The head of the lines that [`measure`] prints.
const MEASURED: &str = "  columns           ms    columns/s device B/column";

/// Prints a line of how long a batch of `work` takes that lies on the devices, and with `transfers` one of how long it
/// takes from and to the host's memory.
fn measure<S: Scheme>(
    (report, mut work): (&Report, Value),
    model: Model<S>,
    inputs: S::Inputs<'_>,
    options: &S::Options,
    (count, launches, transfers): (usize, usize, bool),
) -> Result<(), Failure> {
    let mut resident = model.resident(inputs, options)?;
    let ms = resident_ms(&mut resident, options, launches.max(1))?;
    say!(report, "{count:9} {ms:12.4} {:12.0} {:15}", count as f64 / ms * 1e3, resident.device_bytes() / count);
    drop(resident);
    work["columns"] = count.into();
    report.figure("resident", count as f64 / ms * 1e3, "columns/s", work.clone());
    if transfers {
        let (whole, copies) = (host_ms(&model, inputs, options)?, host_ms(&model.transfers_only(), inputs, options)?);
        say!(
            report,
            "from and to the host's memory: {whole:.2} ms, {:.0} columns/s, {:.1} % of resident; copies alone \
             {copies:.2} ms",
            count as f64 / whole * 1e3,
            100.0 * ms / whole
        );
        report.figure("host to host", count as f64 / whole * 1e3, "columns/s", work);
    }
    Ok(())
}
