//! The columns of a thread's lanes, and how they read and write rows of neighbouring columns.

use core::mem::MaybeUninit;

use isobar_core::kernel::WARP;
use isobar_core::{Column, Field, FieldMut, Lanes, Near};

/// A struct with one value a lane in each of its fields: `Name<[R; W]>` holds a tile, `Name<R>` one lane.
///
/// Loops over lanes take `tile.lane(i)`, compute with plain values, and `tile.set(i, ...)`: they vectorise on a CPU,
/// and on a GPU (`W = 1`) nothing is left of them.
macro_rules! per_lane {
    ($(#[$doc:meta])* struct $name:ident { $($(#[$field_doc:meta])* $field:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name<T> {
            $($(#[$field_doc])* pub(crate) $field: T),*
        }

        #[allow(dead_code, reason = "not every struct needs it")]
        impl<R: isobar_core::Real> $name<R> {
            pub(crate) const ZERO: Self = Self { $($field: R::ZERO),* };
        }

        #[allow(dead_code, reason = "not every struct needs all")]
        impl<R: isobar_core::Real, const W: usize> $name<[R; W]> {
            pub(crate) const ZEROS: Self = Self { $($field: [R::ZERO; W]),* };

            #[inline(always)]
            pub(crate) fn lane(&self, lane: usize) -> $name<R> {
                $name { $($field: self.$field[lane]),* }
            }

            #[inline(always)]
            pub(crate) fn set(&mut self, lane: usize, values: $name<R>) {
                $(self.$field[lane] = values.$field;)*
            }
        }
    };
}
pub(crate) use per_lane;

/// The most levels that are read at a time.
pub(crate) const AT_A_TIME: usize = 8;

/// The levels that are read at a time where little is computed with each: a GPU waits for its memory once, a CPU's
/// looks ahead.
#[inline(always)]
pub(crate) const fn at_a_time<R, const W: usize>() -> usize {
    if W == 1 { AT_A_TIME * 4 / size_of::<R>() } else { 1 }
}

/// The columns that a CPU computes at a time: 64 bytes, the widest vector. With a whole warp at a time no value would
/// stay in a register.
pub(crate) const fn vector<R>() -> usize {
    if size_of::<R>() == 4 { 16 } else { 8 }
}

/// Does something for each level that is read at a time, written out: of a loop the compiler would keep the arrays in
/// memory.
macro_rules! each_level {
    ($number:ident < $count:expr => $body:block) => {
        each_level!(@ $number, $count, $body, 0 1 2 3 4 5 6 7)
    };
    (@ $number:ident, $count:expr, $body:block, $($which:literal)*) => {$(
        {
            const $number: usize = $which;
            if $number < $count $body
        }
    )*};
}
pub(crate) use each_level;

/// Neighbouring columns, one a lane. The last tile repeats the batch's last column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile<const W: usize> {
    lanes: Lanes<W>,
    first: u32,
    columns: u32,
    whole: bool,
}

/// Where a level of the tile's columns begins, in fields of one layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Numbers of 32 bits: a GPU computes addresses beside the physics, and 64 bits take it twice as long.
    first: i32,
    stride: i32,
}

impl<const W: usize> Tile<W> {
    #[inline(always)]
    pub(crate) fn new(index: usize, lanes: Lanes<W>, columns: usize) -> Self {
        let first = (index * WARP + lanes.first()) as u32;
        Self { lanes, first, columns: columns as u32, whole: W > 1 && first as usize + W <= columns }
    }

    /// The tile that the thread has after this one.
    #[inline(always)]
    pub(crate) fn next(&self) -> Self {
        let first = self.first + W as u32;
        Self { first, whole: W > 1 && first as usize + W <= self.columns as usize, ..*self }
    }

    /// The lane's column, or the batch's last one for lanes beyond it.
    #[inline(always)]
    pub(crate) fn column(&self, lane: usize) -> usize {
        let column = self.first + lane as u32;
        if column < self.columns { column as usize } else { self.columns as usize - 1 }
    }

    /// Is a flag set in any lane of the warp? Only skips work: what a lane computes does not depend on it.
    #[inline(always)]
    pub(crate) fn any(&self, flags: &[u32; W]) -> bool {
        self.lanes.any(flags)
    }

