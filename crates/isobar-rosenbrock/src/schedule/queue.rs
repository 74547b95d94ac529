//! Which lane takes which cell.

use core::sync::atomic::{AtomicUsize, Ordering};

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};

use crate::schedule::team::Team;

/// Where the lanes of an item get their cells.
pub(crate) trait Supply {
    /// Is there none left?
    fn is_empty(&self) -> bool;

    /// The next cell for each lane that wants one; [`NONE`] for the others and when there is none left.
    fn take<R: Real, const V: usize>(&mut self, team: impl Team<R, V>, wants: &[u32; V]) -> [usize; V];
}

/// A queue that items of a CPU share: a thread whose cells take few steps takes more of them.
#[derive(Debug)]
pub(crate) struct SharedQueue<'a> {
    taken: &'a AtomicUsize,
    end: usize,
    is_empty: bool,
}

impl<'a> SharedQueue<'a> {
    /// The cells from what `taken` is now up to `end`.
    pub(crate) fn new(taken: &'a AtomicUsize, end: usize) -> Self {
        Self { taken, end, is_empty: false }
    }
}

impl Supply for SharedQueue<'_> {
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.is_empty
    }

    #[inline(always)]
    fn take<R: Real, const V: usize>(&mut self, team: impl Team<R, V>, wants: &[u32; V]) -> [usize; V] {
        let count = wants.iter().map(|&wants| wants as usize).sum();
        if count == 0 {
            return [NONE; V];
        }
        let first = self.taken.fetch_add(count, Ordering::Relaxed);
        self.is_empty = first + count >= self.end;
        team.take(&mut Queue::new(first, self.end), wants)
    }
}

impl Supply for Queue {
    #[inline(always)]
    fn is_empty(&self) -> bool {
        Self::is_empty(self)
    }

    #[inline(always)]
    fn take<R: Real, const V: usize>(&mut self, team: impl Team<R, V>, wants: &[u32; V]) -> [usize; V] {
        team.take(self, wants)
    }
}

/// The cells of an item that no lane has taken yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queue {
    next: usize,
    end: usize,
}

/// No cell.
pub(crate) const NONE: usize = usize::MAX;

impl Queue {
    pub(crate) fn new(next: usize, end: usize) -> Self {
        Self { next, end }
    }

    /// Is there none left?
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.next >= self.end
    }

    /// The next cell; [`NONE`] when there is none left.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> usize {
        let cell = if self.is_empty() { NONE } else { self.next };
        self.next += 1;
        cell
    }

    /// The next cell for each lane that wants one, in the order of lanes; [`NONE`] for the others and when there is
    /// none left.
    ///
    /// All lanes of the team come by.
    #[inline(always)]
    pub(crate) fn take<const V: usize>(&mut self, wants: &[u32; V], lanes: Lanes<V>) -> [usize; V] {
        let mut before = [0.0; V];
        let mut count = [0.0; V];
        for lane in 0..V {
            count[lane] = f64::from(wants[lane]);
        }
        let team = if V == 1 { WARP } else { V };
        let mut distance = 1;
        while distance < team {
            let other = lanes.exchange(count, distance);
            for lane in 0..V {
                if (lanes.first() + lane) & distance != 0 {
                    before[lane] += other[lane];
                }
                count[lane] += other[lane];
            }
            distance *= 2;
        }
        let mut cells = [NONE; V];
        for lane in 0..V {
            let cell = self.next + before[lane] as usize;
            if wants[lane] != 0 && cell < self.end {
                cells[lane] = cell;
            }
        }
        self.next += count[0] as usize;
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::{NONE, Queue};
    use isobar_core::Lanes;

    #[test]
    fn cells_go_out_in_the_order_of_lanes() {
        let mut queue = Queue::new(10, 15);
        let lanes = Lanes::<8>::starting_at(0);
        assert_eq!(queue.take(&[0, 1, 0, 1, 1, 0, 0, 0], lanes), [NONE, 10, NONE, 11, 12, NONE, NONE, NONE]);
        assert!(!queue.is_empty());
        assert_eq!(queue.take(&[1, 1, 1, 0, 0, 0, 0, 0], lanes), [13, 14, NONE, NONE, NONE, NONE, NONE, NONE]);
        assert!(queue.is_empty());
    }
}
