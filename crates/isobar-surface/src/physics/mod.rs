//! The scheme itself: functions of one column, in the order of the computation.
//!
//! No memory is read or written here: `crate::schedule` says who computes what, brings the numbers, and looks up what
//! stands in tables.
#![forbid(unsafe_code)]

pub(crate) mod far_stability;
pub(crate) mod power;
pub(crate) mod series;
pub(crate) mod stability;

pub(crate) mod lowest;
pub(crate) mod point;
pub(crate) mod richardson;

pub(crate) mod bracket;
pub(crate) mod secant;

pub(crate) mod feet;
pub(crate) mod profiles;
pub(crate) mod scalar_roughness;

pub(crate) mod exchange;
pub(crate) mod form_drag;
pub(crate) mod water_roughness;