    /// Is the lane's column one of the batch?
    #[inline(always)]
    pub(crate) fn inside(&self, lane: usize) -> bool {
        self.first + (lane as u32) < self.columns
    }

    /// The number of the first lane in its warp.
    #[inline(always)]
    pub(crate) fn lane(&self) -> usize {
        self.lanes.first()
    }

    /// The column of the warp's first lane.
    #[inline(always)]
    pub(crate) fn warp_first(&self) -> usize {
        self.first as usize - self.lanes.first()
    }

    /// Waits for the other lanes of the warp: what they brought to the scratch can be read.
    #[inline(always)]
    pub(crate) fn wait(&self) {
        self.lanes.wait();
    }

    /// The lanes' places in the item's scratch.
    #[inline(always)]
    pub(crate) fn near<T: Copy>(&self) -> Near<T> {
        Near::new(self.lanes.scratch()).beyond(self.lanes.first())
    }

    /// The lanes' places in the memory of a CPU's thread.
    #[inline(always)]
    pub(crate) fn memory<T: Copy>(&self) -> Near<T> {
        Near::new(self.lanes.memory())
    }

    /// Where the first lane's value of a row is.
    #[inline(always)]
    pub(crate) fn address<T: Copy>(&self, field: &Field<'_, T>, row: Row) -> *const T {
        field.as_ptr().wrapping_offset((row.first + self.distance_from_first(0) * row.stride) as isize)
    }

    /// The row of a level in fields with these strides.
    #[inline(always)]
    pub(crate) fn row(&self, level: usize, strides: (isize, isize)) -> Row {
        self.row_of(level, 0, strides)
    }

    /// The same where the batch's columns begin with an item that is not the first.
    #[inline(always)]
    pub(crate) fn row_of(&self, level: usize, item: usize, (level_stride, item_stride): (isize, isize)) -> Row {
        let stride = item_stride as i32;
        let first = item as i32 + self.first as i32;
        let first = (level as i32).wrapping_mul(level_stride as i32).wrapping_add(first.wrapping_mul(stride));
        Row { first, stride }
    }

    /// Where one value is, in fields with these strides.
    #[inline(always)]
    pub(crate) fn place(&self, level: usize, column: usize, (level_stride, item_stride): (isize, isize)) -> Row {
        let stride = item_stride as i32;
        let first = (level as i32).wrapping_mul(level_stride as i32).wrapping_add((column as i32).wrapping_mul(stride));
        Row { first, stride }
    }

    /// The value at a place.
    ///
    /// # Safety
    /// As [`Tile::read`], for the place's level and column.
    #[inline(always)]
    pub(crate) unsafe fn value<T: Copy>(&self, field: &Field<'_, T>, place: Row) -> T {
        // SAFETY: the caller's.
        unsafe { *field.as_ptr().wrapping_offset(place.first as isize) }
    }

    /// How far the lane's column is from the tile's first.
    #[inline(always)]
    fn distance_from_first(&self, lane: usize) -> i32 {
        self.column(lane) as i32 - self.first as i32
    }

    /// The values of a row.
    ///
    /// # Safety
    /// The row's level is one of the field, which has the row's strides, the batch's columns, and spans fewer than 2^31
    /// values.
    #[inline(always)]
    pub(crate) unsafe fn read<T: Copy>(&self, field: &Field<'_, T>, row: Row) -> [T; W] {
        // SAFETY: the caller's.
        unsafe { self.read_at(field.as_ptr(), row) }
    }

    /// As [`Tile::write`], of what is not read again.
    ///
    /// # Safety
    /// As [`Tile::write`].
    #[inline(always)]
    pub(crate) unsafe fn write_once<T: Copy>(&self, field: &FieldMut<'_, T>, row: Row, values: [T; W]) {
        if W > 1 {
            // SAFETY: the caller's.
            return unsafe { self.write(field, row, values) };
        }
        if self.inside(0) {
            // SAFETY: the caller's.
            unsafe { isobar_core::write_once(field.as_ptr().wrapping_offset(row.first as isize), values[0]) };
        }
    }

    /// As [`Tile::read`], of what the item itself wrote.
    ///
    /// # Safety
    /// As [`Tile::read`].
    #[inline(always)]
    pub(crate) unsafe fn read_back<T: Copy>(&self, field: &FieldMut<'_, T>, row: Row) -> [T; W] {
        // SAFETY: the caller's.
        unsafe { self.read_at(field.as_ptr().cast_const(), row) }
    }

