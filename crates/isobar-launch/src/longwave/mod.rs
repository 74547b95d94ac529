//! Longwave radiation in many columns, on any device.

mod layout;
mod model;
mod resident;
mod tables;

pub use model::{Longwave, LongwaveError};
pub use resident::Resident;
pub use tables::DeviceTables;
