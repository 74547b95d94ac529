//! How far a function has come.

use std::collections::HashMap;

use crate::graph::Value;
use crate::statement::Number;

/// The numbers that declared names hold, by names in lower case; none of what is no number.
pub(super) type Numbers = HashMap<String, Option<Number>>;

/// How far a function has come.
pub(super) struct Run<'g> {
    /// Where it has been left.
    pub(super) left: Option<Value<'g>>,
    /// Where the loop has ended, and where this turn of it has.
    pub(super) exited: Option<Value<'g>>,
    pub(super) cycled: Option<Value<'g>>,
    /// The name of its result.
    pub(super) result: String,
    /// What declared names hold, in lower case.
    pub(super) numbers: Numbers,
}

impl Run<'_> {
    pub(super) fn new(result: &str) -> Self {
        Self { left: None, exited: None, cycled: None, result: result.to_owned(), numbers: Numbers::new() }
    }
}
