//! Chemical kinetics in many cells of air, on CPU threads and GPUs.

mod layout;
mod mechanism;
mod model;
mod ptx;
mod resident;

pub use model::{Chemistry, ChemistryError};
pub use ptx::{PTX, load};
pub use resident::{Integrated, Resident};
