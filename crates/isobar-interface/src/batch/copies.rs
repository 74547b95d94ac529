//! Values that are copied, for they do not lie in the scheme's order.

use isobar_launch::Plain;

use crate::axes::{Axis, Split};

/// Values that are copied to or from where the caller has them.
pub(super) enum Copied<R> {
    Real(Vec<R>),
    Word(Vec<u32>),
}

/// The address and the length of the last copy.
pub(super) fn last<R>(copies: &mut [Copied<R>]) -> (*mut u8, usize) {
    match copies.last_mut().expect("one was made") {
        Copied::Real(values) => (values.as_mut_ptr().cast(), values.len()),
        Copied::Word(values) => (values.as_mut_ptr().cast(), values.len()),
    }
}

/// The values of a host's array in the scheme's order, `[row * items + item]`.
pub(super) fn gather<T: Plain>(start: *mut u8, split: &Split) -> Vec<T> {
    let (rows, items) = (split.dimensions.offsets(), split.items.offsets());
    let start = start.cast::<T>().cast_const();
    // SAFETY: the offsets stay inside the array, which is there, says who made it.
    let at = |offset: isize| unsafe { *start.offset(offset) };
    rows.iter().flat_map(|row| items.iter().map(move |item| row + item)).map(at).collect()
}

/// Puts values back to where the caller has them.
pub(super) fn scatter<T: Plain>(values: &[T], start: *mut u8, split: &Split) {
    let (rows, items) = (split.dimensions.offsets(), split.items.offsets());
    let start = start.cast::<T>();
    let places = rows.iter().flat_map(|row| items.iter().map(move |item| row + item));
    for (value, offset) in values.iter().zip(places) {
        // SAFETY: as above, and it may be written.
        unsafe { *start.offset(offset) = *value };
    }
}

/// The first element of a view, its rows and its items.
pub(super) type RawView = (*mut u8, Axis, Axis);

/// Where values are put afterwards: the first of them, and the others.
pub(super) type Destination = (*mut u8, Split);
