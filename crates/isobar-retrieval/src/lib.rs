//! Optimal-estimation retrieval: the state of the atmosphere that a measurement of infrared radiances and what was
//! known before make most likely (Rodgers, Inverse Methods for Atmospheric Sounding, 2000), as JURASSIC computes it
//! (Hoffmann et al., 2008).
//!
//! | file | what |
//! |---|---|
//! | [`state`] | the elements that are retrieved, their order, steps and limits |
//! | [`kernel`] | the Jacobian of a measurement by a state |
//! | [`prior`] | the a priori covariance |
//! | [`measurement`] | what was measured, and how well |
//! | [`retrieval`], `search` | what is retrieved, and the iteration |
//! | `step` | its steps within the limits of the state |
//! | [`estimate`] | what comes of it |
//! | [`analysis`] | errors, averaging kernels, resolution |
//! | `limits` | guards, cut-offs and steps of finite differences |
//! | [`batch`] | many retrievals |
//! | [`files`] | JURASSIC's result files |
//!
//! # Example
//! `examples/01_temperature.rs` retrieves temperatures from radiances that it computes in warmer air; the guide's
//! chapter retrieves temperature and ozone from files.
//!
//! # Accuracy
//! Against JURASSIC's own Jacobians and retrieval: `tests/main/golden.rs`.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod batch;
mod error;
pub mod estimate;
pub mod files;
pub mod kernel;
mod limits;
pub mod measurement;
pub mod prior;
pub mod retrieval;
mod search;
pub mod state;
mod step;

pub use analysis::Analysis;
pub use error::Error;
pub use estimate::Estimate;
pub use kernel::{Derivative, Kernel};
pub use measurement::Measurement;
pub use prior::Prior;
pub use retrieval::Retrieval;
pub use state::{Quantity, StateVector};
