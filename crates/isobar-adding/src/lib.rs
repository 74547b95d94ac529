//! The adding method.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

pub mod clear_sky;
#[cfg(feature = "std")]
mod error;
pub mod scattering;
pub mod schedule;

#[cfg(feature = "std")]
pub use error::{Error, Place};
pub use schedule::Schedule;
