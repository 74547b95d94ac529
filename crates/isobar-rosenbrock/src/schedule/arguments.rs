//! The arguments of the kernels that integrate, and what an item is.

use core::sync::atomic::AtomicUsize;

use isobar_core::kernel::WARP;
use isobar_core::{Column, FieldMut, Real, Trusted};

use crate::fields::{CellViews, IntegratedViews};
use crate::physics::control::Control;
use crate::physics::index::Index;
use crate::physics::mechanism::Mechanism;
use crate::physics::method::Coefficients;
use crate::physics::program::Program;
use crate::physics::reduction::ReductionRules;
use crate::schedule::layout::Layout;

/// The lanes that a CPU computes in lock-step: two vectors of eight doubles share what is read of the tables, and the
/// factors of as many cells stay near.
pub const CPU_LANES: usize = 16;

/// Counters of a cell, in KPP's order.
pub const COUNTERS: [&str; 8] = ["Nfun", "Njac", "Nstp", "Nacc", "Nrej", "Ndec", "Nsol", "Nsng"];

/// The kernel: integrates cells over an interval, each with its own steps.
///
/// An item is a team of lanes and a queue of cells, from which each lane takes the next one as soon as its cell is
/// done, so that no lane waits for another: on a GPU `cells_per_item` neighbouring cells, on a CPU a queue that items
/// share, so that no thread waits either. Lanes attempt steps together. What a cell gets does not depend on its lane,
/// nor on the cells before it. Where `RATES`, rate constants may change within the interval.
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
    /// Absolute tolerance of each variable species.
    pub absolute_tolerance: Column<'a, f64>,
    /// Relative tolerance of each variable species.
    pub relative_tolerance: Column<'a, f64>,
    /// For each counted reaction its number, how many derivatives its rate has, and of each one its number, its column
    /// of the matrix and the power of the factor.
    pub counted: Column<'a, u32>,
    /// The wanted times, rising \[s\]; at most 2^31.
    pub wanted_times_s: Column<'a, f64>,
    /// What cells start from: rate constants where they are frozen, inputs of the program where not.
    pub cells: CellViews<'a, R>,
    /// What they end with.
    pub ends: IntegratedViews<'a, R>,
    /// Where the numbers of an active cell are.
    pub layout: Layout,
    /// The cells that an item computes; on a CPU this number of cells is an item.
    pub cells_per_item: usize,
    /// On a GPU [`Rosenbrock::scratch_per_item`] numbers an item, aligned to 64 bytes: entry by entry, lanes side by
    /// side. A CPU's thread has memory of its own.
    pub scratch: FieldMut<'a, R>,
    /// How many cells a CPU's items have taken. Without it, an item has its own neighbouring cells as on a GPU.
    pub taken: Option<&'a AtomicUsize>,
}

impl<R: Real, I: Index, const RATES: bool> Rosenbrock<'_, R, I, RATES> {
    /// The number of cells.
    #[must_use]
    pub fn count(&self) -> usize {
        self.cells.concentration.items()
    }

    /// The numbers of scratch that a GPU's item needs.
    #[must_use]
    pub fn scratch_per_item(&self) -> usize {
        self.layout.entries as usize * WARP
    }
}

/// The kernel: integrates cells over an interval, as [`Rosenbrock`] does it, but for species that are made and lost
/// slowly, which are not solved for.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RosenbrockReduced<'a, R, I> {
    /// Everything else.
    pub cells: Rosenbrock<'a, R, I, true>,
    /// Which species are left out.
    pub rules: ReductionRules<'a>,
}

/// The arguments, of which the kernel's item vouches for all indices.
pub(crate) type Arguments<'k, 'a, R, I, const RATES: bool> = Trusted<'k, Rosenbrock<'a, R, I, RATES>>;
