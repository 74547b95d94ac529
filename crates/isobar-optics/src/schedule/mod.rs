//! Who computes what.

pub(crate) mod gas_states;
pub(crate) mod gas_states_adjoint;
pub(crate) mod neighbours;
pub(crate) mod point;
mod point_rows;
mod points_adjoint;
mod table_rows;
pub(crate) mod warp;
