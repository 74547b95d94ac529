//! The kernels: what launchers call. All that they do is to vouch for their arguments and to say who computes what.

use core::sync::atomic::AtomicUsize;

use isobar_core::{Kernel, Lanes, Real, Status, Team, Trusted};

use crate::physics::index::Index;
use crate::physics::kinetics::Kinetics;
use crate::schedule::arguments::{CPU_LANES, Rosenbrock, RosenbrockReduced};
use crate::schedule::by_warps::{CELLS_OF_A_WARP, RosenbrockByWarps};
use crate::schedule::integrate;
use crate::schedule::numbers::{Block, Numbers, SharedBlock};
use crate::schedule::queue::Queue;
use crate::schedule::rate_constants::{self, RateConstants};
use crate::schedule::reduced::Reduced;
use crate::schedule::rounds::InRounds;
use crate::schedule::supply::SharedQueue;
use crate::schedule::team::{OneWorker, Owner, WholeWarp};

// SAFETY: an item writes the cells that it takes from its queue, which nobody else takes, and its part of the scratch.
unsafe impl<R: Real, I: Index, const RATES: bool> Kernel for Rosenbrock<'_, R, I, RATES> {
    const NAME: &'static str = if RATES { I::KERNEL_WITH_RATES } else { I::KERNEL };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.count().div_ceil(self.cells_per_item)
    }

    fn memory_bytes(&self) -> usize {
        self.layout.entries as usize * CPU_LANES * size_of::<R>()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        // SAFETY: the caller vouches for the views and the index.
        let kernel = unsafe { Trusted::new(self) };
        let (entries, rate_constants) = (self.layout.entries as usize, self.layout.rate_constants as usize);
        let first = index * self.cells_per_item;
        let end = (first + self.cells_per_item).min(self.count());
        let kinetics = Kinetics::new(kernel.part(|k| &k.mechanism));
        if W == 1 {
            let team = OneWorker::<1>(Lanes::starting_at(lanes.first()));
            let start = self.scratch.as_ptr().wrapping_add(index * self.scratch_per_item());
            // SAFETY: this is the item's part of the scratch.
            let workspace = unsafe { Block::new(start, lanes.first(), entries) };
            let queue = Queue::new(first, end);
            integrate::queue(kernel, queue, (&kinetics, team), (workspace, workspace.from(rate_constants)))
        } else {
            let team = OneWorker::<CPU_LANES>(Lanes::starting_at(0));
            // SAFETY: the thread's memory has as many bytes as the kernel asks for.
            let workspace = unsafe { Block::new(lanes.memory(), 0, entries) };
            let own = AtomicUsize::new(first);
            let queue = match self.taken {
                Some(taken) => SharedQueue::new(taken, self.count()),
                None => SharedQueue::new(&own, end),
            };
            integrate::queue(kernel, queue, (&kinetics, team), (workspace, workspace.from(rate_constants)))
        }
    }
}

