//! Who computes a cell: one worker, as a CPU's thread does, or the lanes of a warp, which share its reactions, species and matrix entries.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};

use crate::block::{Block, NearBlock, Numbers};
use crate::queue::{NONE, Queue};

/// The parts in which the error of a step is summed, on any device: a warp's lanes have one each.
const PARTS: usize = WARP;

/// Workers that compute `V` cells at a time, each of them all of these cells.
pub(crate) trait Crew<R: Real, const V: usize>: Copy {
    /// Where the numbers of the cells are.
    type Numbers: Numbers<R, V>;
    /// How many there are.
    const WORKERS: usize;

    /// The number of the calling one.
    fn worker(&self) -> usize;

    /// Waits until all workers have written what they have written.
    fn wait(&self);

    /// Is a flag set by any worker? All of them come by.
    fn any(&self, flags: [u32; V]) -> [u32; V];

    /// Is a flag set for any cell of the team?
    fn any_cell(&self, flags: &[u32; V]) -> bool;

    /// The next cells for those who want one.
    fn take(&self, queue: &mut Queue, wants: &[u32; V]) -> [usize; V];

    /// The sum of squares of the entries' values: each 32nd one in their order, and these parts as [`Lanes::sum`] does it.
    ///
    /// # Safety
    /// The entries are within the room.
    unsafe fn sum_of_squares(&self, entries: Self::Numbers, count: usize) -> [f64; V];
}

/// A loop over `0..count` that the workers share.
macro_rules! shared {
    ($crew:ident: $type:ident, $i:ident < $count:expr => $body:block) => {
        let mut $i = $crew.worker();
        let count = $count;
        while $i < count {
            $body
            $i += $type::WORKERS;
        }
    };
}
pub(crate) use shared;

/// One worker for `V` cells: a CPU's thread, or a lane of a GPU's warp, whose other lanes have other cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alone<const V: usize>(pub(crate) Lanes<V>);

impl<R: Real, const V: usize> Crew<R, V> for Alone<V> {
    type Numbers = Block<R, V>;
    const WORKERS: usize = 1;

    #[inline(always)]
    fn worker(&self) -> usize {
        0
    }

    #[inline(always)]
    fn wait(&self) {}

    #[inline(always)]
    fn any(&self, flags: [u32; V]) -> [u32; V] {
        flags
    }

    #[inline(always)]
    fn any_cell(&self, flags: &[u32; V]) -> bool {
        self.0.any(flags)
    }

    #[inline(always)]
    fn take(&self, queue: &mut Queue, wants: &[u32; V]) -> [usize; V] {
        queue.take(wants, self.0)
    }

    #[inline(always)]
    unsafe fn sum_of_squares(&self, entries: Block<R, V>, count: usize) -> [f64; V] {
        let mut parts = [[0.0; V]; PARTS];
        for i in 0..count {
            // SAFETY: the caller's.
            let value = unsafe { entries.get(i) };
            let part = &mut parts[i % PARTS];
            for lane in 0..V {
                part[lane] = Real::mul_add(value[lane].value(), value[lane].value(), part[lane]);
            }
        }
        let mut distance = PARTS / 2;
        while distance > 0 {
            // Parts without terms are 0.
            for part in 0..distance.min(count.saturating_sub(distance)) {
                for lane in 0..V {
                    parts[part][lane] += parts[part + distance][lane];
                }
            }
            distance /= 2;
        }
        parts[0]
    }
}

/// The lanes of a GPU's warp, all for the same `V` cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Together(pub(crate) Lanes<1>);

impl<const V: usize> Crew<f64, V> for Together {
    type Numbers = NearBlock<V>;
    const WORKERS: usize = WARP;

    #[inline(always)]
    fn worker(&self) -> usize {
        self.0.first()
    }

    #[inline(always)]
    fn wait(&self) {
        self.0.wait();
    }

    #[inline(always)]
    fn any(&self, flags: [u32; V]) -> [u32; V] {
        let mut any = flags;
        for lane in 0..V {
            any[lane] = u32::from(self.0.any(&[flags[lane]]));
        }
        any
    }

    #[inline(always)]
    fn any_cell(&self, flags: &[u32; V]) -> bool {
        // Every lane knows all cells.
        let mut any = 0;
        for lane in 0..V {
            any |= flags[lane];
        }
        any != 0
    }

    #[inline(always)]
    fn take(&self, queue: &mut Queue, wants: &[u32; V]) -> [usize; V] {
        let mut cells = [NONE; V];
        for lane in 0..V {
            if wants[lane] != 0 {
                cells[lane] = queue.next();
            }
        }
        cells
    }

    #[inline(always)]
    unsafe fn sum_of_squares(&self, entries: NearBlock<V>, count: usize) -> [f64; V] {
        let mut sum = [0.0; V];
        let mut i = self.0.first();
        while i < count {
            // SAFETY: the caller's.
            let value = unsafe { entries.get(i) };
            for lane in 0..V {
                sum[lane] = Real::mul_add(value[lane], value[lane], sum[lane]);
            }
            i += PARTS;
        }
        for lane in 0..V {
            sum[lane] = self.0.sum([sum[lane]]);
        }
        sum
    }
}
