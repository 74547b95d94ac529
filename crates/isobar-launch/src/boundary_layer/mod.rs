//! Boundary-layer diffusion of many columns, on any device.

mod layout;
mod model;
mod resident;

pub use model::{BoundaryLayer, BoundaryLayerError};
pub use resident::Resident;
