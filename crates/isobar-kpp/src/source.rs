//! Texts, and places in them.

use std::path::{Path, PathBuf};

/// A stretch of a text: which one, and the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Span {
    pub(crate) text: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Span {
    /// From the start of this one to the end of another one in the same text.
    pub(crate) fn to(self, other: Self) -> Self {
        if self.text == other.text { Self { end: other.end.max(self.end), ..self } } else { self }
    }
}

/// A place for the reader's eyes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, or the name of the text.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The text around the place, on its line.
    pub excerpt: String,
    /// Where the place starts in the excerpt, and how long it is, in characters.
    pub mark: (usize, usize),
}

/// All texts that were read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    texts: Vec<(PathBuf, String)>,
    /// Those that came from files.
    pub(crate) files: Vec<PathBuf>,
}

/// So much of a line is shown before the place, and behind it.
const SHOWN: usize = 60;

impl Sources {
    pub(crate) fn add(&mut self, name: &Path, text: String) -> usize {
        self.texts.push((name.to_owned(), text));
        self.texts.len() - 1
    }

    /// The name of the first text, which includes the others.
    pub(crate) fn name(&self) -> Option<&Path> {
        self.texts.first().map(|(name, _)| name.as_path())
    }

    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(crate) fn text(&self, number: usize) -> &str {
        &self.texts[number].1
    }

    pub(crate) fn slice(&self, span: Span) -> &str {
        self.text(span.text).get(span.start..span.end).unwrap_or("")
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        let (name, text) = &self.texts[span.text];
        let mut start = span.start.min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[line_start..].lines().next().unwrap_or("");
        let before = text[line_start..start].chars().count();
        let end = span.end.clamp(start, line_start + line.len().max(start - line_start));
        let width = text.get(start..end).map_or(1, |marked| marked.chars().count()).max(1);
        let skipped = before.saturating_sub(SHOWN);
        let shown = line.chars().skip(skipped).take(before - skipped + width.min(SHOWN) + SHOWN);
        Place {
            file: name.clone(),
            line: text[..line_start].matches('\n').count() + 1,
            column: before + 1,
            excerpt: shown.map(|c| if c.is_control() { ' ' } else { c }).collect(),
            mark: (before - skipped, width.min(SHOWN)),
        }
    }
}
