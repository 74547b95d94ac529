//! Rows of some columns on their way between the host's arrays and one buffer of a device.

use std::ops::Range;

use isobar_core::{Column, Field, FieldMut};

/// Brings the rows of some columns side by side, each filled up to `padded` values with its last one.
pub(crate) fn gather<R: Copy>(arrays: &[&[R]], columns: usize, range: &Range<usize>, padded: usize, to: &mut [R]) {
    let rows = arrays.iter().flat_map(|array| array.chunks(columns));
    for (row, to) in rows.zip(to.chunks_mut(padded)) {
        let (values, rest) = to.split_at_mut(range.len());
        values.copy_from_slice(&row[range.clone()]);
        rest.fill(row[range.end - 1]);
    }
}

/// Brings the first `count` values of rows of `padded` to their places among all columns, from `first` on.
pub(crate) fn scatter<R: Copy>(from: &[R], padded: usize, to: &[FieldMut<'_, R>], first: usize, count: usize) {
    let rows = to.iter().flat_map(|field| (0..field.levels()).map(move |level| (field, level)));
    for (row, (field, level)) in from.chunks(padded).zip(rows) {
        field.set_items(level, first, &row[..count]);
    }
}

/// What a kernel wrote, for the next to read.
///
/// # Safety
/// Nobody writes while the view is read.
pub(crate) unsafe fn reading<'a, T: Copy>(field: &FieldMut<'a, T>) -> Field<'a, T> {
    let (level, item) = field.strides();
    // SAFETY: as the view itself.
    unsafe { Field::from_raw(field.as_ptr(), field.levels(), field.items(), level, item) }
}

/// A value an item: the first level of a view, whose items are side by side.
pub(crate) fn row<'a, T: Copy>(field: &Field<'a, T>, items: usize) -> Column<'a, T> {
    debug_assert!(items <= field.items());
    let (_, stride) = field.strides();
    // SAFETY: the first level of the view.
    unsafe { Column::from_raw(field.as_ptr(), items, stride) }
}
