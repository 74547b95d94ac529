//! What an atmospheric column model needs around its schemes of radiation, turbulence and chemistry.
//!
//! In the order of a step: the [`sun`]; the temperature of the [`ground`]; what follows from the state ([`diagnose`]);
//! the surface layer and its fluxes ([`surface_flux`], by the [`similarity`] of Monin and Obukhov); and, when the
//! schemes have given their tendencies, the step in time ([`advance`]). Tracers go to and from chemistry as molecules
//! in a cm^3 ([`cells`]). [`budget`] integrates columns. Initial states: [`standard_atmosphere`], [`rcemip`], and with
//! feature `std` the [`sounding`]s made of them.
//!
//! Layers are at fixed pressure, so that a column's mass does not change: tendencies by mixing and radiation sum to
//! what passes through the ends, and budgets close to round-off. Nothing condenses.
//!
//! Each kernel's item is a column, or 32 neighbouring ones. Fields are `(layer or level, column)` from the surface up.
//!
//! ```
//! use isobar_column::sounding::{Kind, Sounding, heights};
//!
//! let sounding = Sounding::new(Kind::StandardAtmosphere, &heights(40, 20_000.0, 1.8))?;
//! assert!((sounding.temperature[0] - 288.1).abs() < 0.2);
//! assert!((sounding.interface_pressure[0] - 101_325.0).abs() < 1e-9);
//! # Ok::<(), isobar_column::Error>(())
//! ```
//!
//! # Accuracy
//! `tests/column`: the standard atmosphere within the digits of its printed tables; RCEMIP's pressure is hydrostatic
//! within the error of differences; stability functions are integrals of their gradients within 1e-6; budgets close
//! within roundings of their sums.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
// A lane's number indexes many arrays at once, in loops that have to vectorise.
#![allow(clippy::needless_range_loop)]

pub mod advance;
pub mod budget;
pub mod cells;
pub mod constants;
pub mod diagnose;
#[cfg(feature = "std")]
mod error;
pub mod ground;
pub mod humidity;
pub mod rcemip;
pub mod similarity;
#[cfg(feature = "std")]
pub mod sounding;
pub mod standard_atmosphere;
pub mod sun;
pub mod surface_flux;

#[cfg(feature = "std")]
pub use error::Error;
