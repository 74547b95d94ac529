//! Lines of text files, and numbers in them.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::SpectraError;

/// The lines of a text, each with its number from 1 and without its end (LF or CRLF). Bytes that are no UTF-8 are
/// replaced: old lists have some in their references.
pub(crate) struct TextLines<S> {
    reader: BufReader<S>,
    bytes: Vec<u8>,
    number: usize,
}

impl<S: Read> TextLines<S> {
    pub(crate) fn new(source: S) -> Self {
        Self { reader: BufReader::with_capacity(1 << 16, source), bytes: Vec::new(), number: 0 }
    }

    /// The next one; none at the end. `path` is for messages.
    pub(crate) fn next(&mut self, path: &Path) -> Result<Option<(usize, Cow<'_, str>)>, SpectraError> {
        self.bytes.clear();
        if self.reader.read_until(b'\n', &mut self.bytes).map_err(|error| SpectraError::file(path, error))? == 0 {
            return Ok(None);
        }
        while matches!(self.bytes.last(), Some(b'\n' | b'\r')) {
            self.bytes.pop();
        }
        self.number += 1;
        Ok(Some((self.number, String::from_utf8_lossy(&self.bytes))))
    }
}

/// Calls `each` with the number and text of every line.
pub(crate) fn lines_of(
    source: impl Read,
    path: &Path,
    mut each: impl FnMut(usize, &str) -> Result<(), SpectraError>,
) -> Result<(), SpectraError> {
    let mut lines = TextLines::new(source);
    while let Some((number, text)) = lines.next(path)? {
        each(number, &text)?;
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
