//! What a path says of Zarr.

use std::path::Path;

#[cfg(all(feature = "netcdf", not(feature = "zarr")))]
use crate::error::{Error, Place};

/// Is a path that of a Zarr store, or of one that several processes fill?
#[must_use]
#[cfg_attr(not(feature = "netcdf"), expect(unreachable_pub, reason = "known where there is NetCDF"))]
pub fn is_zarr(path: &Path) -> bool {
    let has = |path: &Path, ending: &str| path.extension().is_some_and(|extension| extension == ending);
    has(path, "zarr") || (has(path, "unfinished") && path.file_stem().is_some_and(|stem| has(Path::new(stem), "zarr")))
}

/// What a build without Zarr says of a store.
#[cfg(all(feature = "netcdf", not(feature = "zarr")))]
pub(crate) fn without_zarr(path: &Path) -> Error {
    let problem = "a Zarr store, which this build does not know: it needs the feature `zarr`";
    Error::invalid(Place::File(path.to_owned()), problem)
}

/// Is a folder a Zarr store, of version 3 or 2?
pub(crate) fn is_store(path: &Path) -> bool {
    ["zarr.json", ".zgroup"].iter().any(|name| path.join(name).is_file())
}
