//! The kernels of the adjoint, which CPUs have.

use isobar_core::{Kernel, Lanes, Real, Status, Team};

use crate::schedule::azimuth::adjoint;

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
