//! The precisions that a run can have.

use isobar_io::netcdf::Sample;

/// A precision of a run, `f32` or `f64`: that of the column model, of what a satellite sees, and of the files.
pub trait Precision: isobar_column::Precision + isobar_ega::launch::Precision + Sample {}
impl Precision for f32 {}
impl Precision for f64 {}
