//! Views of arrays that may be one value, or none.

use isobar_core::{Field, FieldMut, Real};

/// A view of one value for all, of all values, or of none.
pub(crate) fn field<R: Real>(values: &[R], levels: usize, columns: usize) -> Field<'_, R> {
    match values.len() {
        0 => Field::empty(),
        // SAFETY: with strides of zero every place is the one value.
        1 => unsafe { Field::from_raw(values.as_ptr(), levels, columns, 0, 0) },
        _ => Field::item_fastest(values, levels, columns),
    }
}

/// A view of all values, or of none.
pub(crate) fn field_mut<R: Real>(values: &mut [R], levels: usize, columns: usize) -> FieldMut<'_, R> {
    if values.is_empty() { FieldMut::empty() } else { FieldMut::item_fastest(values, levels, columns) }
}
