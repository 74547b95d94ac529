//! Longwave radiation in many columns, on any device.

mod layout;
mod model;
mod resident;
mod room;
mod shared;
mod tables;
mod turns;

pub use model::{Longwave, LongwaveError};
pub use resident::Resident;
pub(crate) use shared::{Shared, SharedViews};
pub use tables::DeviceTables;
pub(crate) use turns::OnQueue;
