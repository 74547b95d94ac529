//! A file, opened.

use std::fs::File;
use std::io;
use std::path::Path;

use netcdf_reader::NcFile;

use super::store::Store;
use crate::error::{Error, Place};
use crate::zarr_path::is_store;

/// Opens a file or a Zarr store and reads its header.
///
/// # Errors
/// One that cannot be read, or is neither.
pub(super) fn open_store(path: &Path) -> Result<Store, Error> {
    if !is_store(path) {
        return open(path).map(|file| Store::Netcdf(Box::new(file)));
    }
    #[cfg(feature = "zarr")]
    return super::zarr::Stored::open(path).map(Store::Zarr).map_err(|cause| {
        let problem = match cause {
            netcdf_reader::Error::InvalidData(problem) => problem,
            cause => cause.to_string(),
        };
        Error::invalid(Place::File(path.to_owned()), format!("no Zarr store that can be read: {problem}"))
    });
    #[cfg(not(feature = "zarr"))]
    Err(crate::zarr_path::without_zarr(path))
}

/// Opens a file and reads its header.
///
/// # Errors
/// A file that cannot be read, or is not NetCDF.
pub(crate) fn open(path: &Path) -> Result<NcFile, Error> {
    let unreadable = |cause| Error::Io { path: path.to_owned(), action: "read", cause };
    // A folder opens, but has no content.
    let is_file = File::open(path).and_then(|file| file.metadata()).map_err(unreadable)?.is_file();
    if !is_file {
        return Err(unreadable(io::Error::other("not a regular file")));
    }
    NcFile::open(path).map_err(|cause| refused(path, cause))
}

/// What is wrong with a file, or with the header of one that could be opened.
pub(crate) fn refused(path: &Path, cause: netcdf_reader::Error) -> Error {
    match cause {
        netcdf_reader::Error::Io(cause) => Error::Io { path: path.to_owned(), action: "read", cause },
        cause => Error::invalid(Place::File(path.to_owned()), format!("not a NetCDF file that can be read: {cause}")),
    }
}
