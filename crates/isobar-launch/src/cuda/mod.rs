//! CUDA, or its absence.
//!
//! Both modules have the same names, so that everything else type-checks without CUDA: without the feature `cuda`, and
//! on systems for which NVIDIA has no driver.

#[cfg(not(cuda))]
mod absent;
#[cfg(cuda)]
mod driver;
#[cfg(cuda)]
mod foreign;
#[cfg(cuda)]
mod gpu;
#[cfg(cuda)]
mod memory;
#[cfg(cuda)]
mod stream;

#[cfg(not(cuda))]
pub(crate) use absent::{Locked, Memory, Stream, list};
#[cfg(cuda)]
pub(crate) use {gpu::list, memory::Locked, memory::Memory, stream::Stream};
