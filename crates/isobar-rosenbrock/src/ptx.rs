//! The kernels for GPUs.

use isobar_launch::Ptx;

/// The kernels of this crate for GPUs, made by `cargo xtask ptx`.
#[cfg(feature = "cuda")]
pub static PTX: [Ptx; 1] = [Ptx::embedded(include_str!("../ptx/chemistry.ptx"))];
/// The kernels of this crate for GPUs: none without the feature `cuda`.
#[cfg(not(feature = "cuda"))]
pub static PTX: [Ptx; 0] = [];
