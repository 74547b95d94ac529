//! `isobar bench`: how fast, and how far from the machine's limit.

mod adding;
mod chem;
mod ega;
mod longwave;
mod npy;
mod pbl;
mod retrieval;
mod scattering;

use std::time::Instant;

use clap::Subcommand;
use isobar_core::selftest::CopyValues;
use isobar_launch::{Device, Queue};
use rayon::prelude::*;

use super::Failure;

/// What is measured.
#[derive(Subcommand, Debug)]
pub(crate) enum Bench {
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
    /// Chemical kinetics
    Chem(chem::ChemBench),
}

pub(crate) fn run(bench: &Bench) -> Result<(), Failure> {
    match bench {
        Bench::Ega(options) => ega::run(options),
        Bench::Adding(options) => adding::run(options),
        Bench::Scattering(options) => scattering::run(options),
        Bench::Retrieval(options) => retrieval::run(options),
        Bench::Pbl(options) => pbl::run(options),
        Bench::Longwave(options) => longwave::run(options),
        Bench::Chem(options) => chem::run(options),
    }
}

/// The bytes a second, read and written, of a plain copy of 1 GiB: the best of five.
fn copy_bandwidth(device: Device) -> Result<f64, Failure> {
    const VALUES: usize = 1 << 26;
    let mut best = f64::INFINITY;
    if device == Device::Cpu {
        let from = vec![1.0_f64; VALUES];
        let mut to = vec![0.0_f64; VALUES];
        for _ in 0..5 {
            let start = Instant::now();
            to.par_chunks_mut(1 << 16).zip(from.par_chunks(1 << 16)).for_each(|(to, from)| to.copy_from_slice(from));
            best = best.min(start.elapsed().as_secs_f64());
        }
    } else {
        let queue = Queue::new(device)?;
        let from = queue.zeros::<f64>(VALUES)?;
        let mut to = queue.zeros::<f64>(VALUES)?;
        let mut statuses = queue.zeros(VALUES)?;
        for _ in 0..5 {
            let kernel = CopyValues { from: from.column(), to: to.item_fastest_mut(1, VALUES) };
            let ((), time) = queue.time(|| queue.launch(&kernel, &mut statuses))?;
            best = best.min(time.as_secs_f64());
        }
    }
    // The kernel also writes a status of 4 bytes a value.
    let statuses = if device == Device::Cpu { 0 } else { 4 };
    Ok((VALUES * (2 * size_of::<f64>() + statuses)) as f64 / best)
}
