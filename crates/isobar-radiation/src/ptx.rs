//! The kernels for GPUs.

use isobar_launch::Ptx;

/// The kernels of this crate for GPUs, made by `cargo xtask ptx`; none without the feature `cuda`.
#[cfg(feature = "cuda")]
pub const PTX: &[Ptx] = &[
    Ptx::embedded(include_str!("../ptx/radiation.ptx")),
    Ptx::embedded(include_str!("../ptx/rrtmg.ptx")),
    #[cfg(feature = "adjoint")]
    Ptx::embedded(include_str!("../ptx/radiation_adjoint.ptx")),
];
/// The kernels of this crate for GPUs: none without the feature `cuda`.
#[cfg(not(feature = "cuda"))]
pub const PTX: &[Ptx] = &[];
