//! Objects of a configuration, which know where they stand.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::{Error, Place};

/// How many folders above that of the configuration a file is looked for.
const FOLDERS: usize = 5;

/// A configuration's file, and the files that its objects have named so far.
#[derive(Debug)]
pub(super) struct Source<'a> {
    path: &'a Path,
    found: RefCell<Vec<PathBuf>>,
}

impl<'a> Source<'a> {
    pub(super) fn new(path: &'a Path) -> Self {
        Self { path, found: RefCell::default() }
    }

    /// The configuration itself, and each file that was found, once.
    pub(super) fn into_files(self) -> Vec<PathBuf> {
        std::iter::once(self.path.to_owned()).chain(self.found.into_inner()).collect()
    }
}

/// An object, with the file and in words where in it.
#[derive(Clone, Debug)]
pub(super) struct Object<'a> {
    source: &'a Source<'a>,
    value: &'a Value,
    place: String,
}

impl<'a> Object<'a> {
    /// The value as an object.
    pub(super) fn new(source: &'a Source<'a>, value: &'a Value, place: &str) -> Result<Self, Error> {
        let object = Self { source, value, place: place.to_owned() };
        if value.is_object() { Ok(object) } else { Err(object.invalid("it is no object")) }
    }

    /// Where in the file it stands, in words.
    pub(super) fn place(&self) -> &str {
        &self.place
    }

    pub(super) fn invalid(&self, problem: &str) -> Error {
        Error::invalid(Place::File(self.source.path.to_owned()), format!("{}: {problem}", self.place))
    }

    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.value.get(key)
    }

    fn need(&self, key: &str) -> Result<&'a Value, Error> {
        self.get(key).ok_or_else(|| self.invalid(&format!("{key:?} is missing")))
    }

    pub(super) fn object(&self, key: &str) -> Result<Self, Error> {
        Self::new(self.source, self.need(key)?, &format!("{key:?} of {}", self.place))
    }

    /// The objects of a list.
    pub(super) fn list(&self, key: &str) -> Result<Vec<Self>, Error> {
        let list = self.need(key)?.as_array().ok_or_else(|| self.invalid(&format!("{key:?} is no list")))?;
        let one = |(number, value): (usize, &'a Value)| {
            let name = value.get("name").and_then(Value::as_str);
            let place = name.map_or_else(|| format!("{key:?}, entry {number}"), |name| format!("{key:?}, {name:?}"));
            Self::new(self.source, value, &place)
        };
        list.iter().enumerate().map(one).collect()
    }

    /// The object of a list with this name.
    pub(super) fn named(&self, key: &str, name: &str) -> Result<Self, Error> {
        let found = self.list(key)?.into_iter().find(|object| object.text("name").is_ok_and(|own| own == name));
        found.ok_or_else(|| self.invalid(&format!("{key:?} has no {name:?}")))
    }

    pub(super) fn text(&self, key: &str) -> Result<String, Error> {
        let text = self.need(key)?.as_str();
        text.map(str::to_owned).ok_or_else(|| self.invalid(&format!("{key:?} is no text")))
    }

    pub(super) fn number(&self, key: &str) -> Result<f64, Error> {
        self.need(key)?.as_f64().ok_or_else(|| self.invalid(&format!("{key:?} is no number")))
    }

    pub(super) fn numbers(&self, key: &str) -> Result<Vec<f64>, Error> {
        let list = self.need(key)?.as_array().map(|list| list.iter().map(Value::as_f64).collect::<Option<Vec<_>>>());
        list.flatten().ok_or_else(|| self.invalid(&format!("{key:?} is no list of numbers")))
    }

    /// The files of a list, of texts or of objects with "file path", with what else these say.
    pub(super) fn files(&self, key: &str) -> Result<Vec<(PathBuf, Option<Self>)>, Error> {
        let list = self.need(key)?.as_array().ok_or_else(|| self.invalid(&format!("{key:?} is no list")))?;
        let one = |value: &'a Value| match value.as_str() {
            Some(text) => Ok((self.find(text)?, None)),
            None => {
                let object = Self::new(self.source, value, &format!("{key:?} of {}", self.place))?;
                Ok((self.find(&object.text("file path")?)?, Some(object)))
            }
        };
        list.iter().map(one).collect()
    }

    /// A file that the configuration names, in its folder or above, by a path from where the configuration's begins.
    pub(super) fn find(&self, name: &str) -> Result<PathBuf, Error> {
        let mut folder = self.source.path.parent().map_or_else(PathBuf::new, Path::to_owned);
        for _ in 0..FOLDERS {
            let path = folder.join(name);
            if path.is_file() {
                let mut found = self.source.found.borrow_mut();
                if !found.contains(&path) {
                    found.push(path.clone());
                }
                return Ok(path);
            }
            folder.push("..");
        }
        Err(self.invalid(&format!("there is no file {name} in its folder or the {} above", FOLDERS - 1)))
    }
}
