//! The columns of a thread's lanes, and how they are read and written.

use isobar_core::kernel::WARP;
use isobar_core::{Column, FieldMut, Lanes};

/// The columns that a CPU computes at a time: 64 bytes, the widest vector.
pub(crate) const fn vector<R>() -> usize {
    if size_of::<R>() == 4 { 16 } else { 8 }
}

/// Neighbouring columns, one a lane. The last tile repeats the batch's last column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile<const W: usize> {
    lanes: Lanes<W>,
    first: usize,
    columns: usize,
}

impl<const W: usize> Tile<W> {
    /// The lanes' columns of an item.
    #[inline(always)]
    pub(crate) fn new(index: usize, lanes: Lanes<W>, columns: usize) -> Self {
        Self { lanes, first: index * WARP + lanes.first(), columns }
    }

    /// Is a flag set in any lane of the warp? Only skips work: what a lane computes does not depend on it.
    #[inline(always)]
    pub(crate) fn any(&self, flags: &[u32; W]) -> bool {
        self.lanes.any(flags)
    }

    #[inline(always)]
    fn whole(&self) -> bool {
        W > 1 && self.first + W <= self.columns
    }

    /// One value a column; zeros of a field that is left out.
    #[inline(always)]
    pub(crate) fn read<T: Copy + Default>(&self, values: &Column<'_, T>) -> [T; W] {
        if values.is_empty() {
            return [T::default(); W];
        }
        if self.whole() && values.stride() == 1 && self.first + W <= values.len() {
            // SAFETY: W neighbours, 1 apart, of a view all of which can be read.
            return unsafe { values.as_ptr().add(self.first).cast::<[T; W]>().read_unaligned() };
        }
        let mut read = [T::default(); W];
        for lane in 0..W {
            read[lane] = values.at((self.first + lane).min(self.columns - 1));
        }
        read
    }

    /// Writes one value a column, for the lanes whose column is in the batch; nothing to a field that is left out.
    #[inline(always)]
    pub(crate) fn write<T: Copy>(&self, field: &FieldMut<'_, T>, values: [T; W]) {
        if field.is_empty() || (self.whole() && field.put_neighbours(0, self.first, values)) {
            return;
        }
        for lane in 0..W {
            if self.first + lane < self.columns {
                field.set(0, self.first + lane, values[lane]);
            }
        }
    }
}
