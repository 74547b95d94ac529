//! Emissivity growth along a ray path.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

#[cfg(feature = "std")]
pub mod table;

#[cfg(feature = "std")]
pub use table::{Curve, EmissivityTable};
