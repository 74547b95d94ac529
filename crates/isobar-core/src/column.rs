//! Views of single columns: see [`crate::field`].

use core::marker::PhantomData;

/// One profile: `len` values, `stride` apart.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Column<'a, T> {
    start: *const T,
    len: usize,
    stride: isize,
    data: PhantomData<&'a [T]>,
}

// SAFETY: a Column reads only, like the slice that it borrows.
unsafe impl<T: Sync> Send for Column<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Column<'_, T> {}

impl<'a, T: Copy> From<&'a [T]> for Column<'a, T> {
    /// # Panics
    /// If the slice is empty: a view has at least one value.
    fn from(values: &'a [T]) -> Self {
        assert!(!values.is_empty(), "a column needs at least one value");
        // SAFETY: a slice is len values, 1 apart, valid for 'a.
        unsafe { Self::from_raw(values.as_ptr(), values.len(), 1) }
    }
}

impl<'a, T: Copy> Column<'a, T> {
    /// A view of `len` values, `stride` apart, the first at `start`.
    ///
    /// # Safety
    /// Every `start + i * stride` with `i < len` is valid to read for `'a` on the device that uses the view;
    /// a view with `len == 0` is never read.
    #[inline(always)]
    #[must_use]
    pub unsafe fn from_raw(start: *const T, len: usize, stride: isize) -> Self {
        Self { start, len, stride, data: PhantomData }
    }

    /// A view without values, for an argument that is not there.
    #[must_use]
    pub fn empty() -> Self {
        Self { start: core::ptr::null(), len: 0, stride: 0, data: PhantomData }
    }

    /// The number of values.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Is there no value?
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value at index `i`, which is below [`Column::len`].
    #[inline(always)]
    #[must_use]
    pub fn at(&self, i: usize) -> T {
        debug_assert!(i < self.len);
        let i = if i < self.len { i } else { self.len.wrapping_sub(1) };
        // SAFETY: i is inside the view, all of which from_raw promised to be readable.
        unsafe { *self.start.offset(i as isize * self.stride) }
    }

    /// The value at index `i`, which is below [`Column::len`], where it lies: of a large struct only the fields that
    /// are used are read.
    #[inline(always)]
    #[must_use]
    pub fn place(&self, i: usize) -> &'a T {
        debug_assert!(i < self.len);
        let i = if i < self.len { i } else { self.len.wrapping_sub(1) };
        // SAFETY: i is inside the view, all of which from_raw promised to be readable as long as it lives.
        unsafe { &*self.start.offset(i as isize * self.stride) }
    }

    /// The value at index `i`, without the check of [`Column::at`].
    ///
    /// # Safety
    /// `i` is below [`Column::len`].
    #[inline(always)]
    #[must_use]
    pub unsafe fn get(&self, i: usize) -> T {
        debug_assert!(i < self.len);
        // SAFETY: the caller vouches for i, and from_raw promised that all of the view is readable.
        unsafe { *self.start.offset(i as isize * self.stride) }
    }

    /// The address of the first value, for cores that walk through a pool of values by themselves.
    #[inline(always)]
    #[must_use]
    pub fn as_ptr(&self) -> *const T {
        self.start
    }

    /// The values from one to the next.
    #[inline(always)]
    #[must_use]
    pub fn stride(&self) -> isize {
        self.stride
    }

    /// This profile, read from its other end.
    #[inline(always)]
    #[must_use]
    pub fn reversed(&self) -> Self {
        let last = self.len.saturating_sub(1) as isize;
        Self { start: self.start.wrapping_offset(last * self.stride), stride: -self.stride, ..*self }
    }
}

/// One profile to write: what [`crate::FieldMut::column_mut`] gives.
#[derive(Clone, Copy, Debug)]
pub struct ColumnMut<'a, T> {
    start: *mut T,
    len: usize,
    stride: isize,
    data: PhantomData<&'a mut [T]>,
}

impl<'a, T: Copy> ColumnMut<'a, T> {
    /// A view of a column of [`crate::FieldMut`], which vouches for it.
    #[inline(always)]
    pub(crate) fn of_field(start: *mut T, len: usize, stride: isize) -> Self {
        Self { start, len, stride, data: PhantomData }
    }

    #[inline(always)]
    fn offset(&self, i: usize) -> isize {
        debug_assert!(i < self.len);
        let i = if i < self.len { i } else { self.len.wrapping_sub(1) };
        i as isize * self.stride
    }

    /// The value at index `i`.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, i: usize) -> T {
        // SAFETY: `offset` stays inside the column of a valid view.
        unsafe { *self.start.offset(self.offset(i)) }
    }

    /// Sets the value at index `i`.
    #[inline(always)]
    pub fn set(&self, i: usize, value: T) {
        // SAFETY: as above; the item belongs to the caller (the contract of Kernel).
        unsafe { *self.start.offset(self.offset(i)) = value }
    }
}
