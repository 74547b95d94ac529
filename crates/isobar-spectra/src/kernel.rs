//! What makes kernels of the schedule's parts.
#![allow(unsafe_code, reason = "the contract of a kernel is unsafe")]

use isobar_core::kernel::{Kernel, Team};
use isobar_core::{Lanes, Real, Status};

use crate::physics::chebyshev::NODES;
pub use crate::schedule::exact::SumExact;
pub use crate::schedule::nodes::{FillNodes, PushDown};
pub use crate::schedule::prepare::PrepareLines;
pub use crate::schedule::tiles::SumTiles;

// SAFETY: an item writes its own line's numbers, and reads the list only.
unsafe impl<R: Real> Kernel for PrepareLines<'_, R> {
    const NAME: &'static str = "spectra_prepare";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    #[inline(always)]
    fn items(&self) -> usize {
        self.isotopologues.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, item: usize, _: Lanes<W>) -> Status {
        self.compute(item)
    }
}

// SAFETY: an item writes its own node, and reads the lines only.
unsafe impl<R: Real, const EXTRA: bool> Kernel for FillNodes<'_, R, EXTRA> {
    const NAME: &'static str = if EXTRA { "spectra_nodes_extra" } else { "spectra_nodes" };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    #[inline(always)]
    fn items(&self) -> usize {
        self.tree.all_cells() * NODES
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, item: usize, _: Lanes<W>) -> Status {
        self.compute(item)
    }
}

// SAFETY: an item reads and writes its own node, and reads nodes of the level above, which no item of the launch
// writes.
unsafe impl Kernel for PushDown<'_> {
    const NAME: &'static str = "spectra_push";
    const PRECISION: &'static str = "f64";
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    #[inline(always)]
    fn items(&self) -> usize {
        self.count()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, item: usize, _: Lanes<W>) -> Status {
        self.compute(item)
    }
}

// SAFETY: an item writes its own tile's points, each from one lane, and reads lines and nodes only.
unsafe impl<R: Real, const EXTRA: bool> Kernel for SumTiles<'_, R, EXTRA> {
    const NAME: &'static str = if EXTRA { "spectra_sum_extra" } else { "spectra_sum" };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    #[inline(always)]
    fn items(&self) -> usize {
        self.count()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, item: usize, lanes: Lanes<W>) -> Status {
        self.compute(item, lanes)
    }
}

// SAFETY: an item writes its own block's points, each from one lane, and reads lines only.
unsafe impl<R: Real> Kernel for SumExact<'_, R> {
    const NAME: &'static str = "spectra_exact";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    #[inline(always)]
    fn items(&self) -> usize {
        self.count()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, item: usize, lanes: Lanes<W>) -> Status {
        self.compute(item, lanes)
    }
}
