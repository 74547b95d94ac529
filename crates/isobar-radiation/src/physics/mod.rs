//! The scheme itself: functions of one layer.

pub(crate) mod absorbed;
pub(crate) mod adding;
pub(crate) mod cloud;
pub(crate) mod emission;
pub(crate) mod longwave_two_stream;
pub(crate) mod random;
pub(crate) mod regions;
pub(crate) mod subcolumns;
pub(crate) mod two_stream;
