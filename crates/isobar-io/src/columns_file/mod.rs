//! What files of columns have in common, whatever is computed in them: which dimensions make up the columns, how
//! variables are found on them, and which end is the surface.

mod layout;
mod quantity;
mod reading;
pub(crate) mod wrf;

pub(crate) use layout::{Grid, Layout};
pub(crate) use quantity::{Per, Quantity, between};
pub(crate) use reading::{Fields, Reading};
