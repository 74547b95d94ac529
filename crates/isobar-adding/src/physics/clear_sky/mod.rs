//! Clear layers along one angle.

pub mod element;
pub(crate) mod layer;
pub mod slant;
pub mod surface;
