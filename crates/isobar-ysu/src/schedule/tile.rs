//! The columns of a thread's lanes, and how they read and write levels of neighbouring columns.

use core::mem::MaybeUninit;

use isobar_core::kernel::WARP;
use isobar_core::{Column, Field, FieldMut, Lanes, Near};

/// The most levels that are read at a time.
pub(crate) const AT_A_TIME: usize = 8;

/// The levels that are read at a time where little is computed with each: a GPU waits for its memory once, a CPU's
/// looks ahead.
#[inline(always)]
pub(crate) const fn at_a_time<R, const W: usize>() -> usize {
    if W == 1 { AT_A_TIME * 4 / size_of::<R>() } else { 1 }
}

/// The layers of a group, which a search looks at together: layer 0 is copied with the first group, of layers 1 to
/// [`group`].
#[inline(always)]
pub(crate) const fn group<R, const W: usize>() -> usize {
    let half = at_a_time::<R, W>() / 2;
    if half == 0 { 1 } else { half }
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

/// What is computed: a tile's type says so, and code of the others does not reach a kernel. YSU in the country ...
pub(crate) const COUNTRY: u8 = 0;
/// ... and in towns, ...
pub(crate) const TOWN: u8 = 1;
/// ... and Shin-Hong.
pub(crate) const SCALE_AWARE: u8 = 2;

/// Neighbouring columns, one a lane. The last tile repeats the batch's last column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile<const W: usize, const F: u8> {
    lanes: Lanes<W>,
    first: u32,
    columns: u32,
    whole: bool,
}

/// Where a level of the tile's columns begins, in fields of one layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offset {
    /// Numbers of 32 bits: a GPU computes addresses beside the physics, and 64 bits take it twice as long.
    first: i32,
    stride: i32,
    /// What it was made from.
    #[cfg(debug_assertions)]
    made_from: (usize, (isize, isize)),
}

/// Of a view with the methods of [`Field`]: does the offset belong to it? Costs nothing in a release build.
macro_rules! check {
    ($field:expr, $offset:expr, $columns:expr) => {
        #[cfg(debug_assertions)]
        {
            let (level, strides) = $offset.made_from;
            debug_assert!(level < $field.levels(), "level {level} of {}", $field.levels());
            debug_assert!($columns as usize <= $field.items(), "{} items of {}", $columns, $field.items());
            debug_assert_eq!(strides, $field.strides(), "an offset is used with fields of its layout");
        }
    };
}

