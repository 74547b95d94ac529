//! A column model: fields that stay on a device, and stages that work on them.
//!
//! A [`State`] holds fields by name, the column the fastest index, on one device. A [`Stage`] says what it reads and
//! writes; [`State::apply`] runs it. The stages of this crate are [`stages`]; one's own comes in by the same trait. A
//! [`Pipeline`] puts stages in an order, checks it once, and measures each. Nothing leaves the device but by
//! [`State::to_host`].
//!
//! ```
//! use isobar_launch::column::stages::{Diagnose, quantity};
//! use isobar_launch::column::{Error, State, Step};
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

mod built;
mod error;
mod fields;
mod initial;
mod pipeline;
mod quantity;
mod stage;
pub mod stages;
mod state;

pub(crate) use built::Built;
pub use error::Error;
pub use fields::Fields;
pub use initial::Initial;
pub use pipeline::{Pipeline, StageReport};
pub use quantity::{Quantity, Shape};
pub use stage::{Memory, Stage, Step};
pub use state::{State, Transfers};
