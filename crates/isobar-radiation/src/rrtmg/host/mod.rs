//! The host: coefficients, tables made of them, options, and what files and hosts of RRTMG_LW need besides.

pub(crate) mod aligned;
pub mod analytic;
mod cloud_optics;
pub(crate) mod decorrelation;
pub(crate) mod k_distribution;
mod mersenne;
pub(crate) mod mersenne_mask;
pub(crate) mod options;
mod published;
pub(crate) mod reference_atmosphere;
pub(crate) mod table_data;
