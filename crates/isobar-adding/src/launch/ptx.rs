//! The kernels for GPUs.

use isobar_launch::{Error, Ptx, Queue};

/// The kernels of this crate for GPUs, made by `cargo xtask ptx`.
#[cfg(feature = "cuda")]
pub static PTX: [Ptx; 2] =
    [Ptx::embedded(include_str!("../../ptx/clear_sky.ptx")), Ptx::embedded(include_str!("../../ptx/scattering.ptx"))];
/// The kernels of this crate for GPUs: none without the feature `cuda`.
#[cfg(not(feature = "cuda"))]
pub static PTX: [Ptx; 0] = [];

/// Brings them to the device of a queue. The models here do so by themselves.
///
/// # Errors
/// As [`Queue::load`].
pub fn load(queue: &Queue) -> Result<(), Error> {
    PTX.iter().try_for_each(|&ptx| queue.load(ptx))
}
