//! Radiances beyond the range of their precision.

use std::ops::Range;

use isobar_core::fields::{Declared, Error, Extents, check};
use isobar_core::{FieldMut, Real, Status};

/// The first radiance at the top of each profile of a range that is no number; but for those that were refused.
pub(super) fn not_finite<R: Real>(
    declared: &'static Declared,
    top: FieldMut<'_, R>,
    status: FieldMut<'_, u32>,
    extents: &Extents,
    range: Range<usize>,
) -> Vec<Error> {
    let mut bad = Vec::new();
    for item in range {
        let row = (0..top.levels()).find(|&row| !top.at(row, item).is_finite());
        if let Some(row) = row.filter(|_| status.at(0, item) != Status::OUT_OF_RANGE.0) {
            bad.push(Error::Value {
                variable: declared.name,
                item_name: "profile",
                item,
                place: check::place(declared.shape, extents, row),
                value: top.at(row, item).value(),
                accepted: format!("in the range of {}", R::NAME),
                unit: "1",
            });
        }
    }
    bad
}
