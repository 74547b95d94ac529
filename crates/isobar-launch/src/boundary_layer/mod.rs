//! Boundary-layer diffusion of many columns, on any device.

mod layout;
mod model;
mod resident;
mod views;

pub(crate) use layout::{MARKS, levels_of_room};
pub(crate) use model::on_cpu;
pub use model::{BoundaryLayer, BoundaryLayerError};
pub use resident::Resident;
pub(crate) use views::Views;
