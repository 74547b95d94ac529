//! Boundary-layer diffusion of many columns, on any device.

mod layout;
mod model;
mod resident;

pub(crate) use model::on_cpu;
pub use model::{BoundaryLayer, BoundaryLayerError};
pub use resident::Resident;
