//! `KEY = VALUE` pairs and the rule by which they are looked up.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::keys;
use super::warning::Warning;
use crate::column::parse_number;
use crate::error::{Error, Place};
use crate::number::Range;
use crate::text::{read_description, rows, to_text};

/// The most unknown keys of a control file.
const MOST_UNKNOWN: usize = 1000;

/// One pair and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// In upper case, an index without signs and leading zeros.
    pub(crate) key: String,
    pub(crate) value: String,
    pub(crate) place: Place,
}

/// All pairs, those of the command line first: the first match counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    pairs: Vec<Pair>,
    /// The number of the first pair of each key.
    first: BTreeMap<String, usize>,
    file: Option<PathBuf>,
}

impl PartialEq for Pairs {
    /// Pairs with a field of their own are compared there, by value instead of by spelling.
    fn eq(&self, other: &Self) -> bool {
        self.without_field()
            .map(|pair| (&pair.key, &pair.value))
            .eq(other.without_field().map(|pair| (&pair.key, &pair.value)))
    }
}

impl Pairs {
    pub(crate) fn new(pairs: &[(String, String)]) -> Self {
        let pair = |(key, value): &(String, String)| Pair {
            key: keys::canonical(key),
            value: value.clone(),
            place: Place::CommandLine,
        };
        let mut all = Self::default();
        pairs.iter().map(pair).for_each(|pair| all.push(pair));
        all
    }

    /// Appends the pairs of a file: three tokens a line, of which the middle one may be anything.
    pub(crate) fn read(mut self, path: &Path) -> Result<Self, Error> {
        let bytes = read_description(path)?;
        for (line, row) in rows(&to_text(&bytes)) {
            let place = Place::line(path, line);
            let mut tokens = row.split_ascii_whitespace();
            let (Some(key), Some(_), Some(value)) = (tokens.next(), tokens.next(), tokens.next()) else {
                let problem = format!("{row:?} is not of the form KEY = VALUE, with blanks around the sign");
                return Err(Error::invalid(place, problem));
            };
            self.push(Pair { key: keys::canonical(key), value: value.to_owned(), place });
        }
        self.file = Some(path.to_owned());
        Ok(self)
    }

    fn push(&mut self, pair: Pair) {
        self.first.entry(pair.key.clone()).or_insert(self.pairs.len());
        self.pairs.push(pair);
    }

    /// What is wrong with keys, in the order of the pairs.
    fn complaints(&self) -> impl Iterator<Item = Warning> {
        let complain = |pair: &Pair| keys::complaint(&pair.key).map(|text| Warning { place: pair.place.clone(), text });
        self.pairs.iter().filter_map(complain).take(MOST_UNKNOWN + 1)
    }

    /// What is wrong with keys. A file of another kind, which has hardly any, is refused.
    pub(crate) fn warnings(&self) -> Result<Vec<Warning>, Error> {
        let warnings: Vec<Warning> = self.complaints().collect();
        match warnings.first() {
            Some(first) if warnings.len() > MOST_UNKNOWN => {
                let problem = format!("no control file: more than {MOST_UNKNOWN} keys are unknown; {}", first.text);
                Err(Error::invalid(first.place.clone(), problem))
            }
            _ => Ok(warnings),
        }
    }

    /// The pairs that no field of the control holds.
    pub(crate) fn without_field(&self) -> impl Iterator<Item = &Pair> {
        self.pairs.iter().filter(|pair| !keys::has_field(&pair.key))
    }

    /// The first pair that matches; `KEY[*]` matches every index.
    pub(crate) fn get(&self, key: &str) -> Option<&Pair> {
        let key = keys::canonical(key);
        let name = key.strip_suffix(']').and_then(|key| key.split_once('[')).map(|(name, _)| name);
        let every = name.and_then(|name| self.first.get(&format!("{name}[*]")));
        self.first.get(&key).into_iter().chain(every).min().map(|&number| &self.pairs[number])
    }

    /// Refuses an index of one of `keys` that is not below `count`, which `size_key` declares.
    pub(crate) fn check_indices(&self, keys: &[&str], size_key: &str, count: usize) -> Result<(), Error> {
        for pair in &self.pairs {
            let Some((name, index)) = pair.key.strip_suffix(']').and_then(|key| key.split_once('[')) else { continue };
            if keys.contains(&name)
                && let Ok(index) = index.parse::<usize>()
                && index >= count
            {
                let problem = format!("{} asks for more elements than are declared: {size_key} = {count}", pair.key);
                return Err(Error::invalid(pair.place.clone(), problem));
            }
        }
        Ok(())
    }

