//! How a clear-sky batch is shared among lanes, and how it is read and written.

pub mod batch;
pub mod block;
pub mod deep;
mod reading;
pub mod sequential;
pub mod sequential_levels;
pub(crate) mod shared_slots;
pub(crate) mod tile;
pub(crate) mod tree_scan;
pub mod warp;
