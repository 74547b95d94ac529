//! Files that are being written, under a name of their own, until they take the one that they are for.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// What their names begin with.
const PREFIX: &str = ".isobar-";
/// The number of letters and digits that follow.
const RANDOM: usize = 6;

/// Those of this process, for who has to end at once.
static OF_THIS_PROCESS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes the files that this process has not finished. For the end of a process by a signal, and nothing else: who
/// then wants to begin or to finish a file waits for the end.
pub fn remove_unfinished() {
    let mut unfinished = of_this_process();
    for path in std::mem::take(&mut *unfinished) {
        remove(&path);
    }
    std::mem::forget(unfinished);
}

/// Removes a file, and before it the folder that it stands for, if it does.
fn remove(path: &Path) {
    let folder = beside(path);
    if folder.is_dir() {
        let _ = fs::remove_dir_all(folder);
    }
    let _ = fs::remove_file(path);
}

/// The folder that a file stands for.
fn beside(path: &Path) -> PathBuf {
    path.with_extension("folder")
}

fn of_this_process() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    OF_THIS_PROCESS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is locked as long as its process lives, and gone when dropped.
#[derive(Debug)]
pub(crate) struct Unfinished(NamedTempFile);

impl Unfinished {
    /// Starts one. What dead processes have left in the folder is removed.
    pub(crate) fn create(folder: &Path) -> io::Result<Self> {
        remove_leftovers(folder);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).rand_bytes(RANDOM);
        // Temporary files are private by default; an output has the permissions of any new file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // What lies in the folder is known here, too, whenever a signal comes.
        let mut unfinished = of_this_process();
        loop {
            let file = builder.tempfile_in(folder)?;
            // Between creation and lock another process may have taken it for a leftover.
            if !matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock)) && has_name(file.as_file())? {
                unfinished.insert(file.path().to_owned());
                return Ok(Self(file));
            }
        }
    }

    pub(crate) fn file(&mut self) -> &mut File {
        self.0.as_file_mut()
    }

    /// Makes a folder that is locked with the file, and gone with it.
    #[cfg(feature = "zarr")]
    pub(crate) fn folder(&self) -> io::Result<PathBuf> {
        let folder = beside(self.0.path());
        fs::create_dir(&folder)?;
        Ok(folder)
    }

    /// Gives it its name, in place of what may have it.
    pub(crate) fn persist(self, target: &Path) -> io::Result<()> {
        // A full disk may show no earlier than here.
        self.0.as_file().sync_all()?;
        fs::rename(self.0.path(), target)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // The file goes with its owner; under this name there is none any more if it was finished.
        let folder = beside(self.0.path());
        if folder.is_dir() {
            let _ = fs::remove_dir_all(folder);
        }
        of_this_process().remove(self.0.path());
    }
}

#[cfg(unix)]
fn has_name(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) > 0)
}

#[cfg(not(unix))]
fn has_name(_: &File) -> io::Result<bool> {
    Ok(true)
}

/// Removes files of processes that have ended before they could: those that nobody has locked. The lock counts on other
/// machines and in other containers, too, where numbers of processes would not.
fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_str().and_then(|name| name.strip_prefix(PREFIX)).is_some_and(|random| {
            random.len() == RANDOM && random.bytes().all(|letter| letter.is_ascii_alphanumeric())
        });
        if is_ours
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            remove(&entry.path());
        }
    }
}
