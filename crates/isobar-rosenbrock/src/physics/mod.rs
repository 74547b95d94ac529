//! What a step is: rates, derivatives, stages, error, and how long the next step is. Pure functions of a cell's
//! numbers; a [`Team`](crate::schedule::team::Team) says who computes them.
#![forbid(unsafe_code)]

pub(crate) mod acceptance;
#[cfg(feature = "launch")]
pub(crate) mod adjoint;
pub(crate) mod control;
pub(crate) mod dense;
pub(crate) mod error_norm;
pub(crate) mod extents;
pub(crate) mod factor;
#[cfg(feature = "launch")]
pub(crate) mod hessian;
pub(crate) mod index;
pub(crate) mod kinetics;
pub(crate) mod limits;
pub(crate) mod mechanism;
pub(crate) mod method;
pub(crate) mod operation;
pub mod outcome;
pub(crate) mod program;
pub(crate) mod reduction;
pub(crate) mod sizes;
pub(crate) mod stages;
#[cfg(feature = "launch")]
pub(crate) mod tangent;
#[cfg(feature = "launch")]
pub(crate) mod transposed;
pub(crate) mod walk;
