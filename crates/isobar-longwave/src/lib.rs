//! Longwave radiation in columns of air, as RRTMG_LW computes it.
//!
//! Correlated k-distributions (Mlawer et al. 1997, doi:10.1029/97JD00237) of sixteen bands with 140 g-points, clouds by
//! independent columns (McICA; Pincus et al. 2003, doi:10.1029/2002JD003322) or by fractions. Absorption and emission
//! along one mean slant, a Planck source linear in optical depth within a layer, no scattering. Release 5.0 of AER's
//! RRTMG_LW is the reference.
//!
//! Data flow. [`Layers`] (a lane has a column) turns mixing ratios into amounts of gas and finds each layer's place in
//! the tables, [`Slants`] the slant of each band. [`Transfer`] makes lists of terms for eight layers at a time, a layer
//! and band a lane, and sweeps through them down and up, a g-point a lane: a g-point's optical depth is the sum of
//! weights times neighbouring rows of one table, whatever its band. A GPU takes [`spread`], the same in kernels with
//! smaller items. Bands are padded to [`tables::QUAD`] g-points, so that four neighbouring lanes read four neighbouring
//! numbers by the same list; 140 g-points take 152 lanes of five warps. [`OpticalDepths`] writes out what the transfer
//! computes on its way.
//!
//! With feature `std` there are a [`KDistribution`], which reads the coefficients that come with WRF, its
//! [`TableData`], [`Columns`], which are checked, and a [`Batch`], which computes on the calling thread.
//!
//! ```
//! use std::sync::Arc;
//! use isobar_longwave::{Batch, Columns, KDistribution, Options, Table, TableData, TableKind, rrtmg};
//!
//! # let path = "RRTMG_LW_DATA";
//! let coefficients = match KDistribution::from_rrtmg_file(path) {
//!     Ok(coefficients) => coefficients,
//!     // Without the file: nothing absorbs.
//!     Err(_) => {
//!         let none = |band, kind: TableKind| Table { kind, values: vec![0.0; kind.rows(band) * band.points()] };
//!         let tables = |band| TableKind::of(band).into_iter().map(|kind| none(band, kind)).collect();
//!         KDistribution { bands: &rrtmg::BANDS, tables: rrtmg::BANDS.iter().map(tables).collect() }
//!     }
//! };
//! let tables = Arc::new(TableData::<f64>::new(&coefficients));
//!
//! // One column of three layers, from the surface up.
//! let columns = Columns {
//!     pressure: vec![9e4, 5e4, 1e4],
//!     level_pressure: vec![1e5, 8e4, 2e4, 0.0],
//!     temperature: vec![285.0, 255.0, 220.0],
//!     level_temperature: vec![290.0, 275.0, 235.0, 215.0],
//!     // H2O CO2 O3 N2O CO CH4 O2; one value stands for all layers, none for no gas.
//!     gases: [vec![0.01, 0.001, 4e-6], vec![4e-4], vec![3e-8, 6e-8, 3e-6], vec![3e-7], vec![], vec![1.8e-6], vec![0.209]],
//!     surface_temperature: vec![291.0],
//!     emissivity: vec![0.99],
//!     ..Columns::default()
//! };
//! let mut batch = Batch::new(tables, columns, Options::default())?;
//! batch.compute();
//! let fluxes = batch.outputs();
//! println!("outgoing {} W/m^2, heating {:?} K/day", fluxes.up[3], fluxes.heating);
//! assert_eq!(fluxes.status, [0]);
//! # Ok::<(), isobar_longwave::Error>(())
//! ```
//!
//! # Accuracy
//! `tests/longwave/`, against RRTMG_LW in f64: optical depths within 3e-14, fluxes within 3e-13 W/m^2 with its table of
//! transmittances ([`Transmittance::Table`]) and within 1e-2 with exact ones, sub-columns bit for bit, AER's 14
//! published examples to half of their last digit. f32 against f64: fluxes within 1.1e-4 W/m^2, heating rates within
//! 5e-5 K/day, for each layer's gain is summed for itself.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
// A lane's number indexes many arrays at once, in loops that have to vectorise.
#![allow(clippy::needless_range_loop)]

