//! The numbers of this crate are the only ones.

/// What [`crate::Real`] is for.
pub trait Sealed {}

impl Sealed for f32 {}
impl Sealed for f64 {}
