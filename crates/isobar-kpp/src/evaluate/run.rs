//! How far a function has come.

use std::collections::HashSet;

use crate::graph::Value;

/// How far a function has come.
pub(super) struct Run<'g> {
    /// Where it has been left.
    pub(super) left: Option<Value<'g>>,
    /// Where the loop has ended, and where this turn of it has.
    pub(super) exited: Option<Value<'g>>,
    pub(super) cycled: Option<Value<'g>>,
    /// The name of its result.
    pub(super) result: String,
    /// Names that are declared as real numbers, in lower case.
    pub(super) reals: HashSet<String>,
}

impl Run<'_> {
    pub(super) fn new(result: &str) -> Self {
        Self { left: None, exited: None, cycled: None, result: result.to_owned(), reals: HashSet::new() }
    }
}
