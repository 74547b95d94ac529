//! Writing through views of fields.

use crate::Status;
use crate::column::ColumnMut;
use crate::field::{Field, FieldMut};

impl<'a, T: Copy> FieldMut<'a, T> {
    /// What was written, to read.
    ///
    /// # Safety
    /// Nobody writes while the view is read: in a launch, no item writes what another one reads.
    #[must_use]
    pub unsafe fn read(&self) -> Field<'a, T> {
        // SAFETY: as the view itself.
        unsafe { Field::from_raw(self.start, self.levels, self.items, self.level_stride, self.item_stride) }
    }

    /// The profile of one item, to write.
    #[inline(always)]
    #[must_use]
    pub fn column_mut(&self, item: usize) -> ColumnMut<'a, T> {
        let item = item.min(self.items.saturating_sub(1));
        let start = self.start.wrapping_offset(item as isize * self.item_stride);
        ColumnMut::of_field(start, self.levels, self.level_stride)
    }

    /// Sets the value of an item at a level, without the check of [`FieldMut::set`].
    ///
    /// # Safety
    /// `level` is below `levels()` and `item` below `items()`.
    #[inline(always)]
    pub unsafe fn put(&self, level: usize, item: usize, value: T) {
        debug_assert!(level < self.levels && item < self.items);
        let offset = level as isize * self.level_stride + item as isize * self.item_stride;
        // SAFETY: the caller vouches for the place; the item belongs to the caller (the contract of Kernel).
        unsafe { *self.start.offset(offset) = value }
    }

    /// Sets the values of the `W` items from `item` on at a level in one go, if they are neighbours in memory; says
    /// whether it did.
    #[inline(always)]
    #[must_use]
    pub fn put_neighbours<const W: usize>(&self, level: usize, item: usize, values: [T; W]) -> bool {
        if self.item_stride != 1 || level >= self.levels || item + W > self.items {
            return false;
        }
        let start = self.start.wrapping_offset(level as isize * self.level_stride + item as isize);
        // SAFETY: all W are inside the view, 1 apart; they belong to the caller (the contract of Kernel).
        unsafe { start.cast::<[T; W]>().write(values) };
        true
    }

    /// Sets the values of neighbouring items at a level, from `item` on; what would be outside is left out.
    pub fn set_items(&self, level: usize, item: usize, values: &[T]) {
        let values = &values[..values.len().min(self.items.saturating_sub(item))];
        if level >= self.levels || values.is_empty() {
            return;
        }
        let start = self.start.wrapping_offset(self.offset(level, item));
        if self.item_stride == 1 {
            // SAFETY: all are inside the view, 1 apart; they belong to the caller (the contract of Kernel).
            unsafe { core::ptr::copy_nonoverlapping(values.as_ptr(), start, values.len()) };
        } else {
            for (offset, &value) in values.iter().enumerate() {
                self.set(level, item + offset, value);
            }
        }
    }

    /// Sets the value of an item at a level.
    #[inline(always)]
    pub fn set(&self, level: usize, item: usize, value: T) {
        // SAFETY: `offset` stays inside the view; the item belongs to the caller (the contract of Kernel).
        unsafe { *self.start.offset(self.offset(level, item)) = value }
    }
}

impl FieldMut<'_, u32> {
    /// Adds the bits of a status to the word of an item. Several items of a launch may do so at the same time, but
    /// none may write the word otherwise. A view that is empty stays so.
    #[inline(always)]
    pub fn mark(&self, item: usize, status: Status) {
        if !self.is_empty() && !status.is_ok() {
            // SAFETY: `offset` stays inside the view, which is valid.
            unsafe { crate::gpu::or_into(self.start.offset(self.offset(0, item)), status.0) };
        }
    }
}
