//! Long-wave and short-wave radiation in columns of air, with k-distributions of RRTMGP and ecCKD.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
// A lane's number indexes many arrays at once, in loops that have to vectorise.
#![allow(clippy::needless_range_loop)]

mod arguments;
#[cfg(feature = "launch")]
mod buffers;
#[cfg(feature = "std")]
mod compute;
pub mod constants;
#[cfg(feature = "launch")]
mod device_tables;
mod fields;
#[cfg(feature = "std")]
mod host;
#[cfg(feature = "launch")]
mod model;
#[cfg(feature = "std")]
mod order;
mod physics;
#[cfg(feature = "launch")]
mod ptx;
mod schedule;

pub use arguments::{CLEAR, CLOUDY, LongwaveSweeps, ShortwaveSweeps, SpectrumViews, Sweep, Totals};
pub use fields::{ColumnViews, FluxViews, ITEM, LONGWAVE_BAND, SHORTWAVE_BAND};
pub use physics::cloud::{CloudTables, Particles};

#[cfg(feature = "launch")]
pub use buffers::Memory;
#[cfg(feature = "std")]
pub use compute::compute;
#[cfg(feature = "launch")]
pub use device_tables::DeviceTables;
#[cfg(feature = "std")]
pub use fields::{Columns, Fluxes};
#[cfg(feature = "std")]
pub use host::analytic;
#[cfg(feature = "std")]
pub use host::cloud_optics::{CloudOptics, Roughness};
#[cfg(feature = "std")]
pub use host::options::{Angles, Options, Overlap};
#[cfg(feature = "std")]
pub use host::spectrum::Spectra;
#[cfg(feature = "launch")]
pub use isobar_launch::{BadItems, Device, Model, RunError};
#[cfg(feature = "launch")]
pub use model::{Precision, Radiation};
#[cfg(feature = "launch")]
pub use ptx::PTX;
