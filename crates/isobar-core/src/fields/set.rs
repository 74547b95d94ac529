//! Sets of fields: views of all that a scheme reads, and of all that it writes.

use super::declared::Declared;
use crate::{Column, Field, FieldMut, Real};

/// A view of a field of either kind.
#[derive(Clone, Copy, Debug)]
pub enum AnyField<'a, R> {
    /// A field of real numbers.
    Real(Field<'a, R>),
    /// A field of 32-bit words.
    Word(Field<'a, u32>),
}

/// A field of any kind, to write.
#[derive(Clone, Copy, Debug)]
pub enum AnyFieldMut<'a, R> {
    /// A field of real numbers.
    Real(FieldMut<'a, R>),
    /// A field of 32-bit words.
    Word(FieldMut<'a, u32>),
}

macro_rules! either {
    ($any:ident, $field:ident) => {
        impl<'a, R: Copy> $any<'a, R> {
            /// The view of numbers.
            ///
            /// # Panics
            /// If it is one of words.
            #[must_use]
            pub fn real(self) -> $field<'a, R> {
                match self {
                    Self::Real(field) => field,
                    Self::Word(_) => panic!("a field of words where numbers are declared"),
                }
            }

            /// The view of words.
            ///
            /// # Panics
            /// If it is one of numbers.
            #[must_use]
            pub fn word(self) -> $field<'a, u32> {
                match self {
                    Self::Word(field) => field,
                    Self::Real(_) => panic!("a field of numbers where words are declared"),
                }
            }

            /// Rows and items.
            #[must_use]
            pub fn extent(&self) -> (usize, usize) {
                match self {
                    Self::Real(field) => (field.levels(), field.items()),
                    Self::Word(field) => (field.levels(), field.items()),
                }
            }
        }
    };
}
either!(AnyField, Field);
either!(AnyFieldMut, FieldMut);

/// What a scheme reads, as views: what `inputs` in [`crate::fields!`] makes. A field that is left out has no items; one
/// value for all rows and items has strides of zero.
pub trait InputSet<'a>: Copy + Send + Sync {
    /// The precision.
    type Real: Real;

    /// The fields, in the order of the declaration.
    const DECLARED: &'static [Declared];

    /// No field at all, to fill in by name: `Inputs { temperature_k, ..Inputs::empty() }`.
    fn empty() -> Self;

    /// Calls `visit` with each field in the order of the declaration.
    fn visit(&self, visit: &mut dyn FnMut(&'static Declared, AnyField<'a, Self::Real>));

    /// The set of the views that `make` gives for each field.
    fn build(make: &mut dyn FnMut(&'static Declared) -> AnyField<'a, Self::Real>) -> Self;

    /// Views of some neighbouring items.
    #[must_use]
    fn range(&self, items: &core::ops::Range<usize>) -> Self;
}

/// What a scheme writes, as views: what `outputs` in [`crate::fields!`] makes. A field that is not wanted has no items.
pub trait OutputSet<'a>: Copy + Send + Sync {
    /// The precision.
    type Real: Real;

    /// The fields, in the order of the declaration.
    const DECLARED: &'static [Declared];

    /// No field at all.
    fn empty() -> Self;

    /// Calls `visit` with each field in the order of the declaration.
    fn visit(&self, visit: &mut dyn FnMut(&'static Declared, AnyFieldMut<'a, Self::Real>));

    /// The set of the views that `make` gives for each field.
    fn build(make: &mut dyn FnMut(&'static Declared) -> AnyFieldMut<'a, Self::Real>) -> Self;

    /// Views of some neighbouring items.
    #[must_use]
    fn range(&self, items: &core::ops::Range<usize>) -> Self;

    /// Marks an item as not computed: no numbers, and words of zero but the status, which the caller sets.
    fn refuse(&self, item: usize) {
        self.visit(&mut |_, field| match field {
            AnyFieldMut::Real(field) => (0..field.levels()).for_each(|row| field.set(row, item, Self::Real::NAN)),
            AnyFieldMut::Word(field) => (0..field.levels()).for_each(|row| field.set(row, item, 0)),
        });
    }
}

/// A value an item, from a view with one row.
#[doc(hidden)]
#[must_use]
pub fn column_of<'a, T: Copy>(field: Field<'a, T>) -> Column<'a, T> {
    field.row(0)
}

/// The view with one row of a value an item.
#[doc(hidden)]
#[must_use]
pub fn field_of<'a, T: Copy>(column: Column<'a, T>) -> Field<'a, T> {
    if column.is_empty() {
        return Field::empty();
    }
    let (items, stride) = (column.len(), column.stride());
    // SAFETY: one row, which is the column.
    unsafe { Field::from_raw(column.as_ptr(), 1, items, stride * items as isize, stride) }
}
