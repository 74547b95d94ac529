//! What the text formats share: files, rows and headers.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use isobar_core::text;

use crate::error::Error;
use crate::number::Number;

/// The bytes of a file of data, which may be as long as memory has room for.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    text::read_file(path).map_err(|cause| Error::Io { path: path.to_owned(), action: "read", cause })
}

/// The bytes of a description, which may come through a pipe and has an end.
pub(crate) fn read_description(path: &Path) -> Result<Vec<u8>, Error> {
    text::read(path).map_err(|cause| Error::Io { path: path.to_owned(), action: "read", cause })
}

/// A file as text, without a byte order mark; a comment may hold anything, so bytes that are not UTF-8 are replaced.
pub(crate) fn to_text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(text::without_mark(bytes))
}

/// Lines that are neither blank nor a comment, numbered from 1.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line.trim_ascii()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The titles of columns in the comments before the rows: line and column, from 1, and title.
pub(crate) fn titles(text: &str) -> impl Iterator<Item = (usize, usize, &str)> {
    let comments = text.lines().enumerate().take_while(|(_, line)| line.trim_ascii().starts_with('#'));
    comments.filter_map(|(i, line)| {
        let column = line.trim_ascii().trim_start_matches('#').trim_ascii_start().strip_prefix('$')?;
        let (number, title) = column.split_once('=')?;
        Some((i + 1, number.trim_ascii().parse().ok()?, title.trim_ascii()))
    })
}

pub(crate) fn write_header<T: Display>(out: &mut impl Write, titles: impl IntoIterator<Item = T>) -> io::Result<()> {
    for (i, title) in titles.into_iter().enumerate() {
        writeln!(out, "# ${} = {title}", i + 1)?;
    }
    Ok(())
}

/// Writes numbers with a blank between them and ends the line.
pub(crate) fn write_row(out: &mut impl Write, values: impl IntoIterator<Item = f64>) -> io::Result<()> {
    for (i, value) in values.into_iter().enumerate() {
        write!(out, "{}{}", if i == 0 { "" } else { " " }, Number(value))?;
    }
    writeln!(out)
}

/// What a writer says of data that its format cannot hold.
pub(crate) fn unwritable(problem: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, problem.into())
}