impl<const W: usize, const F: u8> Tile<W, F> {
    /// The lanes' columns of an item. Its methods that read and write are safe, for what they need is promised here.
    ///
    /// # Safety
    /// The lanes are those with which a kernel's item is computed, and the columns that begin at [`WARP`] times `index`
    /// belong to it. All views that are used with the tile are valid, have `columns` items and span fewer than 2^31
    /// values; offsets are used with views of the layout for which they were made, and of levels which these have
    /// (debug builds check both).
    #[inline(always)]
    pub(crate) unsafe fn new(index: usize, lanes: Lanes<W>, columns: usize) -> Self {
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

    /// The lanes, which vote.
    #[inline(always)]
    pub(crate) fn lanes(&self) -> &Lanes<W> {
        &self.lanes
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

    /// Waits for the other lanes of the warp: what they copied to shared memory can be read.
    #[inline(always)]
    pub(crate) fn wait(&self) {
        self.lanes.wait();
    }

    /// The lane's first number in the item's shared memory.
    #[inline(always)]
    pub(crate) fn shared<T: Copy>(&self) -> Near<T> {
        Near::new(self.lanes.scratch()).beyond(self.lanes.first())
    }

    /// The first number in the workspace of a CPU's thread.
    #[inline(always)]
    pub(crate) fn workspace<T: Copy>(&self) -> Near<T> {
        Near::new(self.lanes.memory())
    }

    /// The address of the first lane's value at an offset.
    #[inline(always)]
    pub(crate) fn address<T: Copy>(&self, field: &Field<'_, T>, offset: Offset) -> *const T {
        check!(field, offset, self.columns);
        field.as_ptr().wrapping_offset((offset.first + self.distance_from_first(0) * offset.stride) as isize)
    }

    /// The offset of a level in fields with these strides.
    #[inline(always)]
    pub(crate) fn offset(&self, level: usize, strides: (isize, isize)) -> Offset {
        let (level_stride, item_stride) = strides;
        let (stride, first) = (item_stride as i32, self.first as i32);
        let first = (level as i32).wrapping_mul(level_stride as i32).wrapping_add(first.wrapping_mul(stride));
        Offset {
            first,
            stride,
            #[cfg(debug_assertions)]
            made_from: (level, strides),
        }
    }

    /// Where a level of one lane's column is, in fields with these strides.
    #[inline(always)]
    pub(crate) fn offset_of_lane(&self, level: usize, lane: usize, strides: (isize, isize)) -> Offset {
        let (level_stride, item_stride) = strides;
        let (stride, column) = (item_stride as i32, self.column(lane) as i32);
        let first = (level as i32).wrapping_mul(level_stride as i32).wrapping_add(column.wrapping_mul(stride));
        Offset {
            first,
            stride,
            #[cfg(debug_assertions)]
            made_from: (level, strides),
        }
    }

    /// The value at an offset of one lane's column.
    #[inline(always)]
    pub(crate) fn value<T: Copy>(&self, field: &Field<'_, T>, offset: Offset) -> T {
        check!(field, offset, self.columns);
        // SAFETY: a column of the batch at a level of the field (the promise of `new`).
        unsafe { *field.as_ptr().wrapping_offset(offset.first as isize) }
    }

    /// How far the lane's column is from the tile's first.
    #[inline(always)]
    fn distance_from_first(&self, lane: usize) -> i32 {
        self.column(lane) as i32 - self.first as i32
    }

    /// The values at an offset.
    #[inline(always)]
    pub(crate) fn read<T: Copy>(&self, field: &Field<'_, T>, offset: Offset) -> [T; W] {
        check!(field, offset, self.columns);
        self.read_at(field.as_ptr(), offset)
    }

    /// As [`Tile::read`], of what the item itself wrote.
    #[inline(always)]
    pub(crate) fn read_back<T: Copy>(&self, field: &FieldMut<'_, T>, offset: Offset) -> [T; W] {
        check!(field, offset, self.columns);
        self.read_at(field.as_ptr().cast_const(), offset)
    }

    #[inline(always)]
    fn read_at<T: Copy>(&self, start: *const T, offset: Offset) -> [T; W] {
        let first = start.wrapping_offset(offset.first as isize);
        // One read of either address: of two results the compiler would make W numbers, and vectors of them again.
        let mut gathered = MaybeUninit::uninit();
        let mut from = first.cast::<[T; W]>();
        if !self.whole || offset.stride != 1 {
            if W == 1 {
                // SAFETY: a column of the batch at a level of the field (the promise of `new`).
                return [unsafe { *first.wrapping_offset((self.distance_from_first(0) * offset.stride) as isize) }; W];
            }
            self.gather(first, offset.stride, &mut gathered);
            from = gathered.as_ptr();
        }
        // SAFETY: W neighbours inside the field, or what was gathered.
        unsafe { from.read() }
    }

    /// Reads lane by lane from the value of the tile's first column on. A lane beyond the batch has its last column,
    /// which may lie before that.
    #[cold]
    #[inline(never)]
    fn gather<T: Copy>(&self, first: *const T, stride: i32, gathered: &mut MaybeUninit<[T; W]>) {
        for lane in 0..W {
            // SAFETY: a column of the batch at a level of the field (the promise of `new`), and one of W numbers.
            unsafe {
                let value = *first.wrapping_offset((self.distance_from_first(lane) * stride) as isize);
                gathered.as_mut_ptr().cast::<T>().add(lane).write(value);
            }
        }
    }

    /// Says that the values at an offset will be read or written soon. The levels of one tile lie far apart in memory,
    /// where no processor looks ahead.
    ///
    /// Of each 64 bytes the last one names the cache line: where a level begins within a line, the tile before had that
    /// one.
    #[inline(always)]
    pub(crate) fn prefetch<T: Copy>(&self, start: *const T, offset: Offset) {
        if !self.whole || offset.stride != 1 {
            return;
        }
        let first = start.wrapping_offset(offset.first as isize).cast::<u8>();
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

    /// Writes values at an offset for the lanes whose column is in the batch.
    #[inline(always)]
    pub(crate) fn write<T: Copy>(&self, field: &FieldMut<'_, T>, offset: Offset, values: [T; W]) {
        check!(field, offset, self.columns);
        let first = field.as_ptr().wrapping_offset(offset.first as isize);
        if self.whole && offset.stride == 1 {
            // SAFETY: W neighbours inside the field, which belong to the item (the promise of `new`).
            unsafe { first.cast::<[T; W]>().write(values) };
            return;
        }
        for lane in 0..W {
            if self.inside(lane) {
                // SAFETY: a column of the item at a level of the field (the same).
                unsafe { *first.wrapping_offset((lane as i32 * offset.stride) as isize) = values[lane] };
            }
        }
    }

    /// As [`Tile::write`], of what is not read again.
    #[inline(always)]
    pub(crate) fn write_once<T: Copy>(&self, field: &FieldMut<'_, T>, offset: Offset, values: [T; W]) {
        if W > 1 {
            return self.write(field, offset, values);
        }
        check!(field, offset, self.columns);
        if self.inside(0) {
            // SAFETY: a column of the item at a level of the field (the promise of `new`).
            unsafe { isobar_core::write_once(field.as_ptr().wrapping_offset(offset.first as isize), values[0]) };
        }
    }

    /// One value a column.
    #[inline(always)]
    pub(crate) fn read_column<T: Copy>(&self, values: &Column<'_, T>) -> [T; W] {
        let mut read = [self.column_value(values, 0); W];
        for lane in 1..W {
            read[lane] = self.column_value(values, lane);
        }
        read
    }

    #[inline(always)]
    fn column_value<T: Copy>(&self, values: &Column<'_, T>, lane: usize) -> T {
        // SAFETY: the view has the batch's columns (the promise of `new`), of which the lane's is one.
        unsafe { values.get(self.column(lane)) }
    }

    /// Reads one value a column that the item itself wrote, for the lanes whose column is in the batch.
    #[inline(always)]
    pub(crate) fn read_back_column<T: Copy>(&self, field: &FieldMut<'_, T>, beyond: T) -> [T; W] {
        let mut read = [beyond; W];
        for lane in 0..W {
            if self.inside(lane) {
                // SAFETY: the field has a level and the batch's columns (the promise of `new`), of which this is one.
                read[lane] = unsafe { field.get(0, self.column(lane)) };
            }
        }
        read
    }

    /// Writes one value a column.
    #[inline(always)]
    pub(crate) fn write_column<T: Copy>(&self, field: &FieldMut<'_, T>, values: [T; W]) {
        for lane in 0..W {
            if self.inside(lane) {
                // SAFETY: the field has a level and the batch's columns (the promise of `new`), of which this is one.
                unsafe { field.put(0, self.column(lane), values[lane]) };
            }
        }
    }
}
