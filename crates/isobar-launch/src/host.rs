//! A launch on the CPU.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes};
use rayon::prelude::*;

/// Neighbouring items that one thread takes at a time. They share cache lines, for neighbouring items are
/// adjacent in memory; the results do not depend on the number.
const TILE: usize = 32;

/// Computes every item and writes its status; `statuses` has one element an item.
pub(crate) fn launch<K: Kernel>(kernel: &K, statuses: &mut [u32], parallel: bool) {
    debug_assert_eq!(statuses.len(), kernel.items());
    if parallel {
        statuses.par_chunks_mut(TILE).enumerate().for_each(|(tile, part)| run(kernel, tile * TILE, part));
    } else {
        run(kernel, 0, statuses);
    }
}

/// Computes the items from `first` on, one for each status.
fn run<K: Kernel>(kernel: &K, first: usize, statuses: &mut [u32]) {
    for (index, status) in (first..).zip(statuses) {
        *status = if K::TEAM {
            // SAFETY: each index is below items() and computed once; the views are the host's.
            unsafe { kernel.item::<WARP>(index, Lanes::starting_at(0)).0 }
        } else {
            // SAFETY: as above.
            unsafe { kernel.item::<1>(index, Lanes::starting_at(0)).0 }
        };
    }
}
