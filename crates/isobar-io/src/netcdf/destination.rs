//! Where a dataset is written: to a NetCDF file, or to a folder that is a Zarr store.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use netcdf_writer::NcWriteFormat;

use super::write_parts::Parts;
use crate::error::Error;
#[cfg(feature = "zarr")]
use crate::error::Place;
use crate::output::{AtomicFile, replace_folder};
#[cfg(feature = "zarr")]
use crate::zarr_path::is_store;
use crate::zarr_path::is_zarr;
#[cfg(not(feature = "zarr"))]
use crate::zarr_path::without_zarr;

#[derive(Debug)]
pub(super) enum Destination {
    File(AtomicFile),
    #[cfg(feature = "zarr")]
    Store(crate::output_folder::AtomicFolder, super::zarr::StoreWriter),
}

impl Destination {
    pub(super) fn create(path: &Path) -> Result<Self, Error> {
        if is_zarr(path) { Self::store(path, false) } else { AtomicFile::create(path).map(Self::File) }
    }

    /// One that several processes fill, each at places of its own.
    pub(super) fn shared(path: &Path) -> Result<Self, Error> {
        if is_zarr(path) { Self::store(path, true) } else { AtomicFile::shared(path).map(Self::File) }
    }

    /// Empties one that several processes are going to fill.
    pub(super) fn clear(path: &Path) -> io::Result<()> {
        if path.is_dir() {
            fs::remove_dir_all(path)
        } else if is_zarr(path) {
            Ok(())
        } else {
            File::create(path).map(drop)
        }
    }

    /// Gives one that several processes have filled its name.
    pub(super) fn rename(unfinished: &Path, path: &Path) -> io::Result<()> {
        if unfinished.is_dir() {
            replace_folder(unfinished, path, &unfinished.with_extension("before"))
        } else {
            fs::rename(unfinished, path)
        }
    }

    #[cfg(feature = "zarr")]
    fn store(path: &Path, is_shared: bool) -> Result<Self, Error> {
        use crate::output_folder::AtomicFolder;

        if path.exists() && !is_store(path) && !is_shared {
            return Err(Error::invalid(
                Place::File(path.to_owned()),
                "it is there, and no Zarr store: it stays as it is",
            ));
        }
        let folder = if is_shared { AtomicFolder::shared(path)? } else { AtomicFolder::create(path)? };
        let writer = super::zarr::StoreWriter::new(folder.filled());
        let writer = writer.map_err(|cause| Error::Io { path: path.to_owned(), action: "write", cause })?;
        Ok(Self::Store(folder, writer))
    }

    #[cfg(not(feature = "zarr"))]
    fn store(path: &Path, _: bool) -> Result<Self, Error> {
        Err(without_zarr(path))
    }

    /// Writes the values of a part, and with the first what the dataset has.
    pub(super) fn write(&mut self, parts: &mut Parts, format: &NcWriteFormat) -> io::Result<()> {
        match self {
            Self::File(file) => parts.write(format, file),
            #[cfg(feature = "zarr")]
            Self::Store(_, writer) => parts.store(writer),
        }
    }

    /// Writes a dataset that comes all at once.
    pub(super) fn write_whole(&mut self, parts: Parts, format: &NcWriteFormat) -> io::Result<()> {
        match self {
            Self::File(file) => parts.write_whole(format, file),
            #[cfg(feature = "zarr")]
            Self::Store(_, writer) => { parts }.store(writer),
        }
    }

    /// Waits until all that was written is on its disk.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        match self {
            Self::File(file) => file.sync(),
            #[cfg(feature = "zarr")]
            Self::Store(folder, _) => folder.sync(),
        }
    }

    pub(super) fn commit(self) -> Result<(), Error> {
        match self {
            Self::File(file) => file.commit(),
            #[cfg(feature = "zarr")]
            Self::Store(folder, _) => folder.commit(),
        }
    }
}
