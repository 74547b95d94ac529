//! Tests of files, a module for each kind.

mod common;

#[cfg(feature = "netcdf")]
mod adding;
mod atmosphere;
#[cfg(feature = "netcdf")]
mod boundary_layer;
mod control;
mod golden;
#[cfg(feature = "netcdf")]
mod k_distribution;
#[cfg(feature = "netcdf")]
mod netcdf;
#[cfg(feature = "netcdf")]
mod netcdf_files;
#[cfg(feature = "netcdf")]
mod netcdf_orientation;
#[cfg(feature = "netcdf")]
mod netcdf_write;
mod observation;
mod output;
#[cfg(feature = "netcdf")]
mod packed_tables;
#[cfg(feature = "netcdf")]
mod profiles;
mod retrieval;
mod shape;
mod table;
#[cfg(feature = "netcdf")]
mod tuv_x;
#[cfg(feature = "netcdf")]
mod tuv_x_types;
#[cfg(feature = "zarr")]
mod zarr;
