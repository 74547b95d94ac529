//! Who computes a cell: one worker, as a CPU's thread does, or the lanes of a warp, which share its reactions, species
//! and matrix entries.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};

use crate::schedule::numbers::{Block, Numbers, SharedBlock};
use crate::schedule::queue::{NONE, Queue};

/// The parts in which the error of a step is summed, on any device: a warp's lanes have one each.
const PARTS: usize = WARP;

/// Workers that compute `V` cells at a time, each of them all of these cells.
pub(crate) trait Team<R: Real, const V: usize>: Copy {
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

    /// The sum of squares of the entries' values: each 32nd one in their order, and these parts as [`Lanes::sum`] does
    /// it.
    fn sum_of_squares(&self, entries: Self::Numbers, count: usize) -> [f64; V];
}

/// Who watches which cells of a team, `F` of them a worker: one worker all, the workers of a warp one each in turn,
/// with all that belongs to it at hand.
pub(crate) trait Owner<const V: usize, const F: usize>: Copy {
    /// The cell that a worker watches as its `number`.
    fn owned(&self, number: usize) -> usize;

    /// What all know of that cell.
    fn of_own<T: Copy>(&self, all: &[T; V], number: usize) -> T;

    /// Does the worker write what becomes of the cells that it watches?
    fn writes(&self) -> bool;

    /// The flags of all cells, from those who watch them. All workers come by.
    fn all_flags(&self, own: [u32; F]) -> [u32; V];

    /// The numbers of all cells, from those who watch them.
    fn all(&self, own: [f64; F]) -> [f64; V];
}

/// A loop over `0..count` that the workers share.
macro_rules! shared {
    ($team:ident: $type:ident, $i:ident < $count:expr => $body:block) => {
        let mut $i = $team.worker();
        let count = $count;
        while $i < count {
            $body
            $i += $type::WORKERS;
        }
    };
}
pub(crate) use shared;

/// A loop that the workers share, over what a table says (`$first`) and what is read by that (`$second`). The workers
/// of a warp read both some rounds before they need them, for they come from far away; one worker reads them where they
/// are needed.
macro_rules! ahead {
    (
        $team:ident: $type:ident, $i:ident < $count:expr,
        $first:ident = $table:expr, $second:ident = $value:expr => $body:block
    ) => {
        let count = $count;
        let mut next = $team.worker();
        if $type::WORKERS == 1 {
            while next < count {
                let $i = next;
                let $first = $table;
                let $second = $value;
                $body
                next += 1;
            }
        } else if count > 0 {
            macro_rules! table {
                ($by:expr) => {{
                    // Beyond the last one it is read again.
                    let $i = (next + $by * $type::WORKERS).min(count - 1);
                    $table
                }};
            }
            macro_rules! value {
                ($first_of:expr, $by:expr) => {{
                    let $i = (next + $by * $type::WORKERS).min(count - 1);
                    let $first = $first_of;
                    let _ = ($i, $first);
                    $value
                }};
            }
            let mut tables = [table!(0), table!(1), table!(2), table!(3)];
            let mut values = [value!(tables[0], 0), value!(tables[1], 1)];
            while next < count {
                let ($first, $second) = (tables[0], values[0]);
                tables = [tables[1], tables[2], tables[3], table!(4)];
                values = [values[1], value!(tables[1], 2)];
                let $i = next;
                $body
                next += $type::WORKERS;
            }
        }
    };
}
pub(crate) use ahead;

/// The sum of what a part and the one at a distance come to; parts from `count` on are 0.
macro_rules! halves {
    ($first:expr, $distance:literal, $count:expr, |$part:ident| $sum:expr) => {{
        let mut both = [0.0; V];
        let first: usize = $first;
        let mut $part = first;
        while $part <= first + $distance && $part < $count {
            let one: [f64; V] = $sum;
            for lane in 0..V {
                both[lane] += one[lane];
            }
            $part += $distance;
        }
        both
    }};
}

/// One worker for `V` cells: a CPU's thread, or a lane of a GPU's warp, whose other lanes have other cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneWorker<const V: usize>(pub(crate) Lanes<V>);

impl<R: Real, const V: usize> Team<R, V> for OneWorker<V> {
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

    #[allow(clippy::almost_swapped, reason = "a part's parts have its name")]
    #[inline(always)]
    fn sum_of_squares(&self, entries: Block<R, V>, count: usize) -> [f64; V] {
        // Sums of sums, and no list of parts, for which a GPU's lane would have to go to memory.
        halves!(0, 1, count, |part| halves!(part, 2, count, |part| halves!(part, 4, count, |part| halves!(
            part,
            8,
            count,
            |part| halves!(part, 16, count, |part| {
                let mut sum = [0.0; V];
                let mut i = part;
                while i < count {
                    let value = entries.get(i);
                    for lane in 0..V {
                        sum[lane] = Real::mul_add(value[lane].value(), value[lane].value(), sum[lane]);
                    }
                    i += PARTS;
                }
                sum
            })
        ))))
    }
}

impl<const V: usize> Owner<V, V> for OneWorker<V> {
    #[inline(always)]
    fn owned(&self, number: usize) -> usize {
        number
    }

    #[inline(always)]
    fn of_own<T: Copy>(&self, all: &[T; V], number: usize) -> T {
        all[number]
    }

    #[inline(always)]
    fn writes(&self) -> bool {
        true
    }

    #[inline(always)]
    fn all_flags(&self, own: [u32; V]) -> [u32; V] {
        own
    }

    #[inline(always)]
    fn all(&self, own: [f64; V]) -> [f64; V] {
        own
    }
}

/// The lanes of a GPU's warp, all for the same `V` cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WholeWarp(pub(crate) Lanes<1>);

impl<const V: usize> Team<f64, V> for WholeWarp {
    type Numbers = SharedBlock<V>;
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
    fn sum_of_squares(&self, entries: SharedBlock<V>, count: usize) -> [f64; V] {
        let mut sum = [0.0; V];
        let mut i = self.0.first();
        while i < count {
            let value = entries.get(i);
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

impl<const V: usize> Owner<V, 1> for WholeWarp {
    #[inline(always)]
    fn owned(&self, _: usize) -> usize {
        self.0.first() % V
    }

    #[inline(always)]
    fn of_own<T: Copy>(&self, all: &[T; V], number: usize) -> T {
        // By choice: what is found by its number lies in slow memory.
        let mut own = all[0];
        for cell in 1..V {
            if Owner::<V, 1>::owned(self, number) == cell {
                own = all[cell];
            }
        }
        own
    }

    #[inline(always)]
    fn writes(&self) -> bool {
        self.0.first() < V
    }

    #[inline(always)]
    fn all_flags(&self, own: [u32; 1]) -> [u32; V] {
        let bits = self.0.ballot(&own);
        let mut all = [0; V];
        for cell in 0..V {
            all[cell] = bits >> cell & 1;
        }
        all
    }

    #[inline(always)]
    fn all(&self, own: [f64; 1]) -> [f64; V] {
        let mut all = [0.0; V];
        for cell in 0..V {
            all[cell] = self.0.gather(own, |_| cell)[0];
        }
        all
    }
}
