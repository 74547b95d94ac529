//! The memory of a run.

use isobar_rosenbrock::COUNTERS;

use super::run::Work;
use crate::program::failure::Failure;
use crate::program::memory::{WRITTEN, need};

/// Refuses a run that takes more memory than there is: all results are kept until they are written.
pub(super) fn check(work: &Work<'_>, tell: bool) -> Result<(), Failure> {
    let (mechanism, clock, cells) = (work.mechanism, &work.clock, work.input.cells as u64);
    let species = mechanism.species().len() as u64;
    // Concentrations before and after, inputs and where they come from, rate constants, counters and statistics.
    let numbers = 3 * species
        + 3 * mechanism.inputs().len() as u64
        + 2 * mechanism.reactions().len() as u64
        + COUNTERS.len() as u64
        + 2 * work.budgets.counted.len() as u64
        + work.budgets.all.len() as u64
        + 8;
    let (of_cell, of_result) = (8 * numbers, 8 * WRITTEN * species);
    let bytes = clock.kept().saturating_mul(of_result).saturating_add(of_cell).saturating_mul(cells);
    let what = format!("{cells} cells and {} results of each", clock.kept());
    need(tell, &what, bytes, |fit| {
        let results = (fit / cells.max(1)).saturating_sub(of_cell) / of_result;
        if results < 2 {
            return format!("{} cells would fit, with two results", fit / (of_cell + 2 * of_result));
        }
        // The first is the start, and the last is the end, whatever the distance.
        let every = clock.intervals().div_ceil((results - 1).max(1));
        let hours = (results - 1) as f64 * clock.every as f64 * clock.interval_s / 3600.0;
        format!("{hours:.4} hours would fit, or --every {every}")
    })
}
