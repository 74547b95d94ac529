//! NetCDF files, read and written without a C library.
//!
//! **Reading.** [`Dataset`] opens NetCDF-3 (classic, 64-bit offset, 64-bit data) and NetCDF-4. What is wanted is a
//! [`VariableSpec`]: it is found by our name, by a short name of the reference model or by CF's `standard_name`; it
//! must carry `units`, which are converted; its dimensions are matched by name in any order; missing values, values
//! that are not finite and values outside the accepted range are errors that name variable, index and value. Variables
//! may lie in groups; those of the root win, and two of one name in groups are an error.
//!
//! **Orientation.** [`Dataset::orientation`] says which end of the layers and levels is the top.
//!
//! **Writing.** [`DatasetWriter`] writes the classic formats, beside its destination until it is complete.
//!
//! ```no_run
//! use std::path::Path;
//! use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};
//!
//! const OPTICAL_DEPTH: VariableSpec = VariableSpec {
//!     name: "optical_depth",
//!     aliases: &["tau"],
//!     standard_names: &["atmosphere_optical_thickness"],
//!     unit: "1",
//!     axes: &[Axis::required(Dimension::Layer), Axis::optional(Dimension::Profile)],
//!     accepted: Accepted::NOT_NEGATIVE,
//! };
//!
//! let mut file = Dataset::open(Path::new("profiles.nc"))?;
//! let mut optical_depth = file.read(&OPTICAL_DEPTH)?;
//! optical_depth.top_first(file.orientation()?);
//! let optical_depth = file.broadcast(optical_depth);
//! // layer * profiles + profile
//! let _first_layer = &optical_depth.values[..optical_depth.shape[1]];
//! # Ok::<(), isobar_io::Error>(())
//! ```

mod accepted;
mod another;
mod array;
mod attribute;
mod bounds;
mod checksum;
mod clamped;
mod coordinates;
mod dataset;
mod destination;
mod dimension;
pub(crate) mod evidence;
mod field;
mod files;
mod find;
mod groups;
mod header;
mod in_part;
mod in_time;
mod item_grid;
mod items;
mod mask;
mod masked;
mod merged;
mod of_ground;
mod open;
mod orientation;
mod output_variable;
mod part;
mod provenance;
mod read;
mod refusal;
mod several;
mod shared;
mod sizes;
mod spec;
mod store;
mod unit;
mod unread;
mod values;
mod vertical;
mod write;
mod write_parts;
#[cfg(feature = "zarr")]
mod zarr;

pub use crate::zarr_path::is_zarr;
pub use accepted::Accepted;
pub(crate) use array::Array;
pub(crate) use attribute::{global_text, of as text_of};
pub use checksum::checksum;
pub use clamped::Clamped;
pub use coordinates::{Coordinate, Coordinates};
pub use dataset::{Dataset, is_netcdf};
pub use dimension::Dimension;
pub use field::Field;
pub(crate) use files::Bounds;
pub use files::Part;
pub use item_grid::ItemGrid;
pub(crate) use mask::Mask;
pub(crate) use open::{open, refused};
pub use orientation::Orientation;
pub use output_variable::{OutputVariable, Sample};
pub use provenance::{Provenance, file_hash, file_stamp, path_in_words};
pub(crate) use read::AS_STORED;
pub use refusal::Refusal;
pub use spec::{Axis, VariableSpec};
pub use unit::{Conversion, Unit, UnitError};
pub use unread::Remarks;
pub(crate) use values::numbers;
pub use write::DatasetWriter;
pub(crate) use write::format as classic_format;
