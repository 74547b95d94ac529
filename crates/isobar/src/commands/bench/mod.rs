//! `isobar bench`: how fast, and how far from the machine's limit.

mod adding;
mod chem;
mod ega;
mod longwave;
mod npy;
mod pbl;
mod scattering;

use clap::Subcommand;

use super::{Failure, copy_bandwidth};

/// What is measured.
#[derive(Subcommand, Debug)]
pub(crate) enum Bench {
    /// Emissivity growth: a scan of 32 channels and 13 gases
    Ega(ega::EgaBench),
    /// Adding of clear-sky layers: the six shapes of the published benchmark, or any other
    Adding(adding::AddingBench),
    /// Adding of layers that scatter
    Scattering(scattering::ScatteringBench),
    /// Boundary-layer diffusion
    Pbl(pbl::PblBench),
    /// Longwave radiation
    Longwave(longwave::LongwaveBench),
    /// Chemical kinetics
    Chem(chem::ChemBench),
}

pub(crate) fn run(bench: &Bench) -> Result<(), Failure> {
    match bench {
        Bench::Ega(options) => ega::run(options),
        Bench::Adding(options) => adding::run(options),
        Bench::Scattering(options) => scattering::run(options),
        Bench::Pbl(options) => pbl::run(options),
        Bench::Longwave(options) => longwave::run(options),
        Bench::Chem(options) => chem::run(options),
    }
}

/// The values of a copy that measures a device.
const COPIED: usize = 1 << 26;
