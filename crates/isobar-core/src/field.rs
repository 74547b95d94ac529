//! Views of fields of columns.
//!
//! A view is a pointer, sizes and strides, so that one core reads level-fastest and
//! column-fastest, surface-first and top-first data without a copy. It is `repr(C)` and `Copy`:
//! part of a kernel's arguments.
//!
//! An index outside a view is a mistake of the core: debug builds assert, release builds and GPUs
//! use the nearest element, so that no view reaches outside its storage but in code that says `unsafe`.

use core::marker::PhantomData;

use crate::column::Column;

/// Profiles of many items: `field.at(level, item)`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Field<'a, T> {
    start: *const T,
    levels: usize,
    items: usize,
    level_stride: isize,
    item_stride: isize,
    data: PhantomData<&'a [T]>,
}

// SAFETY: a Field reads only, like the slice that it borrows.
unsafe impl<T: Sync> Send for Field<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Field<'_, T> {}

/// Profiles of many items to write: [`FieldMut::set`].
///
/// Copies of a `FieldMut` go to all items of a launch; the [`crate::Kernel`] contract is that each writes only its own.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct FieldMut<'a, T> {
    pub(crate) start: *mut T,
    pub(crate) levels: usize,
    pub(crate) items: usize,
    pub(crate) level_stride: isize,
    pub(crate) item_stride: isize,
    pub(crate) data: PhantomData<&'a mut [T]>,
}

// SAFETY: items write disjoint elements (the contract of Kernel).
unsafe impl<T: Send> Send for FieldMut<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for FieldMut<'_, T> {}

