//! Which types travel to a device as bytes.
#![allow(unsafe_code, reason = "a promise about bytes, kept by `repr(C)`")]

use isobar_launch::Plain;

use crate::hydrostatic_slopes::HydrostaticStep;
use crate::path::PathSummary;
use crate::trace::LineOfSight;
use crate::track::Foot;

// SAFETY: numbers in a `repr(C)` struct without gaps.
unsafe impl<R: Plain> Plain for LineOfSight<R> {}
// SAFETY: as above.
unsafe impl<R: Plain> Plain for PathSummary<R> {}
// SAFETY: as above.
unsafe impl<R: Plain> Plain for Foot<R> {}
// SAFETY: as above.
unsafe impl Plain for HydrostaticStep {}
