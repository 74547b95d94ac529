//! C's strings.

use std::collections::HashSet;
use std::ffi::{CStr, CString, c_char};

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::status::{Failure, Status};

/// A text of the caller.
///
/// # Safety
/// `text` is null or ends with a 0, and stays as it is for `'a`.
pub(crate) unsafe fn read<'a>(text: *const c_char, what: &str) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(Failure::null(what));
    }
    // SAFETY: not null, and the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure(Status::Text, format!("{what} is not UTF-8")))
}

/// The object that a JSON text is; an empty one of no text. A key that is given twice, in it or in what it holds, is an
/// error: of two values one would be left out.
pub(crate) fn object(text: &str, what: &str) -> Result<Map<String, Value>, Failure> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    if let Err(error) = serde_json::from_str::<Once>(text)
        && error.is_data()
    {
        return Err(Failure(Status::Value, format!("{what}: {error}")));
    }
    serde_json::from_str(text).map_err(|error| Failure(Status::Value, format!("{what} is no JSON object: {error}")))
}

/// A text for C.
pub(crate) fn to_c(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).expect("no 0 is left")
}

/// Any JSON value whose objects have each key once.
struct Once;

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Once {
    type Value = Self;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self, A::Error> {
        let mut keys = HashSet::new();
        while let Some((key, _)) = object.next_entry::<String, Self>()? {
            if keys.contains(&key) {
                return Err(A::Error::custom(format!("the key '{key}' is given twice")));
            }
            keys.insert(key);
        }
        Ok(self)
    }
}
