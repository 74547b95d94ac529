//! Who computes what.

pub(crate) mod gas_states;
pub(crate) mod gas_states_adjoint;
pub(crate) mod neighbours;
pub(crate) mod point;
mod point_products;
mod points_adjoint;
mod table_products;
pub(crate) mod warp;
