//! Longwave radiation in columns of air, as RRTMG_LW computes it.
//!
//! Correlated k-distributions (Mlawer et al. 1997, doi:10.1029/97JD00237) of sixteen bands with 140 g-points, clouds by
//! independent columns (McICA; Pincus et al. 2003, doi:10.1029/2002JD003322) or by fractions. Absorption and emission
//! along one diffusivity angle, a Planck source linear in optical depth within a layer, no scattering. Release 5.0 of
//! AER's RRTMG_LW is the reference.
//!
//! Equations. Of a layer with slant optical depth t, a radiance I becomes `I + (S - I) a` with the absorptance `a = 1 -
//! exp(-t)`, and the source `S = f (B + s (B' - B))` of Planck fraction f, radiance B in the layer's middle and B' at
//! its far boundary, and `s = 1 - 2 (1/t - exp(-t)/a)`.
//!
//! Data flow. A warp has 32 lanes; a GPU's thread computes one, a CPU's thread all. In [`Layers`] a lane has a column
//! or a layer, in lists of terms a layer and band, in transfer a g-point: its optical depth is the sum of weights times
//! neighbouring rows of one table, whatever its band. [`Transfer`] takes a column as a block, eight layers at a time;
//! [`spread`] does the same in kernels with smaller items, as a GPU wants it. Both run one sweep over different
//! storage: a CPU's thread and `spread` store the downward sweep for that upward, [`Transfer`] of any sky computes
//! layers again. Bands are padded to [`tables::QUAD`] g-points, so that four neighbouring lanes read four neighbouring
//! numbers by the same list; 140 g-points take 152 lanes of five warps.
//!
//! | Files | What they do |
//! | --- | --- |
//! | `constants`, [`grid`], [`band`], [`rrtmg`], [`demonstration`], [`angles`] | bands, gases, angles |
//! | `sizes`, [`state`], [`tables`], [`clouds`], `overlap`, [`jump`], `fluxes`, `arguments` | data of kernels |
//! | `physics/amounts`, `interpolation`, `gas_state` | amounts of gases, positions in the tables |
//! | `physics/diffusivity` | precipitable water gives each band's diffusivity angle |
//! | [`physics/random`](random), `subcolumns` | which g-points see clouds |
//! | `physics/terms`, `minor_terms`, `mixture` | lists of terms |
//! | `physics/optical_depth`, `planck`, `clouds` | optical depths of gas and clouds, Planck radiance |
//! | `physics/absorption`, `passage` | what a layer absorbs and emits, and does to a radiance |
//! | `physics/cloud_fractions`, `overlap_weights` | the same with fractions of clouds |
//! | `physics/sweep`, `surface`, `heating` | down, reflection, up; heating rates |
//! | `schedule/gas_states`, `column_sums`, `masks` | lanes before transfer: columns, layers, g-points |
//! | `schedule/lane_groups`, `chunk`, `points` | lanes that have a chunk, or a quad |
//! | `schedule/lists`, `band_list` | lists in memory, and who writes them |
//! | `schedule/scratch`, `prepare`, `block`, `quad_sums`, `block_totals`, `optical_depths` | a column as a block |
//! | `schedule/stored`, `prefetch` | what a CPU's thread adds: the stored downward sweep |
//! | `schedule/spread/` | a column's memory, lists, sweeps and totals as kernels of their own |
//! | `schedule/surface` | the surface, for both |
//! | `kernel` | the kernels |
//! | `host/` | coefficients, columns, checks, results, and the order of kernels |
//!
//! Words: a *chunk* is up to eight neighbouring layers of one region; a *slot* a layer's number in it; a *segment* a
//! warp of g-points; a *quad* four g-points of one band; a *list* the terms of a layer's optical depth in a band; a
//! *stream* a radiance that a g-point carries; a *sky* all sky or clear sky.
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
//!     gases: [
//!         vec![0.01, 0.001, 4e-6],
//!         vec![4e-4],
//!         vec![3e-8, 6e-8, 3e-6],
//!         vec![3e-7],
//!         vec![],
//!         vec![1.8e-6],
//!         vec![0.209],
//!     ],
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

pub mod angles;
mod arguments;
pub mod band;
pub mod clouds;
pub mod constants;
pub mod demonstration;
mod fluxes;
pub mod grid;
#[cfg(feature = "std")]
mod host;
pub mod jump;
mod kernel;
#[cfg(feature = "launch")]
pub mod launch;
mod overlap;
mod physics;
pub mod rrtmg;
mod schedule;
mod sizes;
pub mod state;
pub mod tables;

/// Random sub-columns: which g-points see the clouds of a column.
pub mod cloud_mask {
    pub use crate::arguments::CloudMask;
    pub use crate::jump::Jumps;
    pub use crate::overlap::{EXPONENTIAL, EXPONENTIAL_RANDOM, MAXIMUM, MAXIMUM_RANDOM, RANDOM};
}

/// Transfer in kernels of which each has many small items: how a GPU does it, which hides the time that memory takes by
/// work of other warps.
///
/// [`ListTerms`](spread::ListTerms) writes the lists of terms of every layer and band, [`Sweeps`](spread::Sweeps) takes
/// a warp of g-points of a column down and up through its layers, [`Totals`](spread::Totals) adds the warps' sums. What
/// they leave to each other lies in the device's memory, for some columns at a time; no warp waits for another. The
/// sweep is that of [`Transfer`], in another order of work: so the bits are the same.
pub mod spread {
    pub use crate::arguments::{ListTerms, Spread, Sweeps, Totals};
    #[cfg(feature = "std")]
    pub use crate::schedule::spread::levels;
}

/// Transfer without scattering: radiation down and up through the layers of a column, without an array over g-points.
pub mod transfer {
    pub use crate::arguments::{ANY, CLEAR, MAXIMUM_RANDOM, RANDOM, SUBCOLUMNS, Transfer, TransferArgs};
}

pub use arguments::{
    AddSlant, Air, CloudMask, LayerStates, Layers, OpticalDepths, Slants, Sources, Transfer, TransferArgs,
};
pub use fluxes::Fluxes;
pub use physics::random;

#[cfg(feature = "std")]
pub use host::aligned::Aligned;
#[cfg(feature = "std")]
pub use host::analytic;
#[cfg(feature = "std")]
pub use host::arrays::ARRAYS;
#[cfg(feature = "std")]
pub use host::batch::Batch;
#[cfg(feature = "std")]
pub use host::columns::{CloudColumns, Columns};
#[cfg(feature = "std")]
pub use host::error::Error;
#[cfg(feature = "std")]
pub use host::file_error::FileError;
#[cfg(feature = "std")]
pub use host::inputs::Inputs;
#[cfg(feature = "std")]
pub use host::k_distribution::{KDistribution, Table, TableKind};
#[cfg(feature = "std")]
pub use host::mask_bits::Words;
#[cfg(feature = "std")]
pub use host::options::{IceOptics, LiquidOptics, Options, Solver, Transmittance};
#[cfg(feature = "std")]
pub use host::outputs::{Outputs, States};
#[cfg(feature = "std")]
pub use host::outside::{Outliers, TableRange};
#[cfg(feature = "std")]
pub use host::overlap::{Decorrelation, Generator, Overlap, Subcolumns};
#[cfg(feature = "std")]
pub use host::reference_atmosphere::{ReferenceLevel, reference_levels};
#[cfg(feature = "std")]
pub use host::table_data::TableData;
#[cfg(feature = "std")]
pub use host::work::{Launcher, Room, Work};
#[cfg(feature = "std")]
pub use host::workspace::HostRoom;
#[cfg(feature = "std")]
pub use sizes::Extents;
