//! Numbers of the active cells: entry by entry, the lanes of a team side by side.

use isobar_core::kernel::WARP;
use isobar_core::{Column, Near, Real, Trusted};

use crate::physics::index::Index;

/// Entries of `V` numbers each. Who made the block vouched for all entries that are asked for; debug builds check them.
pub(crate) trait Numbers<R, const V: usize>: Copy {
    /// The entries from one on.
    fn from(self, entry: usize) -> Self;
    /// The entries from a number of bytes on.
    fn at_byte(self, bytes: usize) -> Self;
    /// An entry of all lanes.
    fn get(self, entry: usize) -> [R; V];
    /// Sets an entry of all lanes.
    fn set(self, entry: usize, values: [R; V]);
    /// An entry of one lane, which is below `V`.
    fn lane(self, entry: usize, lane: usize) -> R;
    /// Sets an entry of one lane, which is below `V`.
    fn set_lane(self, entry: usize, lane: usize, value: R);
}

/// How many entries a block has; nothing but in debug builds.
#[derive(Clone, Copy, Debug)]
struct Count {
    #[cfg(debug_assertions)]
    entries: usize,
}

#[cfg_attr(not(debug_assertions), allow(unused_variables))]
impl Count {
    #[inline(always)]
    fn new(entries: usize) -> Self {
        Self {
            #[cfg(debug_assertions)]
            entries,
        }
    }

    /// Those from one on.
    #[inline(always)]
    fn from(self, entry: usize) -> Self {
        Self {
            #[cfg(debug_assertions)]
            entries: self.entries.saturating_sub(entry),
        }
    }

    #[inline(always)]
    fn check(self, entry: usize) {
        #[cfg(debug_assertions)]
        assert!(entry < self.entries, "entry {entry} of {}", self.entries);
    }
}

/// Entries of `V` lanes each, of which this thread has all (a CPU), or one of a warp's (a GPU, `V = 1`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<R, const V: usize> {
    start: *mut R,
    count: Count,
}

impl<R, const V: usize> Block<R, V> {
    /// The numbers from one entry to the next.
    pub(crate) const PITCH: usize = if V == 1 { WARP } else { V };

    /// A number of entries from `start` on, where those of the first lane begin, as seen from lane number `lane`.
    ///
    /// # Safety
    /// The entries lie in memory that nobody else uses, and no others are asked for.
    #[inline(always)]
    pub(crate) unsafe fn new(start: *mut R, lane: usize, entries: usize) -> Self {
        Self { start: start.wrapping_add(lane), count: Count::new(entries) }
    }
}

impl<R: Real, const V: usize> Block<R, V> {
    #[inline(always)]
    fn address(self, entry: usize, lane: usize) -> *mut R {
        self.count.check(entry);
        // SAFETY: `new` has it that the entry is one of the block's.
        unsafe { self.start.add(entry * Self::PITCH + lane) }
    }
}

impl<R: Real, const V: usize> Numbers<R, V> for Block<R, V> {
    #[inline(always)]
    fn from(self, entry: usize) -> Self {
        Self { start: self.start.wrapping_add(entry * Self::PITCH), count: self.count.from(entry) }
    }

    #[inline(always)]
    fn at_byte(self, bytes: usize) -> Self {
        let entry = bytes / (Self::PITCH * size_of::<R>());
        Self { start: self.start.wrapping_byte_add(bytes), count: self.count.from(entry) }
    }

    #[inline(always)]
    fn get(self, entry: usize) -> [R; V] {
        // SAFETY: `new` has it that the entry is one of the block's.
        unsafe { self.address(entry, 0).cast::<[R; V]>().read() }
    }

    #[inline(always)]
    fn set(self, entry: usize, values: [R; V]) {
        // SAFETY: as above.
        unsafe { self.address(entry, 0).cast::<[R; V]>().write(values) }
    }

    #[inline(always)]
    fn lane(self, entry: usize, lane: usize) -> R {
        debug_assert!(lane < V);
        // SAFETY: as above.
        unsafe { *self.address(entry, lane) }
    }

    #[inline(always)]
    fn set_lane(self, entry: usize, lane: usize, value: R) {
        debug_assert!(lane < V);
        // SAFETY: as above.
        unsafe { *self.address(entry, lane) = value }
    }
}

