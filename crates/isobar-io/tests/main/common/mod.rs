//! What the tests share.
#![cfg_attr(not(feature = "netcdf"), allow(dead_code, reason = "files of NetCDF are a feature"))]

#[cfg(feature = "netcdf")]
pub(crate) mod netcdf;
#[cfg(feature = "netcdf")]
pub(crate) mod tables;

use std::fs;
use std::path::{Path, PathBuf};

use isobar_io::{AtomicFile, Control, Error};
use tempfile::TempDir;

/// The folder of JURASSIC's reference data, if it is there; a test without it says so and passes.
pub(crate) fn reference() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference");
    let folder = std::env::var_os("ISOBAR_REFERENCE").map_or(default, PathBuf::from).join("jurassic");
    if !folder.is_dir() {
        eprintln!("SKIPPED: no reference data in {}; set ISOBAR_REFERENCE", folder.display());
        return None;
    }
    Some(folder)
}

/// A file of a temporary folder with this content.
pub(crate) fn file(content: impl AsRef<[u8]>, name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    (folder, path)
}

/// A control of these lines, `KEY VALUE`.
pub(crate) fn control(lines: &[(&str, &str)]) -> Control {
    try_control(lines).unwrap()
}

pub(crate) fn try_control(lines: &[(&str, &str)]) -> Result<Control, Error> {
    let pairs: Vec<_> = lines.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    Control::from_pairs(&pairs).map(|(control, _)| control)
}

/// The message of an error, with the folder of the file cut off.
pub(crate) fn message<T>(result: Result<T, Error>, path: &Path) -> String {
    let message = result.err().expect("this must be refused").to_string();
    assert_eq!(message.lines().count(), 1, "one line: {message}");
    message.replace(&format!("{}/", path.parent().unwrap().display()), "")
}

/// Writes to a file of a temporary folder.
pub(crate) fn written(
    name: &str,
    write: impl FnOnce(&mut AtomicFile) -> std::io::Result<()>,
) -> Result<(TempDir, PathBuf), Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    AtomicFile::write_with(&path, write)?;
    Ok((folder, path))
}
