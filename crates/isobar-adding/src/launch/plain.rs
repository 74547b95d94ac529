//! Which types travel to a device as bytes.

use isobar_core::Real;
use isobar_launch::Plain;

use crate::clear_sky::Slant;

// SAFETY: two numbers, without gaps.
unsafe impl<R: Real + Plain> Plain for Slant<R> {}
