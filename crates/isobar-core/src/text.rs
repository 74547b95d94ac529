//! Text files that users write: of bounded size, without the byte order mark that some editors put before the first
//! letter.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// No description, mechanism or list of names is longer \[bytes\].
pub const MOST_BYTES: u64 = 1 << 28;
/// No line of a list that is read line by line is longer \[bytes\].
pub const MOST_LINE_BYTES: u64 = 1 << 20;

/// How UTF-8 says that it is UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// A text without its byte order mark, if it has one.
#[must_use]
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}

/// The bytes of a text of at most [`MOST_BYTES`], without its byte order mark, from whatever can be read: a pipe, too.
///
/// # Errors
/// A file that cannot be read; one that is longer, or has no end, as `/dev/zero`.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} MiB, or no end")));
    }
    if bytes.starts_with(MARK) {
        bytes.drain(..MARK.len());
    }
    Ok(bytes)
}

/// The text of [`read`] as a string.
///
/// # Errors
/// As [`read`]; a text that is not UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..place].iter().filter(|&&byte| byte == b'\n').count() + 1;
        io::Error::new(io::ErrorKind::InvalidData, format!("line {line} is not UTF-8"))
    })
}

/// The bytes of a file as they are, which may be as long as memory has room for: what has no length, such as a pipe, is
/// refused.
///
/// # Errors
/// A file that cannot be read, or is no regular file.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let found = file.metadata()?;
    // A folder is refused by the system, in its words.
    if !(found.is_file() || found.is_dir()) {
        return Err(io::Error::other("not a regular file"));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The lines of a text of any length, each with its number from 1 and without its end (LF or CRLF). Bytes that are no
/// UTF-8 are replaced: old lists have some in their references.
#[derive(Debug)]
pub struct Lines<S> {
    reader: BufReader<S>,
    bytes: Vec<u8>,
    number: usize,
}

impl<S: Read> Lines<S> {
    /// The lines of a source.
    #[must_use]
    pub fn new(source: S) -> Self {
        Self { reader: BufReader::with_capacity(1 << 16, source), bytes: Vec::new(), number: 0 }
    }

    /// The next one; none at the end.
    ///
    /// # Errors
    /// Those of the source; a line of more than [`MOST_LINE_BYTES`].
    #[expect(clippy::should_implement_trait, reason = "each line lives until the next")]
    pub fn next(&mut self) -> io::Result<Option<(usize, Cow<'_, str>)>> {
        let Self { reader, bytes, number } = self;
        bytes.clear();
        *number += 1;
        if reader.by_ref().take(MOST_LINE_BYTES + 1).read_until(b'\n', bytes)? == 0 {
            return Ok(None);
        }
        if bytes.len() as u64 > MOST_LINE_BYTES {
            let what = format!("line {number} has no end within {} MiB", MOST_LINE_BYTES >> 20);
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        while matches!(bytes.last(), Some(b'\n' | b'\r')) {
            bytes.pop();
        }
        let text = if *number == 1 { without_mark(bytes) } else { bytes };
        Ok(Some((*number, String::from_utf8_lossy(text))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_numbers_and_no_ends_and_no_mark() {
        let text = b"\xef\xbb\xbfone\r\n\xef\xbb\xbftwo\n\n\xfcber";
        let mut lines = Lines::new(&text[..]);
        let mut found = Vec::new();
        while let Some((number, line)) = lines.next().unwrap() {
            found.push((number, line.into_owned()));
        }
        let expected = [(1, "one"), (2, "\u{feff}two"), (3, ""), (4, "\u{fffd}ber")];
        assert_eq!(found, expected.map(|(number, line)| (number, line.to_owned())));
    }

    #[test]
    fn a_line_without_end_is_an_error() {
        let mut lines = Lines::new(io::repeat(0));
        let error = lines.next().unwrap_err();
        assert_eq!(error.to_string(), "line 1 has no end within 1 MiB");
        let longest = [vec![b'x'; MOST_LINE_BYTES as usize - 1], b"\nend".to_vec()].concat();
        let mut lines = Lines::new(&longest[..]);
        assert_eq!(lines.next().unwrap().map(|(_, line)| line.len()), Some(MOST_LINE_BYTES as usize - 1));
        assert_eq!(lines.next().unwrap(), Some((2, "end".into())));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_end_is_an_error() {
        let endless = Path::new("/dev/zero");
        assert_eq!(read(endless).unwrap_err().to_string(), "it has more than 256 MiB, or no end");
        assert_eq!(read_file(endless).unwrap_err().to_string(), "not a regular file");
        assert_eq!(read(Path::new("/dev/null")).unwrap(), []);
    }
}
