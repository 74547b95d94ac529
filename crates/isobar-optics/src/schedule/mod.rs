//! Who computes what.

pub(crate) mod gas_states;
pub(crate) mod warp;
