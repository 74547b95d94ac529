//! What takes any bytes, as targets: `tests` runs them with edits of good files, `cargo xtask fuzz` with libFuzzer.

pub mod edits;
pub mod list;
pub mod netcdf;
pub mod readers;
pub mod targets;
mod wrf;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A folder of this process. Who runs it removes it, for a fuzz target ends without notice.
static FOLDER: LazyLock<PathBuf> =
    LazyLock::new(|| tempfile::Builder::new().prefix("isobar-fuzz-").tempdir().expect("a folder").keep());

/// The demonstration data of the repository.
#[must_use]
pub fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data")
}

/// The folder in which inputs lie.
#[must_use]
pub fn folder() -> &'static Path {
    &FOLDER
}

/// Gives a reader of files these bytes as a file.
pub fn with_file<T>(name: &str, bytes: &[u8], read: impl FnOnce(&Path) -> T) -> T {
    let path = FOLDER.join(name);
    fs::write(&path, bytes).expect("the folder can be written");
    read(&path)
}

/// An error has to say something, and to say it of the file.
pub fn check_error(error: &dyn std::fmt::Display, name: &str) {
    let text = error.to_string();
    assert!(text.contains(name), "an error that does not name {name}: {text:?}");
}