mod absorption;
#[cfg(feature = "std")]
mod aligned;
mod amounts;
#[cfg(feature = "std")]
pub mod analytic;
pub mod angles;
#[cfg(feature = "std")]
mod arrays;
pub mod band;
#[cfg(feature = "std")]
mod batch;
mod chunk;
mod cloud_fractions;
pub mod cloud_mask;
#[cfg(feature = "std")]
mod cloud_optics;
pub mod clouds;
#[cfg(feature = "std")]
mod coefficient_file;
#[cfg(feature = "std")]
mod columns;
pub mod constants;
pub mod demonstration;
#[cfg(feature = "std")]
mod error;
#[cfg(feature = "std")]
mod file_error;
mod fluxes;
pub mod grid;
#[cfg(feature = "std")]
mod host_room;
#[cfg(feature = "std")]
mod inputs;
mod interpolation;
pub mod jump;
#[cfg(feature = "std")]
mod k_distribution;
#[cfg(feature = "std")]
mod k_file;
mod kept;
#[cfg(feature = "launch")]
pub mod launch;
mod layers;
mod lists;
mod minor_terms;
mod mixture;
mod optical_depths;
mod optics;
#[cfg(feature = "std")]
mod options;
#[cfg(feature = "std")]
mod outputs;
#[cfg(feature = "std")]
mod outside;
#[cfg(feature = "std")]
mod overlap;
mod overlap_weights;
mod passage;
mod prepare;
#[cfg(feature = "std")]
mod published;
pub mod random;
#[cfg(feature = "std")]
mod reference_atmosphere;
pub mod rrtmg;
mod scratch;
mod slant_sum;
mod slants;
pub mod spread;
pub mod state;
mod sums;
mod sweep;
#[cfg(feature = "std")]
mod table_data;
pub mod tables;
mod terms;
#[cfg(feature = "std")]
mod top_layer;
pub mod transfer;
#[cfg(feature = "std")]
mod validate;
#[cfg(feature = "std")]
mod views;
#[cfg(feature = "std")]
mod words;
#[cfg(feature = "std")]
mod work;

pub use cloud_mask::CloudMask;
pub use fluxes::Fluxes;
pub use layers::{Air, LayerStates, Layers};
pub use optical_depths::OpticalDepths;
pub use prepare::Sources;
pub use slant_sum::AddSlant;
pub use slants::Slants;
pub use transfer::{Transfer, TransferArgs};

#[cfg(feature = "std")]
pub use aligned::Aligned;
#[cfg(feature = "std")]
pub use arrays::{ARRAYS, Extents};
#[cfg(feature = "std")]
pub use batch::Batch;
#[cfg(feature = "std")]
pub use columns::{CloudColumns, Columns};
#[cfg(feature = "std")]
pub use error::Error;
#[cfg(feature = "std")]
pub use file_error::FileError;
#[cfg(feature = "std")]
pub use host_room::HostRoom;
#[cfg(feature = "std")]
pub use inputs::Inputs;
#[cfg(feature = "std")]
pub use k_distribution::{KDistribution, Table, TableKind};
#[cfg(feature = "std")]
pub use options::{IceOptics, LiquidOptics, Options, Solver, Transmittance};
#[cfg(feature = "std")]
pub use outputs::{Outputs, States};
#[cfg(feature = "std")]
pub use outside::{Outliers, TableRange};
#[cfg(feature = "std")]
pub use overlap::{Decorrelation, Generator, Overlap, Subcolumns};
#[cfg(feature = "std")]
pub use reference_atmosphere::{ReferenceLevel, reference_levels};
#[cfg(feature = "std")]
pub use table_data::TableData;
#[cfg(feature = "std")]
pub use words::Words;
#[cfg(feature = "std")]
pub use work::{Launcher, Room, Work};
