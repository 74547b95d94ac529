//! The kernels for GPUs.

use isobar_launch::{Error, Ptx, Queue};

/// The kernels of this crate, made by `cargo xtask ptx`. What computes here loads them by itself.
#[cfg(feature = "cuda")]
pub static PTX: [Ptx; 2] =
    [Ptx::embedded(include_str!("../../ptx/clear_sky.ptx")), Ptx::embedded(include_str!("../../ptx/scattering.ptx"))];
/// The kernels of this crate: none without the feature `cuda`.
#[cfg(not(feature = "cuda"))]
pub static PTX: [Ptx; 0] = [];

/// Brings them to a queue's device.
pub(super) fn load(queue: &Queue) -> Result<(), Error> {
    PTX.iter().try_for_each(|&ptx| queue.load(ptx))
}
