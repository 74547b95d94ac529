//! Tests of each part of the crate, a module for each.

mod bracket;
mod dual;
mod field;
mod interpolate;
mod lanes;
mod limits;
mod math;
mod near;
mod tridiagonal;
