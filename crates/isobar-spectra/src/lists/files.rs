//! Lines of text files, and numbers in them.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::SpectraError;

/// Calls `each` with the number (from 1) and text of every line, without its end (LF or CRLF). Bytes that are no UTF-8
/// are replaced: old lists have some in their references.
pub(crate) fn lines_of(
    reader: impl Read,
    path: &Path,
    mut each: impl FnMut(usize, &str) -> Result<(), SpectraError>,
) -> Result<(), SpectraError> {
    let mut reader = BufReader::with_capacity(1 << 16, reader);
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(|error| SpectraError::file(path, error))? == 0 {
            break;
        }
        while matches!(bytes.last(), Some(b'\n' | b'\r')) {
            bytes.pop();
        }
        each(number, &String::from_utf8_lossy(&bytes))?;
    }
    Ok(())
}

/// The same of a file.
pub(crate) fn read_lines(
    path: &Path,
    each: impl FnMut(usize, &str) -> Result<(), SpectraError>,
) -> Result<(), SpectraError> {
    lines_of(File::open(path).map_err(|error| SpectraError::file(path, error))?, path, each)
}

/// A finite number in some text.
pub(crate) fn number_of(text: &str, what: &str, path: &Path, line: usize) -> Result<f64, SpectraError> {
    let trimmed = text.trim();
    match trimmed.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(SpectraError::record(path, line, format!("{what} is '{trimmed}'; accepted is a number"))),
    }
}
