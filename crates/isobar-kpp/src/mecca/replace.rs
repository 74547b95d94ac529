//! Replacement files (`.rpl`): reactions that replace, delete or follow those of the equations.
//!
//! ```text
//! #REPLACE <G4110>
//! <a> CO + OH = HO2 + CO2 : {%StTrG} 1.57E-13; // is G4110a now
//! #ENDREPLACE
//! #REPLACE <J*>     // with nothing in between these vanish
//! #ENDREPLACE
//! #REPLACE <>       // a further reaction
//! <G0001> A = B : {%StTrG} 1.0;
//! #ENDREPLACE
//! ```

use super::clean::tag;
use crate::error::Fault;
use crate::limits::MOST_REPLACED_LINES;
use crate::source::Span;

/// Lines of equations, each of a text, that replacements change. Taken out ones are blank.
pub(super) struct Lines {
    pub(super) lines: Vec<String>,
}

impl Lines {
    pub(super) fn new(text: &str) -> Self {
        Self { lines: text.split_inclusive('\n').map(str::to_owned).collect() }
    }

    /// Takes out the reactions of a tag, which may have `*` for any letters.
    fn take_out(&mut self, wanted: &str) -> usize {
        let (start, any) = wanted.split_once('*').map_or((wanted, None), |(start, end)| (start, Some(end)));
        let fits = |tag: &str| match any {
            Some(end) => tag.len() >= start.len() + end.len() && tag.starts_with(start) && tag.ends_with(end),
            None => tag == start,
        };
        let mut count = 0;
        for line in &mut self.lines {
            if tag(line).is_some_and(fits) {
                count += 1;
                let end = if line.ends_with('\n') { "\n" } else { "" };
                *line = end.to_owned();
            }
        }
        count
    }
}

/// Applies a replacement file to equations; gives its own reactions, with each line in its place.
///
/// A block whose reaction is not there is left out, with a note.
pub(super) fn apply(
    text: &str,
    number: usize,
    equations: &mut [Lines],
    (notes, looked): (&mut Vec<Fault>, &mut usize),
) -> Result<String, Fault> {
    *looked += text.len() / 64 + equations.iter().map(|lines| lines.lines.len()).sum::<usize>();
    let mut own = Lines { lines: vec![] };
    let mut block: Option<(String, Span)> = None;
    let mut left_out = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let span = Span { text: number, start, end: start + line.trim_end().len().max(1) };
        start += line.len();
        let words = line.trim();
        let end = if line.ends_with('\n') { "\n" } else { "" };
        let mut kept = end.to_owned();
        if let Some(rest) = words.strip_prefix("#REPLACE") {
            if let Some((_, begun)) = block {
                return Err(Fault::at(begun, "this #REPLACE does not end: `#ENDREPLACE` is missing"));
            }
            let wanted = rest.trim().strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(tag, _)| tag.trim());
            let Some(wanted) = wanted.filter(|tag| tag.chars().all(|c| c.is_ascii_alphanumeric() || "_*".contains(c)))
            else {
                return Err(Fault::at(span, "`#REPLACE <tag>` is expected here"));
            };
            if !wanted.is_empty() {
                *looked += own.lines.len() + equations.iter().map(|lines| lines.lines.len()).sum::<usize>();
                if *looked > MOST_REPLACED_LINES {
                    return Err(Fault::at(span, "there are too many replacements"));
                }
                let count: usize = equations.iter_mut().map(|lines| lines.take_out(wanted)).sum();
                left_out = count + own.take_out(wanted) == 0;
                if left_out {
                    notes.push(Fault::at(span, format!("there is no reaction <{wanted}>: this is left out")));
                }
            }
            block = Some((wanted.to_owned(), span));
        } else if words.starts_with("#ENDREPLACE") {
            if block.take().is_none() {
                return Err(Fault::at(span, "this #ENDREPLACE has no #REPLACE"));
            }
            left_out = false;
        } else if let Some((main, _)) = &block {
            kept = match tag(line) {
                _ if left_out => kept,
                // Tags are behind the main one; those of several reactions are their own.
                Some(own) if !main.contains('*') && !own.starts_with(main.as_str()) => {
                    line.replacen(&format!("<{own}>"), &format!("<{main}{own}>"), 1)
                }
                _ => line.to_owned(),
            };
        } else if !words.is_empty() && !words.starts_with("//") {
            return Err(Fault::at(span, "only `#REPLACE <tag>`, `#ENDREPLACE`, `#include` and comments stand here"));
        }
        own.lines.push(kept);
    }
    match block {
        Some((_, begun)) => Err(Fault::at(begun, "this #REPLACE does not end: `#ENDREPLACE` is missing")),
        None => Ok(own.lines.concat()),
    }
}
