//! The adjoint of each stage: of a number that is computed from radiances, derivatives by what a stage gives become
//! derivatives by what it takes.
//!
//! The derivative of that number by a matrix `X` is written `X_bar`, a matrix of the same shape. What a stage computes
//! on the way is computed again, not kept.

pub mod impedance;
pub mod layer;
pub mod medium;
pub mod operator;
pub mod optics;
pub mod single;
pub mod surface;
