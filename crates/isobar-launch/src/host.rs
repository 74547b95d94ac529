//! Launches on the CPU.

use isobar_core::kernel::ThreadMemory;
use isobar_core::{Kernel, Team};
use rayon::prelude::*;

/// Neighbouring items that one thread takes at a time. Items of one lane share cache lines, for neighbours are adjacent
/// in memory; those of a warp or a block are work enough for a task. The results do not depend on it.
const fn tile<K: Kernel>() -> usize {
    match K::TEAM {
        Team::Lane => 32,
        Team::Warp => 4,
        Team::Block { .. } => 1,
    }
}

/// Computes every item of a kernel on the CPU and writes its status: with rayon's threads if `parallel`, otherwise on
/// the calling one. For arrays of the host that are in no [`crate::Buffer`]; the kernel's views are the host's.
///
/// # Panics
/// If `statuses` has not one element an item, the processor has no AVX2 and FMA, or the kernel is for GPUs only
/// ([`Kernel::ON_CPU`]).
pub fn launch<K: Kernel>(kernel: &K, statuses: &mut [u32], parallel: bool) {
    assert_eq!(statuses.len(), kernel.items(), "a launch has a status an item");
    if const { !K::ON_CPU } {
        unreachable!("{} is for GPUs", K::NAME);
    } else {
        launch_here(kernel, statuses, parallel);
    }
}

fn launch_here<K: Kernel>(kernel: &K, statuses: &mut [u32], parallel: bool) {
    let memory = || ThreadMemory::of(kernel);
    if parallel {
        let tile = match K::TEAM {
            // Few items are shared as well as can be.
            Team::Warp => const { tile::<K>() }.min(statuses.len().div_ceil(4 * rayon::current_num_threads())).max(1),
            Team::Lane | Team::Block { .. } => const { tile::<K>() },
        };
        share(statuses, tile, &memory, &|first, statuses, memory| run(kernel, first, statuses, memory));
    } else {
        run(kernel, 0, statuses, &mut memory());
    }
}

/// Gives threads `tile` items at a time. Compiled once, not with each kernel: rayon's part is as long as many a kernel.
fn share(
    statuses: &mut [u32],
    tile: usize,
    memory: &(dyn Fn() -> ThreadMemory + Sync),
    run: &(dyn Fn(usize, &mut [u32], &mut ThreadMemory) + Sync),
) {
    // A thread gets its memory seldom, not once a tile.
    let parts = statuses.par_chunks_mut(tile).enumerate();
    parts.for_each_init(memory, |memory, (part, statuses)| run(part * tile, statuses, memory));
}

/// Has the processor what the kernels are compiled for: AVX2 and FMA, if it is an x86-64? A third set of them, for
/// processors without it, would be more to compile, and do the cores' fused operations in software.
#[must_use]
pub fn supported() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    true
}

/// Are kernels compiled for AVX-512 as well? Not where they are checked, for tests would compile them twice. Those of
/// `cargo test --release` run it.
#[cfg(target_arch = "x86_64")]
const AVX512: bool = !cfg!(debug_assertions);

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512bw")
        && supported()
}

/// Computes the items from `first` on, one for each status, with the widest vectors of the processor.
///
/// The bits do not depend on them: a core fuses nothing that it does not say, and what it says is fused everywhere.
fn run<K: Kernel>(kernel: &K, first: usize, statuses: &mut [u32], memory: &mut ThreadMemory) {
    if const { drawer::<K>() == 0 } {
        drawer_0::run(kernel, first, statuses, memory);
    } else if const { drawer::<K>() == 1 } {
        drawer_1::run(kernel, first, statuses, memory);
    } else if const { drawer::<K>() == 2 } {
        drawer_2::run(kernel, first, statuses, memory);
    } else if const { drawer::<K>() == 3 } {
        drawer_3::run(kernel, first, statuses, memory);
    } else if const { drawer::<K>() == 4 } {
        drawer_4::run(kernel, first, statuses, memory);
    } else if const { drawer::<K>() == 5 } {
        drawer_5::run(kernel, first, statuses, memory);
    } else if const { drawer::<K>() == 6 } {
        drawer_6::run(kernel, first, statuses, memory);
    } else {
        drawer_7::run(kernel, first, statuses, memory);
    }
}

/// The compiler's threads take a module each: kernels are spread over eight of them by their names.
const fn drawer<K: Kernel>() -> u32 {
    let mut mixed: u32 = 0;
    let mut names = [K::NAME.as_bytes(), K::PRECISION.as_bytes()];
    while let [name, rest @ ..] = names[0] {
        mixed = mixed.wrapping_mul(31).wrapping_add(*name as u32);
        names[0] = rest;
    }
    while let [name, rest @ ..] = names[1] {
        mixed = mixed.wrapping_mul(31).wrapping_add(*name as u32);
        names[1] = rest;
    }
    (mixed ^ (mixed >> 7)) % 8
}

macro_rules! drawers {
    ($($drawer:ident)*) => {$(
        mod $drawer {
            use isobar_core::kernel::{ThreadMemory, WARP};
            use isobar_core::{Kernel, Lanes, Team};

            /// Never inlined: callers would each have a kernel of their own to compile.
            #[inline(never)]
            pub(super) fn run<K: Kernel>(kernel: &K, first: usize, statuses: &mut [u32], memory: &mut ThreadMemory) {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the processor has what the function is compiled for.
                unsafe {
                    if const { super::AVX512 && K::VECTOR_BITS >= 512 } && super::has_avx512() {
                        run_avx512(kernel, first, statuses, memory)
                    } else {
                        assert!(super::supported(), "{}", crate::Error::ProcessorTooOld);
                        run_avx2(kernel, first, statuses, memory)
                    }
                }
                #[cfg(not(target_arch = "x86_64"))]
                items(kernel, first, statuses, memory);
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
            fn run_avx512<K: Kernel>(kernel: &K, first: usize, statuses: &mut [u32], memory: &mut ThreadMemory) {
                items(kernel, first, statuses, memory);
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn run_avx2<K: Kernel>(kernel: &K, first: usize, statuses: &mut [u32], memory: &mut ThreadMemory) {
                items(kernel, first, statuses, memory);
            }

            #[inline(always)]
            fn items<K: Kernel>(kernel: &K, first: usize, statuses: &mut [u32], memory: &mut ThreadMemory) {
                for (index, status) in (first..).zip(statuses) {
                    // SAFETY: each index is below items() and computed once; the views are the host's, and one warp
                    // that does the work of all has memory of the size that the kernel asks for.
                    *status = unsafe {
                        // The other form is not even compiled.
                        if const { matches!(K::TEAM, Team::Lane) } {
                            kernel.item::<1>(index, Lanes::starting_at(0)).0
                        } else {
                            kernel.item::<WARP>(index, memory.lanes()).0
                        }
                    };
                }
            }
        }
    )*};
}
drawers!(drawer_0 drawer_1 drawer_2 drawer_3 drawer_4 drawer_5 drawer_6 drawer_7);
