//! Nothing is overwritten: the files that are going to be written are none of those that are read, and differ from each
//! other.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Place};
use crate::output::STANDARD_OUTPUT;
use crate::zarr_path::{is_store, is_zarr};

/// The files of a piece of work, named one after the other before anything is computed. Files are compared by where
/// they lie on the disk, so that hard and symbolic links count; one that is not there yet by its folder and name.
/// Devices and pipes, such as `/dev/null`, are never in the way.
///
/// ```
/// use std::path::Path;
/// let mut files = isobar_io::FilesInUse::default();
/// files.reads("the columns", Path::new("Cargo.toml"))?;
/// let refused = files.writes("the output", Path::new("./Cargo.toml")).unwrap_err();
/// assert_eq!(refused.to_string(), "./Cargo.toml: the output would overwrite the columns, Cargo.toml");
/// # Ok::<(), isobar_io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FilesInUse {
    files: Vec<Used>,
    numbered: Vec<Numbered>,
}

#[derive(Clone, Debug)]
struct Used {
    what: String,
    path: PathBuf,
    identity: Identity,
    /// Where it lies, links followed.
    place: PathBuf,
    is_written: bool,
}

impl Used {
    /// Does another lie in this, a Zarr store?
    fn holds(&self, other: &Self) -> bool {
        (is_zarr(&self.path) || is_store(&self.path))
            && self.place != other.place
            && other.place.starts_with(&self.place)
    }
}

/// Where a file lies, or is going to, links followed.
fn place_of(path: &Path) -> PathBuf {
    let folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(place_of(folder).join(path.file_name()?))
    };
    let is_there = fs::canonicalize(path).ok();
    is_there.or_else(folder).unwrap_or_else(|| path.to_owned())
}

/// Files of one folder that are named alike, but for a number.
#[derive(Clone, Debug)]
struct Numbered {
    what: String,
    folder: Identity,
    name: (OsString, String),
}

/// What makes a file this one.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Identity {
    /// Device and inode.
    #[cfg(unix)]
    There(u64, u64),
    /// Where links lead, without device and inode.
    #[cfg(not(unix))]
    There(PathBuf),
    /// Its folder, and its name in it.
    NotYet(Box<Identity>, OsString),
}

impl Identity {
    /// None for what cannot be lost: devices, pipes, a file in no folder.
    fn of(path: &Path) -> Option<Self> {
        if path == Path::new(STANDARD_OUTPUT) {
            return None;
        }
        match fs::metadata(path) {
            // A folder is a Zarr store.
            Ok(meta) if meta.is_file() || meta.is_dir() => Some(Self::there(path, &meta)?),
            Ok(_) => None,
            Err(_) => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                Some(Self::NotYet(Box::new(Self::of_folder(folder)?), path.file_name()?.to_owned()))
            }
        }
    }

    fn of_folder(folder: &Path) -> Option<Self> {
        Self::there(folder, &fs::metadata(folder).ok()?)
    }

    #[cfg(unix)]
    #[expect(clippy::unnecessary_wraps, reason = "elsewhere there may be none")]
    fn there(_: &Path, meta: &fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Some(Self::There(meta.dev(), meta.ino()))
    }

    #[cfg(not(unix))]
    fn there(path: &Path, _: &fs::Metadata) -> Option<Self> {
        fs::canonicalize(path).ok().map(Self::There)
    }
}

impl FilesInUse {
    /// A file that is read; `what` it is, in words, for errors.
    ///
    /// # Errors
    /// It is among the files that are written.
    pub fn reads(&mut self, what: &str, path: &Path) -> Result<(), Error> {
        self.add(what, path, false)
    }

    /// A file that is going to be written, or replaced.
    ///
    /// # Errors
    /// It is among the files that are read or written.
    pub fn writes(&mut self, what: &str, path: &Path) -> Result<(), Error> {
        self.add(what, path, true)
    }

