//! Every kernel gives the same bits on the CPU, whatever the threads, and on every GPU, in f32 and f64.

mod adding;
mod azimuth;
mod scattering;

use isobar_adding::RunError;
use isobar_launch::Error;

/// The radiances of a batch that is valid.
fn radiances<T: std::fmt::Debug>(results: Result<T, RunError>) -> Result<T, Error> {
    match results {
        Err(RunError::Device(source) | RunError::Interrupted { source, .. }) => Err(source),
        others => Ok(others.expect("the batch is valid")),
    }
}
