//! The kernels: what launchers call. All that they do is to share items among lanes; how an item is computed stands in
//! `schedule` and `physics`.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use crate::physics::clear_sky::layer::{GIVEN, ISOTHERMAL, LINEAR};
use crate::physics::clear_sky::surface::SurfaceSource;
use crate::physics::scattering::operator::LayerOperators;
use crate::physics::scattering::sun::Beam;
use crate::schedule::azimuth::{add, adjoint, beams, corrections, layers, sum, surface};
use crate::schedule::clear_sky::batch::{EMISSION, LEVELS};
use crate::schedule::clear_sky::block::{Block, MOST_ANGLES, SLOTS};
use crate::schedule::clear_sky::deep::Deep;
use crate::schedule::clear_sky::order::GROUP;
use crate::schedule::clear_sky::sequential::Sequential;
use crate::schedule::clear_sky::sequential_levels::SequentialLevels;
use crate::schedule::clear_sky::shared_slots::SharedSlots;
use crate::schedule::clear_sky::warp::{PROFILES, Warp};
use crate::schedule::scattering::add::AddLayers;
use crate::schedule::scattering::scan::{CloseTree, OpenTree, StarPairs};
use crate::schedule::scattering::slab::warps;
use crate::schedule::scattering::unroll::LARGEST_ORDER;

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
    const VECTOR_BITS: u32 = 256;

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
    const VECTOR_BITS: u32 = 256;

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
    const VECTOR_BITS: u32 = 256;

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

// SAFETY: an item writes its own profiles and reads none of that.
unsafe impl<R: Real> Kernel for Beam<'_, R> {
    const NAME: &'static str = "beam";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.beam.items().div_ceil(WARP)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        for lane in 0..W {
            let profile = index * WARP + lanes.first() + lane;
            if profile < self.beam.items() {
                self.profile(profile);
            }
        }
        Status::OK
    }
}

// SAFETY: an item writes its own layers' operators and reads none.
unsafe impl<R: Real, const N: usize> Kernel for LayerOperators<'_, R, N> {
    const NAME: &'static str = by_size!("layer_operators", N);
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const ON_CPU: bool = N == LARGEST_ORDER;

    fn items(&self) -> usize {
        warps(self.order_with_sun(), self.inputs.optical_depth.levels(), self.inputs.optical_depth.items())
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        self.run(index, lanes)
    }
}

// SAFETY: an item writes what belongs to its own profiles, and reads of that only what it wrote.
unsafe impl<R: Real, const N: usize> Kernel for AddLayers<'_, R, N> {
    const NAME: &'static str = by_size!("add_layers", N);
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const ON_CPU: bool = N == LARGEST_ORDER;

    fn items(&self) -> usize {
        warps(self.order as usize, 1, self.cosmic.len())
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        self.run(index, lanes)
    }
}

// SAFETY: an item writes its own nodes, and reads those of the height below only.
unsafe impl<R: Real, const N: usize> Kernel for StarPairs<'_, R, N> {
    const NAME: &'static str = by_size!("star_pairs", N);
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const ON_CPU: bool = N == LARGEST_ORDER;

    fn items(&self) -> usize {
        warps(self.order as usize, self.parents.source_up.levels(), self.profiles())
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        self.run(index, lanes)
    }
}

// SAFETY: an item writes its own profiles.
unsafe impl<R: Real, const N: usize> Kernel for CloseTree<'_, R, N> {
    const NAME: &'static str = by_size!("close_tree", N);
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const ON_CPU: bool = N == LARGEST_ORDER;

    fn items(&self) -> usize {
        warps(self.order as usize, 1, self.cosmic.len())
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        self.run(index, lanes)
    }
}

// SAFETY: an item writes the middle levels of its own nodes and reads levels that no node of this height has in its
// middle.
unsafe impl<R: Real, const N: usize> Kernel for OpenTree<'_, R, N> {
    const NAME: &'static str = by_size!("open_tree", N);
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const ON_CPU: bool = N == LARGEST_ORDER;

    fn items(&self) -> usize {
        warps(self.order as usize, self.nodes(), self.profiles())
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        self.run(index, lanes)
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

// SAFETY: an item writes its own component of its own profile, and reads of that what it wrote.
unsafe impl<R: Real, const N: usize> Kernel for add::AddLayers<'_, R, N> {
    const NAME: &'static str = by_size!("azimuth_add", N);
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

// SAFETY: an item writes its own profile, and reads of that what it wrote.
unsafe impl<R: Real> Kernel for adjoint::sum::SumAdjoint<'_, R> {
    const NAME: &'static str = "sum_adjoint";
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

// SAFETY: an item writes its own component of its own profile, and reads of that what it wrote.
unsafe impl<R: Real, const N: usize> Kernel for adjoint::add::AddAdjoint<'_, R, N> {
    const NAME: &'static str = by_size!("azimuth_add_adjoint", N);
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

// SAFETY: an item writes its own profile, and reads of that what it wrote.
unsafe impl<R: Real> Kernel for adjoint::beams::BeamsAdjoint<'_, R> {
    const NAME: &'static str = "beams_adjoint";
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

// SAFETY: an item adds to its own profile alone.
unsafe impl<R: Real> Kernel for adjoint::corrections::CorrectionsAdjoint<'_, R> {
    const NAME: &'static str = "corrections_adjoint";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.forward.batch.profiles()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, _: Lanes<W>) -> Status {
        self.profile(index);
        Status::OK
    }
}

// SAFETY: an item writes its own layer of its own profile, and reads of that what it wrote or a kernel before.
unsafe impl<R: Real, const N: usize> Kernel for adjoint::layers::LayersAdjoint<'_, R, N> {
    const NAME: &'static str = by_size!("azimuth_layers_adjoint", N);
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
unsafe impl<R: Real> Kernel for adjoint::surface::SurfaceAdjoint<'_, R> {
    const NAME: &'static str = "surface_adjoint";
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

// SAFETY: an item writes its own profile, and reads of that what it wrote.
unsafe impl<R: Real> Kernel for adjoint::gather::Gather<'_, R> {
    const NAME: &'static str = "gather_gradients";
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
