//! Which types travel to a device as bytes.

use isobar_core::Real;
use isobar_launch::Plain;

use crate::tables::{BandRow, Quad};

// SAFETY: numbers.
unsafe impl<R: Real + Plain> Plain for BandRow<R> {}

// SAFETY: numbers.
unsafe impl<R: Real + Plain> Plain for Quad<R> {}
