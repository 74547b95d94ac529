//! What layers do to radiance: pure functions of layers, of clear ones in one lane.
#![forbid(unsafe_code)]

pub(crate) mod azimuth;
pub(crate) mod clear_sky;
