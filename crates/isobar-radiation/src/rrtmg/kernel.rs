//! The kernels: what an item is, its team, and who computes it.

use isobar_core::{Kernel, Lanes, Real, Status, Team};

use crate::rrtmg::arguments::{
    ANY, AddSlant, CLEAR, CloudEntries, CloudMask, LEAST_LAYERS, Layers, ListTerms, OpticalDepths, SUBCOLUMNS, Slants,
    Sweeps, Totals, Transfer,
};
use crate::rrtmg::physics::cloud_entries;
use crate::rrtmg::schedule::scratch::Scratch;
use crate::rrtmg::schedule::spread::{list_terms, sweeps, totals};
use crate::rrtmg::schedule::stored::memory_bytes;
use crate::rrtmg::schedule::{block, column_sums, gas_states, masks, optical_depths};
use crate::rrtmg::sizes::WARPS;

// SAFETY: an item writes the states of its own layers and columns and reads none.
unsafe impl<R: Real> Kernel for Layers<'_, R> {
    const NAME: &'static str = "rrtmg_layers";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        gas_states::items(&self.columns)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        if let Some(first) = gas_states::first_of(&self.columns, index, lanes) {
            gas_states::compute::<R, W>(&self.tables, &self.columns, &self.states, first);
        }
        Status::OK
    }
}

// SAFETY: an item writes the angles of its own column, and reads its layers.
unsafe impl<R: Real> Kernel for Slants<'_, R> {
    const NAME: &'static str = "rrtmg_slants";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.columns.columns()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, lanes: Lanes<W>) -> Status {
        column_sums::compute(self, column, lanes);
        Status::OK
    }
}

// SAFETY: an item writes its own column and reads what it wrote.
unsafe impl<R: Real> Kernel for CloudMask<'_, R> {
    const NAME: &'static str = "rrtmg_cloud_mask";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.columns.columns()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, lanes: Lanes<W>) -> Status {
        if self.columns.layers() < LEAST_LAYERS {
            return Status::OUT_OF_RANGE;
        }
        masks::generate(self, column, lanes);
        Status::OK
    }
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real> Kernel for CloudEntries<'_, R> {
    const NAME: &'static str = "rrtmg_cloud_entries";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;

    fn items(&self) -> usize {
        self.columns.columns()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _: Lanes<W>) -> Status {
        cloud_entries::write(self, column);
        Status::OK
    }
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real, const SKY: u32> Kernel for Transfer<'_, R, SKY> {
    const NAME: &'static str = match SKY {
        CLEAR => "rrtmg_clear",
        SUBCOLUMNS => "rrtmg_cloudy",
        _ => "rrtmg_any",
    };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Block { warps: WARPS, scratch_bytes: size_of::<Scratch<R>>() };
    const VECTOR_BITS: u32 = if SKY == ANY { 256 } else { 512 };

    fn items(&self) -> usize {
        self.0.sources.columns.columns()
    }

    fn memory_bytes(&self) -> usize {
        let (layers, segments) = (self.0.sources.columns.layers(), self.0.sources.tables.segments());
        if SKY == ANY { 0 } else { memory_bytes::<R>(layers, segments, SKY) }
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, lanes: Lanes<W>) -> Status {
        // SAFETY: scratch and memory are those asked for above.
        unsafe { block::compute::<R, SKY, W>(&self.0, column, lanes) }
    }
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real> Kernel for OpticalDepths<'_, R> {
    const NAME: &'static str = "rrtmg_optical_depths";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Block { warps: WARPS, scratch_bytes: size_of::<Scratch<R>>() };

    fn items(&self) -> usize {
        self.sources.columns.columns()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, lanes: Lanes<W>) -> Status {
        optical_depths::compute(self, column, lanes);
        Status::OK
    }
}

// SAFETY: an item writes the lists of its own column and bands.
unsafe impl<R: Real> Kernel for ListTerms<'_, R> {
    const NAME: &'static str = "rrtmg_lists";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const ON_CPU: bool = false;

    fn items(&self) -> usize {
        list_terms::items(self)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        // SAFETY: the caller's.
        unsafe { list_terms::compute(self, index, lanes) };
        Status::OK
    }
}

// SAFETY: an item writes what its own warp of g-points stores, and its sums.
unsafe impl<R: Real, const SKY: u32> Kernel for Sweeps<'_, R, SKY> {
    const NAME: &'static str = if SKY == CLEAR { "rrtmg_sweeps_clear" } else { "rrtmg_sweeps_cloudy" };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const ON_CPU: bool = false;

    fn items(&self) -> usize {
        sweeps::items(self)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        // SAFETY: the caller's; the kernel of lists comes first.
        unsafe { sweeps::compute(self, index, lanes) };
        Status::OK
    }
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real> Kernel for Totals<'_, R> {
    const NAME: &'static str = "rrtmg_totals";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const ON_CPU: bool = false;

    fn items(&self) -> usize {
        self.arguments.sources.columns.columns()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, lanes: Lanes<W>) -> Status {
        // SAFETY: the caller's; the kernel of sweeps comes first.
        unsafe { totals::compute(self, column, lanes) }
    }
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real> Kernel for AddSlant<'_, R> {
    const NAME: &'static str = "rrtmg_add_slant";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;

    fn items(&self) -> usize {
        self.values.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _: Lanes<W>) -> Status {
        for level in 0..self.values.levels() {
            let part = self.weight * self.values.at(level, column);
            let sum = if self.first != 0 { part } else { self.sums.at(level, column) + part };
            self.sums.set(level, column, sum);
        }
        Status::OK
    }
}

/// CUDA hands a kernel 4 kB of arguments, of which its items and statuses have 16 bytes.
const _: () = assert!(size_of::<Sweeps<'static, f64, CLEAR>>() <= 4096 - 16, "the largest arguments");
