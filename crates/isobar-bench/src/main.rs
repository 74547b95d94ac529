//! `isobar-bench`: how fast, and how far from the machine's limit.

mod adding;
mod azimuth;
mod chem;
mod draw;
mod ega;
mod energy;
mod examples;
mod infrared;
mod longwave;
mod machine;
mod measure;
mod model_file;
mod npy;
mod pbl;
mod power_cap;
mod radiation;
mod random;
mod report;
mod retrieval;
mod scattering;
mod spectra;
mod surface;
mod synthetic;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use isobar::program;
use isobar::program::examples::with_examples;
use isobar::program::failure::Failure;

use examples::EXAMPLES;
use report::Report;

/// How fast, and how far from the machine's limit
#[derive(Parser, Debug)]
#[command(name = "isobar-bench", version)]
struct Bench {
    #[command(subcommand)]
    what: What,
    /// Print what was measured as JSON, and nothing else, on standard output
    #[arg(long, global = true)]
    json: bool,
    /// Repeat what is timed for ten seconds, and say what energy it takes: by NVIDIA's counters of GPUs, and by Linux's
    /// of processors where they may be read
    #[arg(long, global = true)]
    energy: bool,
}

/// What is measured.
#[derive(Subcommand, Debug)]
enum What {
    /// Emissivity growth: a scan of 32 channels and 13 gases
    Ega(ega::EgaBench),
    /// Adding of clear-sky layers: the six shapes of the published benchmark, or any other
    Adding(adding::AddingBench),
    /// Layers that scatter, seen from any direction
    Azimuth(azimuth::AzimuthBench),
    /// Adding of layers that scatter
    Scattering(scattering::ScatteringBench),
    /// Jacobians and retrievals of many atmospheres
    Retrieval(retrieval::RetrievalBench),
    /// Boundary-layer diffusion
    Pbl(pbl::PblBench),
    /// Surface layers
    Surface(surface::SurfaceBench),
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
    /// Write a file of made-up columns as a climate model writes it, of any size
    ModelFile(model_file::ModelFile),
    /// Draw a chart of measurements
    Draw(draw::Draw),
}

fn main() -> ExitCode {
    program::run(std::env::args_os(), command(), |bench: Bench| run(&bench)).into()
}

/// The command line, with an example of each command.
fn command() -> clap::Command {
    with_examples(Bench::command(), EXAMPLES)
}

fn run(bench: &Bench) -> Result<(), Failure> {
    let report = Report::new(bench.json, bench.energy);
    if bench.energy && matches!(bench.what, What::Machine(_) | What::ModelFile(_) | What::Draw(_)) {
        return Err(Failure::usage("--energy is of work that is timed: machine, model-file and draw have none"));
    }
    match &bench.what {
        What::Ega(options) => ega::run(options, &report),
        What::Adding(options) => adding::run(options, &report),
        What::Azimuth(options) => azimuth::run(options, &report),
        What::Scattering(options) => scattering::run(options, &report),
        What::Retrieval(options) => retrieval::run(options, &report),
        What::Pbl(options) => pbl::run(options, &report),
        What::Surface(options) => surface::run(options, &report),
        What::Longwave(options) => longwave::run(options, &report),
        What::Radiation(options) => radiation::run(options, &report),
        What::Chem(options) => chem::run(options, &report),
        What::Spectra(options) => spectra::run(options, &report),
        What::Machine(options) => machine::run(options, &report),
        What::ModelFile(options) => return model_file::run(options),
        What::Draw(options) => return draw::run(options),
    }?;
    report.finish();
    Ok(())
}
