//! Numbers of the cells in flight: entry by entry, the lanes of a team side by side.

use isobar_core::kernel::WARP;
use isobar_core::{Near, Real};

use crate::index::Index;

/// Entries of `V` numbers each.
///
/// # Safety of the methods
/// The entries are within the room, and a lane is below `V`.
pub(crate) trait Numbers<R, const V: usize>: Copy {
    /// The entries from one on.
    fn from(self, entry: usize) -> Self;
    /// The entries from so many bytes on.
    fn at_byte(self, bytes: usize) -> Self;
    /// An entry of all lanes.
    unsafe fn get(self, entry: usize) -> [R; V];
    /// Sets an entry of all lanes.
    unsafe fn set(self, entry: usize, values: [R; V]);
    /// An entry of one lane.
    unsafe fn lane(self, entry: usize, lane: usize) -> R;
    /// Sets an entry of one lane.
    unsafe fn set_lane(self, entry: usize, lane: usize, value: R);
}

/// Entries of `V` lanes each, of which this thread has all (a CPU), or one of a warp's (a GPU, `V = 1`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<R, const V: usize> {
    start: *mut R,
}

impl<R, const V: usize> Block<R, V> {
    /// The numbers from one entry to the next.
    pub(crate) const PITCH: usize = if V == 1 { WARP } else { V };

    /// The entries from `start` on, which is the first lane's place, as seen from lane number `lane`.
    ///
    /// # Safety
    /// All entries that are used lie in memory that nobody else uses.
    #[inline(always)]
    pub(crate) unsafe fn new(start: *mut R, lane: usize) -> Self {
        Self { start: start.wrapping_add(lane) }
    }
}

impl<R: Real, const V: usize> Numbers<R, V> for Block<R, V> {
    #[inline(always)]
    fn from(self, entry: usize) -> Self {
        Self { start: self.start.wrapping_add(entry * Self::PITCH) }
    }

    #[inline(always)]
    fn at_byte(self, bytes: usize) -> Self {
        Self { start: self.start.wrapping_byte_add(bytes) }
    }

    #[inline(always)]
    unsafe fn get(self, entry: usize) -> [R; V] {
        // SAFETY: the caller vouches for the place.
        unsafe { self.start.add(entry * Self::PITCH).cast::<[R; V]>().read() }
    }

    #[inline(always)]
    unsafe fn set(self, entry: usize, values: [R; V]) {
        // SAFETY: the caller vouches for the place.
        unsafe { self.start.add(entry * Self::PITCH).cast::<[R; V]>().write(values) }
    }

    #[inline(always)]
    unsafe fn lane(self, entry: usize, lane: usize) -> R {
        // SAFETY: the caller vouches for the place.
        unsafe { *self.start.add(entry * Self::PITCH + lane) }
    }

    #[inline(always)]
    unsafe fn set_lane(self, entry: usize, lane: usize, value: R) {
        // SAFETY: the caller vouches for the place.
        unsafe { *self.start.add(entry * Self::PITCH + lane) = value }
    }
}

/// The same in the scratch of a GPU's block, for all lanes of the warp.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearBlock<const V: usize> {
    start: Near<f64>,
}

impl<const V: usize> NearBlock<V> {
    /// The entries from `start` on.
    #[inline(always)]
    pub(crate) fn new(start: *mut f64) -> Self {
        Self { start: Near::new(start) }
    }
}

impl<const V: usize> Numbers<f64, V> for NearBlock<V> {
    #[inline(always)]
    fn from(self, entry: usize) -> Self {
        Self { start: self.start.beyond(entry * V) }
    }

    #[inline(always)]
    fn at_byte(self, bytes: usize) -> Self {
        Self { start: self.start.beyond_bytes(bytes) }
    }

    #[inline(always)]
    unsafe fn get(self, entry: usize) -> [f64; V] {
        // SAFETY: the caller vouches for the place.
        unsafe { self.start.beyond(entry * V).read() }
    }

    #[inline(always)]
    unsafe fn set(self, entry: usize, values: [f64; V]) {
        // SAFETY: the caller vouches for the place.
        unsafe { self.start.beyond(entry * V).write(values) }
    }

    #[inline(always)]
    unsafe fn lane(self, entry: usize, lane: usize) -> f64 {
        // SAFETY: the caller vouches for the place.
        unsafe { self.start.beyond(entry * V + lane).read::<1>()[0] }
    }

    #[inline(always)]
    unsafe fn set_lane(self, entry: usize, lane: usize, value: f64) {
        // SAFETY: the caller vouches for the place.
        unsafe { self.start.beyond(entry * V + lane).write([value]) }
    }
}

/// A table that is read from its start to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<I> {
    next: *const I,
}

impl<I: Index> Reader<I> {
    #[inline(always)]
    pub(crate) fn new(start: *const I) -> Self {
        Self { next: start }
    }

    /// The next number.
    ///
    /// # Safety
    /// The table has one.
    #[inline(always)]
    pub(crate) unsafe fn next(&mut self) -> usize {
        // SAFETY: the caller knows the table.
        let index = unsafe { *self.next };
        self.next = self.next.wrapping_add(1);
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

/// Adds so many products, each a pair of factors, to a sum, in parts of [`PART`].
macro_rules! add_products {
    ($sum:ident, $count:expr, $factors:expr) => {
        let mut left: usize = $count;
        let first = left.min(crate::block::PART);
        for _ in 0..first {
            let (a, b) = $factors;
            crate::block::fused!($sum, a, b);
        }
        left -= first;
        while left > 0 {
            // What is added to it does not change, not even a zero.
            let mut part = [-R::ZERO; V];
            let some = left.min(crate::block::PART);
            for _ in 0..some {
                let (a, b) = $factors;
                crate::block::fused!(part, a, b);
            }
            for lane in 0..V {
                $sum[lane] += part[lane];
            }
            left -= some;
        }
    };
}
pub(crate) use add_products;
