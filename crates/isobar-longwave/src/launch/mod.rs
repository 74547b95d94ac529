//! Longwave radiation in many columns, on CPU threads and GPUs.

mod layout;
mod model;
mod plain;
mod precision;
mod ptx;
mod resident;
mod room;
mod shared;
mod tables;
mod turns;

pub use model::{Longwave, LongwaveError};
pub use precision::Precision;
pub use ptx::{PTX, load};
pub use resident::Resident;
#[doc(hidden)]
pub use shared::{Shared, SharedViews};
pub use tables::DeviceTables;
