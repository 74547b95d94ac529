//! Spectra on CPU threads and GPUs.
//!
//! The items are tiles of a grid and nodes of cells, not items of a batch of declared fields, so that the work goes by
//! queues and the launcher's pool, as Jacobians of the infrared do.

mod absorber;
mod extents;
mod many;
mod options;
mod ptx;

pub use absorber::{Absorber, Compiled, Precision, parts};
pub use many::{cross_sections, each_cross_sections};
pub use options::{Method, Options, Wings};
