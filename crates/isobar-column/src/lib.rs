//! What an atmospheric column model needs around its schemes of radiation, turbulence and chemistry.
//!
//! In the order of a step: the [`sun`]; what follows from the state ([`diagnose`]); the [`ground`]; the surface layer
//! and its fluxes ([`surface_flux`], by the [similarity](isobar_ysu::similarity) of Monin and Obukhov); and, when the
//! schemes have given their tendencies, what is prescribed beside them ([`forcing`]), what flows through the surface
//! within the step ([`exchange`]) and the step in time ([`advance`]), unless it would leave the ranges of a state
//! ([`limits`]); then what is supersaturated may condense and fall out ([`condensation`]). Tracers go to and from
//! chemistry as molecules in a cm^3 ([`cells`]), and columns to and from radiation with layers above the model's top
//! ([`sky`]). [`budget`] integrates columns. Initial states: [`standard_atmosphere`],
//! [`rcemip`], and with feature `std` the [`sounding`]s made of them.
//!
//! Layers are at fixed pressure, so that a column's mass does not change: tendencies by mixing and radiation sum to
//! what passes through the ends, and budgets close to round-off.
//!
//! With the feature `launch` these are the parts of a column model whose fields stay on a device. A [`State`] holds
//! fields by name, the column the fastest index, on one device. A [`Stage`] says what it reads and writes;
//! [`State::apply`] runs it. The stages of this crate are [`stages`]; one's own comes in by the same trait. A
//! [`Pipeline`] puts stages in an order, checks it once, and measures each. Nothing leaves the device but by
//! [`State::to_host`].
//!
//! Each kernel's item is a column, or 32 neighbouring ones. Fields are `(layer or level, column)` from the surface up.
//!
//! ```
//! use isobar_column::sounding::{Kind, Sounding, heights};
//!
//! let sounding = Sounding::new(Kind::StandardAtmosphere, &heights(40, 20_000.0, 1.8))?;
//! assert!((sounding.temperature_k[0] - 288.1).abs() < 0.2);
//! assert!((sounding.interface_pressure_pa[0] - 101_325.0).abs() < 1e-9);
//! # Ok::<(), isobar_column::SoundingError>(())
//! ```
//!
//! A stage on a state:
//!
//! ```
//! use isobar_column::stages::{Diagnose, quantity};
//! use isobar_column::{Error, State, Step};
//! use isobar_launch::{Device, Queue};
//!
//! // Three columns of four layers, without tracers.
//! let mut state = State::<f64>::new(Queue::parallel(Device::Cpu)?, [3, 4, 0])?;
//! state.insert(quantity::POTENTIAL_TEMPERATURE, &[300.0; 12])?;
//! state.insert(quantity::VAPOUR, &[0.01; 12])?;
//! state.insert(quantity::EXNER, &[0.9; 12])?;
//! state.insert(quantity::LOG_THICKNESS, &[0.02; 12])?;
//! state.insert(quantity::WEIGHT_BELOW, &[0.5; 15])?;
//! state.insert(quantity::CLAMPS, &[0.0; 3])?;
//! state.apply(&mut Diagnose, &Step::first(60.0))?;
//! let temperature = state.to_host(quantity::TEMPERATURE)?;
//! assert!((temperature[0] - 270.0).abs() < 1e-12);
//! # Ok::<(), Error>(())
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
#[cfg(feature = "launch")]
mod built;
pub mod cells;
pub mod condensation;
pub mod constants;
pub mod diagnose;
pub mod downgradient;
#[cfg(feature = "launch")]
mod error;
pub mod exchange;
#[cfg(feature = "launch")]
mod fields;
pub mod forcing;
pub mod ground;
pub mod humidity;
#[cfg(feature = "launch")]
mod initial;
pub mod light;
pub mod limits;
#[cfg(feature = "launch")]
mod pipeline;
#[cfg(feature = "launch")]
mod precision;
#[cfg(feature = "launch")]
mod ptx;
#[cfg(feature = "launch")]
mod quantity;
pub mod rcemip;
pub mod sky;
pub mod soil;
#[cfg(feature = "std")]
pub mod sounding;
#[cfg(feature = "std")]
mod sounding_error;
#[cfg(feature = "launch")]
mod stage;
#[cfg(feature = "launch")]
pub mod stages;
pub mod standard_atmosphere;
#[cfg(feature = "launch")]
mod state;
pub mod sun;
pub mod surface_flux;
#[cfg(feature = "std")]
mod table;

#[cfg(feature = "launch")]
pub(crate) use built::Built;
#[cfg(feature = "launch")]
pub use error::Error;
#[cfg(feature = "launch")]
pub use fields::Fields;
#[cfg(feature = "launch")]
pub use initial::{Clouds, Initial};
#[cfg(feature = "launch")]
pub use pipeline::{Pipeline, StageReport};
#[cfg(feature = "launch")]
pub use precision::Precision;
#[cfg(feature = "launch")]
pub use ptx::PTX;
#[cfg(feature = "launch")]
pub use quantity::{Quantity, Shape};
#[cfg(feature = "std")]
pub use sounding_error::SoundingError;
#[cfg(feature = "launch")]
pub use stage::{Memory, Stage, Step};
#[cfg(feature = "launch")]
pub use state::{State, Transfers};
#[cfg(feature = "std")]
pub use table::{Table, TableError};
