//! The host: coefficients, tables made of them, options, and what files and hosts of RRTMG_LW need besides.

pub(crate) mod aligned;
pub mod analytic;
mod cloud_optics;
mod coefficient_file;
pub(crate) mod file_error;
pub(crate) mod k_distribution;
mod k_file;
pub(crate) mod known_files;
mod mersenne_mask;
pub(crate) mod options;
pub(crate) mod outside;
pub(crate) mod overlap;
mod plausible;
mod published;
pub(crate) mod reference_atmosphere;
pub(crate) mod table_data;
mod top_layer;
