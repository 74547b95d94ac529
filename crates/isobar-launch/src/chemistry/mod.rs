//! Chemical kinetics in many cells of air, on any device.

mod layout;
mod mechanism;
mod model;
mod resident;

pub use model::{Chemistry, ChemistryError};
pub use resident::{Integrated, Resident};
