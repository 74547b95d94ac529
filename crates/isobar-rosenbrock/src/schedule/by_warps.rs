//! The arguments of the kernel of which a warp's lanes share the cells.

use crate::schedule::arguments::Rosenbrock;
use crate::schedule::rounds::Rounds;

/// The cells that a warp computes at a time: what it reads of the rounds serves both, and 16 bytes are read at a time.
pub const CELLS_OF_A_WARP: usize = 2;

/// The kernel: integrates cells over an interval, as [`Rosenbrock`] with frozen rate constants does it and to the same
/// bits, but by the 32 lanes of a warp together.
///
/// An item is a queue of cells, two of which are active. Their numbers lie in a GPU's shared memory, where an
/// active cell of [`Rosenbrock`], one a lane, has so many that they go to the memory of the device and come back. Rate
/// constants do not change within the interval, and no times are wanted. Their layout is that of
/// [`Schedule`](crate::Schedule), and their scratch has [`RosenbrockByWarps::scratch_per_item`] numbers an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RosenbrockByWarps<'a> {
    /// Everything but the order of the arithmetic.
    pub cells: Rosenbrock<'a, f64, u16, false>,
    /// That order.
    pub rounds: Rounds<'a>,
}

impl RosenbrockByWarps<'_> {
    /// The numbers of [`Rosenbrock::scratch`] that an item needs: rate constants of the active cells.
    #[must_use]
    pub fn scratch_per_item(&self) -> usize {
        self.cells.mechanism.sizes.reactions as usize * CELLS_OF_A_WARP
    }
}
