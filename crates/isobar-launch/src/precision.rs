//! The precisions in which models compute.

use isobar_core::Real;

use crate::Plain;

/// A precision in which models compute, whose numbers travel to a device: `f32` or `f64`.
///
/// A crate of a scheme has a trait of its own over this one, with what is compiled there for each precision, so that
/// programs that use the scheme do not compile its kernels again.
pub trait Precision: Real + Plain {}

impl Precision for f32 {}
impl Precision for f64 {}
