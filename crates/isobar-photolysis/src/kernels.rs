//! The kernels: what launchers call.

use isobar_core::kernel::WARP;
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::fields::ColumnViews;
use crate::physics::air::Optics;
use crate::schedule::{flux, paths, rates};

/// The first kernel: slant paths of 32 neighbouring columns, an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Paths<'a, R> {
    /// Heights of levels \[km\].
    pub height_km: Field<'a, R>,
    /// Cosines of the Sun's zenith angle.
    pub cosine_of_zenith: Column<'a, R>,
    /// For each level, `[level * layers + layer]`, how many times its thickness the ray is in a layer; -1 in the dark.
    pub paths: FieldMut<'a, R>,
}

/// The second kernel: actinic flux of 32 neighbouring columns in a bin, an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Flux<'a, R> {
    /// The columns.
    pub columns: ColumnViews<'a, R>,
    /// The tables.
    pub optics: Optics<'a, R>,
    /// What [`Paths`] found.
    pub paths: Field<'a, R>,
    /// What an item keeps of its levels on the way down, [`Flux::rows`] a bin.
    pub kept: FieldMut<'a, R>,
    /// Actinic flux \[cm^-2 s^-1\], `[bin * layers + layer]`.
    pub actinic_flux_per_cm2_s: FieldMut<'a, R>,
}

impl<R> Flux<'_, R> {
    /// The rows that are kept of a bin.
    #[must_use]
    pub fn rows(layers: usize) -> usize {
        flux::rows(layers)
    }
}

/// The third kernel: rates of 32 neighbouring columns in a layer, an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Rate<'a, R> {
    /// The columns.
    pub columns: ColumnViews<'a, R>,
    /// The tables.
    pub optics: Optics<'a, R>,
    /// Actinic flux \[cm^-2 s^-1\], `[bin * layers + layer]`.
    pub actinic_flux_per_cm2_s: Field<'a, R>,
    /// Rates \[s^-1\], `[reaction * layers + layer]`.
    pub rate_per_s: FieldMut<'a, R>,
}

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
