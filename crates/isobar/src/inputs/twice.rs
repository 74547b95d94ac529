//! Files that are named twice.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::program::failure::Failure;

/// Refuses a file that is named twice, by whatever names: it would count twice.
pub(crate) fn refuse_twice<'a>(what: &str, paths: impl Iterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    let mut known = HashSet::new();
    for path in paths {
        // Who reads it says what is wrong with a file that is not there.
        if !known.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            return Err(Failure::usage(format!("{what} {}: it is named twice, and would count twice", path.display())));
        }
    }
    Ok(())
}
