//! Gas and cloud optics of correlated k-distributions.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
// A lane's number indexes many arrays at once, in loops that have to vectorise.
#![allow(clippy::needless_range_loop)]

mod atmosphere;
pub mod constants;
pub mod gases;
#[cfg(feature = "std")]
mod host;
mod physics;
mod schedule;
pub mod state;
pub mod tables;

pub use atmosphere::Atmosphere;
pub use schedule::gas_states::GasStates;
pub use schedule::warp::Points;

#[cfg(feature = "std")]
pub use host::aerosol_optics::{AerosolError, AerosolKind, relative_humidity};
#[cfg(feature = "std")]
pub use host::aerosol_tables::{AerosolTable, AerosolTables};
#[cfg(feature = "std")]
pub use host::cloud_tables::{CloudTables, ParticleTable};
#[cfg(feature = "std")]
pub use host::ecckd::{Ecckd, EcckdDependence, EcckdGas, EcckdPlanck, EcckdSolar, EcckdSpectrum};
#[cfg(feature = "std")]
pub use host::gas_optics::{CoefficientError, GasOptics};
#[cfg(feature = "std")]
pub use host::rrtmgp::{Rrtmgp, RrtmgpBand, RrtmgpMinor, RrtmgpMinors, RrtmgpPlanck, RrtmgpSolar};
#[cfg(feature = "std")]
pub use host::scattering::{Averaging, ScatteringTable};
#[cfg(feature = "std")]
pub use host::table_data::{Columns as TableColumns, TableData};
