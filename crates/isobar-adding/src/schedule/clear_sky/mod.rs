//! How a clear-sky batch is shared among lanes, and how it is read and written.

pub mod batch;
pub mod block;
pub mod deep;
pub(crate) mod elements;
pub mod order;
mod reading;
pub(crate) mod segment;
pub mod sequential;
pub mod sequential_levels;
pub(crate) mod shared_slots;
pub(crate) mod tile;
pub(crate) mod tree_scan;
pub mod warp;
