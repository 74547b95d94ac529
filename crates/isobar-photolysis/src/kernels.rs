//! The kernels: what launchers call.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use crate::schedule::arguments::{Flux, Paths, Rate};
use crate::schedule::{flux, paths, rates};

// SAFETY: an item writes the paths of its own columns.
unsafe impl<R: Real> Kernel for Paths<'_, R> {
    const NAME: &'static str = "photolysis_paths";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.paths.items().div_ceil(WARP)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        paths::compute(self, index, &lanes);
        Status::OK
    }
}

// SAFETY: an item writes the flux of its own columns and bin, and reads of what it writes that alone.
unsafe impl<R: Real> Kernel for Flux<'_, R> {
    const NAME: &'static str = "photolysis_flux";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.columns.temperature_k.items().div_ceil(WARP) * self.optics.bins as usize
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        flux::compute(self, index, &lanes);
        Status::OK
    }
}

// SAFETY: an item writes the rates of its own columns and layer.
unsafe impl<R: Real> Kernel for Rate<'_, R> {
    const NAME: &'static str = "photolysis_rates";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.columns.temperature_k.items().div_ceil(WARP) * self.columns.temperature_k.levels()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        rates::compute(self, index, &lanes);
        Status::OK
    }
}
