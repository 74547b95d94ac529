//! Solves with the transposed matrix, from the factors of [`crate::physics::factor`].
//!
//! With `J - 1/(gamma h) = L U` the transposed system `(1/(gamma h) - J)^T x = b` is `-U^T L^T x = b`: forward through
//! the rows of U, then backward through those of L, each row giving its part to all others. L is kept with the other
//! sign and the diagonal of U negated and inverted, so that everything is added here, too.

use isobar_core::Real;

use crate::physics::index::Index;
use crate::physics::kinetics::Kinetics;
use crate::schedule::numbers::{Block, Numbers, fused};

impl<I: Index> Kinetics<'_, '_, I> {
    /// Solves `(1/(gamma h) - J)^T x = b` in place.
    #[inline(always)]
    pub(crate) fn solve_transposed<R: Real, const V: usize>(&self, factors: Block<R, V>, solution: Block<R, V>) {
        let column = |entry: usize| self.mechanism.part(|m| &m.columns).get(entry).place();
        let give = |entry: usize, value: [R; V]| {
            let (factor, to) = (factors.get(entry), column(entry));
            let mut sum = solution.get(to);
            fused!(sum, factor, value);
            solution.set(to, sum);
        };
        let mut place = 0;
        for row in 0..self.mechanism.sizes.rows() {
            let [left, right] = self.mechanism.part(|m| &m.rows).get(row);
            let diagonal = place + left.place();
            let (mut value, pivot) = (solution.get(row), factors.get(diagonal));
            for lane in 0..V {
                value[lane] *= pivot[lane];
            }
            solution.set(row, value);
            place = diagonal + 1 + right.place();
            for entry in diagonal + 1..place {
                give(entry, value);
            }
        }
        for row in (0..self.mechanism.sizes.rows()).rev() {
            let [left, right] = self.mechanism.part(|m| &m.rows).get(row);
            place -= left.place() + 1 + right.place();
            let value = solution.get(row);
            for entry in place..place + left.place() {
                give(entry, value);
            }
        }
    }
}
