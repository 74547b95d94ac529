//! Spectra.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![deny(unsafe_code)]
pub mod constants;
#[cfg(feature = "std")]
mod error;
#[cfg(feature = "std")]
pub mod grid;
pub mod kernel;
#[cfg(feature = "launch")]
pub mod launch;
#[cfg(feature = "std")]
pub mod lists;
pub mod physics;
pub mod schedule;
pub use constants::Constants;
#[cfg(feature = "std")]
pub use error::SpectraError;
#[cfg(feature = "std")]
pub use grid::Grid;
#[cfg(feature = "launch")]
pub use launch::{Absorber, Method, Options, Wings, cross_sections};
#[cfg(feature = "std")]
pub use lists::{Gas, Isotopologue, PartitionSum};
pub use physics::voigt;
pub use physics::line::{Air, Line};
