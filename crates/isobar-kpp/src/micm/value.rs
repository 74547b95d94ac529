//! Values of JSON and YAML, each with its place.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::yaml::{self, Kind, Node};
use crate::error::Fault;
use crate::source::Span;

/// A text, and which one it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) text: &'a str,
    pub(crate) number: usize,
    /// Is it YAML, and not JSON?
    pub(crate) yaml: bool,
}

/// A whole file.
pub(super) enum Tree<'a> {
    Json(Text<'a>, &'a RawValue),
    Yaml(Text<'a>, Node),
}

/// A value and the text that it is a part of.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    form: Form<'a>,
    text: Text<'a>,
}

#[derive(Clone, Copy)]
enum Form<'a> {
    Json(&'a RawValue),
    Yaml(&'a Node),
}

/// What an object has, by its keys.
pub(super) type Object<'a> = BTreeMap<String, Value<'a>>;

impl<'a> Tree<'a> {
    pub(super) fn read(text: Text<'a>) -> Result<Self, Fault> {
        if text.yaml {
            return Ok(Self::Yaml(text, yaml::read(text.text, text.number)?));
        }
        let wrong = |error: serde_json::Error| {
            // Lines and columns (in bytes) from 1; at the end of the text there is none.
            let lines = text.text.split_inclusive('\n').take(error.line().saturating_sub(1));
            let before: usize = lines.map(str::len).sum();
            let start = (before + error.column().saturating_sub(1)).min(text.text.len());
            let what = error.to_string();
            let what = what.split(" at line ").next().unwrap_or_default();
            Fault::at(Span { text: text.number, start, end: start + 1 }, format!("this is not JSON: {what}"))
        };
        Ok(Self::Json(text, serde_json::from_str::<&RawValue>(text.text).map_err(wrong)?))
    }

    pub(super) fn value(&self) -> Value<'_> {
        match self {
            Self::Json(text, raw) => Value { form: Form::Json(raw), text: *text },
            Self::Yaml(text, node) => Value { form: Form::Yaml(node), text: *text },
        }
    }
}

impl<'a> Value<'a> {
    pub(super) fn span(self) -> Span {
        match self.form {
            Form::Json(raw) => {
                // It is a slice of the text.
                let start = raw.get().as_ptr() as usize - self.text.text.as_ptr() as usize;
                Span { text: self.text.number, start, end: start + raw.get().len() }
            }
            Form::Yaml(node) => node.span,
        }
    }

    fn part(self, form: Form<'a>) -> Self {
        Self { form, ..self }
    }

    /// Of a long value the start is enough.
    fn expected(self, what: &str) -> Fault {
        let span = self.span();
        Fault::at(Span { end: span.end.min(span.start + 40), ..span }, format!("{what} is expected here"))
    }

    fn parsed<T: serde::Deserialize<'a>>(self, raw: &'a RawValue, what: &str) -> Result<T, Fault> {
        serde_json::from_str(raw.get()).map_err(|_| self.expected(what))
    }

    pub(super) fn object(self) -> Result<Object<'a>, Fault> {
        const WHAT: &str = "an object";
        match self.form {
            Form::Json(raw) => {
                let all: BTreeMap<String, &'a RawValue> = self.parsed(raw, WHAT)?;
                Ok(all.into_iter().map(|(key, raw)| (key, self.part(Form::Json(raw)))).collect())
            }
            Form::Yaml(Node { kind: Kind::Object(all), .. }) => {
                Ok(all.iter().map(|(key, node)| (key.clone(), self.part(Form::Yaml(node)))).collect())
            }
            Form::Yaml(_) => Err(self.expected(WHAT)),
        }
    }

    pub(super) fn list(self) -> Result<Vec<Self>, Fault> {
        const WHAT: &str = "a list";
        match self.form {
            Form::Json(raw) => {
                let all: Vec<&'a RawValue> = self.parsed(raw, WHAT)?;
                Ok(all.into_iter().map(|raw| self.part(Form::Json(raw))).collect())
            }
            Form::Yaml(Node { kind: Kind::List(all), .. }) => {
                Ok(all.iter().map(|node| self.part(Form::Yaml(node))).collect())
            }
            Form::Yaml(_) => Err(self.expected(WHAT)),
        }
    }

    pub(super) fn number(self) -> Result<f64, Fault> {
        const WHAT: &str = "a number";
        match self.form {
            // As MUSICA reads them, numbers may stand in quotes.
            Form::Json(raw) if raw.get().starts_with('"') => {
                number_in(&self.string()?).ok_or_else(|| self.expected(WHAT))
            }
            Form::Json(raw) => self.parsed(raw, WHAT),
            Form::Yaml(Node { kind: Kind::Scalar(words, _), .. }) => {
                number_in(words).ok_or_else(|| self.expected(WHAT))
            }
            Form::Yaml(_) => Err(self.expected(WHAT)),
        }
    }

    pub(super) fn string(self) -> Result<String, Fault> {
        match self.form {
            Form::Json(raw) => self.parsed(raw, "a text in quotes"),
            Form::Yaml(Node { kind: Kind::Scalar(words, _), .. }) => Ok(words.clone()),
            Form::Yaml(_) => Err(self.expected("a text")),
        }
    }

    pub(super) fn boolean(self) -> Result<bool, Fault> {
        const WHAT: &str = "`true` or `false`";
        match self.form {
            Form::Json(raw) => self.parsed(raw, WHAT),
            Form::Yaml(Node { kind: Kind::Scalar(words, true), .. }) if ["true", "false"].contains(&words.as_str()) => {
                Ok(words == "true")
            }
            Form::Yaml(_) => Err(self.expected(WHAT)),
        }
    }
}

/// The number that a text is; nothing that Rust takes for infinite.
fn number_in(words: &str) -> Option<f64> {
    let digits = words.chars().any(|c| c.is_ascii_digit());
    words.trim().parse().ok().filter(|number: &f64| digits && number.is_finite())
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
