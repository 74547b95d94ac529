//! Values of JSON, each with its place.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::error::Fault;
use crate::source::Span;

/// A value and the text that it is a part of.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    raw: &'a RawValue,
    text: &'a str,
    number: usize,
}

/// What an object has, by its keys.
pub(super) type Object<'a> = BTreeMap<String, Value<'a>>;

impl<'a> Value<'a> {
    /// The whole of a text.
    pub(super) fn read(text: &'a str, number: usize) -> Result<Self, Fault> {
        let wrong = |error: serde_json::Error| {
            // Lines and columns (in bytes) from 1; at the end of the text there is none.
            let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
            let start = (before + error.column().saturating_sub(1)).min(text.len());
            let what = error.to_string();
            let what = what.split(" at line ").next().unwrap_or_default();
            Fault::at(Span { text: number, start, end: start + 1 }, format!("this is not JSON: {what}"))
        };
        let raw = serde_json::from_str::<&RawValue>(text).map_err(wrong)?;
        Ok(Self { raw, text, number })
    }

    pub(super) fn span(self) -> Span {
        // It is a slice of the text.
        let start = self.raw.get().as_ptr() as usize - self.text.as_ptr() as usize;
        Span { text: self.number, start, end: start + self.raw.get().len() }
    }

    fn part(self, raw: &'a RawValue) -> Self {
        Self { raw, ..self }
    }

    fn parsed<T: serde::Deserialize<'a>>(self, what: &str) -> Result<T, Fault> {
        let span = self.span();
        // Of a long value the start is enough.
        let shown = Span { end: span.end.min(span.start + 40), ..span };
        serde_json::from_str(self.raw.get()).map_err(|_| Fault::at(shown, format!("{what} is expected here")))
    }

    pub(super) fn object(self) -> Result<Object<'a>, Fault> {
        let all: BTreeMap<String, &'a RawValue> = self.parsed("an object")?;
        Ok(all.into_iter().map(|(key, raw)| (key, self.part(raw))).collect())
    }

    pub(super) fn list(self) -> Result<Vec<Self>, Fault> {
        let all: Vec<&'a RawValue> = self.parsed("a list")?;
        Ok(all.into_iter().map(|raw| self.part(raw)).collect())
    }

    pub(super) fn number(self) -> Result<f64, Fault> {
        self.parsed("a number")
    }

    pub(super) fn string(self) -> Result<String, Fault> {
        self.parsed("a text in quotes")
    }

    pub(super) fn boolean(self) -> Result<bool, Fault> {
        self.parsed("`true` or `false`")
    }
}

/// No keys but these, and those that begin with `__`, which are notes of who wrote the file.
pub(super) fn known_keys(object: &Object<'_>, of: &str, known: &[&str]) -> Result<(), Fault> {
    match object.iter().find(|(key, _)| !key.starts_with("__") && !known.contains(&key.as_str())) {
        Some((key, value)) => {
            let span = value.span();
            let shown = Span { end: span.end.min(span.start + 40), ..span };
            Err(Fault::at(shown, format!("{of} has no `{key}`")).nearest(key, known.iter().copied()))
        }
        None => Ok(()),
    }
}
