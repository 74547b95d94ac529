//! The kernels for GPUs, made by `cargo xtask ptx`.

use isobar_launch::Ptx;

#[cfg(feature = "cuda")]
pub(super) const PTX: &[Ptx] = &[Ptx::embedded(include_str!("../../ptx/spectra.ptx"))];
#[cfg(not(feature = "cuda"))]
pub(super) const PTX: &[Ptx] = &[];
