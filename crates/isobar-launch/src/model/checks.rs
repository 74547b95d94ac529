//! What is wrong with items, and how they are marked.

use std::ops::Range;

use isobar_core::Status;
use isobar_core::fields::{self, AnyFieldMut, OutputSet};
use rayon::prelude::*;

use crate::chunks;
use crate::scheme::{Outputs, Scheme};

/// Items that a thread checks at a time.
const CHECKED: usize = 1 << 12;

/// What is wrong with the items, in their order.
pub(super) fn in_parts(
    items: usize,
    check: impl Fn(Range<usize>) -> Vec<fields::Error> + Send + Sync,
) -> Vec<fields::Error> {
    let parts: Vec<Range<usize>> = chunks(items, CHECKED).collect();
    parts.into_par_iter().flat_map_iter(check).collect()
}

/// Sets the status of some items, where the scheme has one.
pub(super) fn set_status<S: Scheme>(results: &Outputs<'_, S>, items: Range<usize>, status: Status) {
    results.visit(&mut |declared, field| {
        if let ("status", AnyFieldMut::Word(field)) = (declared.name, field) {
            items.clone().filter(|&item| item < field.items()).for_each(|item| field.set(0, item, status.0));
        }
    });
}
