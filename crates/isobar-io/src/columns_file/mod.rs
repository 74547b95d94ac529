//! What files of columns have in common, whatever is computed in them: which dimensions make up the columns, how
//! variables are found on them, which end is the surface, and how gases, clouds and pressures are given.

mod arrange;
pub(crate) mod background_radii;
pub(crate) mod clouds;
pub(crate) mod derive;
mod described;
mod fields;
pub(crate) mod gas;
pub(crate) mod humidity;
mod input;
pub(crate) mod intervals;
pub(crate) mod land;
mod layout;
pub(crate) mod mpas;
mod not_read;
mod outliers;
mod parts;
mod per;
pub(crate) mod pressure;
mod pressure_unit;
mod quantity;
mod reading;
mod results;
mod same_columns;
pub(crate) mod time;
mod well_mixed;
pub(crate) mod wrf;
pub(crate) mod wrf_clouds;

/// Layers that a column of radiation has at least: one layer is no profile.
pub(crate) const LEAST_LAYERS: usize = 2;

pub use clouds::NO_CLOUD_FRACTION;
pub(crate) use described::Described;
pub(crate) use fields::Fields;
pub use input::{BadColumn, BelowGround, ColumnsInput, FilePressures, Outside, Temperatures, masked_in_words};
pub(crate) use input::{Pressures, Raw, stand_in};
pub(crate) use layout::{Grid, Layout};
pub use not_read::{constants_not_read, names_not_read};
pub(crate) use outliers::Outliers;
pub use parts::Parts;
pub(crate) use per::{Bands, Per};
pub(crate) use pressure_unit::Stated;
pub(crate) use quantity::{Quantity, between};
pub(crate) use reading::Reading;
pub use results::open_results;
pub use same_columns::columns_differ;
