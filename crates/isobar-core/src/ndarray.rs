//! Views of arrays of `ndarray`, in any layout.

use ndarray::{ArrayView1, ArrayView2};

use crate::{Column, Field};

/// A value an item.
impl<'a, T: Copy> From<ArrayView1<'a, T>> for Column<'a, T> {
    fn from(values: ArrayView1<'a, T>) -> Self {
        // SAFETY: the view is valid for 'a, and so are all of its values at its stride.
        unsafe { Self::from_raw(values.as_ptr(), values.len(), values.strides()[0]) }
    }
}

/// Rows by items: the first axis is that of layers, levels or other dimensions, the second that of items. Where the
/// array has them in another order, `reversed_axes` turns it without a copy.
///
/// ```
/// use isobar_core::Field;
/// use ndarray::Array2;
///
/// // (column, layer), the layer the fastest index
/// let temperature_k = Array2::from_shape_fn((100, 40), |(column, layer)| 290.0 - layer as f64 + 0.01 * column as f64);
/// let field = Field::from(temperature_k.view().reversed_axes());
/// assert_eq!((field.levels(), field.items()), (40, 100));
/// assert_eq!(field.at(3, 7), temperature_k[[7, 3]]);
/// ```
impl<'a, T: Copy> From<ArrayView2<'a, T>> for Field<'a, T> {
    fn from(values: ArrayView2<'a, T>) -> Self {
        let ((levels, items), strides) = (values.dim(), values.strides());
        // SAFETY: as above.
        unsafe { Self::from_raw(values.as_ptr(), levels, items, strides[0], strides[1]) }
    }
}
