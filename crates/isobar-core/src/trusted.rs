//! Views whose indices one place vouches for, so that all others read them safely and without checks.

use core::ops::Deref;

use crate::{Column, Field, FieldMut};

/// Arguments of a kernel, or a view among them, of which every index that is asked for is inside.
///
/// A kernel's item makes it, for its caller vouches for the arguments; what the item calls has no `unsafe` of its own.
/// Debug builds check every index.
#[derive(Debug)]
pub struct Trusted<'k, T>(&'k T);

impl<T> Clone for Trusted<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Trusted<'_, T> {}

impl<T> Deref for Trusted<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        self.0
    }
}

impl<'k, T> Trusted<'k, T> {
    /// Vouches for the arguments.
    ///
    /// # Safety
    /// All views among them are valid on this device. Every index that [`Trusted::get`] and [`Trusted::put`] are called
    /// with is inside its view, and what is put belongs to the caller's item.
    #[inline(always)]
    #[must_use]
    pub unsafe fn new(arguments: &'k T) -> Self {
        Self(arguments)
    }

    /// A view among the arguments, or a struct of views.
    #[inline(always)]
    #[must_use]
    pub fn part<V>(self, part: impl FnOnce(&'k T) -> &'k V) -> Trusted<'k, V> {
        Trusted(part(self.0))
    }
}

impl<T: Copy> Trusted<'_, Column<'_, T>> {
    /// The value at an index.
    #[inline(always)]
    #[must_use]
    pub fn get(self, i: usize) -> T {
        // SAFETY: `new` has it that the index is inside.
        unsafe { self.0.get(i) }
    }
}

impl<T: Copy> Trusted<'_, Field<'_, T>> {
    /// The value of an item at a level.
    #[inline(always)]
    #[must_use]
    pub fn get(self, level: usize, item: usize) -> T {
        // SAFETY: `new` has it that level and item are inside.
        unsafe { self.0.get(level, item) }
    }
}

impl<T: Copy> Trusted<'_, FieldMut<'_, T>> {
    /// The value of an item at a level.
    #[inline(always)]
    #[must_use]
    pub fn get(self, level: usize, item: usize) -> T {
        // SAFETY: `new` has it that level and item are inside.
        unsafe { self.0.get(level, item) }
    }

    /// Sets the value of an item at a level.
    #[inline(always)]
    pub fn put(self, level: usize, item: usize, value: T) {
        // SAFETY: as above, and the element is the item's own.
        unsafe { self.0.put(level, item, value) };
    }
}

#[cfg(test)]
mod tests {
    use super::Trusted;
    use crate::{Column, FieldMut};

    #[test]
    fn parts_are_read_and_written() {
        struct Arguments<'a> {
            values: Column<'a, f64>,
            results: FieldMut<'a, f64>,
        }
        let (values, mut results) = ([1.0, 2.0, 3.0], [0.0; 3]);
        let arguments =
            Arguments { values: Column::from(&values[..]), results: FieldMut::item_fastest(&mut results, 1, 3) };
        // SAFETY: the indices below are inside.
        let arguments = unsafe { Trusted::new(&arguments) };
        for i in 0..arguments.values.len() {
            let value = arguments.part(|a| &a.values).get(i);
            arguments.part(|a| &a.results).put(0, i, 2.0 * value);
        }
        assert_eq!(arguments.part(|a| &a.results).get(0, 1), 4.0);
        assert_eq!(results, [2.0, 4.0, 6.0]);
    }
}
