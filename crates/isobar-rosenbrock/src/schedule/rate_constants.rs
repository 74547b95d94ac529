//! All rate constants of all cells, once.

use isobar_core::kernel::WARP;
use isobar_core::{FieldMut, Lanes, Real, Status, Trusted};

use crate::fields::CellViews;
use crate::physics::outcome;
use crate::physics::program::{self, Program};
use crate::schedule::numbers::{Block, Numbers};

/// The kernel: rate constants of cells at a time.
///
/// An item is `cells_per_item` neighbouring cells, 32 at a time. It fails with `NOT_FINITE` where a rate constant is
/// not a finite number.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RateConstants<'a, R> {
    /// The program.
    pub program: Program<'a>,
    /// The cells: their concentrations and inputs are read.
    pub cells: CellViews<'a, R>,
    /// The time \[s\].
    pub time_s: f64,
    /// The rate constants, `(reaction, cell)`.
    pub rate_constant: FieldMut<'a, R>,
    /// The cells that an item computes.
    pub cells_per_item: usize,
    /// On a GPU [`RateConstants::scratch_per_item`] numbers an item, aligned to 64 bytes. A CPU's thread has memory of
    /// its own.
    pub scratch: FieldMut<'a, R>,
}

impl<R: Real> RateConstants<'_, R> {
    /// The number of cells.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rate_constant.items()
    }

    /// The numbers of scratch that an item needs.
    #[must_use]
    pub fn scratch_per_item(&self) -> usize {
        self.entries() * WARP
    }

    /// The numbers of a cell: concentrations, rate constants and registers.
    #[inline(always)]
    pub(crate) fn entries(&self) -> usize {
        self.cells.concentration.levels() + self.rate_constant.levels() + self.program.registers as usize
    }
}

/// Computes the cells of an item, whose numbers are in `state`.
#[inline(always)]
pub(crate) fn item<R: Real, const W: usize>(
    kernel: Trusted<'_, RateConstants<'_, R>>,
    index: usize,
    lanes: Lanes<W>,
    state: Block<R, W>,
) -> Status {
    let first = index * kernel.cells_per_item;
    let end = (first + kernel.cells_per_item).min(kernel.count());
    let (species, reactions) = (kernel.cells.concentration.levels(), kernel.rate_constant.levels());
    let mut finite = 0.0;
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
                values[lane] = kernel.part(|k| &k.cells.concentration).get(i, cells[lane]);
            }
            state.set(i, values);
        }
        let (program, inputs) = (kernel.part(|k| &k.program), kernel.part(|k| &k.cells.rate_input));
        let count = program.instructions.len();
        program::run((program, count), [kernel.time_s; W], cells, inputs, state, registers, constants);
        for i in 0..reactions {
            let values = constants.get(i);
            for lane in 0..W {
                finite += 0.0 * values[lane].value();
                if next + lanes.first() + lane < end {
                    kernel.part(|k| &k.rate_constant).put(i, cells[lane], values[lane]);
                }
            }
        }
        next += WARP.max(W);
    }
    if finite == 0.0 { Status::OK } else { outcome::NOT_FINITE }
}
