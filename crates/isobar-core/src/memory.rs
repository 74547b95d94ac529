//! Memory for what kernels read and leave to each other, whoever has it: each scheme names its parts once.

use crate::{Column, FieldMut, Plain};

/// Memory from which kernels read tables: the host's own, or that of a device, to which they are copied.
pub trait TableMemory {
    /// A view of these values there; of none, an empty one.
    fn column<'a, T: Plain>(&mut self, values: &'a [T]) -> Column<'a, T>;
}

/// Memory that kernels leave to each other, all bits zero at first.
pub trait WorkMemory {
    /// So many values, one after the other.
    fn allocate<T: Plain>(&mut self, values: usize) -> *mut T;

    /// A part in which neighbouring items are adjacent; an empty view where it has no level.
    ///
    /// # Safety
    /// Views are used only while the memory lives.
    unsafe fn item_fastest<'a, T: Plain>(&mut self, levels: usize, items: usize) -> FieldMut<'a, T> {
        if levels * items == 0 {
            return FieldMut::empty();
        }
        let start = self.allocate(levels * items);
        // SAFETY: the strides stay inside of the part.
        unsafe { FieldMut::from_raw(start, levels, items, items as isize, 1) }
    }

    /// A part in which neighbouring levels are adjacent; an empty view where it has none.
    ///
    /// # Safety
    /// As [`WorkMemory::item_fastest`].
    unsafe fn level_fastest<'a, T: Plain>(&mut self, levels: usize, items: usize) -> FieldMut<'a, T> {
        if levels * items == 0 {
            return FieldMut::empty();
        }
        let start = self.allocate(levels * items);
        // SAFETY: the strides stay inside of the part.
        unsafe { FieldMut::from_raw(start, levels, items, 1, levels as isize) }
    }
}

/// The host's own memory.
#[derive(Debug, Default)]
pub struct HostMemory {
    #[cfg(feature = "std")]
    parts: Vec<Box<dyn core::any::Any + Send + Sync>>,
}

impl TableMemory for HostMemory {
    fn column<'a, T: Plain>(&mut self, values: &'a [T]) -> Column<'a, T> {
        if values.is_empty() { Column::empty() } else { Column::from(values) }
    }
}

#[cfg(feature = "std")]
impl WorkMemory for HostMemory {
    fn allocate<T: Plain>(&mut self, values: usize) -> *mut T {
        // SAFETY: all bits zero are a plain value.
        let mut part = vec![unsafe { core::mem::zeroed::<T>() }; values];
        let start = part.as_mut_ptr();
        self.parts.push(Box::new(part));
        start
    }
}

/// Counts the bytes of parts; its views are not to be used.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountedBytes(
    /// So far.
    pub usize,
);

impl WorkMemory for CountedBytes {
    fn allocate<T: Plain>(&mut self, values: usize) -> *mut T {
        self.0 += values * size_of::<T>();
        core::ptr::null_mut()
    }
}
