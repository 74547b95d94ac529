//! What only a host needs.

pub mod analytic;
pub(crate) mod check;
pub(crate) mod cloud_optics;
pub(crate) mod low_sun;
pub(crate) mod options;
pub(crate) mod spectrum;
mod top_layer;