macro_rules! view {
    ($view:ident, $pointer:ty, $slice:ty, $as_pointer:ident, $null:ident) => {
        impl<'a, T: Copy> $view<'a, T> {
            /// A view of `levels * items` values with the given strides.
            ///
            /// # Safety
            /// Every `start + level * level_stride + item * item_stride` inside the sizes is valid for `'a` on
            /// the device that uses the view; a view without elements is never used.
            #[inline(always)]
            #[must_use]
            pub unsafe fn from_raw(
                start: $pointer,
                levels: usize,
                items: usize,
                level_stride: isize,
                item_stride: isize,
            ) -> Self {
                Self { start, levels, items, level_stride, item_stride, data: PhantomData }
            }

            /// A view of a slice in which neighbouring items are adjacent: `values[level * items + item]`.
            ///
            /// # Panics
            /// If the length is not `levels * items`, or nothing.
            #[must_use]
            pub fn item_fastest(values: $slice, levels: usize, items: usize) -> Self {
                assert_eq!(values.len(), levels * items, "the slice does not have levels * items values");
                assert!(!values.is_empty(), "a field needs at least one value");
                // SAFETY: the strides stay inside the slice, whose length was checked.
                unsafe { Self::from_raw(values.$as_pointer(), levels, items, items as isize, 1) }
            }

            /// A view of a slice in which neighbouring levels are adjacent: `values[item * levels + level]`.
            ///
            /// # Panics
            /// If the length is not `levels * items`, or nothing.
            #[must_use]
            pub fn level_fastest(values: $slice, levels: usize, items: usize) -> Self {
                assert_eq!(values.len(), levels * items, "the slice does not have levels * items values");
                assert!(!values.is_empty(), "a field needs at least one value");
                // SAFETY: the strides stay inside the slice, whose length was checked.
                unsafe { Self::from_raw(values.$as_pointer(), levels, items, 1, levels as isize) }
            }

            /// A view without values, for an argument that is not there.
            #[must_use]
            pub fn empty() -> Self {
                let start = core::ptr::$null();
                Self { start, levels: 0, items: 0, level_stride: 0, item_stride: 0, data: PhantomData }
            }

            /// The number of levels of each profile.
            #[inline(always)]
            #[must_use]
            pub fn levels(&self) -> usize {
                self.levels
            }

            /// The number of items.
            #[inline(always)]
            #[must_use]
            pub fn items(&self) -> usize {
                self.items
            }

            /// Some neighbouring items; a view without items stays one.
            ///
            /// # Panics
            /// If there are fewer items.
            #[must_use]
            pub fn range(&self, items: core::ops::Range<usize>) -> Self {
                if self.is_empty() {
                    return *self;
                }
                assert!(items.start <= items.end && items.end <= self.items, "a range of items is inside the view");
                let start = self.start.wrapping_offset(items.start as isize * self.item_stride);
                Self { start, items: items.len(), ..*self }
            }

            /// These profiles, each read from its other end.
            #[inline(always)]
            #[must_use]
            pub fn levels_reversed(&self) -> Self {
                let last = self.levels.saturating_sub(1) as isize;
                Self {
                    start: self.start.wrapping_offset(last * self.level_stride),
                    level_stride: -self.level_stride,
                    ..*self
                }
            }

            /// Every `step`-th level from `first` on, `levels` of them: where each level has a row an angle, the rows
            /// of one angle. None where the last is beyond the view.
            #[inline(always)]
            #[must_use]
            pub fn every(&self, first: usize, step: usize, levels: usize) -> Self {
                let inside = first + levels.saturating_sub(1) * step < self.levels;
                let start = self.start.wrapping_offset(first as isize * self.level_stride);
                let levels = if inside { levels } else { 0 };
                Self { start, levels, level_stride: self.level_stride * step as isize, ..*self }
            }

            #[inline(always)]
            pub(crate) fn offset(&self, level: usize, item: usize) -> isize {
                debug_assert!(level < self.levels && item < self.items);
                let level = if level < self.levels { level } else { self.levels.wrapping_sub(1) };
                let item = if item < self.items { item } else { self.items.wrapping_sub(1) };
                level as isize * self.level_stride + item as isize * self.item_stride
            }

            /// The value of an item at a level.
            #[inline(always)]
            #[must_use]
            pub fn at(&self, level: usize, item: usize) -> T {
                // SAFETY: `offset` stays inside the view, all of which from_raw promised to be valid.
                unsafe { *self.start.offset(self.offset(level, item)) }
            }

            /// `count` neighbouring levels of an item from `level` on, and `beyond` after them. A view without so many
            /// gives what [`Self::at`] does.
            #[inline(always)]
            #[must_use]
            pub fn some_levels<const N: usize>(&self, level: usize, item: usize, count: usize, beyond: T) -> [T; N] {
                let count = if count < N { count } else { N };
                let mut values = [beyond; N];
                if item < self.items && level < self.levels && count <= self.levels - level {
                    let start = self.offset(level, item);
                    for (i, value) in values.iter_mut().enumerate().take(count) {
                        // SAFETY: the first and the last level are inside the view, as was just seen.
                        *value = unsafe { *self.start.offset(start + i as isize * self.level_stride) };
                    }
                } else {
                    for (i, value) in values.iter_mut().enumerate().take(count) {
                        *value = self.at(level + i, item);
                    }
                }
                values
            }

            /// The value of an item at a level, without the check of `at`.
            ///
            /// # Safety
            /// `level` is below `levels()` and `item` below `items()`.
            #[inline(always)]
            #[must_use]
            pub unsafe fn get(&self, level: usize, item: usize) -> T {
                debug_assert!(level < self.levels && item < self.items);
                let offset = level as isize * self.level_stride + item as isize * self.item_stride;
                // SAFETY: the caller vouches for the place, and from_raw promised that all of the view is valid.
                unsafe { *self.start.offset(offset) }
            }

            /// The values of `N` levels from `level` on for each of `W` lanes, `item(lane)`; `beyond` below the last
            /// level.
            ///
            /// Items that are neighbours in memory are read in one go.
            ///
            /// # Safety
            /// Every `item(lane)` is below `items()`, and the view spans fewer than 2^31 values: a GPU computes
            /// addresses of 64 bits slowly.
            #[inline(always)]
            #[must_use]
            pub unsafe fn tile<const N: usize, const W: usize>(
                &self,
                level: impl Fn(usize) -> usize,
                item: impl Fn(usize) -> usize,
                beyond: T,
            ) -> [[T; W]; N] {
                let mut tile = [[beyond; W]; N];
                let neighbours = W > 1
                    && self.item_stride == 1
                    && item(W - 1) == item(0) + W - 1
                    && level(W - 1) == level(0)
                    && level(0) + N <= self.levels;
                if neighbours {
                    let mut row = self.start.wrapping_offset(level(0) as isize * self.level_stride + item(0) as isize);
                    for values in &mut tile {
                        // SAFETY: the levels and items are inside the view, the items 1 apart.
                        *values = unsafe { row.cast::<[T; W]>().read() };
                        row = row.wrapping_offset(self.level_stride);
                    }
                    return tile;
                }
                for lane in 0..W {
                    let (first, levels, stride) = (level(lane) as u32, self.levels as u32, self.level_stride as i32);
                    let offset = (first as i32)
                        .wrapping_mul(stride)
                        .wrapping_add((item(lane) as i32).wrapping_mul(self.item_stride as i32));
                    let place = |i: usize| {
                        self.start.wrapping_offset(offset.wrapping_add((i as i32).wrapping_mul(stride)) as isize)
                    };
                    if first + N as u32 <= levels {
                        for (i, values) in tile.iter_mut().enumerate() {
                            // SAFETY: the levels are inside the view, and so is the item, says the caller.
                            values[lane] = unsafe { *place(i) };
                        }
                    } else {
                        for (i, values) in tile.iter_mut().enumerate() {
                            if first + (i as u32) < levels {
                                // SAFETY: as above.
                                values[lane] = unsafe { *place(i) };
                            }
                        }
                    }
                }
                tile
            }

            /// Is there no item?
            #[inline(always)]
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.items == 0
            }

            /// The address of the first item at the first level, for cores that compute the places of several fields of
            /// one layout at once.
            #[inline(always)]
            #[must_use]
            pub fn as_ptr(&self) -> $pointer {
                self.start
            }

            /// The values from a level to the next, and from an item to the next.
            #[inline(always)]
            #[must_use]
            pub fn strides(&self) -> (isize, isize) {
                (self.level_stride, self.item_stride)
            }

            /// The profile of one item.
            #[inline(always)]
            #[must_use]
            pub fn column(&self, item: usize) -> Column<'a, T> {
                let item = item.min(self.items.saturating_sub(1));
                let start = self.start.wrapping_offset(item as isize * self.item_stride);
                // SAFETY: a column of a valid view is valid.
                unsafe { Column::from_raw(start, self.levels, self.level_stride) }
            }
        }
    };
}

