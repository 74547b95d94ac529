//! The kernels: what an item is, and who computes it.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use crate::arguments::{MixTracers, YsuArgs};
use crate::schedule::tile::{COUNTRY, SCALE_AWARE, TOWN, Tile, vector};
use crate::schedule::{columns, energy_memory, shared, tracers};

/// The boundary layer of 32 neighbouring columns: an item. `OPTIONS` says whether the options top-down and topographic,
/// where they are chosen, count: without their code, a thread of a GPU needs two thirds of the registers. A CPU needs
/// the kernel with them alone.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct YsuKernel<'a, R, const OPTIONS: bool>(
    /// The batch.
    pub YsuArgs<'a, R>,
);

// SAFETY: an item writes its own columns and reads what it wrote and the inputs.
unsafe impl<R: Real, const OPTIONS: bool> Kernel for YsuKernel<'_, R, OPTIONS> {
    const NAME: &'static str = if OPTIONS { "ysu_options" } else { "ysu" };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Block { warps: 1, scratch_bytes: shared::bytes::<R, COUNTRY>() };
    const ON_CPU: bool = OPTIONS;

    fn items(&self) -> usize {
        self.0.count().div_ceil(WARP)
    }

    fn memory_bytes(&self) -> usize {
        shared::workspace_bytes::<R>(self.0.layers())
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let mut batch = self.0;
        if !OPTIONS {
            batch.parameters.top_down = 0;
            batch.parameters.topographic = 0;
        }
        // SAFETY: the caller's.
        unsafe { item::<R, W, COUNTRY>(&batch, index, lanes) }
    }
}

/// [`YsuKernel`] with all options and towns.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct UrbanKernel<'a, R>(
    /// The batch.
    pub YsuArgs<'a, R>,
);

// SAFETY: an item writes its own columns and reads what it wrote and the inputs.
unsafe impl<R: Real> Kernel for UrbanKernel<'_, R> {
    const NAME: &'static str = "ysu_urban";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Block { warps: 1, scratch_bytes: shared::bytes::<R, TOWN>() };

    fn items(&self) -> usize {
        self.0.count().div_ceil(WARP)
    }

    fn memory_bytes(&self) -> usize {
        shared::workspace_bytes::<R>(self.0.layers())
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        // SAFETY: the caller's.
        unsafe { item::<R, W, TOWN>(&self.0, index, lanes) }
    }
}

/// Shin-Hong's boundary layer of 32 neighbouring columns, with all options.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ShinHongKernel<'a, R>(
    /// The batch.
    pub YsuArgs<'a, R>,
);

// SAFETY: an item writes its own columns and reads what it wrote and the inputs.
unsafe impl<R: Real> Kernel for ShinHongKernel<'_, R> {
    const NAME: &'static str = "shin_hong";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Block { warps: 1, scratch_bytes: shared::bytes::<R, SCALE_AWARE>() };

    fn items(&self) -> usize {
        self.0.count().div_ceil(WARP)
    }

    fn memory_bytes(&self) -> usize {
        energy_memory::bytes::<R>(self.0.layers())
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        // SAFETY: the caller's.
        unsafe { item::<R, W, SCALE_AWARE>(&self.0, index, lanes) }
    }
}

/// An item of a kernel.
///
/// # Safety
/// The lanes and the columns are the item's; the views are valid, and their layouts agree ([`YsuArgs`]).
#[inline(always)]
unsafe fn item<R: Real, const W: usize, const F: u8>(batch: &YsuArgs<'_, R>, index: usize, lanes: Lanes<W>) -> Status {
    if const { W == 1 } {
        // SAFETY: the caller's.
        let tile = unsafe { Tile::<W, F>::new(index, lanes, batch.count()) };
        return columns::compute(batch, &tile);
    }
    if const { vector::<R>() == 16 } {
        in_vectors::<R, W, 16, F>(batch, index, &lanes)
    } else {
        in_vectors::<R, W, 8, F>(batch, index, &lanes)
    }
}

/// A CPU's item, a vector of columns at a time.
#[inline(always)]
fn in_vectors<R: Real, const W: usize, const VECTOR: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    index: usize,
    lanes: &Lanes<W>,
) -> Status {
    let mut status = Status::OK;
    for first in (0..WARP.min(batch.count() - index * WARP)).step_by(VECTOR) {
        let lanes = Lanes::<VECTOR>::in_block(first, 0, 1, lanes.scratch()).with_memory(lanes.memory());
        // SAFETY: as in `item`, for some of the lanes.
        let tile = unsafe { Tile::<VECTOR, F>::new(index, lanes, batch.count()) };
        status = status.or(columns::compute(batch, &tile));
    }
    status
}

// SAFETY: an item writes the tendencies of its own columns and tracer, and reads what it wrote and the inputs.
unsafe impl<R: Real> Kernel for MixTracers<'_, R> {
    const NAME: &'static str = "ysu_tracers";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.exchange.items().div_ceil(WARP) * self.count()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        // Neighbouring warps have the same columns.
        let (tile, tracer) = (index / self.count(), index % self.count());
        // SAFETY: the lanes and the columns are the item's; the views are valid.
        let tile = unsafe { Tile::<W, COUNTRY>::new(tile, lanes, self.exchange.items()) };
        tracers::compute(self, &tile, tracer)
    }
}
