//! What is wrong with a mechanism, and where.

use std::fmt;

use crate::source::{Place, Sources, Span};

/// A mechanism that cannot be read: what is wrong, where, and what may help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Message>);

/// Something that the reader should know: an error, or a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What is wrong.
    pub what: String,
    /// Where, if it has a place.
    pub place: Option<Place>,
    /// What may help.
    pub help: Option<String>,
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{}:{}:{}: ", place.file.display(), place.line, place.column)?;
        }
        write!(f, "{}", self.what)?;
        if let Some(place) = &self.place {
            let number = place.line.to_string();
            let margin = " ".repeat(number.len());
            let (start, width) = place.mark;
            write!(f, "\n{margin} |\n{number} | {}", place.excerpt.trim_end())?;
            write!(f, "\n{margin} | {}{}", " ".repeat(start), "^".repeat(width))?;
        }
        match &self.help {
            Some(help) => write!(f, "\n{}= {help}", if self.place.is_some() { "  " } else { "" }),
            None => Ok(()),
        }
    }
}

impl Error {
    /// The parts.
    #[must_use]
    pub fn message(&self) -> &Message {
        &self.0
    }

    pub(crate) fn with(message: Message) -> Self {
        Self(Box::new(message))
    }

    pub(crate) fn plain(what: impl Into<String>) -> Self {
        Self(Box::new(Message { what: what.into(), place: None, help: None }))
    }
}

/// An error with its place as bytes, before it is shown.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) what: String,
    pub(crate) span: Option<Span>,
    pub(crate) help: Option<String>,
}

impl Fault {
    pub(crate) fn at(span: Span, what: impl Into<String>) -> Self {
        Self { what: what.into(), span: Some(span), help: None }
    }

    pub(crate) fn nowhere(what: impl Into<String>) -> Self {
        Self { what: what.into(), span: None, help: None }
    }

    /// Of a long place the start is shown.
    pub(crate) fn of_start(mut self) -> Self {
        if let Some(span) = &mut self.span {
            span.end = span.end.min(span.start + 1);
        }
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the known name that is nearest to an unknown one, if any is near.
    pub(crate) fn nearest<'a>(self, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        match nearest(name, known) {
            Some(found) => self.help(format!("did you mean `{found}`?")),
            None => self,
        }
    }

    /// What is wrong with the whole names the file.
    pub(crate) fn of_file(self, sources: &Sources) -> Self {
        match sources.name() {
            Some(name) if self.span.is_none() => Self { what: format!("{}: {}", name.display(), self.what), ..self },
            _ => self,
        }
    }

    pub(crate) fn message(self, sources: &Sources) -> Message {
        Message { what: self.what, place: self.span.map(|span| sources.place(span)), help: self.help }
    }

    pub(crate) fn error(self, sources: &Sources) -> Error {
        Error(Box::new(self.message(sources)))
    }
}

/// The known name that is nearest to an unknown one, if any is near. Case does not count.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // A hostile name would take long to compare with all others.
    if name.len() > 64 {
        return None;
    }
    let lower = name.to_lowercase();
    let scored = known.filter(|k| k.len() <= 64).map(|k| (strsim::damerau_levenshtein(&lower, &k.to_lowercase()), k));
    scored
        .filter(|&(distance, _)| distance <= (lower.len() / 3).max(1))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, k)| k)
}
