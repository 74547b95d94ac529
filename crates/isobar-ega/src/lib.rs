//! Infrared radiances by emissivity growth.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

#[cfg(feature = "std")]
pub mod band_model;
pub mod cell;
pub mod channel;
#[cfg(feature = "std")]
pub mod channel_data;
#[cfg(feature = "std")]
mod column_runs;
pub mod constants;
pub mod continuum;
#[cfg(feature = "std")]
pub mod continuum_data;
pub mod coverage;
pub mod curve;
#[cfg(feature = "std")]
pub mod field_of_view;
pub mod grow;
pub mod growth;
pub mod jurassic;
pub mod mean_path;
pub mod planck;
pub mod radiance;
pub mod rule;
#[cfg(feature = "std")]
pub mod setup;
pub mod sun;
#[cfg(feature = "std")]
pub mod table;
#[cfg(feature = "std")]
pub mod table_data;
pub mod tables;

#[cfg(feature = "std")]
pub use channel_data::{ChannelSetup, Filter};
#[cfg(feature = "std")]
pub use continuum_data::Continua;
#[cfg(feature = "std")]
pub use field_of_view::{FieldOfView, FieldOfViewError};
#[cfg(feature = "std")]
pub use setup::{Approximation, ForwardSetup, GroundKind};
#[cfg(feature = "std")]
pub use table::{Curve, EmissivityTable, PressureLevel, TableError};
#[cfg(feature = "std")]
pub use table_data::TableData;
