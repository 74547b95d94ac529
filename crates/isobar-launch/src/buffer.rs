//! Memory that lives on a device.

use isobar_core::{Column, Field, FieldMut};

use crate::{Device, Plain, cuda};

/// Values in the memory of one device, made by a [`crate::Queue`].
///
/// They stay there from step to step; [`crate::Queue::to_host`] is the only way back. A kernel gets at them
/// through views, which borrow the buffer: the compiler refuses a kernel that reads what it writes, on both devices.
///
/// A view of a buffer is an address of the buffer's device. It is made to be put into a kernel's arguments and launched
/// on a queue of that device; reading a GPU's view on the host ends the process with a memory fault.
///
/// ```compile_fail,E0502
/// # use isobar_core::selftest::TeamSum;
/// # use isobar_launch::{Device, Queue};
/// # let queue = Queue::new(Device::Cpu)?;
/// let mut values = queue.zeros::<f64>(32)?;
/// let kernel = TeamSum { values: values.item_fastest(32, 1), sums: values.item_fastest_mut(1, 1) };
/// # let _ = kernel; Ok::<(), isobar_launch::Error>(())
/// ```
pub struct Buffer<T: Plain> {
    pub(crate) memory: Memory<T>,
}

/// Where the values are.
pub(crate) enum Memory<T: Plain> {
    Host(Vec<T>),
    Cuda(cuda::Memory<T>),
}

/// No values.
impl<T: Plain> Default for Buffer<T> {
    fn default() -> Self {
        Self { memory: Memory::Host(Vec::new()) }
    }
}

impl<T: Plain> Buffer<T> {
    /// The number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.memory {
            Memory::Host(values) => values.len(),
            Memory::Cuda(memory) => memory.len(),
        }
    }

    /// Is there no value?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The device on which the values live.
    #[must_use]
    pub fn device(&self) -> Device {
        match &self.memory {
            Memory::Host(_) => Device::Cpu,
            Memory::Cuda(memory) => memory.device(),
        }
    }

    /// A view of all values.
    #[must_use]
    pub fn column(&self) -> Column<'_, T> {
        // SAFETY: the buffer has len values, borrowed as long as the view lives.
        unsafe { Column::from_raw(self.start(), self.len(), 1) }
    }

    /// A view in which neighbouring items are adjacent: `buffer[level * items + item]`.
    ///
    /// # Panics
    /// If the buffer has fewer than `levels * items` values; it may have more, which are left alone.
    #[must_use]
    pub fn item_fastest(&self, levels: usize, items: usize) -> Field<'_, T> {
        self.check(levels, items);
        // SAFETY: the strides stay inside the buffer, whose size was checked and which the view borrows.
        unsafe { Field::from_raw(self.start(), levels, items, items as isize, 1) }
    }

    /// A view in which neighbouring levels are adjacent: `buffer[item * levels + level]`.
    ///
    /// # Panics
    /// As [`Buffer::item_fastest`].
    #[must_use]
    pub fn level_fastest(&self, levels: usize, items: usize) -> Field<'_, T> {
        self.check(levels, items);
        // SAFETY: as above.
        unsafe { Field::from_raw(self.start(), levels, items, 1, levels as isize) }
    }

    /// [`Buffer::item_fastest`], to write.
    ///
    /// # Panics
    /// As [`Buffer::item_fastest`].
    #[must_use]
    pub fn item_fastest_mut(&mut self, levels: usize, items: usize) -> FieldMut<'_, T> {
        self.check(levels, items);
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { FieldMut::from_raw(self.start_mut(), levels, items, items as isize, 1) }
    }

    /// [`Buffer::level_fastest`], to write.
    ///
    /// # Panics
    /// As [`Buffer::item_fastest`].
    #[must_use]
    pub fn level_fastest_mut(&mut self, levels: usize, items: usize) -> FieldMut<'_, T> {
        self.check(levels, items);
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { FieldMut::from_raw(self.start_mut(), levels, items, 1, levels as isize) }
    }

    /// A view of rows of neighbouring items that begin at value `first`.
    ///
    /// # Panics
    /// If the buffer has fewer values.
    #[must_use]
    pub fn rows(&self, first: usize, rows: usize, items: usize) -> Field<'_, T> {
        let end = rows.checked_mul(items).and_then(|values| values.checked_add(first));
        assert!(
            end.is_some_and(|end| end <= self.len()),
            "{rows} rows of {items} items from value {first} on do not fit"
        );
        // SAFETY: the rows stay inside the buffer, whose size was checked and which the view borrows.
        unsafe { Field::from_raw(self.start().wrapping_add(first), rows, items, items as isize, 1) }
    }

    /// A view in which every row and item is value `index`.
    ///
    /// # Panics
    /// If the buffer has no such value.
    #[must_use]
    pub fn constant(&self, index: usize, rows: usize, items: usize) -> Field<'_, T> {
        assert!(index < self.len(), "there is no value {index}");
        // SAFETY: with strides of zero every place is the one value, which the view borrows.
        unsafe { Field::from_raw(self.start().wrapping_add(index), rows, items, 0, 0) }
    }

    /// Views of consecutive parts, whose numbers of levels are `levels`, with neighbouring items adjacent.
    ///
    /// # Panics
    /// If the buffer has fewer values.
    pub fn parts<'a>(&'a self, levels: &[usize], items: usize) -> impl Iterator<Item = Field<'a, T>> + use<'a, T> {
        self.check(levels.iter().sum(), items);
        let (start, offsets) = (self.start(), offsets(levels, items));
        offsets.into_iter().map(move |(offset, levels)| {
            // SAFETY: the parts stay inside the buffer, whose size was checked and which the views borrow.
            unsafe { Field::from_raw(start.wrapping_add(offset), levels, items, items as isize, 1) }
        })
    }

    /// [`Buffer::parts`], to write.
    ///
    /// # Panics
    /// As [`Buffer::parts`].
    pub fn parts_mut<'a>(
        &'a mut self,
        levels: &[usize],
        items: usize,
    ) -> impl Iterator<Item = FieldMut<'a, T>> + use<'a, T> {
        self.check(levels.iter().sum(), items);
        let (start, offsets) = (self.start_mut(), offsets(levels, items));
        offsets.into_iter().map(move |(offset, levels)| {
            // SAFETY: as above; the borrow is exclusive, and the parts do not overlap.
            unsafe { FieldMut::from_raw(start.wrapping_add(offset), levels, items, items as isize, 1) }
        })
    }

    fn check(&self, levels: usize, items: usize) {
        let needed = levels.checked_mul(items).expect("levels * items is no size");
        assert!(needed <= self.len(), "{levels} levels of {items} items do not fit into {} values", self.len());
    }

    fn start(&self) -> *const T {
        match &self.memory {
            Memory::Host(values) => values.as_ptr(),
            Memory::Cuda(memory) => memory.start().cast_const(),
        }
    }

    pub(crate) fn start_mut(&mut self) -> *mut T {
        match &mut self.memory {
            Memory::Host(values) => values.as_mut_ptr(),
            Memory::Cuda(memory) => memory.start(),
        }
    }
}

/// Where consecutive parts begin, and their levels.
fn offsets(levels: &[usize], items: usize) -> Vec<(usize, usize)> {
    let mut offset = 0;
    let place = |&levels: &usize| {
        let place = (offset, levels);
        offset += levels * items;
        place
    };
    levels.iter().map(place).collect()
}

impl<T: Plain> std::fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer({} values on {})", self.len(), self.device())
    }
}
