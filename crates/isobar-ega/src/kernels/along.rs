//! What there is at the points of a path, one after the other.

use core::marker::PhantomData;

use isobar_core::{Field, FieldMut};

/// The values of one item of a field, read without the checks of a view and found by one instruction of a GPU.
#[derive(Clone, Copy, Debug)]
pub(super) struct Along<'a, T> {
    start: *mut T,
    stride_bytes: u32,
    values: PhantomData<&'a mut T>,
}

impl<'a, T: Copy> Along<'a, T> {
    /// The values of an item.
    ///
    /// # Safety
    /// The field has the item, levels of it are less than 4 GiB apart and ascend, and no point is asked for that is not
    /// one of its levels.
    #[inline(always)]
    pub(super) unsafe fn of(field: &FieldMut<'a, T>, item: usize) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::new(field.as_ptr(), field.strides(), item) }
    }

    /// The values of an item of a field that is read alone.
    ///
    /// # Safety
    /// As of [`Along::of`].
    #[inline(always)]
    pub(super) unsafe fn of_read(field: &Field<'a, T>, item: usize) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::new(field.as_ptr().cast_mut(), field.strides(), item) }
    }

    /// # Safety
    /// As of [`Along::of`], of a field that begins there and has these strides.
    #[inline(always)]
    unsafe fn new(field: *mut T, (level_stride, item_stride): (isize, isize), item: usize) -> Self {
        let stride_bytes = level_stride * size_of::<T>() as isize;
        debug_assert!((0..1 << 32).contains(&stride_bytes));
        // SAFETY: the item lies in the field.
        let start = unsafe { field.offset(item as isize * item_stride) };
        Self { start, stride_bytes: stride_bytes as u32, values: PhantomData }
    }

    #[inline(always)]
    fn place(&self, point: u32) -> *mut T {
        self.start.wrapping_byte_add(point as usize * self.stride_bytes as usize)
    }

    /// The value at a point.
    #[inline(always)]
    pub(super) fn at(&self, point: u32) -> T {
        // SAFETY: a level of the field, as `of` was promised.
        unsafe { *self.place(point) }
    }

    /// Sets the value at a point, which belongs to the caller.
    #[inline(always)]
    pub(super) fn set(&self, point: u32, value: T) {
        // SAFETY: as above.
        unsafe { *self.place(point) = value }
    }
}

// SAFETY: it is part of a view, which is sent and shared as well.
unsafe impl<T: Send> Send for Along<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Along<'_, T> {}