    /// Says which keys of `name` count what is not declared. Those of a file do so on purpose where the command line
    /// declares less.
    pub(crate) fn beyond(&self, name: &str, size_key: &str, count: usize) -> Option<Warning> {
        let of_command_line = |pair: &Pair| pair.place == Place::CommandLine;
        let is_less = self.get(size_key).is_some_and(of_command_line);
        let mut idle = self.pairs.iter().filter(|pair| {
            let index = pair.key.strip_suffix(']').and_then(|key| key.strip_prefix(name)?.strip_prefix('['));
            let is_beyond = index.and_then(|index| index.parse::<usize>().ok()).is_some_and(|index| index >= count);
            is_beyond && (of_command_line(pair) || !is_less)
        });
        let first = idle.next()?;
        let (others, verb) = match idle.count() {
            0 => (String::new(), "has"),
            others => (format!(" and {others} more"), "have"),
        };
        let text = format!("{}{others} {verb} no effect: {size_key} = {count}", first.key);
        Some(Warning { place: first.place.clone(), text })
    }

    /// Where a key stands, or the file that lacks it.
    pub(crate) fn place(&self, key: &str) -> Place {
        match (self.get(key), &self.file) {
            (Some(pair), _) => pair.place.clone(),
            (None, Some(file)) => Place::File(file.clone()),
            (None, None) => Place::CommandLine,
        }
    }

    pub(crate) fn number(&self, key: &str, default: f64, range: Range) -> Result<f64, Error> {
        let Some(pair) = self.get(key) else { return Ok(default) };
        let value = parse_number(&pair.value, &pair.place, || key.to_owned())?;
        if range.contains(value) { Ok(value) } else { Err(self.refuse(key, range)) }
    }

    /// A whole number of at most `high`.
    pub(crate) fn whole(&self, key: &str, default: usize, high: usize) -> Result<usize, Error> {
        let range = Range::closed(0.0, high as f64);
        let value = self.number(key, default as f64, range)?;
        if value.fract() == 0.0 {
            Ok(value as usize)
        } else {
            Err(Error::invalid(self.place(key), format!("{key} = {value} is not a whole number")))
        }
    }

    /// The number of a choice; nothing if it is negative, broken or above all choices.
    pub(crate) fn choice(&self, key: &str, default: u8) -> Result<Option<u8>, Error> {
        let value = self.number(key, f64::from(default), Range::FINITE)?;
        Ok((0..=u8::MAX).find(|&choice| f64::from(choice) == value))
    }

    pub(crate) fn switch(&self, key: &str, default: bool) -> Result<bool, Error> {
        Ok(self.whole(key, usize::from(default), 1)? == 1)
    }

    /// Values of `key[0]` to `key[count - 1]`, none of which may be missing; `size_key` says how many there are.
    fn all(&self, key: &str, size_key: &str, count: usize) -> impl Iterator<Item = Result<(String, &str), Error>> {
        (0..count).map(move |i| {
            let full = format!("{key}[{i}]");
            let Some(pair) = self.get(&full) else {
                // A misspelt key is the likely reason.
                let misspelt = self.complaints().find(|warning| warning.text.ends_with(key));
                let hint = misspelt.map_or_else(String::new, |warning| format!("; {warning}"));
                let what = format!("{full} is missing ({size_key} = {count}){hint}");
                return Err(Error::invalid(self.place(size_key), what));
            };
            Ok((full, pair.value.as_str()))
        })
    }

    pub(crate) fn texts(&self, key: &str, size_key: &str, count: usize) -> Result<Vec<String>, Error> {
        self.all(key, size_key, count).map(|item| Ok(item?.1.to_owned())).collect()
    }

    pub(crate) fn numbers(&self, key: &str, size_key: &str, count: usize, range: Range) -> Result<Vec<f64>, Error> {
        self.all(key, size_key, count).map(|item| self.number(&item?.0, 0.0, range)).collect()
    }

    /// A path, resolved against the folder of the file that names it; `-` means none.
    pub(crate) fn path(&self, key: &str) -> Result<Option<PathBuf>, Error> {
        let Some(pair) = self.get(key).filter(|pair| pair.value != "-") else { return Ok(None) };
        let folder = match &pair.place {
            Place::Line(file, _) => file.parent(),
            _ => None,
        };
        let path = folder.unwrap_or(Path::new("")).join(&pair.value);
        let absolute = std::path::absolute(&path);
        absolute.map(Some).map_err(|cause| Error::Io { path, action: "read", cause })
    }

    pub(crate) fn refuse(&self, key: &str, range: impl ToString) -> Error {
        let value = self.get(key).map_or("", |pair| pair.value.as_str());
        Error::OutOfRange { place: self.place(key), what: format!("{key} = {value}"), range: range.to_string() }
    }
}