    /// Files that may be written beside another: of its folder, with this beginning and end of their names and a number
    /// in between.
    ///
    /// # Errors
    /// One of them is among the files that are read or written.
    pub fn writes_numbered(&mut self, what: &str, beside: &Path, name: (&OsStr, &str)) -> Result<(), Error> {
        let folder = beside.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Some(identity) = Identity::of_folder(folder) else { return Ok(()) };
        let numbered =
            Numbered { what: what.to_owned(), folder: identity, name: (name.0.to_owned(), name.1.to_owned()) };
        if let Some(used) = self.files.iter().find(|used| numbered.has(&used.path)) {
            return Err(conflict((what, &used.path), used));
        }
        // Links from there to elsewhere.
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if numbered.has(&entry.path()) {
                self.writes(what, &entry.path())?;
            }
        }
        self.numbered.push(numbered);
        Ok(())
    }

    fn add(&mut self, what: &str, path: &Path, is_written: bool) -> Result<(), Error> {
        let Some(identity) = Identity::of(path) else { return Ok(()) };
        let new = Used { what: what.to_owned(), path: path.to_owned(), identity, place: place_of(path), is_written };
        let in_the_way = |used: &&Used| (used.is_written || is_written) && (used.holds(&new) || new.holds(used));
        if let Some(used) = self.files.iter().find(in_the_way) {
            let (store, inside) = if used.holds(&new) { (used, &new) } else { (&new, used) };
            let (place, what) = (store.path.display(), &store.what);
            let problem = format!("{} would lie in {what}, {place}, which is a Zarr store of its own", inside.what);
            return Err(Error::invalid(Place::File(inside.path.clone()), problem));
        }
        let is_same = |used: &&Used| used.identity == new.identity && (used.is_written || is_written);
        if let Some(used) = self.files.iter().find(is_same) {
            return Err(match is_written {
                true => conflict((what, path), used),
                false => conflict((&used.what, &used.path), &new),
            });
        }
        if let Some(numbered) = self.numbered.iter().find(|numbered| numbered.has(path)) {
            return Err(conflict((&numbered.what, path), &new));
        }
        self.files.push(new);
        Ok(())
    }
}

impl Numbered {
    fn has(&self, path: &Path) -> bool {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let number = name.strip_prefix(self.name.0.as_encoded_bytes());
        let number = number.and_then(|rest| rest.strip_suffix(self.name.1.as_bytes()));
        number.is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
            && Identity::of_folder(folder).as_ref() == Some(&self.folder)
    }
}

fn conflict((what, path): (&str, &Path), other: &Used) -> Error {
    let Used { what: other_what, path: other_path, is_written, .. } = other;
    let problem = match is_written {
        true => format!("{what} and {other_what}, {}, would be the same file", other_path.display()),
        false => format!("{what} would overwrite {other_what}, {}", other_path.display()),
    };
    Error::invalid(Place::File(path.to_owned()), problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_whatever_they_are_called() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("in"), "").unwrap();
        fs::hard_link(path("in"), path("hard")).unwrap();
        fs::create_dir(path("below")).unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(path("in"), path("soft")).unwrap();
            std::os::unix::fs::symlink(path("below"), path("link")).unwrap();
        }
        for out in ["in", "hard", "soft", "below/../in", "link/../in"] {
            if cfg!(unix) || !["soft", "link/../in"].contains(&out) {
                let mut files = FilesInUse::default();
                files.reads("the input", &path("in")).unwrap();
                let said = files.writes("the output", &path(out)).unwrap_err().to_string();
                assert!(said.contains("the output would overwrite the input, ") && said.contains(out), "{said}");
                // In the other order, too.
                let mut files = FilesInUse::default();
                files.writes("the output", &path(out)).unwrap();
                let said = files.reads("the input", &path("in")).unwrap_err().to_string();
                assert!(said.contains("the output would overwrite the input, ") && said.contains(out), "{said}");
            }
        }
        // Of files that are not there yet, the folder counts.
        let mut files = FilesInUse::default();
        files.writes("the output", &path("below/out")).unwrap();
        files.writes("the plot", &path("out")).unwrap();
        #[cfg(unix)]
        files.writes("the restart file", &path("link/out")).unwrap_err();
        files.writes("the restart file", &path("link/../out")).unwrap_err();
        // What is read twice, and devices.
        files.reads("this", &path("in")).unwrap();
        files.reads("that", &path("hard")).unwrap();
        for _ in 0..2 {
            files.writes("nothing", Path::new("/dev/null")).unwrap();
        }
    }

    #[test]
    fn numbered_files_are_kept_free() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("in"), "").unwrap();
        let mut files = FilesInUse::default();
        files.reads("the input", &path("in")).unwrap();
        let numbered =
            |files: &mut FilesInUse| files.writes_numbered("a cell", &path("out.nc"), ("out.cell".as_ref(), ".json"));
        numbered(&mut files.clone()).unwrap();
        let mut taken = files.clone();
        numbered(&mut taken).unwrap();
        taken.writes("the plot", &path("out.cell12.json")).unwrap_err();
        taken.writes("the plot", &path("out.cell.json")).unwrap();
        taken.writes("the plot", &path("out.cellar.json")).unwrap();
        fs::hard_link(path("in"), path("out.cell3.json")).unwrap();
        numbered(&mut files).unwrap_err();
    }
}
