//! A launch on the CPU.

use isobar_core::kernel::WARP;
use isobar_core::{HostScratch, Kernel, Team};
use rayon::prelude::*;

/// Neighbouring items that one thread takes at a time. Items of one lane share cache lines, for neighbours are adjacent in
/// memory; those of a warp or a block are work enough for a task. The results do not depend on it.
const fn tile<K: Kernel>() -> usize {
    match K::TEAM {
        Team::Lane => 32,
        Team::Warp => 4,
        Team::Block { .. } => 1,
    }
}

/// Computes every item and writes its status; `statuses` has one element an item.
///
/// # Panics
/// If the kernel is not compiled for a CPU: the launcher takes its roomier sibling.
pub(crate) fn launch<K: Kernel>(kernel: &K, statuses: &mut [u32], parallel: bool) {
    debug_assert_eq!(statuses.len(), kernel.items());
    if const { !K::ON_CPU } {
        unreachable!("{} is for GPUs", K::NAME);
    } else {
        launch_here(kernel, statuses, parallel);
    }
}

fn launch_here<K: Kernel>(kernel: &K, statuses: &mut [u32], parallel: bool) {
    if parallel {
        let tile = const { tile::<K>() };
        statuses.par_chunks_mut(tile).enumerate().for_each(|(part, statuses)| run(kernel, part * tile, statuses));
    } else {
        run(kernel, 0, statuses);
    }
}

/// Computes the items from `first` on, one for each status, with the widest vectors of the processor.
///
/// The bits do not depend on them: a core fuses nothing that it does not say, and what it says is fused everywhere.
fn run<K: Kernel>(kernel: &K, first: usize, statuses: &mut [u32]) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("fma")
        {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { run_avx512(kernel, first, statuses) };
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: as above.
            return unsafe { run_avx2(kernel, first, statuses) };
        }
    }
    items(kernel, first, statuses);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,fma")]
fn run_avx512<K: Kernel>(kernel: &K, first: usize, statuses: &mut [u32]) {
    items(kernel, first, statuses);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<K: Kernel>(kernel: &K, first: usize, statuses: &mut [u32]) {
    items(kernel, first, statuses);
}

#[inline(always)]
fn items<K: Kernel>(kernel: &K, first: usize, statuses: &mut [u32]) {
    let mut scratch = HostScratch::new::<K>();
    for (index, status) in (first..).zip(statuses) {
        // SAFETY: each index is below items() and computed once; the views are the host's. One warp does the work of all.
        *status = unsafe {
            match K::TEAM {
                Team::Lane => kernel.item::<1>(index, scratch.lanes(0)).0,
                Team::Warp | Team::Block { .. } => kernel.item::<WARP>(index, scratch.lanes(0)).0,
            }
        };
    }
}