/// Entries of `V` numbers each in the shared memory of a GPU's block, for all lanes of the warp.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedBlock<const V: usize> {
    start: Near<f64>,
    count: Count,
}

impl<const V: usize> SharedBlock<V> {
    /// A number of entries from `start` on.
    ///
    /// # Safety
    /// The entries lie in the shared memory, the lanes of the warp alone use them, and no others are asked for.
    #[inline(always)]
    pub(crate) unsafe fn new(start: *mut f64, entries: usize) -> Self {
        Self { start: Near::new(start), count: Count::new(entries) }
    }

    #[inline(always)]
    fn address(self, entry: usize, lane: usize) -> Near<f64> {
        self.count.check(entry);
        self.start.beyond(entry * V + lane)
    }
}

impl<const V: usize> Numbers<f64, V> for SharedBlock<V> {
    #[inline(always)]
    fn from(self, entry: usize) -> Self {
        Self { start: self.start.beyond(entry * V), count: self.count.from(entry) }
    }

    #[inline(always)]
    fn at_byte(self, bytes: usize) -> Self {
        Self { start: self.start.beyond_bytes(bytes), count: self.count.from(bytes / (V * size_of::<f64>())) }
    }

    #[inline(always)]
    fn get(self, entry: usize) -> [f64; V] {
        // SAFETY: `new` has it that the entry is one of the block's.
        unsafe { self.address(entry, 0).read() }
    }

    #[inline(always)]
    fn set(self, entry: usize, values: [f64; V]) {
        // SAFETY: as above.
        unsafe { self.address(entry, 0).write(values) }
    }

    #[inline(always)]
    fn lane(self, entry: usize, lane: usize) -> f64 {
        debug_assert!(lane < V);
        // SAFETY: as above.
        unsafe { self.address(entry, lane).read::<1>()[0] }
    }

    #[inline(always)]
    fn set_lane(self, entry: usize, lane: usize, value: f64) {
        debug_assert!(lane < V);
        // SAFETY: as above.
        unsafe { self.address(entry, lane).write([value]) }
    }
}

/// A table that is read from its start to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<I> {
    next: *const I,
    count: Count,
}

impl<I: Index> Reader<I> {
    /// The table, whose numbers lie one after the other.
    #[inline(always)]
    pub(crate) fn new(table: Trusted<'_, Column<'_, I>>) -> Self {
        Self { next: table.as_ptr(), count: Count::new(table.len()) }
    }

    /// Goes on behind some numbers, which the table has.
    #[inline(always)]
    pub(crate) fn skip(&mut self, numbers: usize) {
        self.next = self.next.wrapping_add(numbers);
        self.count = self.count.from(numbers);
    }

    /// The next number, which the table has.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> usize {
        self.count.check(0);
        // SAFETY: who vouched for the table knows that no more are asked for than it has.
        let index = unsafe { *self.next };
        self.next = self.next.wrapping_add(1);
        self.count = self.count.from(1);
        index.place()
    }
}

/// The terms of a sum that are added one after the other; more are summed in parts of as many, the parts then in their
/// order. So no sum is a long chain, for which the workers of a warp would have to wait.
pub(crate) const PART: usize = 32;

/// `a b + c` in each lane, rounded once.
macro_rules! fused {
    ($sum:ident, $a:expr, $b:expr) => {
        for lane in 0..V {
            $sum[lane] = isobar_core::Real::mul_add($a[lane], $b[lane], $sum[lane]);
        }
    };
}
pub(crate) use fused;

/// Adds `$count` products, each a pair of factors, to a sum, in parts of [`PART`].
macro_rules! add_products {
    ($sum:ident, $count:expr, $factors:expr) => {
        let mut left: usize = $count;
        let first = left.min(crate::schedule::numbers::PART);
        for _ in 0..first {
            let (a, b) = $factors;
            crate::schedule::numbers::fused!($sum, a, b);
        }
        left -= first;
        while left > 0 {
            // What is added to it does not change, not even a zero.
            let mut part = [-R::ZERO; V];
            let some = left.min(crate::schedule::numbers::PART);
            for _ in 0..some {
                let (a, b) = $factors;
                crate::schedule::numbers::fused!(part, a, b);
            }
            for lane in 0..V {
                $sum[lane] += part[lane];
            }
            left -= some;
        }
    };
}
pub(crate) use add_products;
