//! The host: coefficients, columns and results in its memory, checks, and the order in which kernels run.

pub(crate) mod aligned;
pub mod analytic;
pub(crate) mod arrays;
pub(crate) mod batch;
mod cloud_optics;
mod coefficient_file;
pub(crate) mod columns;
pub(crate) mod error;
pub(crate) mod file_error;
pub(crate) mod inputs;
pub(crate) mod k_distribution;
mod k_file;
pub(crate) mod mask_bits;
pub(crate) mod options;
pub(crate) mod outputs;
pub(crate) mod outside;
pub(crate) mod overlap;
mod published;
pub(crate) mod reference_atmosphere;
mod subcolumns;
pub(crate) mod table_data;
mod top_layer;
mod validate;
mod views;
pub(crate) mod work;
pub(crate) mod workspace;
