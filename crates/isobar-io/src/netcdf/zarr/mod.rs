//! Zarr stores: folders of chunks, read in versions 2 and 3 and written in version 3, with the names of dimensions and
//! the marks of missing values that xarray gives them. A store is read and written as the NetCDF file would be that has
//! the same variables.

mod attributes;
mod element;
mod lenient;
mod read;
mod times;
mod write;

pub(super) use read::Stored;
pub(super) use write::StoreWriter;
