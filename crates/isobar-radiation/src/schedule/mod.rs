//! Who computes what, and where numbers lie meanwhile.

pub(crate) mod adjoint;
pub(crate) mod bands;
pub(crate) mod longwave;
pub(crate) mod longwave_air;
pub(crate) mod longwave_two_stream;
pub(crate) mod saved;
pub(crate) mod shortwave;
pub(crate) mod sky;
pub(crate) mod sunlight;
pub(crate) mod tiles;
pub(crate) mod totals;
pub(crate) mod triple;
pub(crate) mod triple_longwave;
pub(crate) mod triple_shortwave;
pub(crate) mod warp;
