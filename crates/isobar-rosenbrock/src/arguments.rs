//! The arguments of the kernel, and what an item is.

use isobar_core::kernel::WARP;
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::block::{Block, Numbers};
use crate::control::Control;
use crate::crew::Alone;
use crate::index::Index;
use crate::integrate;
use crate::mechanism::Mechanism;
use crate::method::Coefficients;
use crate::program::Program;
use crate::room::Room;

/// The lanes that a CPU computes in lock-step: two vectors of eight doubles share what is read of the tables, and the
/// factors of as many cells stay near.
pub const CPU_LANES: usize = 16;

/// Counters of a cell, in KPP's order.
pub const COUNTERS: [&str; 8] = ["Nfun", "Njac", "Nstp", "Nacc", "Nrej", "Ndec", "Nsol", "Nsng"];

/// What cells start from.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Start<'a, R> {
    /// Rate constants, `(reaction, cell)`; read where they are frozen.
    pub rate_constants: Field<'a, R>,
    /// Inputs of the rate program, `(input, cell)`; read where rate constants change.
    pub inputs: Field<'a, R>,
    /// The first step of each cell \[s\]; without values, or where not positive, [`Control::first_step`].
    pub first_step: Column<'a, f64>,
    /// Absolute tolerance of each variable species.
    pub absolute_tolerance: Column<'a, f64>,
    /// Relative tolerance of each variable species.
    pub relative_tolerance: Column<'a, f64>,
}

/// What cells end with; one level where nothing else is said.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct End<'a, R> {
    /// Concentrations, `(species, cell)`, variable species first; the start is read from it.
    pub concentrations: FieldMut<'a, R>,
    /// What [`COUNTERS`] names, `(8, cell)`.
    pub counters: FieldMut<'a, u32>,
    /// The time that was reached, the last accepted step, and the next one as KPP would take it \[s\], `(3, cell)`.
    pub times: FieldMut<'a, f64>,
    /// The first step for the next interval \[s\]: the end of this one does not shorten it.
    pub next_step: FieldMut<'a, f64>,
    /// The [`Status`] of each cell.
    pub status: FieldMut<'a, u32>,
    /// Concentrations at wanted times, `(time * variable species + species, cell)`; without items where there are none.
    pub dense: FieldMut<'a, R>,
}

/// The kernel: integrates cells over an interval, each with its own steps.
///
/// An item is a team of lanes and a queue of `cells_per_item` neighbouring cells, from which each lane takes the next
/// one as soon as its cell is done, so that no lane waits for another. Lanes attempt steps together. What a cell gets
/// does not depend on its lane, nor on the cells before it. Where `RATES`, rate constants may change within the
/// interval.
///
/// What a cell consists of is an `R`. What governs the steps is `f64` and looks at values alone: derivatives of dual
/// numbers are those with the steps held.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Rosenbrock<'a, R, I, const RATES: bool> {
    /// The mechanism.
    pub mechanism: Mechanism<'a, I>,
    /// The method.
    pub coefficients: Coefficients<'a>,
    /// What governs the steps.
    pub control: Control,
    /// The program of rate constants, where they change.
    pub program: Program<'a>,
    /// What cells start from.
    pub start: Start<'a, R>,
    /// What they end with.
    pub end: End<'a, R>,
    /// The wanted times, rising \[s\]; at most 2^31.
    pub dense_times: Column<'a, f64>,
    /// Where the numbers of a cell in flight are.
    pub room: Room,
    /// The cells that an item computes.
    pub cells_per_item: usize,
    /// Room for [`WARP`] cells in flight an item, aligned to 64 bytes: entry by entry, lanes side by side.
    pub scratch: FieldMut<'a, R>,
}

// SAFETY: an item writes the cells of its queue, and its part of the scratch.
unsafe impl<R: Real, I: Index, const RATES: bool> Kernel for Rosenbrock<'_, R, I, RATES> {
    const NAME: &'static str = if RATES { I::KERNEL_WITH_RATES } else { I::KERNEL };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.cells().div_ceil(self.cells_per_item)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let start = self.scratch.as_ptr().wrapping_add(index * self.scratch_per_item());
        // SAFETY: the caller vouches for the views and the index; this is the item's part of the scratch.
        unsafe {
            if W == 1 {
                let crew = Alone::<1>(Lanes::starting_at(lanes.first()));
                let room = Block::new(start, lanes.first());
                integrate::queue(self, index, (&self.mechanism, crew), (room, self.rate_constants(room)))
            } else {
                let crew = Alone::<CPU_LANES>(Lanes::starting_at(0));
                let room = Block::new(start, 0);
                integrate::queue(self, index, (&self.mechanism, crew), (room, self.rate_constants(room)))
            }
        }
    }
}

impl<R: Real, I: Index, const RATES: bool> Rosenbrock<'_, R, I, RATES> {
    /// The number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.end.concentrations.items()
    }

    /// Rate constants in the room.
    #[inline(always)]
    fn rate_constants<const V: usize>(&self, room: Block<R, V>) -> Block<R, V> {
        room.from(self.room.rate_constants as usize)
    }

    /// The numbers of scratch that an item needs.
    #[must_use]
    pub fn scratch_per_item(&self) -> usize {
        self.room.entries as usize * WARP
    }
}
