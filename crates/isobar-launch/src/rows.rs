//! Rows of some columns on their way between the host's arrays and one buffer of a device.

use std::ops::Range;

use isobar_core::{Column, Field, FieldMut};

/// Copies the columns of a range out of arrays of `[row * columns + column]`, all rows one after the other, each
/// filled up to `padded` values with its last one.
///
/// # Panics
/// If the range is empty, longer than `padded`, or beyond the columns.
pub fn gather<R: Copy>(arrays: &[&[R]], columns: usize, range: &Range<usize>, padded: usize, to: &mut [R]) {
    let rows = arrays.iter().flat_map(|array| array.chunks(columns));
    for (row, to) in rows.zip(to.chunks_mut(padded)) {
        let (values, rest) = to.split_at_mut(range.len());
        values.copy_from_slice(&row[range.clone()]);
        rest.fill(row[range.end - 1]);
    }
}

/// Copies the first `count` values of rows of `padded` to their places among all columns, from `first` on: the rows of
/// the first view, then those of the next.
pub fn scatter<R: Copy>(from: &[R], padded: usize, to: &[FieldMut<'_, R>], first: usize, count: usize) {
    let rows = to.iter().flat_map(|field| (0..field.levels()).map(move |level| (field, level)));
    for (row, (field, level)) in from.chunks(padded).zip(rows) {
        field.set_items(level, first, &row[..count]);
    }
}

/// What a kernel wrote, for the next to read.
///
/// # Safety
/// Nobody writes while the view is read.
pub unsafe fn reading<'a, T: Copy>(field: &FieldMut<'a, T>) -> Field<'a, T> {
    let (level, item) = field.strides();
    // SAFETY: as the view itself.
    unsafe { Field::from_raw(field.as_ptr(), field.levels(), field.items(), level, item) }
}

/// A value an item: the first level of a view.
///
/// # Panics
/// If the view has fewer items.
pub fn row<'a, T: Copy>(field: &Field<'a, T>, items: usize) -> Column<'a, T> {
    assert!(items == 0 || field.levels() > 0 && items <= field.items(), "the view has no {items} items");
    let (_, stride) = field.strides();
    // SAFETY: the first level of the view.
    unsafe { Column::from_raw(field.as_ptr(), items, stride) }
}
