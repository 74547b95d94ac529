//! The arguments of the kernels that integrate, and what an item is.

use isobar_core::kernel::WARP;
use isobar_core::{Column, Field, FieldMut, Real, Trusted};

use crate::physics::control::Control;
use crate::physics::index::Index;
use crate::physics::mechanism::Mechanism;
use crate::physics::method::Coefficients;
use crate::physics::program::Program;
use crate::schedule::rounds::Rounds;
use crate::schedule::workspace::Room;

/// The lanes that a CPU computes in lock-step: two vectors of eight doubles share what is read of the tables, and the
/// factors of as many cells stay near.
pub const CPU_LANES: usize = 16;

/// The cells that a warp computes at a time: what it reads of the rounds serves both, and 16 bytes are read at a time.
pub const CELLS_OF_A_WARP: usize = 2;

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
    /// The [`Status`](isobar_core::Status) of each cell.
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
    /// Where the numbers of an active cell are.
    pub room: Room,
    /// The cells that an item computes.
    pub cells_per_item: usize,
    /// Room for [`WARP`] active cells an item, aligned to 64 bytes: entry by entry, lanes side by side.
    pub scratch: FieldMut<'a, R>,
}

impl<R: Real, I: Index, const RATES: bool> Rosenbrock<'_, R, I, RATES> {
    /// The number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.end.concentrations.items()
    }

    /// The numbers of scratch that an item needs.
    #[must_use]
    pub fn scratch_per_item(&self) -> usize {
        self.room.entries as usize * WARP
    }
}

/// The kernel: integrates cells over an interval, as [`Rosenbrock`] with frozen rate constants does it and to the same
/// bits, but by the 32 lanes of a warp together.
///
/// An item is a queue of cells, two of which are active. Their numbers lie in a GPU's shared memory, where an
/// active cell of [`Rosenbrock`], one a lane, has so many that they go to the memory of the device and come back. Rate
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

impl RosenbrockByWarps<'_> {
    /// The numbers of [`Rosenbrock::scratch`] that an item needs: rate constants of the active cells.
    #[must_use]
    pub fn scratch_per_item(&self) -> usize {
        self.cells.mechanism.sizes.reactions as usize * CELLS_OF_A_WARP
    }
}

/// The arguments, of which the kernel's item vouches for all indices.
pub(crate) type Arguments<'k, 'a, R, I, const RATES: bool> = Trusted<'k, Rosenbrock<'a, R, I, RATES>>;
