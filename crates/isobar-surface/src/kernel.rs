//! The kernel: what an item is, and who computes it.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use crate::arguments::SurfaceKernel;
use crate::schedule::columns;
use crate::schedule::tile::{Tile, vector};

// SAFETY: an item writes its own columns and reads the inputs.
unsafe impl<R: Real> Kernel for SurfaceKernel<'_, R> {
    const NAME: &'static str = "surface";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.count().div_ceil(WARP)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        if const { W == 1 } {
            return columns::compute(self, &Tile::new(index, lanes, self.count()));
        }
        if const { vector::<R>() == 16 } { in_vectors::<R, 16>(self, index) } else { in_vectors::<R, 8>(self, index) }
    }
}

/// A CPU's item, a vector of columns at a time.
#[inline(always)]
fn in_vectors<R: Real, const VECTOR: usize>(batch: &SurfaceKernel<'_, R>, index: usize) -> Status {
    let mut status = Status::OK;
    for first in (0..WARP.min(batch.count() - index * WARP)).step_by(VECTOR) {
        let tile = Tile::<VECTOR>::new(index, Lanes::starting_at(first), batch.count());
        status = status.or(columns::compute(batch, &tile));
    }
    status
}
