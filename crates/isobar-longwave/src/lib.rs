//! Longwave radiation in columns of air.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
// A lane's number indexes many arrays at once, in loops that have to vectorise.
#![allow(clippy::needless_range_loop)]

pub mod band;
#[cfg(feature = "std")]
mod coefficient_file;
#[cfg(feature = "std")]
mod file_error;
pub mod grid;
#[cfg(feature = "std")]
mod k_distribution;
#[cfg(feature = "std")]
mod k_file;
pub mod rrtmg;

#[cfg(feature = "std")]
pub use file_error::FileError;
#[cfg(feature = "std")]
pub use k_distribution::{KDistribution, Table, TableKind};
