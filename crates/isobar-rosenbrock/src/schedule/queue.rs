//! Which lane takes which cell.

use isobar_core::Lanes;
use isobar_core::kernel::WARP;

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
