//! Cells in the host's memory.

use isobar_core::fields::{Error, Extents, OwnedInputs, REACTION, SPECIES};
use isobar_core::{Real, Status};

use crate::fields::{CellViews, Cells, Integrated, RATE_INPUT};
use crate::host::options::Options;
use crate::physics::outcome;

/// As many cells as there are first steps.
impl<'a, R: Real> TryFrom<&'a Cells<R>> for CellViews<'a, R> {
    type Error = Error;

    fn try_from(cells: &'a Cells<R>) -> Result<Self, Error> {
        let count = cells.first_step_s.len();
        if count == 0 {
            return Err(Error::Setup("a batch needs at least one cell, and a first step for each".to_owned()));
        }
        // Where something is missing, it is missing in the last row.
        let rows = |values: &[R]| values.len().div_ceil(count);
        let extents = Extents::new(count)
            .with(SPECIES, rows(&cells.concentration))
            .with(REACTION, rows(&cells.rate_constant))
            .with(RATE_INPUT, rows(&cells.rate_input));
        cells.views(&extents, "cell")
    }
}

impl<R: Real> Cells<R> {
    /// What an interval ended with is what the next one starts from: concentrations and first steps.
    pub fn advance(&mut self, done: &Integrated<R>) {
        self.concentration.clone_from(&done.concentration);
        self.first_step_s.clone_from(&done.first_step_s);
    }
}

/// A concentration below minus its absolute tolerance: more than what integration may leave of nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BelowTolerance {
    /// The species.
    pub species: usize,
    /// The cell.
    pub cell: usize,
    /// Its concentration, in the unit of the concentrations.
    pub value: f64,
    /// Its concentration in units of the absolute tolerance, below -1.
    pub in_tolerances: f64,
}

impl<R: Real> Integrated<R> {
    /// How many concentrations of cells that did not fail are below minus their absolute tolerance, and the lowest in
    /// units of it; none where none is. `options` are those of the run.
    #[must_use]
    pub fn below_tolerance(&self, options: &Options) -> Option<(u64, BelowTolerance)> {
        let (cells, given) = (self.status.len(), &options.absolute_tolerance);
        let (mut count, mut worst): (u64, Option<BelowTolerance>) = (0, None);
        for (species, row) in self.concentration.chunks(cells.max(1)).enumerate() {
            // One tolerance for all, or one each; fixed species, which do not change, have none.
            let Some(tolerance) = (if given.len() == 1 { given.first() } else { given.get(species) }) else { break };
            for (cell, value) in row.iter().enumerate() {
                let value = value.value();
                if value >= -tolerance || self.status[cell] != Status::OK.0 {
                    continue;
                }
                count += 1;
                let in_tolerances = value / tolerance;
                if worst.is_none_or(|worst| in_tolerances < worst.in_tolerances) {
                    worst = Some(BelowTolerance { species, cell, value, in_tolerances });
                }
            }
        }
        Some((count, worst?))
    }

    /// The cells that failed, with their status.
    pub fn failures(&self) -> impl Iterator<Item = (usize, Status)> + '_ {
        let all = self.status.iter().enumerate();
        all.filter(|&(_, &status)| status != Status::OK.0).map(|(cell, &status)| (cell, Status(status)))
    }

    /// What became of a cell, in words: status, step and time.
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn describe(&self, cell: usize) -> String {
        let status = Status(self.status[cell]);
        let (steps, time) = (self.counters[2 * self.status.len() + cell], self.time_reached_s[cell].value());
        let (words, code) = (outcome::describe(status), outcome::kpp_code(status));
        format!("cell {cell}: {words} (KPP's code {code}) at step {steps}, time {time} s")
    }
}
