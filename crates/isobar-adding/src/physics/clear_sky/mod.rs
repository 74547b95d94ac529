//! Clear layers along one angle.

pub mod element;
pub mod order;
pub(crate) mod segment;
pub mod slant;
pub mod surface;
