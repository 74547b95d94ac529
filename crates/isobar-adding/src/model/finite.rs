//! Results beyond the range of their precision.

use std::ops::Range;

use isobar_core::fields::{AnyFieldMut, Declared, Error, Extents, OutputSet, check};
use isobar_core::{FieldMut, Real, Status};

/// The first result of each profile of a range that is no number; but for those that were refused.
pub(super) fn not_finite<'a, O: OutputSet<'a>>(
    outputs: &O,
    status: FieldMut<'a, u32>,
    extents: &Extents,
    range: Range<usize>,
) -> Vec<Error> {
    let mut first: Vec<Option<Error>> = range.clone().map(|_| None).collect();
    outputs.visit(&mut |declared, field| {
        let AnyFieldMut::Real(field) = field else { return };
        for row in 0..field.levels() {
            for (item, first) in range.clone().zip(&mut first) {
                let value = field.at(row, item);
                if !value.is_finite() && first.is_none() && status.at(0, item) != Status::OUT_OF_RANGE.0 {
                    *first = Some(error(declared, extents, [row, item], value));
                }
            }
        }
    });
    first.into_iter().flatten().collect()
}

fn error<R: Real>(declared: &'static Declared, extents: &Extents, [row, item]: [usize; 2], value: R) -> Error {
    Error::Value {
        variable: declared.name,
        item_name: "profile",
        item,
        place: check::place(declared.shape, extents, row),
        value: value.value(),
        accepted: format!("in the range of {}", R::NAME),
        unit: "1",
    }
}
