//! The scheme itself: functions of one layer and g-point.
#![forbid(unsafe_code)]

pub(crate) mod absorbed;
pub(crate) mod adding;
pub(crate) mod adjoint;
pub(crate) mod emission;
pub(crate) mod longwave_two_stream;
pub(crate) mod particles;
pub(crate) mod random;
pub(crate) mod regions;
pub(crate) mod subcolumns;
pub(crate) mod two_stream;
pub(crate) mod two_stream_slopes;
