//! Cells in the host's memory.

use isobar_core::fields::{Error, Extents, OwnedInputs, REACTION, SPECIES};
use isobar_core::{Real, Status};

use crate::fields::{CellViews, Cells, Integrated, RATE_INPUT};
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

impl<R: Real> Integrated<R> {
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
