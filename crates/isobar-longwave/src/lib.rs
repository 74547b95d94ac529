//! Longwave radiation in columns of air.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
// A lane's number indexes many arrays at once, in loops that have to vectorise.
#![allow(clippy::needless_range_loop)]

mod absorption;
mod amounts;
pub mod band;
#[cfg(feature = "std")]
mod batch;
mod chunk;
pub mod clouds;
#[cfg(feature = "std")]
mod coefficient_file;
#[cfg(feature = "std")]
mod columns;
pub mod constants;
#[cfg(feature = "std")]
mod error;
#[cfg(feature = "std")]
mod file_error;
mod fluxes;
pub mod grid;
mod interpolation;
#[cfg(feature = "std")]
mod k_distribution;
#[cfg(feature = "std")]
mod k_file;
mod layers;
mod mixture;
mod optical_depths;
mod optics;
#[cfg(feature = "std")]
mod options;
#[cfg(feature = "std")]
mod overlap;
mod prepare;
#[cfg(feature = "std")]
mod published;
pub mod random;
pub mod rrtmg;
mod scratch;
pub mod state;
mod sweep;
#[cfg(feature = "std")]
mod table_data;
pub mod tables;
mod terms;
mod transfer;
#[cfg(feature = "std")]
mod validate;

pub use fluxes::Fluxes;
pub use layers::{Air, LayerStates, Layers};
pub use optical_depths::OpticalDepths;
pub use prepare::Sources;
pub use transfer::{Transfer, TransferArgs};

#[cfg(feature = "std")]
pub use batch::{Batch, Outputs, States};
#[cfg(feature = "std")]
pub use columns::{CloudColumns, Columns};
#[cfg(feature = "std")]
pub use error::Error;
#[cfg(feature = "std")]
pub use file_error::FileError;
#[cfg(feature = "std")]
pub use k_distribution::{KDistribution, Table, TableKind};
#[cfg(feature = "std")]
pub use options::{IceOptics, LiquidOptics, Options, Transmittance};
#[cfg(feature = "std")]
pub use overlap::{Decorrelation, Generator, Overlap, Subcolumns};
#[cfg(feature = "std")]
pub use table_data::TableData;
