//! CUDA, or its absence.
//!
//! Both modules have the same names, so that everything else type-checks without the feature `cuda`.

#[cfg(not(feature = "cuda"))]
mod absent;
#[cfg(feature = "cuda")]
mod driver;
#[cfg(feature = "cuda")]
mod gpu;
#[cfg(feature = "cuda")]
mod memory;
#[cfg(feature = "cuda")]
mod stream;

#[cfg(not(feature = "cuda"))]
pub(crate) use absent::{Locked, Memory, Stream, list};
#[cfg(feature = "cuda")]
pub(crate) use {gpu::list, memory::Locked, memory::Memory, stream::Stream};
