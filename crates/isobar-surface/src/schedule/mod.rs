//! Who computes what, and where the numbers lie meanwhile: a GPU's thread has a column, a CPU's a vector of columns at
//! a time.
//!
//! The formulas are in [`crate::physics`].

pub(crate) mod columns;
pub(crate) mod look_up;
pub(crate) mod search;
pub(crate) mod tile;
