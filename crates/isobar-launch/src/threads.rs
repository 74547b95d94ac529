//! The number of CPU threads.

use crate::Error;

/// A core holds the numbers of 32 lanes in arrays; without optimisation each has its own place on the stack.
const STACK_BYTES: usize = 16 << 20;

/// Runs `work` with `threads` CPU threads: every parallel loop inside uses them and no others.
///
/// The results do not depend on the number.
///
/// # Errors
/// [`Error::Threads`] if the system does not start them.
pub fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> Result<R, Error> {
    rayon::ThreadPoolBuilder::new()
        .stack_size(STACK_BYTES)
        .num_threads(threads)
        .build()
        .map(|pool| pool.install(work))
        .map_err(|error| Error::Threads { threads, why: error.to_string() })
}
