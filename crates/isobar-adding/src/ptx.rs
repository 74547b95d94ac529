//! The kernels for GPUs.

use isobar_launch::Ptx;

/// The kernels of this crate for GPUs, made by `cargo xtask ptx`: of a clear sky, and of layers that
/// scatter, by the room for nodes.
#[cfg(feature = "cuda")]
pub static PTX: [Ptx; 5] = [
    Ptx::embedded(include_str!("../ptx/clear_sky.ptx")),
    Ptx::embedded(include_str!("../ptx/azimuth.ptx")),
    Ptx::embedded(include_str!("../ptx/azimuth_8.ptx")),
    Ptx::embedded(include_str!("../ptx/azimuth_16.ptx")),
    Ptx::embedded(include_str!("../ptx/azimuth_32.ptx")),
];
/// The kernels of this crate for GPUs: none without the feature `cuda`.
#[cfg(not(feature = "cuda"))]
pub static PTX: [Ptx; 0] = [];
