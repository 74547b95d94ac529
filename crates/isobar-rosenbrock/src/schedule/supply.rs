//! Where an item gets its cells: they are its own, or those of a queue that items share.

use core::sync::atomic::{AtomicUsize, Ordering};

use isobar_core::Real;

use crate::schedule::queue::{NONE, Queue};
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
