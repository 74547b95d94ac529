//! The kernels for GPUs, made by `cargo xtask ptx`.

use isobar_launch::Ptx;

#[cfg(feature = "cuda")]
pub(super) const PTX: &[Ptx] =
    &[Ptx::embedded(include_str!("../../ptx/infrared.ptx")), Ptx::embedded(include_str!("../../ptx/jacobian.ptx"))];
#[cfg(not(feature = "cuda"))]
pub(super) const PTX: &[Ptx] = &[];
