//! All rate constants of all cells, once.

use isobar_core::kernel::WARP;
use isobar_core::{Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::block::{Block, Numbers};
use crate::outcome;
use crate::program::Program;

/// The kernel: rate constants of cells at a time.
///
/// An item is `cells_per_item` neighbouring cells, 32 at a time. It fails with `NOT_FINITE` where a rate constant is
/// not a finite number.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RateConstants<'a, R> {
    /// The program.
    pub program: Program<'a>,
    /// Its inputs, `(input, cell)`.
    pub inputs: Field<'a, R>,
    /// Concentrations, `(species, cell)`.
    pub concentrations: Field<'a, R>,
    /// The time \[s\].
    pub time: f64,
    /// The rate constants, `(reaction, cell)`.
    pub rate_constants: FieldMut<'a, R>,
    /// The cells that an item computes.
    pub cells_per_item: usize,
    /// Room for [`RateConstants::scratch_per_item`] numbers an item, aligned to 64 bytes.
    pub scratch: FieldMut<'a, R>,
}

// SAFETY: an item writes the rate constants of its cells, and its part of the scratch.
unsafe impl<R: Real> Kernel for RateConstants<'_, R> {
    const NAME: &'static str = "rate_constants";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.cells().div_ceil(self.cells_per_item)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let first = index * self.cells_per_item;
        let end = (first + self.cells_per_item).min(self.cells());
        let start = self.scratch.as_ptr().wrapping_add(index * self.scratch_per_item());
        let (species, reactions) = (self.concentrations.levels(), self.rate_constants.levels());
        let mut finite = 0.0;
        // SAFETY: this is the item's part of the scratch, with room for all of it; cells are within the views.
        unsafe {
            let state = Block::<R, W>::new(start, lanes.first());
            let constants = state.from(species);
            let registers = constants.from(reactions);
            let mut next = first;
            while next < end {
                let mut cells = [0; W];
                for lane in 0..W {
                    // Lanes beyond the last cell do its work once more.
                    cells[lane] = (next + lanes.first() + lane).min(end - 1);
                }
                for i in 0..species {
                    let mut values = [R::ZERO; W];
                    for lane in 0..W {
                        values[lane] = self.concentrations.get(i, cells[lane]);
                    }
                    state.set(i, values);
                }
                self.program.run([self.time; W], cells, &self.inputs, state, registers, constants);
                for i in 0..reactions {
                    let values = constants.get(i);
                    for lane in 0..W {
                        finite += 0.0 * values[lane].value();
                        if next + lanes.first() + lane < end {
                            self.rate_constants.put(i, cells[lane], values[lane]);
                        }
                    }
                }
                next += WARP.max(W);
            }
        }
        if finite == 0.0 { Status::OK } else { outcome::NOT_FINITE }
    }
}

impl<R: Real> RateConstants<'_, R> {
    /// The number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.rate_constants.items()
    }

    /// The numbers of scratch that an item needs.
    #[must_use]
    pub fn scratch_per_item(&self) -> usize {
        (self.concentrations.levels() + self.rate_constants.levels() + self.program.registers as usize) * WARP
    }
}