view!(Field, *const T, &'a [T], as_ptr, null);
view!(FieldMut, *mut T, &'a mut [T], as_mut_ptr, null_mut);

impl<'a, T: Copy> From<Column<'a, T>> for Field<'a, T> {
    /// The values of a column as those of as many items at one level.
    #[inline(always)]
    fn from(column: Column<'a, T>) -> Self {
        if column.is_empty() {
            return Self::empty();
        }
        // SAFETY: the same values, all of which the column promised to be readable.
        unsafe { Self::from_raw(column.as_ptr(), 1, column.len(), 0, column.stride()) }
    }
}

impl<'a, T: Copy> Field<'a, T> {
    /// The values of all items at a level; none of an empty view.
    ///
    /// # Panics
    /// If the view has no such level, and is not empty.
    #[must_use]
    pub fn row(&self, level: usize) -> Column<'a, T> {
        if self.is_empty() {
            return Column::empty();
        }
        assert!(level < self.levels, "the view has {} levels", self.levels);
        let start = self.start.wrapping_offset(level as isize * self.level_stride);
        // SAFETY: a level of a valid view is valid.
        unsafe { Column::from_raw(start, self.items, self.item_stride) }
    }

    /// The values of a range of items at a level as a slice, if they are neighbours in memory and inside the view.
    #[must_use]
    pub fn neighbours(&self, level: usize, items: core::ops::Range<usize>) -> Option<&'a [T]> {
        let inside = level < self.levels && items.start <= items.end && items.end <= self.items;
        if self.item_stride != 1 || !inside {
            return None;
        }
        let start = self.start.wrapping_offset(level as isize * self.level_stride + items.start as isize);
        // SAFETY: all are inside the view, 1 apart, and valid to read for 'a.
        Some(unsafe { core::slice::from_raw_parts(start, items.len()) })
    }

    /// One value for all of `levels` levels and `items` items.
    #[must_use]
    pub fn constant(value: &'a T, levels: usize, items: usize) -> Self {
        // SAFETY: with strides of zero every index is the one value.
        unsafe { Self::from_raw(value, levels, items, 0, 0) }
    }

    /// One value for all ([`Field::constant`]), for another number of levels and items.
    ///
    /// # Panics
    /// If it is no such field.
    #[must_use]
    pub fn stretched(&self, levels: usize, items: usize) -> Self {
        assert!(self.strides() == (0, 0) && !self.is_empty(), "one value for all levels and items");
        Self { levels, items, ..*self }
    }
}
