//! How matrices are shared among lanes, and slabs among warps.
#[macro_use]
pub mod unroll;

pub mod add;
pub(crate) mod rows;
pub mod scan;
pub mod slab;
pub mod streams;
