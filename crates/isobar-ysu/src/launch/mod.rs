//! Boundary-layer diffusion of many columns, on CPU threads and GPUs.

mod layout;
mod model;
mod precision;
mod ptx;
mod resident;
mod views;

#[doc(hidden)]
pub use layout::{MARKS, levels_of_room};
pub use model::{BoundaryLayer, BoundaryLayerError};
pub use precision::Precision;
pub use ptx::{PTX, load};
pub use resident::Resident;
#[doc(hidden)]
pub use views::Views;
