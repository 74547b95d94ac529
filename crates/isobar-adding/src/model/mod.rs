//! The schemes on CPU threads and GPUs.

mod azimuth;
#[cfg(feature = "adjoint")]
mod azimuth_adjoint;
mod clear_sky;
mod cosines;
mod finite;
mod ground;
mod moments;
mod scattering;

pub use azimuth::Adding;
#[cfg(feature = "adjoint")]
pub use azimuth_adjoint::AddingAdjoint;
pub use clear_sky::ClearSky;
pub use scattering::Scattering;

/// Nothing more is needed of a precision.
#[cfg(not(feature = "adjoint"))]
mod azimuth_adjoint {
    pub trait Precision {}
    impl Precision for f32 {}
    impl Precision for f64 {}
}

/// A precision in which radiances are computed: `f32` or `f64`.
pub trait Precision:
    azimuth::Precision + azimuth_adjoint::Precision + clear_sky::Precision + scattering::Precision
{
}

impl Precision for f32 {}
impl Precision for f64 {}
