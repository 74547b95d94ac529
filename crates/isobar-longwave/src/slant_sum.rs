//! The kernel that adds what one of several slants gives to a result. A lane has a column.

use isobar_core::{Field, FieldMut, Kernel, Lanes, Real, Status, Team};

/// One result of one column: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct AddSlant<'a, R> {
    /// What the slant gives.
    pub values: Field<'a, R>,
    /// The result, of as many levels.
    pub sums: FieldMut<'a, R>,
    /// The slant's weight.
    pub weight: R,
    /// Not 0 for the first slant, which finds nothing to add to.
    pub first: u32,
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real> Kernel for AddSlant<'_, R> {
    const NAME: &'static str = "longwave_add_slant";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;

    fn items(&self) -> usize {
        self.values.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _: Lanes<W>) -> Status {
        for level in 0..self.values.levels() {
            let part = self.weight * self.values.at(level, column);
            let sum = if self.first != 0 { part } else { self.sums.at(level, column) + part };
            self.sums.set(level, column, sum);
        }
        Status::OK
    }
}
