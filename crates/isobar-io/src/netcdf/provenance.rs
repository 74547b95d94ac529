//! Where an output comes from.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::checksum::in_digits;
use crate::error::Error;

/// What the global attributes of an output say. Neither date nor host is among it, so that equal runs write equal
/// files.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// What the file holds, in one line.
    pub title: String,
    /// The device that computed it.
    pub device: String,
    /// The precision of the computation: `f32` or `f64`.
    pub precision: String,
    /// The command line.
    pub history: String,
    /// The files that were read; the output has the SHA-256 of each.
    pub inputs: Vec<PathBuf>,
}

impl Provenance {
    /// Names and texts of the attributes.
    pub(super) fn attributes(&self) -> Result<Vec<(&'static str, String)>, Error> {
        let hashes: Vec<String> = self
            .inputs
            .iter()
            .map(|path| Ok(format!("{} sha256:{}", path_in_words(path), file_hash(path)?)))
            .collect::<Result<_, Error>>()?;
        let all = [
            ("Conventions", "CF-1.11".to_owned()),
            ("title", self.title.clone()),
            ("source", format!("isobar {}", env!("CARGO_PKG_VERSION"))),
            ("device", self.device.clone()),
            ("precision", self.precision.clone()),
            ("history", self.history.clone()),
            ("inputs", hashes.join("\n")),
        ];
        Ok(all.into_iter().filter(|(_, text)| !text.is_empty()).collect())
    }
}

/// A path as outputs name it: with slashes on all systems, so that they write the same files.
#[must_use]
pub fn path_in_words(path: &Path) -> String {
    let words = path.display().to_string();
    if cfg!(windows) { words.replace('\\', "/") } else { words }
}

/// The SHA-256 of a file, in hexadecimal digits; of a folder, which a Zarr store is, that of a list of its files, as
/// `find . -type f | LC_ALL=C sort | xargs sha256sum` prints it there.
///
/// # Errors
/// The file cannot be read.
pub fn file_hash(path: &Path) -> Result<String, Error> {
    if path.is_dir() {
        let mut lines = Vec::new();
        let listed = list(path, "./", &mut lines);
        listed.map_err(|cause| Error::Io { path: path.to_owned(), action: "read", cause })?;
        lines.sort();
        let mut hash = Sha256::new();
        for name in lines {
            hash.update(format!("{}  {name}\n", file_hash(&path.join(&name))?));
        }
        return Ok(in_digits(&hash.finalize()));
    }
    let digest = || -> io::Result<_> {
        let mut file = File::open(path)?;
        let mut hash = Sha256::new();
        let mut block = vec![0; 1 << 16];
        loop {
            match file.read(&mut block)? {
                0 => return Ok(hash.finalize()),
                count => hash.update(&block[..count]),
            }
        }
    };
    let digest = digest().map_err(|cause| Error::Io { path: path.to_owned(), action: "read", cause })?;
    Ok(in_digits(&digest))
}

/// What tells that a file was changed, in words: its size and the time of its last change; of a folder a hash of its
/// files' names, sizes and times.
///
/// # Errors
/// It cannot be read.
pub fn file_stamp(path: &Path) -> Result<String, Error> {
    let failure = |cause| Error::Io { path: path.to_owned(), action: "read", cause };
    let stamp = |path: &Path| {
        let meta = path.metadata()?;
        let since = meta.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        Ok(format!("{} bytes at {}", meta.len(), since.unwrap_or_default().as_nanos()))
    };
    if !path.is_dir() {
        return stamp(path).map_err(failure);
    }
    let mut names = Vec::new();
    list(path, "./", &mut names).map_err(failure)?;
    names.sort();
    let mut hash = Sha256::new();
    for name in &names {
        hash.update(format!("{name}: {}\n", stamp(&path.join(name)).map_err(failure)?));
    }
    Ok(format!("{} files with the stamp {}", names.len(), in_digits(&hash.finalize())))
}

/// Adds the files of a folder and of those in it, with slashes on all systems.
fn list(folder: &Path, name: &str, all: &mut Vec<String>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{name}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() { list(&entry.path(), &format!("{name}/"), all)? } else { all.push(name) }
    }
    Ok(())
}
