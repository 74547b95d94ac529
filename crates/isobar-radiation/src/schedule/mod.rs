//! Who computes what, and where numbers lie meanwhile.

pub(crate) mod longwave;
pub(crate) mod longwave_air;
pub(crate) mod longwave_two_stream;
pub(crate) mod saved;
pub(crate) mod shortwave;
pub(crate) mod sky;
pub(crate) mod totals;
pub(crate) mod warp;
