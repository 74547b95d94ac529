//! A folder of output that is there as a whole or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::output::replace_folder;
use crate::unfinished::Unfinished;

/// A folder that is filled beside its destination and takes its name when complete, in the place of what has it.
/// Dropped before [`AtomicFolder::commit`], it leaves nothing behind and a former folder as it was.
#[derive(Debug)]
pub(crate) struct AtomicFolder {
    /// As the caller named it, for errors.
    path: PathBuf,
    /// Where links lead.
    target: PathBuf,
    /// The folder that is filled.
    folder: PathBuf,
    /// What holds that, unless it is there from the start.
    unfinished: Option<Unfinished>,
}

impl AtomicFolder {
    /// Starts a folder.
    pub(crate) fn create(path: &Path) -> Result<Self, Error> {
        if path.is_symlink() && !path.exists() {
            return Err(failure(path, io::Error::other("a link to a folder that is not there")));
        }
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let above = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let start = || {
            let unfinished = Unfinished::create(above)?;
            let folder = unfinished.folder()?.join("new");
            fs::create_dir(&folder)?;
            Ok((unfinished, folder))
        };
        let (unfinished, folder) = start().map_err(|cause| failure(path, cause))?;
        Ok(Self { path: path.to_owned(), target, folder, unfinished: Some(unfinished) })
    }

    /// A folder of this name that several processes fill, each at places of its own: it is there from the start.
    pub(crate) fn shared(path: &Path) -> Result<Self, Error> {
        fs::create_dir_all(path).map_err(|cause| failure(path, cause))?;
        Ok(Self { path: path.to_owned(), target: path.to_owned(), folder: path.to_owned(), unfinished: None })
    }

    /// What is filled.
    pub(crate) fn filled(&self) -> &Path {
        &self.folder
    }

    /// Waits until all that was written is on its disk.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        sync(&self.folder).map_err(|cause| failure(&self.path, cause))
    }

    /// Gives the folder its name.
    pub(crate) fn commit(self) -> Result<(), Error> {
        self.sync()?;
        let Some(_unfinished) = &self.unfinished else { return Ok(()) };
        let before = self.folder.with_file_name("before");
        replace_folder(&self.folder, &self.target, &before).map_err(|cause| failure(&self.path, cause))
    }
}

fn sync(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() { sync(&entry.path())? } else { File::open(entry.path())?.sync_data()? }
    }
    Ok(())
}

fn failure(path: &Path, cause: io::Error) -> Error {
    Error::Io { path: path.to_owned(), action: "write", cause }
}
