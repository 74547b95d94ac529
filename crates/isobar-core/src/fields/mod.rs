//! What goes into a scheme and what comes out: declared once, by [`crate::fields!`].
//!
//! A scheme's `fields.rs` lists its fields. Each line has the Rust name with the unit, the kind of numbers, the
//! dimensions besides the items (columns, profiles, cells, rays), the unit, and what else there is to say: the accepted
//! range, names in files, whether it may be left out.
//!
//! ```
//! use isobar_core::fields::{LAYER, LEVEL};
//!
//! isobar_core::fields! {
//!     /// Columns of air.
//!     inputs Columns, ColumnViews {
//!         /// Temperature of the layers.
//!         temperature_k: Real [LAYER] "K" .within(100.0, 400.0) .cf(&["air_temperature"]) .aliases(&["t"]);
//!         /// Temperature of the surface.
//!         surface_temperature_k: Real [] "K" .within(100.0, 400.0);
//!     }
//! }
//! isobar_core::fields! {
//!     /// What the columns emit.
//!     outputs Fluxes, FluxViews {
//!         /// Upward flux.
//!         up_w_per_m2: Real [LEVEL] "W m-2";
//!         /// What became of each column.
//!         status: Word [] "1";
//!     }
//! }
//! # use isobar_core::fields::{Extents, InputSet, OwnedInputs, OwnedOutputs};
//! let extents = Extents::new(2).with(LAYER, 3);
//! let columns = Columns { temperature_k: vec![250.0_f64; 6], surface_temperature_k: vec![280.0, 500.0] };
//! let views = columns.views(&extents, "column")?; // sizes are checked here
//! let bad = isobar_core::fields::check::values(&views, &extents, 0..2, "column");
//! assert_eq!(bad[0].to_string(), "surface_temperature_k at column 1 is 500, which is not in [100, 400] K");
//!
//! let mut fluxes = Fluxes::<f64>::default();
//! fluxes.resize(&extents, &|_| true)?;
//! assert_eq!(fluxes.up_w_per_m2.len(), 8);
//! # Ok::<(), isobar_core::fields::Error>(())
//! ```
//!
//! From a list of `inputs` named `Columns, ColumnViews` follow
//! - `Columns<R>`: the fields as vectors, `[row * items + item]`, where rows run through the dimensions, the last the
//!   fastest; [`OwnedInputs`] gives views of them, and the same in another precision;
//! - `ColumnViews<'a, R>`: the fields as [`crate::Field`]s (those without dimensions as [`crate::Column`]s), of memory
//!   in any layout, on the host or a device: what kernels take. [`InputSet`] visits them and builds them.
//!
//! and from `outputs` likewise vectors ([`OwnedOutputs`]) and [`crate::FieldMut`]s ([`OutputSet`]). Everything else
//! goes by the [`Declared`] of each field: [`check`] of sizes and ranges, transport to devices, stages of a column
//! model, names and units in files. None of them lists the fields again.

#[cfg(feature = "std")]
pub mod check;
mod declare;
mod declared;
mod dimension;
#[cfg(feature = "std")]
mod error;
#[cfg(feature = "std")]
mod owned;
mod pair;
mod set;
mod structs;

pub use declared::{ANY_UNIT, Accepted, Declared, Kind, Need};
pub use dimension::{
    ANGLE, BAND, CHANNEL, Dimension, Extents, G_POINT, LAYER, LEVEL, MASK_WORD, MOMENT, REACTION, SPECIES, TRACER,
};
#[cfg(feature = "std")]
pub use error::Error;
#[cfg(feature = "std")]
pub use owned::{AnyValues, OwnedInputs, OwnedOutputs};
#[cfg(feature = "std")]
#[doc(hidden)]
pub use owned::{items_of, resize, view_mut_of, view_of};
pub use set::{AnyField, AnyFieldMut, InputSet, OutputSet};
#[doc(hidden)]
pub use set::{column_of, field_of};
