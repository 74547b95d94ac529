//! Layers that scatter.

pub mod below;
pub mod directions;
pub mod doubling;
pub(crate) mod escape;
pub mod matrix;
pub mod operator;
pub mod phase;
#[cfg(feature = "std")]
pub mod quadrature;
pub mod solve;
pub mod star;
pub mod sun;
pub mod surface;
pub mod thin;
