//! Who computes what.

pub(crate) mod gas_states;
pub(crate) mod gas_states_adjoint;
pub(crate) mod neighbours;
pub(crate) mod point;
mod points_adjoint;
pub(crate) mod warp;
