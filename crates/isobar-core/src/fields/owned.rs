//! Fields as vectors.

use std::vec;
use std::vec::Vec;

use super::check::{no_items, size_error};
use super::dimension::Extents;
use super::error::Error;
use super::{Declared, InputSet, OutputSet};
use crate::{Field, FieldMut, Real};

/// What a scheme reads, as vectors: `[row * items + item]`. An empty vector is a field that is left out, one value in a
/// field of more is that value for all.
pub trait OwnedInputs<R: Real>: Sized {
    /// Views of the vectors.
    type Views<'a>: InputSet<'a, Real = R>
    where
        Self: 'a;
    /// The vectors in another precision.
    type Rounded<T: Real>: OwnedInputs<T>;

    /// Views of all fields, whose sizes are checked.
    ///
    /// # Errors
    /// The first field with another number of values than the sizes ask for.
    fn views(&self, extents: &Extents, item_name: &'static str) -> Result<Self::Views<'_>, Error>;

    /// These numbers, rounded to another precision.
    #[must_use]
    fn rounded<T: Real>(&self) -> Self::Rounded<T>;

    /// Some neighbouring items of a batch of `items`.
    ///
    /// # Panics
    /// If the range ends beyond the items.
    #[must_use]
    fn items(&self, items: usize, range: core::ops::Range<usize>) -> Self;

    /// Calls `visit` with each field of numbers and its values.
    fn each_real(&mut self, visit: &mut dyn FnMut(&'static Declared, &mut Vec<R>));
}

/// The values of a field of either kind.
#[derive(Clone, Copy, Debug)]
pub enum AnyValues<'a, R> {
    /// Numbers.
    Real(&'a [R]),
    /// Words.
    Word(&'a [u32]),
}

/// What a scheme writes, as vectors.
pub trait OwnedOutputs<R: Real>: Default {
    /// Views of the vectors, to write.
    type Views<'a>: OutputSet<'a, Real = R>
    where
        Self: 'a;

    /// Makes each wanted field as large as the sizes ask for, and the others empty. A field that has the size keeps its
    /// memory, and what is in it.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if there is no memory for a field.
    fn resize(&mut self, extents: &Extents, wanted: &dyn Fn(&'static Declared) -> bool) -> Result<(), Error>;

    /// Views of all fields, which have been resized for `items` items.
    fn views(&mut self, items: usize) -> Self::Views<'_>;

    /// Calls `visit` with each field and its values; none of those that were not wanted.
    fn each<'a>(&'a self, visit: &mut dyn FnMut(&'static Declared, AnyValues<'a, R>));

    /// Calls `visit` with each field of numbers and its values.
    fn each_real(&mut self, visit: &mut dyn FnMut(&'static Declared, &mut Vec<R>));
}

/// The view of a vector that holds a declared field.
#[doc(hidden)]
pub fn view_of<'a, T: Copy>(
    values: &'a [T],
    declared: &'static Declared,
    extents: &Extents,
    item_name: &'static str,
) -> Result<Field<'a, T>, Error> {
    let (rows, items) = (extents.rows(declared.shape), extents.items());
    match values {
        _ if items == 0 => Err(no_items(item_name)),
        [] if declared.optional || rows == 0 => Ok(Field::empty()),
        [one] if rows * items > 1 => Ok(Field::constant(one, rows, items)),
        values if values.len() == rows * items => Ok(Field::item_fastest(values, rows, items)),
        values => Err(size_error(declared, values.len(), extents, item_name)),
    }
}

/// Some items of a vector.
#[doc(hidden)]
pub fn items_of<T: Copy>(values: &[T], items: usize, range: &core::ops::Range<usize>) -> Vec<T> {
    match values {
        [one] => vec![*one],
        values => values.chunks(items.max(1)).flat_map(|row| &row[range.clone()]).copied().collect(),
    }
}

/// Gives a vector another length; one that has it keeps its memory.
#[doc(hidden)]
pub fn resize<T: Copy + Default>(values: &mut Vec<T>, len: usize, variable: &'static str) -> Result<(), Error> {
    if values.len() == len {
        return Ok(());
    }
    // Not both at a time.
    *values = Vec::new();
    let bytes = len.saturating_mul(size_of::<T>());
    // A trial, which touches no page: where it succeeds, there is as much for what follows, which could only abort. The
    // compiler would leave it out if nobody looked at it.
    let mut trial = Vec::<T>::new();
    trial.try_reserve_exact(len).map_err(|_| Error::OutOfMemory { variable, bytes })?;
    drop(core::hint::black_box(trial));
    // New memory: the system clears its pages when they are first touched.
    *values = vec![T::default(); len];
    Ok(())
}

/// The view of a vector, to write.
#[doc(hidden)]
pub fn view_mut_of<T: Copy>(values: &mut [T], items: usize) -> FieldMut<'_, T> {
    match values.len() {
        0 => FieldMut::empty(),
        len => FieldMut::item_fastest(values, len / items, items),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_memory_holds_is_an_error() {
        // More than can be counted, and more than there are addresses.
        for len in [usize::MAX, 1 << 58] {
            let mut values = std::vec![1.0_f64; 3];
            let error = resize(&mut values, len, "heat").unwrap_err();
            assert_eq!(error, Error::OutOfMemory { variable: "heat", bytes: len.saturating_mul(8) });
            assert!(values.is_empty());
        }
        let mut values = std::vec![1.0_f64; 3];
        resize(&mut values, 3, "heat").unwrap();
        assert_eq!(values, [1.0; 3]);
        resize(&mut values, 4, "heat").unwrap();
        assert_eq!(values, [0.0; 4]);
    }
}
