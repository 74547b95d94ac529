//! One process at a time.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A file beside another one, that one process holds at a time.
pub(super) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Waits for others. `.NAME.lock` lies beside the file while somebody holds it.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let mut name = std::ffi::OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(".lock");
        let path = path.with_file_name(name);
        loop {
            let file = File::options().create(true).append(true).open(&path)?;
            file.lock()?;
            // Who held it before has removed it, and another one may have made a new one.
            if is_named(&file, &path) {
                return Ok(Self { path, _file: file });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(unix)]
fn is_named(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |a: fs::Metadata, b: fs::Metadata| a.ino() == b.ino() && a.dev() == b.dev();
    file.metadata().ok().zip(fs::metadata(path).ok()).is_some_and(|(a, b)| same(a, b))
}

#[cfg(not(unix))]
fn is_named(_: &File, _: &Path) -> bool {
    true
}
