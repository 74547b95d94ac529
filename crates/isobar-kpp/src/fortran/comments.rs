//! Comments and continued lines of Fortran.

use std::ops::Range;

use super::conditions::{Conditions, Line};
use super::fixed_form::beyond_column_72;

/// A text whose comments and marks of continued lines are blanks: other bytes keep their places.
pub(super) struct Plain {
    pub(super) code: String,
    /// Conditions of the preprocessor that cannot be told.
    pub(super) doubtful: Vec<Range<usize>>,
    /// In fixed form, code beyond column 72, a line each.
    pub(super) beyond: Vec<Range<usize>>,
}

/// Blanks for comments and for the marks of continued lines.
pub(super) fn without_comments(text: &str, fixed_form: bool) -> Plain {
    let mut out = Vec::with_capacity(text.len());
    // Ends of lines behind the last code, which are blanks if that goes on.
    let mut ends = vec![];
    let mut continues = false;
    // Where the last mark stood of a line that goes on.
    let mut mark = 0;
    let mut conditions = Conditions::default();
    let (mut doubtful, mut beyond) = (vec![], vec![]);
    for line in text.split_inclusive('\n') {
        let mut bytes = line.as_bytes().to_vec();
        without_braces(&mut bytes);
        let mut quote = 0;
        let start = out.len();
        let kind = conditions.take(line);
        if kind == Line::Doubtful {
            doubtful.push(start..start + line.trim_end().len());
        }
        let comment = kind != Line::Counts
            || (fixed_form && line.starts_with(['c', 'C', '*']))
            || line.trim_start().starts_with('!')
            // MECCA's, which Fortran does not have.
            || line.trim_start().starts_with("//");
        let end = bytes.iter().position(|&byte| {
            if quote == 0 && (byte == b'\'' || byte == b'"') {
                quote = byte;
            } else if byte == quote {
                quote = 0;
            }
            quote == 0 && byte == b'!'
        });
        let end = if comment { 0 } else { end.unwrap_or(bytes.len()) };
        for byte in &mut bytes[end..] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        let blank = bytes.iter().all(u8::is_ascii_whitespace);
        let marked =
            fixed_form && bytes.len() > 5 && bytes[..5].iter().all(|&b| b == b' ') && !b" 0\n\r".contains(&bytes[5]);
        let first = bytes.iter().position(|byte| !byte.is_ascii_whitespace());
        if marked {
            bytes[5] = b' ';
            ends.drain(..).for_each(|end: usize| out[end] = b' ');
        } else if continues && !blank {
            ends.drain(..).for_each(|end| out[end] = b' ');
            if let Some(first) = first.filter(|&first| bytes[first] == b'&') {
                bytes[first] = b' ';
                if !fixed_form && bytes.get(first + 1).is_some_and(|byte| !byte.is_ascii_whitespace()) {
                    let end = out.len() + first + 1;
                    out.extend_from_slice(&bytes[..=first]);
                    join(&mut out, (mark, end));
                    bytes.drain(..=first);
                }
            }
        }
        if !blank {
            ends.clear();
            let last = bytes.iter().rposition(|byte| !byte.is_ascii_whitespace());
            continues = last.is_some_and(|last| bytes[last] == b'&');
            if let Some(last) = last.filter(|_| continues) {
                bytes[last] = b' ';
                mark = out.len() + last;
            }
        }
        if let Some(first) = beyond_column_72(&bytes).filter(|_| fixed_form) {
            beyond.push(start + first..start + bytes.trim_ascii_end().len());
        }
        out.extend(bytes);
        if line.ends_with('\n') {
            ends.push(out.len() - 1);
        }
    }
    let code = String::from_utf8(out).unwrap_or_else(|_| " ".repeat(text.len()));
    Plain { code, doubtful, beyond }
}

/// Moves what stands right before the mark of a line that goes on to the end of a text, where what it is a part of goes
/// on: `1.0e&` and `&-3` are one number.
fn join(out: &mut [u8], (mark, end): (usize, usize)) {
    let start = out[..mark].iter().rposition(u8::is_ascii_whitespace).map_or(0, |blank| blank + 1);
    let part = out[start..mark].to_vec();
    out[start..mark].fill(b' ');
    out[end - part.len()..end].copy_from_slice(&part);
}

/// Blanks for what stands in braces, which are comments to MECCA's preprocessor and nothing to Fortran.
fn without_braces(line: &mut [u8]) {
    let mut next = 0;
    while let Some(open) = line[next..].iter().position(|&byte| byte == b'{') {
        let start = next + open;
        let Some(length) = line[start..].iter().position(|&byte| byte == b'}') else { return };
        line[start..=start + length].fill(b' ');
        next = start + length;
    }
}
