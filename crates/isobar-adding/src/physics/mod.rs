//! What layers do to radiance: pure functions of lanes and layers, and the one order in which layers are composed.
#![forbid(unsafe_code)]

pub(crate) mod clear_sky;
pub(crate) mod scattering;
