//! Lines of text files, packed or not, and numbers in them.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use isobar_core::text::Lines;

use crate::SpectraError;

/// How names of files that are packed end, in the order in which they are looked for; the first is not packed.
const ENDINGS: [&str; 3] = ["", ".bz2", ".gz"];

/// A file, unpacked as it is read: its first bytes tell whether it is packed, by bzip2 or gzip.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Read + Send>, SpectraError> {
    let unreadable = |error| SpectraError::file(path, error);
    let mut file = BufReader::with_capacity(1 << 16, File::open(path).map_err(unreadable)?);
    Ok(match file.fill_buf().map_err(unreadable)? {
        [b'B', b'Z', b'h', ..] => Box::new(bzip2::bufread::MultiBzDecoder::new(file)),
        [0x1f, 0x8b, ..] => Box::new(flate2::bufread::MultiGzDecoder::new(file)),
        _ => Box::new(file),
    })
}

/// The file of a name, or what stands in its place packed.
pub(crate) fn packed_or_not(path: PathBuf) -> PathBuf {
    let with = |ending: &str| {
        let mut name = path.clone().into_os_string();
        name.push(ending);
        PathBuf::from(name)
    };
    ENDINGS.iter().map(|ending| with(ending)).find(|path| path.is_file()).unwrap_or(path)
}

/// A name without the ending that says how the file is packed.
pub(crate) fn unpacked_name(name: &str) -> &str {
    ENDINGS[1..].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

/// Calls `each` with the number and text of every line of a file.
pub(crate) fn read_lines(
    path: &Path,
    mut each: impl FnMut(usize, &str) -> Result<(), SpectraError>,
) -> Result<(), SpectraError> {
    let mut lines = Lines::new(open(path)?);
    while let Some((number, text)) = lines.next().map_err(|error| SpectraError::file(path, error))? {
        each(number, &text)?;
    }
    Ok(())
}

/// A finite number in some text.
pub(crate) fn number_of(text: &str, what: &str, path: &Path, line: usize) -> Result<f64, SpectraError> {
    let trimmed = text.trim();
    match trimmed.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(SpectraError::record(path, line, format!("{what} is '{trimmed}'; accepted is a number"))),
    }
}
