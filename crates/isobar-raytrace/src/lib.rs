//! Refracted ray paths in a spherical atmosphere.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

#[cfg(feature = "std")]
pub mod atmosphere;
#[cfg(feature = "std")]
pub mod ray;

#[cfg(feature = "std")]
pub use atmosphere::{Atmosphere, CloudLayer, SurfaceLayer};
#[cfg(feature = "std")]
pub use ray::{Position, Ray};
