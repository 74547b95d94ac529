//! C's strings.

use std::ffi::{CStr, CString, c_char};

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

/// The object that a JSON text is; an empty one of no text.
pub(crate) fn object(text: &str, what: &str) -> Result<Map<String, Value>, Failure> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    serde_json::from_str(text).map_err(|error| Failure(Status::Value, format!("{what} is no JSON object: {error}")))
}

/// A text for C.
pub(crate) fn to_c(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).expect("no 0 is left")
}
