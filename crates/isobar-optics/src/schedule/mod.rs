//! Who computes what.

pub(crate) mod gas_states;
pub(crate) mod neighbours;
pub(crate) mod point;
pub(crate) mod warp;
