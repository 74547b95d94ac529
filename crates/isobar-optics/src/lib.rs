//! Gas and cloud optics of correlated k-distributions: RRTMGP's (Pincus et al. 2019, doi:10.1029/2019MS001621), ecCKD's
//! (Hogan and Matricardi 2022, doi:10.1029/2022MS003033), or your own.
//!
//! A layer's optical depth at a g-point is a sum of weights times rows of tables, `tau(g) = sum w_i K(row_i, g)`: eight
//! rows of a major table, four of each lesser gas. [`GasStates`] finds rows and weights of every layer, once for each
//! pair of key gases; [`Points`] adds them up for the g-points of a warp.
//!
//! | Files | What they do |
//! | --- | --- |
//! | `host/rrtmgp`, `ecckd`, `cloud_tables`, `aerosol_tables`, `scattering` | what files hold |
//! | `host/gas_optics`, `from_rrtmgp`, `from_ecckd`, `table_data` | k-distributions in one form, and in a precision |
//! | `gases`, `constants`, [`tables`], [`state`], `atmosphere` | data of kernels |
//! | [`overlap`] | how clouds of different layers overlap |
//! | `physics/layer`, `rrtmgp`, `ecckd`, `axis`, `planck` | where a layer lies in the tables, and what it has of each gas |
//! | `physics/absorption` | coefficients between the nodes of the tables, times amounts |
//! | `schedule/gas_states`, `warp` | who computes what |
//! | `schedule/neighbours`, `point` | optical depths of a CPU's neighbouring g-points, of a GPU's one |
//!
//! Words: a *flavour* is a pair of key gases; a *stencil* the rows and weights of a layer for it; a *segment* a warp of
//! g-points; a *run* its neighbouring g-points of one band; a *slot* the number of a lesser gas in a region.
//!
//! ```
//! use isobar_optics::{Ecckd, EcckdDependence, EcckdGas, EcckdPlanck, GasOptics, TableData};
//!
//! // A grey atmosphere: one g-point, water vapour alone, 0.1 m2/mol whatever the state.
//! let water = EcckdGas {
//!     name: "h2o".to_owned(),
//!     dependence: EcckdDependence::LookUp(vec![1e-6, 1e-1]),
//!     absorption: vec![0.1; 2 * 2 * 2],
//! };
//! let grey = Ecckd {
//!     points: 1,
//!     pressure_pa: vec![1.0, 1e5],
//!     temperature_k: vec![200.0, 200.0, 300.0, 300.0],
//!     gases: vec![water],
//!     bands: vec![[0.0, 3000.0]],
//!     band_of_point: vec![0],
//!     planck: Some(EcckdPlanck { temperature_k: vec![200.0, 300.0], irradiance: vec![90.7, 459.3] }),
//!     ..Ecckd::default()
//! };
//! let optics = GasOptics::try_from(&grey)?;
//! assert!(optics.is_longwave());
//! assert_eq!(TableData::<f32>::new(&optics).segments(), 1);
//! # Ok::<(), isobar_optics::CoefficientError>(())
//! ```
#![cfg_attr(not(any(test, feature = "std")), no_std)]
// A lane's number indexes many arrays at once, in loops that have to vectorise.
#![allow(clippy::needless_range_loop)]

mod atmosphere;
pub mod constants;
pub mod gases;
#[cfg(feature = "std")]
mod host;
pub mod overlap;
mod physics;
mod read_pair;
mod schedule;
pub mod state;
pub mod tables;

pub use atmosphere::Atmosphere;
pub use overlap::Overlap;
pub use schedule::gas_states::GasStates;
pub use schedule::gas_states_adjoint::{AtmosphereGradients, GasStatesAdjoint};
pub use schedule::point::Ahead;
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
pub use host::table_data::TableData;