// SAFETY: as above.
unsafe impl<R: Real, I: Index> Kernel for RosenbrockReduced<'_, R, I> {
    const NAME: &'static str = I::KERNEL_REDUCED;
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.cells.items()
    }

    fn memory_bytes(&self) -> usize {
        self.cells.memory_bytes()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        // SAFETY: the caller vouches for the views and the index.
        let kernel = unsafe { Trusted::new(self) };
        let (cells, rules) = (kernel.part(|k| &k.cells), kernel.part(|k| &k.rules));
        let layout = &self.cells.layout;
        let (entries, rate_constants) = (layout.entries as usize, layout.rate_constants as usize);
        let first = index * cells.cells_per_item;
        let end = (first + cells.cells_per_item).min(cells.count());
        let kinetics = Kinetics::new(cells.part(|k| &k.mechanism));
        if W == 1 {
            let team = OneWorker::<1>(Lanes::starting_at(lanes.first()));
            let start = cells.scratch.as_ptr().wrapping_add(index * cells.scratch_per_item());
            // SAFETY: this is the item's part of the scratch.
            let workspace = unsafe { Block::new(start, lanes.first(), entries) };
            let walk = Reduced { kinetics, rules, numbers: workspace.from(layout.reduction as usize) };
            let queue = Queue::new(first, end);
            integrate::queue(cells, queue, (&walk, team), (workspace, workspace.from(rate_constants)))
        } else {
            let team = OneWorker::<CPU_LANES>(Lanes::starting_at(0));
            // SAFETY: the thread's memory has as many bytes as the kernel asks for.
            let workspace = unsafe { Block::new(lanes.memory(), 0, entries) };
            let walk = Reduced { kinetics, rules, numbers: workspace.from(layout.reduction as usize) };
            let own = AtomicUsize::new(first);
            let queue = match cells.taken {
                Some(taken) => SharedQueue::new(taken, cells.count()),
                None => SharedQueue::new(&own, end),
            };
            integrate::queue(cells, queue, (&walk, team), (workspace, workspace.from(rate_constants)))
        }
    }
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
        // SAFETY: the caller vouches for the views and the index.
        let kernel = unsafe { Trusted::new(self) };
        let entries = self.rounds.entries as usize;
        if W == 1 {
            let team = WholeWarp(Lanes::starting_at(lanes.first()));
            // SAFETY: the scratch has all entries, and the block is this warp.
            let workspace = unsafe { SharedBlock::<CELLS_OF_A_WARP>::new(lanes.scratch(), entries) };
            by_warps(kernel, index, team, workspace)
        } else {
            let team = OneWorker::<CELLS_OF_A_WARP>(Lanes::starting_at(0));
            // SAFETY: as above.
            let workspace = unsafe { Block::<f64, CELLS_OF_A_WARP>::new(lanes.scratch(), 0, entries) };
            by_warps(kernel, index, team, workspace)
        }
    }
}

/// Computes the cells of an item in rounds, whose numbers but rate constants are in `workspace`.
#[inline(always)]
fn by_warps<const F: usize, C>(
    kernel: Trusted<'_, RosenbrockByWarps<'_>>,
    index: usize,
    team: C,
    workspace: C::Numbers,
) -> Status
where
    C: crate::schedule::team::Team<f64, CELLS_OF_A_WARP> + Owner<CELLS_OF_A_WARP, F>,
{
    let constants = kernel.cells.scratch.as_ptr().wrapping_add(index * kernel.scratch_per_item());
    let kinetics = Kinetics::new(kernel.part(|k| &k.cells.mechanism));
    let walk = InRounds { kinetics, rounds: kernel.part(|k| &k.rounds), workspace };
    walk.settle(team);
    // SAFETY: this is the item's part of the scratch.
    let constants = unsafe { Block::new(constants, 0, kernel.cells.mechanism.sizes.reactions as usize) };
    let cells = kernel.part(|k| &k.cells);
    let first = index * cells.cells_per_item;
    let queue = Queue::new(first, (first + cells.cells_per_item).min(cells.count()));
    integrate::queue(cells, queue, (&walk, team), (workspace, constants))
}

// SAFETY: an item writes the rate constants of its cells, and its part of the scratch.
unsafe impl<R: Real> Kernel for RateConstants<'_, R> {
    const NAME: &'static str = "rate_constants";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.count().div_ceil(self.cells_per_item)
    }

    fn memory_bytes(&self) -> usize {
        self.scratch_per_item() * size_of::<R>()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let entries = self.entries();
        let start =
            if W == 1 { self.scratch.as_ptr().wrapping_add(index * self.scratch_per_item()) } else { lanes.memory() };
        // SAFETY: the caller vouches for the views and the index; this is the item's part of the scratch, or the memory
        // of the thread.
        let (kernel, state) = unsafe { (Trusted::new(self), Block::new(start, lanes.first(), entries)) };
        rate_constants::item(kernel, index, lanes, state)
    }
}
