//! Reading a case file: errors with its line, and the nearest key for one that is unknown.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use toml::Spanned;

use super::error::Error;

/// The longest name that may be a misspelt one \[bytes\].
const LONGEST: usize = 64;

/// A case file.
pub(super) struct CaseFile {
    pub(super) path: PathBuf,
    text: String,
    /// What the caller has put in place of the file's values: keys and values.
    pub(super) changes: BTreeMap<&'static str, String>,
}

impl CaseFile {
    /// Reads the file and what it says.
    pub(super) fn read<Keys: DeserializeOwned>(path: &Path) -> Result<(Self, Keys), Error> {
        let text =
            isobar_core::text::read_to_string(path).map_err(|cause| Error::Read { path: path.to_owned(), cause })?;
        let file = Self { path: path.to_owned(), text, changes: BTreeMap::new() };
        let keys = toml::from_str(&file.text).map_err(|error| {
            let problem = nearest(error.message()).unwrap_or_else(|| error.message().trim().to_owned());
            file.failure(error.span(), problem)
        })?;
        Ok((file, keys))
    }

    /// An error about a place of the file.
    pub(super) fn failure(&self, span: Option<Range<usize>>, problem: impl std::fmt::Display) -> Error {
        let place = self.path.display();
        let Some(span) = span else { return Error::Case(format!("{place}: {problem}")) };
        let start = span.start.min(self.text.len());
        let line = self.text[..start].matches('\n').count() + 1;
        let content = self.text.lines().nth(line - 1).unwrap_or_default().trim();
        if content.is_empty() {
            return Error::Case(format!("{place}:{line}: {problem}"));
        }
        Error::Case(format!("{place}:{line}: {problem} (`{content}`)"))
    }

    /// An error about the value of a key.
    pub(super) fn at(&self, key: &str, problem: impl std::fmt::Display) -> Error {
        if let Some(value) = self.changes.get(key) {
            return Error::Case(format!("{}: {problem} (`{key} = {value}`, as changed)", self.path.display()));
        }
        let is_key = |line: &str| line.split_once('=').is_some_and(|(name, _)| name.trim() == key);
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            if is_key(line) {
                return self.failure(Some(start..start + line.len()), problem);
            }
            start += line.len();
        }
        self.failure(None, format!("{key}: {problem}"))
    }

    /// An error about a section.
    pub(super) fn in_section(&self, section: &str, problem: impl std::fmt::Display) -> Error {
        let header = format!("[{section}]");
        let start = self.text.split_inclusive('\n').scan(0, |start, line| {
            *start += line.len();
            Some((*start - line.len(), line))
        });
        let mut found = start.filter(|(_, line)| line.trim_start().starts_with(&header));
        self.failure(found.next().map(|(start, line)| start..start + line.len()), problem)
    }

    /// An error about a value.
    pub(super) fn refuse<T>(&self, value: &Spanned<T>, problem: impl std::fmt::Display) -> Error {
        // A default has no place.
        let span = Some(value.span()).filter(|span| !span.is_empty());
        self.failure(span, problem)
    }

    /// Refuses a number outside its range.
    pub(super) fn check(&self, value: &Spanned<f64>, (low, high): (f64, f64)) -> Result<f64, Error> {
        let number = *value.get_ref();
        if (low..=high).contains(&number) {
            return Ok(number);
        }
        Err(self.refuse(value, format!("{number} is not in [{low}, {high}]")))
    }

    /// A file that the case names, relative to the case file.
    pub(super) fn named(&self, path: &Spanned<PathBuf>) -> Result<PathBuf, Error> {
        let full = self.path.parent().unwrap_or(Path::new("")).join(path.get_ref());
        match fs::metadata(&full) {
            Ok(_) => Ok(full),
            Err(cause) => Err(self.refuse(path, format!("{}: {cause}", full.display()))),
        }
    }
}

/// For an unknown key or name, the known one nearest to it.
fn nearest(message: &str) -> Option<String> {
    let rest = message.strip_prefix("unknown ")?;
    let (kind, _) = rest.split_once(' ')?;
    let mut names = rest.split('`').skip(1).step_by(2);
    let (unknown, known) = (names.next()?, names.collect::<Vec<_>>());
    let kind = if kind == "field" { "key" } else { "name" };
    Some(match closest(unknown, known.iter().copied()) {
        Some(name) => format!("unknown {kind} `{unknown}`; did you mean `{name}`?"),
        None => format!("unknown {kind} `{unknown}`; there are {}", known.join(", ")),
    })
}

/// The name nearest to another, if one is near.
pub(super) fn closest<'a>(unknown: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // A name that is none would take long to compare with all others.
    if unknown.len() > LONGEST {
        return None;
    }
    let distance = |name: &&str| strsim::damerau_levenshtein(&unknown.to_lowercase(), &name.to_lowercase());
    known.min_by_key(distance).filter(|name| distance(name) <= unknown.len().div_ceil(2).max(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Found by fuzzing: a key of 3 MB took 12 s.
    #[test]
    fn long_names_are_not_compared() {
        let known = "k".repeat(LONGEST);
        assert_eq!(closest(&known[1..], [known.as_str()].into_iter()), Some(known.as_str()));
        assert_eq!(closest(&format!("{known}k"), [known.as_str()].into_iter()), None);
        assert_eq!(closest(&"k".repeat(3_000_000), ["columns"; 100].into_iter()), None);
    }
}
