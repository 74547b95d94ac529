//! Where the numbers of the active cells are, and the attempt of a step that they make.

use isobar_core::Real;

use crate::schedule::layout::Layout;
use crate::schedule::numbers::{Block, Numbers};
use crate::schedule::queue::NONE;

/// The blocks of the active cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocks<R, const V: usize, N> {
    pub(crate) state: N,
    pub(crate) stage_state: N,
    /// Not among the others on a GPU: they are read seldom.
    pub(crate) rate_constants: Block<R, V>,
    pub(crate) rates: N,
    pub(crate) derivatives: N,
    pub(crate) factors: N,
    pub(crate) function: N,
    pub(crate) stages: N,
    pub(crate) slope: N,
    pub(crate) registers: N,
    pub(crate) before: N,
    pub(crate) extents: N,
    pub(crate) gains: N,
    pub(crate) rate_slopes: N,
}

/// What all workers know of the cells that they attempt steps with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt<const V: usize> {
    /// The cells; [`NONE`] in a lane without one.
    pub(crate) cells: [usize; V],
    /// The times at which the steps begin, for rate constants that depend on them.
    pub(crate) time: [f64; V],
    /// The steps.
    pub(crate) step: [f64; V],
}

impl<const V: usize> Attempt<V> {
    /// The cell of each lane, or any other.
    #[inline(always)]
    pub(crate) fn cells_or_any(&self) -> [usize; V] {
        let mut cells = [0; V];
        for lane in 0..V {
            cells[lane] = if self.cells[lane] == NONE { 0 } else { self.cells[lane] };
        }
        cells
    }
}

impl<R: Real, const V: usize, N: Numbers<R, V>> Blocks<R, V, N> {
    /// The parts of a workspace.
    #[inline(always)]
    pub(crate) fn new(layout: &Layout, all: N, rate_constants: Block<R, V>) -> Self {
        Self {
            state: all.from(layout.state as usize),
            stage_state: all.from(layout.stage_state as usize),
            rate_constants,
            rates: all.from(layout.rates as usize),
            derivatives: all.from(layout.derivatives as usize),
            factors: all.from(layout.factors as usize),
            function: all.from(layout.function as usize),
            stages: all.from(layout.stages as usize),
            slope: all.from(layout.slope as usize),
            registers: all.from(layout.registers as usize),
            before: all.from(layout.before as usize),
            extents: all.from(layout.extents as usize),
            gains: all.from(layout.gains as usize),
            rate_slopes: all.from(layout.rate_slopes as usize),
        }
    }
}
