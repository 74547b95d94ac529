//! Gas and cloud optics of correlated k-distributions.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

#[cfg(feature = "std")]
mod host;

#[cfg(feature = "std")]
pub use host::cloud_tables::{CloudTables, ParticleTable};
#[cfg(feature = "std")]
pub use host::ecckd::{Ecckd, EcckdDependence, EcckdGas, EcckdPlanck, EcckdSolar, EcckdSpectrum};
#[cfg(feature = "std")]
pub use host::rrtmgp::{Rrtmgp, RrtmgpBand, RrtmgpMinor, RrtmgpMinors, RrtmgpPlanck, RrtmgpSolar};
