//! The kernel whose cells are each computed by a warp.

use isobar_core::{Kernel, Lanes, Status, Team};

use crate::arguments::Rosenbrock;
use crate::block::{Block, NearBlock};
use crate::crew::{Alone, Crew, Together, Watch};
use crate::integrate;
use crate::rounds::{InRounds, Rounds};

/// The cells that a warp computes at a time: what it reads of the rounds serves both, and 16 bytes are read at a time.
pub const CELLS_OF_A_WARP: usize = 2;

/// The kernel: integrates cells over an interval, as [`Rosenbrock`] with frozen rate constants does it and to the same
/// bits, but by the 32 lanes of a warp together.
///
/// An item is a queue of cells, two of which are in flight. Their numbers lie in a GPU's shared memory, where a cell in
/// flight of [`Rosenbrock`], one a lane, has so many that they go to the memory of the device and come back. Rate
/// constants do not change within the interval, and no times are wanted. The room of the cells is that of
/// [`Schedule`](crate::Schedule), and their scratch has [`RosenbrockByWarps::scratch_per_item`] numbers an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RosenbrockByWarps<'a> {
    /// Everything but the order of the arithmetic.
    pub cells: Rosenbrock<'a, f64, u16, false>,
    /// That order.
    pub rounds: Rounds<'a>,
}

// SAFETY: an item writes the cells of its queue, and its scratch.
unsafe impl Kernel for RosenbrockByWarps<'_> {
    const NAME: &'static str = "rosenbrock_by_warps";
    const PRECISION: &'static str = "f64";
    const TEAM: Team = Team::Block { warps: 1, scratch_bytes: 16 };
    /// A CPU has [`Rosenbrock`].
    const ON_CPU: bool = false;

    fn items(&self) -> usize {
        self.cells.items()
    }

    fn more_scratch_bytes(&self) -> usize {
        self.rounds.entries as usize * CELLS_OF_A_WARP * size_of::<f64>()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        // SAFETY: the caller vouches for the views and the index; the scratch has all entries.
        unsafe {
            if W == 1 {
                let crew = Together(Lanes::starting_at(lanes.first()));
                self.queue(index, crew, NearBlock::<CELLS_OF_A_WARP>::new(lanes.scratch()))
            } else {
                let crew = Alone::<CELLS_OF_A_WARP>(Lanes::starting_at(0));
                self.queue(index, crew, Block::<f64, CELLS_OF_A_WARP>::new(lanes.scratch(), 0))
            }
        }
    }
}

impl RosenbrockByWarps<'_> {
    /// The numbers of [`Rosenbrock::scratch`] that an item needs: rate constants of the cells in flight.
    #[must_use]
    pub fn scratch_per_item(&self) -> usize {
        self.cells.mechanism.sizes.reactions as usize * CELLS_OF_A_WARP
    }

    #[inline(always)]
    unsafe fn queue<const F: usize, C>(&self, index: usize, crew: C, room: C::Numbers) -> Status
    where
        C: Crew<f64, CELLS_OF_A_WARP> + Watch<CELLS_OF_A_WARP, F>,
    {
        let constants = self.cells.scratch.as_ptr().wrapping_add(index * self.scratch_per_item());
        let walk = InRounds { mechanism: self.cells.mechanism, rounds: self.rounds, room };
        // SAFETY: the caller's.
        unsafe {
            self.rounds.settle(crew, room);
            integrate::queue(&self.cells, index, (&walk, crew), (room, Block::new(constants, 0)))
        }
    }
}
