//! Who computes what, and where a cell's numbers are.

pub(crate) mod active_cells;
pub(crate) mod arguments;
pub(crate) mod blocks;
pub(crate) mod by_warps;
pub(crate) mod integrate;
pub(crate) mod layout;
#[cfg(feature = "std")]
pub(crate) mod list;
pub(crate) mod numbers;
pub(crate) mod queue;
pub(crate) mod rate_constants;
pub(crate) mod reduced;
pub(crate) mod rounds;
#[cfg(feature = "std")]
mod seats;
#[cfg(feature = "std")]
mod share;
#[cfg(feature = "std")]
mod steps;
pub(crate) mod supply;
pub(crate) mod team;
