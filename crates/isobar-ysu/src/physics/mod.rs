//! The scheme itself, a file a stage: functions of layers and of columns side by side, one a lane.
//!
//! No memory is read or written here, and nothing depends on how many lanes there are: `crate::schedule` says who
//! computes what, and brings the numbers. A vote of the lanes ([`isobar_core::Lanes::any`]) only skips work.
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
pub(crate) mod per_lane;
pub(crate) mod potential_temperature;
pub(crate) mod richardson;
pub(crate) mod sample;
pub(crate) mod scales;
pub(crate) mod surface;
pub(crate) mod top_down;
pub(crate) mod topographic;
pub(crate) mod tracers;