    #[inline(always)]
    unsafe fn read_at<T: Copy>(&self, start: *const T, row: Row) -> [T; W] {
        let first = start.wrapping_offset(row.first as isize);
        // One read of either place: of two results the compiler would make W numbers, and vectors of them again.
        let mut gathered = MaybeUninit::uninit();
        let mut place = first.cast::<[T; W]>();
        if !self.whole || row.stride != 1 {
            if W == 1 {
                // SAFETY: a column of the batch at a level of the field, says the caller.
                return [unsafe { *first.wrapping_offset((self.distance_from_first(0) * row.stride) as isize) }; W];
            }
            // SAFETY: the caller's.
            unsafe { self.gather(first, row.stride, &mut gathered) };
            place = gathered.as_ptr();
        }
        // SAFETY: W neighbours inside the field, or what was gathered.
        unsafe { place.read() }
    }

    /// Reads a row lane by lane. A lane beyond the batch has its last column, which may lie before `first`.
    ///
    /// # Safety
    /// As [`Tile::read`], for the place of the tile's first column.
    #[cold]
    #[inline(never)]
    unsafe fn gather<T: Copy>(&self, first: *const T, stride: i32, gathered: &mut MaybeUninit<[T; W]>) {
        for lane in 0..W {
            // SAFETY: a column of the batch at a level of the field, says the caller, and one of W places.
            unsafe {
                let value = *first.wrapping_offset((self.distance_from_first(lane) * stride) as isize);
                gathered.as_mut_ptr().cast::<T>().add(lane).write(value);
            }
        }
    }

    /// Says that a row will be read or written soon. The rows of one tile lie far apart in memory, where no processor
    /// looks ahead.
    ///
    /// Of each 64 bytes the last one names the cache line: where a row begins within a line, the tile before had that
    /// one.
    #[inline(always)]
    pub(crate) fn prefetch<T: Copy>(&self, start: *const T, row: Row) {
        if !self.whole || row.stride != 1 {
            return;
        }
        let first = start.wrapping_offset(row.first as isize).cast::<u8>();
        #[cfg(target_arch = "x86_64")]
        for line in 0..(W * size_of::<T>()).div_ceil(64) {
            // SAFETY: a hint, which reads nothing.
            unsafe {
                core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T1 }>(
                    first.wrapping_add(64 * line + 63).cast(),
                )
            };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = first;
    }

    /// Writes the values of a row for the lanes whose column is in the batch.
    ///
    /// # Safety
    /// As [`Tile::read`], and the columns belong to the caller (the contract of `Kernel`).
    #[inline(always)]
    pub(crate) unsafe fn write<T: Copy>(&self, field: &FieldMut<'_, T>, row: Row, values: [T; W]) {
        let first = field.as_ptr().wrapping_offset(row.first as isize);
        if self.whole && row.stride == 1 {
            // SAFETY: W neighbours inside the field.
            unsafe { first.cast::<[T; W]>().write(values) };
            return;
        }
        for lane in 0..W {
            if self.inside(lane) {
                // SAFETY: a column of the batch at a level of the field, says the caller.
                unsafe { *first.wrapping_offset((lane as i32 * row.stride) as isize) = values[lane] };
            }
        }
    }

    /// One value a column.
    ///
    /// # Safety
    /// The view has the batch's columns.
    #[inline(always)]
    pub(crate) unsafe fn read_column<T: Copy>(&self, values: &Column<'_, T>) -> [T; W] {
        // SAFETY: the lane's column is one of the batch.
        let mut read = [unsafe { values.get(self.column(0)) }; W];
        for lane in 1..W {
            // SAFETY: as above.
            read[lane] = unsafe { values.get(self.column(lane)) };
        }
        read
    }

    /// Writes one value a column.
    ///
    /// # Safety
    /// The field has a level and the batch's columns, which belong to the caller.
    #[inline(always)]
    pub(crate) unsafe fn write_column<T: Copy>(&self, field: &FieldMut<'_, T>, values: [T; W]) {
        for lane in 0..W {
            if self.inside(lane) {
                // SAFETY: the caller's.
                unsafe { field.put(0, self.column(lane), values[lane]) };
            }
        }
    }
}
