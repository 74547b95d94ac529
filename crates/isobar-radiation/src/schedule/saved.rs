//! Rows of lanes that a warp keeps on its way down, and sums that it leaves.

use isobar_core::kernel::WARP;
use isobar_core::{FieldMut, Lanes, Real};

use crate::arguments::SUMS;

/// Rows of the lanes of a warp: in a CPU's memory of the thread's own, in a GPU's of the column's and warp's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Saved<R> {
    start: *mut R,
}

impl<R: Real> Saved<R> {
    /// `rows` rows of a column and warp.
    ///
    /// # Safety
    /// A CPU's thread has the memory of them, on a GPU each column has those of all warps.
    #[inline(always)]
    pub(crate) unsafe fn new<const W: usize>(
        saved: &FieldMut<'_, R>,
        (column, segment, rows): (usize, usize, usize),
        lanes: Lanes<W>,
    ) -> Self {
        let start = if W == 1 {
            let column = saved.as_ptr().wrapping_offset(column as isize * saved.strides().1);
            column.wrapping_add(segment * rows * WARP + lanes.first())
        } else {
            lanes.memory()
        };
        Self { start }
    }

    /// Keeps a row.
    #[inline(always)]
    pub(crate) fn put<const W: usize>(&self, row: usize, values: [R; W]) {
        // SAFETY: the contract of `new`: rows are below those that there are.
        unsafe { self.start.add(row * WARP).cast::<[R; W]>().write(values) };
    }

    /// The row.
    #[inline(always)]
    pub(crate) fn get<const W: usize>(&self, row: usize) -> [R; W] {
        // SAFETY: as above, and it was kept before.
        unsafe { self.start.add(row * WARP).cast::<[R; W]>().read() }
    }
}

/// Sums over the g-points of a warp in a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sums<R> {
    start: *mut R,
}

impl<R: Real> Sums<R> {
    /// Those of a column and warp.
    ///
    /// # Safety
    /// Each column has [`SUMS`] numbers for each warp and level.
    #[inline(always)]
    pub(crate) unsafe fn new(sums: &FieldMut<'_, R>, column: usize, segment: usize, levels: usize) -> Self {
        let column = sums.as_ptr().wrapping_offset(column as isize * sums.strides().1);
        Self { start: column.wrapping_add(segment * levels * SUMS) }
    }

    #[inline(always)]
    fn at(&self, level: usize, which: usize) -> *mut R {
        self.start.wrapping_add(level * SUMS + which)
    }

    /// Puts a sum times a weight, and adds it to what is there unless it is the first.
    #[inline(always)]
    fn put(&self, level: usize, which: usize, sum: R, (weight, first): (R, bool)) {
        let place = self.at(level, which);
        // SAFETY: the contract of `new`; one lane has the place.
        unsafe {
            let before = if first { R::ZERO } else { place.read() };
            place.write(before + weight * sum);
        }
    }

    /// Sums two neighbouring quantities at a level, times a weight, and adds them to what is there unless they are the
    /// first.
    #[inline(always)]
    pub(crate) fn put_two<const W: usize>(
        &self,
        (level, which): (usize, usize),
        values: [[R; W]; 2],
        lanes: Lanes<W>,
        scale: (R, bool),
    ) {
        let sums = lanes.sum_two(values[0], values[1]);
        if W == 1 {
            // Each half of the warp has one sum.
            if lanes.first() & 15 == 0 {
                self.put(level, which + (lanes.first() >> 4), sums[0], scale);
            }
        } else {
            self.put(level, which, sums[0], scale);
            self.put(level, which + 1, sums[1], scale);
        }
    }

    /// Puts the sums of three quantities.
    #[inline(always)]
    pub(crate) fn put_three<const W: usize>(
        &self,
        (level, which): (usize, usize),
        values: [[R; W]; 3],
        lanes: Lanes<W>,
        scale: (R, bool),
    ) {
        let [first, second, third] = values;
        if W == 1 {
            let sums = lanes.sum_four([first, second, third, [R::ZERO; W]]);
            let quarter = lanes.first() >> 3;
            if lanes.first() & 7 == 0 && quarter < 3 {
                self.put(level, which + quarter, sums[0], scale);
            }
        } else {
            self.put(level, which, lanes.sum(first), scale);
            self.put(level, which + 1, lanes.sum(second), scale);
            self.put(level, which + 2, lanes.sum(third), scale);
        }
    }
}
