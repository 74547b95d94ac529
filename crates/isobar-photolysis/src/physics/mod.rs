//! The scheme itself: functions of one layer, bin and reaction.
#![forbid(unsafe_code)]

pub(crate) mod air;
pub(crate) mod beam;
pub(crate) mod path;
pub(crate) mod rate;
