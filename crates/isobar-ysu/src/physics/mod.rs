//! The scheme itself, a file a stage: functions of one column's layers.
//!
//! No memory is read or written here: `crate::schedule` says who computes what, brings the numbers, and skips what no
//! lane of a warp needs.
#![forbid(unsafe_code)]

pub(crate) mod boundary_layer;
pub(crate) mod diagnostics;
pub(crate) mod diffusivity;
pub(crate) mod drag;
pub(crate) mod entrainment;
pub(crate) mod entrainment_zone;
pub(crate) mod free_atmosphere;
pub(crate) mod height;
pub(crate) mod implicit;
pub(crate) mod layer;
pub(crate) mod mixed_layer;
pub(crate) mod mixing;
pub(crate) mod potential_temperature;
pub(crate) mod richardson;
pub(crate) mod sample;
pub(crate) mod scales;
pub(crate) mod shin_hong;
pub(crate) mod surface;
pub(crate) mod top_down;
pub(crate) mod topographic;
pub(crate) mod tracers;
pub(crate) mod urban;
