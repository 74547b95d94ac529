//! Who computes what, and where the numbers lie meanwhile: a GPU's thread is one lane of a warp, whose layers are
//! copied to shared memory ahead of their use; a CPU's thread computes a vector of columns at a time and reads layers
//! when they are needed.
//!
//! The formulas are in [`crate::physics`]. Here are all tests of the number of lanes, and all `unsafe` but that of the
//! kernels' contract.

pub(crate) mod columns;
pub(crate) mod copies;
pub(crate) mod dissipation;
pub(crate) mod energy;
pub(crate) mod energy_memory;
pub(crate) mod inputs;
pub(crate) mod interface;
pub(crate) mod layers;
pub(crate) mod prefetch;
pub(crate) mod rows;
pub(crate) mod search;
pub(crate) mod shared;
pub(crate) mod source;
pub(crate) mod sweep;
pub(crate) mod tile;
pub(crate) mod top;
pub(crate) mod topographic;
pub(crate) mod tracers;
pub(crate) mod urban;
