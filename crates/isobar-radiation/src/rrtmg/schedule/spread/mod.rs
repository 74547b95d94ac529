//! Transfer in kernels of which each has many small items: how a GPU does it, which hides the time that memory takes by
//! work of other warps. What they leave to each other is a [`ColumnMemory`].

pub(crate) mod list_terms;
pub(crate) mod memory;
pub(crate) mod sweeps;
pub(crate) mod totals;

#[cfg(feature = "std")]
pub use memory::levels;
