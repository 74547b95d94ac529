//! Output that is there as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::unfinished::Unfinished;

/// A file that is written beside its destination and takes its name when complete. Dropped before
/// [`AtomicFile::commit`], it leaves nothing behind and a former file as it was.
///
/// What a process that was killed has left beside a destination, the next one removes.
///
/// A destination that is no regular file, such as a pipe or `/dev/stdout`, is written directly, and so is `-`, standard
/// output.
#[derive(Debug)]
pub struct AtomicFile {
    /// As the caller named it, for errors.
    path: PathBuf,
    /// Where links lead.
    target: PathBuf,
    sink: BufWriter<Sink>,
}

/// The path that is standard output.
pub(crate) const STANDARD_OUTPUT: &str = "-";

#[derive(Debug)]
enum Sink {
    Beside(Unfinished),
    Direct(File),
}

impl AtomicFile {
    /// Starts a file.
    ///
    /// # Errors
    /// The folder does not exist or cannot be written.
    pub fn create(path: &Path) -> Result<Self, Error> {
        #[cfg(unix)]
        if path == Path::new(STANDARD_OUTPUT) {
            use std::os::fd::AsFd;
            // Not by a name: a file to which it is redirected is appended to, not replaced.
            let sink = io::stdout().as_fd().try_clone_to_owned().map(File::from).map(Sink::Direct);
            let sink = BufWriter::new(sink.map_err(|cause| failure(path, cause))?);
            return Ok(Self { path: path.to_owned(), target: path.to_owned(), sink });
        }
        // A link stays a link, to the new content.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let sink = if fs::metadata(&target).is_ok_and(|meta| !meta.is_file()) {
            File::options().write(true).open(&target).map(Sink::Direct)
        } else {
            let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
            Unfinished::create(folder.unwrap_or(Path::new("."))).map(Sink::Beside)
        };
        let sink = BufWriter::new(sink.map_err(|cause| failure(path, cause))?);
        Ok(Self { path: path.to_owned(), target, sink })
    }

    /// Finds out whether a file can be made, and leaves nothing. A destination that is no regular file is not opened:
    /// who reads a pipe would see its end.
    ///
    /// # Errors
    /// The folder does not exist or cannot be written.
    pub fn check(path: &Path) -> Result<(), Error> {
        let is_open = |meta: fs::Metadata| !(meta.is_file() || meta.is_dir());
        let is_direct = path == Path::new(STANDARD_OUTPUT) || fs::metadata(path).is_ok_and(is_open);
        if is_direct { Ok(()) } else { Self::create(path).map(drop) }
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// What is left cannot be written, or the file cannot be renamed.
    pub fn commit(self) -> Result<(), Error> {
        let finish = || {
            match self.sink.into_inner().map_err(io::IntoInnerError::into_error)? {
                Sink::Beside(file) => file.persist(&self.target)?,
                Sink::Direct(mut file) => file.flush()?,
            }
            Ok(())
        };
        finish().map_err(|cause| failure(&self.path, cause))
    }

    /// Creates a file, has `write` fill it and commits it.
    ///
    /// # Errors
    /// Those of `create`, `write` and `commit`, with the path.
    pub fn write_with(path: &Path, write: impl FnOnce(&mut Self) -> io::Result<()>) -> Result<(), Error> {
        let mut file = Self::create(path)?;
        write(&mut file).map_err(|cause| failure(path, cause))?;
        file.commit()
    }
}

/// Gives a folder a name, in the place of the folder that has it, which goes by another for the moment.
#[cfg(feature = "netcdf")]
pub(crate) fn replace_folder(folder: &Path, target: &Path, before: &Path) -> io::Result<()> {
    // A name that has a folder cannot be given to another.
    let was_there = target.is_dir();
    if was_there {
        fs::rename(target, before)?;
    }
    fs::rename(folder, target).inspect_err(|_| {
        if was_there {
            let _ = fs::rename(before, target);
        }
    })?;
    if was_there { fs::remove_dir_all(before) } else { Ok(()) }
}

#[cfg(feature = "netcdf")]
impl AtomicFile {
    /// A file of this name that several processes fill, each at places of its own: it is there from the start.
    pub(crate) fn shared(path: &Path) -> Result<Self, Error> {
        let file = File::options().write(true).create(true).truncate(false).open(path);
        let sink = BufWriter::new(Sink::Direct(file.map_err(|cause| failure(path, cause))?));
        Ok(Self { path: path.to_owned(), target: path.to_owned(), sink })
    }

    /// Waits until all that was written is on its disk.
    pub(crate) fn sync(&mut self) -> Result<(), Error> {
        let synced = self.sink.flush().and_then(|()| match self.sink.get_ref() {
            Sink::Direct(file) => file.sync_data(),
            Sink::Beside(_) => Ok(()),
        });
        synced.map_err(|cause| failure(&self.path, cause))
    }

    /// Writes bytes at a place, of a file that has places.
    pub(crate) fn write_at(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        use std::io::{Seek as _, SeekFrom};

        self.sink.seek(SeekFrom::Start(offset))?;
        self.sink.write_all(data)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.sink.write(data)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

impl Write for Sink {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        match self {
            Self::Beside(file) => file.file().write(data),
            Self::Direct(file) => file.write(data),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Beside(file) => file.file().flush(),
            Self::Direct(file) => file.flush(),
        }
    }
}

#[cfg(feature = "netcdf")]
impl io::Seek for Sink {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        match self {
            Self::Beside(file) => file.file().seek(to),
            Self::Direct(file) => file.seek(to),
        }
    }
}

fn failure(path: &Path, cause: io::Error) -> Error {
    Error::Io { path: path.to_owned(), action: "write", cause }
}
