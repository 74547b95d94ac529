//! The kernels: what launchers call. All that they do is to share items among lanes; how an item is computed stands in
//! `schedule` and `physics`.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use crate::physics::clear_sky::layer::{GIVEN, ISOTHERMAL, LINEAR};
use crate::physics::clear_sky::surface::SurfaceSource;
use crate::schedule::azimuth::{add, beams, corrections, layers, streams, sum, surface};
use crate::schedule::clear_sky::batch::{EMISSION, LEVELS};
use crate::schedule::clear_sky::block::{Block, MOST_ANGLES, SLOTS};
use crate::schedule::clear_sky::deep::Deep;
use crate::schedule::clear_sky::order::GROUP;
use crate::schedule::clear_sky::sequential::Sequential;
use crate::schedule::clear_sky::sequential_levels::SequentialLevels;
use crate::schedule::clear_sky::shared_slots::SharedSlots;
use crate::schedule::clear_sky::warp::{PROFILES, Warp};

/// Calls `$self.run::<SOURCE, W>(...)` with the kind of layers that the batch has: a branch outside all loops.
macro_rules! by_source {
    ($self:ident, $batch:expr, $index:ident, $lanes:ident) => {
        match $batch.source() {
            LINEAR => $self.run::<{ LINEAR }, W>($index, $lanes),
            GIVEN => $self.run::<{ GIVEN }, W>($index, $lanes),
            _ => $self.run::<{ ISOTHERMAL }, W>($index, $lanes),
        }
    };
}
// SAFETY: an item writes the radiances of its own profiles and angles and reads none.
unsafe impl<R: Real, const OUTPUT: usize, const ANGLES: usize> Kernel for Sequential<'_, R, OUTPUT, ANGLES> {
    const NAME: &'static str = match (OUTPUT, ANGLES) {
        (EMISSION, 1) => "sequential_emission",
        (EMISSION, _) => "sequential_emission_pair",
        (_, 1) => "sequential_reflection",
        _ => "sequential_reflection_pair",
    };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const ON_CPU: bool = false;

    fn items(&self) -> usize {
        (self.0.profiles() as usize).div_ceil(WARP) * self.0.slant.len().div_ceil(ANGLES)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        by_source!(self, self.0, index, lanes)
    }
}

// SAFETY: an item writes the radiances of its own profiles and angle and reads none.
unsafe impl<R: Real> Kernel for SequentialLevels<'_, R> {
    const NAME: &'static str = "sequential_levels";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        (self.0.profiles() as usize).div_ceil(WARP) * self.0.slant.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        by_source!(self, self.0, index, lanes)
    }
}

// SAFETY: an item writes the radiances of its own profiles and angle and reads none.
unsafe impl<R: Real, const OUTPUT: usize> Kernel for Warp<'_, R, OUTPUT> {
    const NAME: &'static str = if OUTPUT == LEVELS { "warp_levels" } else { "warp_reflection" };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const ON_CPU: bool = false;

    fn items(&self) -> usize {
        (self.0.profiles() as usize).div_ceil(PROFILES) * self.0.slant.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        by_source!(self, self.0, index, lanes)
    }
}

// SAFETY: an item writes the radiances of its own profiles and angles and reads none.
unsafe impl<R: Real, const OUTPUT: usize> Kernel for Block<'_, R, OUTPUT> {
    const NAME: &'static str = if OUTPUT == EMISSION { "block_emission" } else { "block_reflection" };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Block { warps: GROUP, scratch_bytes: SharedSlots::<R>::bytes(SLOTS * MOST_ANGLES) };

    fn items(&self) -> usize {
        (self.batch.profiles() as usize).div_ceil(WARP) * self.parts as usize
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        by_source!(self, self.batch, index, lanes)
    }
}

// SAFETY: an item writes the radiances of its own profile and angle and reads none.
unsafe impl<R: Real, const OUTPUT: usize> Kernel for Deep<'_, R, OUTPUT> {
    const NAME: &'static str = if OUTPUT == LEVELS { "deep_levels" } else { "deep_reflection" };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Block { warps: GROUP, scratch_bytes: SharedSlots::<R>::bytes(GROUP + 1) };
    const ON_CPU: bool = false;

    fn items(&self) -> usize {
        self.0.profiles() as usize * self.0.slant.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        by_source!(self, self.0, index, lanes)
    }
}

// SAFETY: an item writes the source of its own profiles and reads none.
unsafe impl<R: Real> Kernel for SurfaceSource<'_, R> {
    const NAME: &'static str = "surface_source";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.source.items().div_ceil(WARP)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        for lane in 0..W {
            let profile = index * WARP + lanes.first() + lane;
            if profile < self.source.items() {
                self.profile(profile);
            }
        }
        Status::OK
    }
}

// SAFETY: an item writes the beams of its own profile and reads none.
unsafe impl<R: Real> Kernel for beams::SunBeams<'_, R> {
    const NAME: &'static str = "sun_beams";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.batch.profiles()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, _: Lanes<W>) -> Status {
        self.profile(index);
        Status::OK
    }
}

// SAFETY: an item writes the operators of its own layer and component and reads none.
unsafe impl<R: Real, const N: usize> Kernel for layers::LayerOperators<'_, R, N> {
    const NAME: &'static str = by_size!("azimuth_operators", N);
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        Self::items(self)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        Self::item(self, index, lanes);
        Status::OK
    }
}

// SAFETY: an item writes its own direction of its own profile and reads none.
unsafe impl<R: Real> Kernel for surface::SurfaceComponents<'_, R> {
    const NAME: &'static str = "surface_components";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        Self::items(self)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, _: Lanes<W>) -> Status {
        Self::item(self, index);
        Status::OK
    }
}

// SAFETY: an item writes its own direction of its own profile and reads none.
unsafe impl<R: Real> Kernel for surface::GivenSurface<'_, R> {
    const NAME: &'static str = "given_surface";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        Self::items(self)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, _: Lanes<W>) -> Status {
        Self::item(self, index);
        Status::OK
    }
}

// SAFETY: an item writes its own component of its own profile, and reads of that what it wrote.
unsafe impl<R: Real, const N: usize> Kernel for add::AddLayers<'_, R, N> {
    const NAME: &'static str = by_size!("azimuth_add", N);
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        Self::items(self)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        Self::item(self, index, lanes);
        Status::OK
    }
}

// SAFETY: an item writes the radiances of its own level of its own profile and reads none.
unsafe impl<R: Real> Kernel for streams::StreamRadiances<'_, R> {
    const NAME: &'static str = "stream_radiances";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        Self::items(self)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, _: Lanes<W>) -> Status {
        Self::item(self, index)
    }
}

// SAFETY: an item writes the radiances of its own profile and reads none.
unsafe impl<R: Real> Kernel for sum::SumComponents<'_, R> {
    const NAME: &'static str = "sum_components";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.batch.profiles()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, _: Lanes<W>) -> Status {
        self.profile(index)
    }
}

// SAFETY: an item adds to the radiances of its own direction of its own profile.
unsafe impl<R: Real> Kernel for corrections::Corrections<'_, R> {
    const NAME: &'static str = "corrections";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        Self::items(self)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, _: Lanes<W>) -> Status {
        Self::item(self, index);
        Status::OK
    }
}
