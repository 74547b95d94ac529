//! Entries of GPU kernels: the one form that all have.
//!
//! A crate whose kernels are to run on a GPU, or another one beside it, is compiled for `nvptx64-nvidia-cuda` with a
//! line for each kernel, and the launcher loads the PTX that comes out:
//!
//! ```
//! // On that target also #![no_std] and #![feature(abi_ptx)], and RUSTC_BOOTSTRAP=1 for the stable compiler.
//! use isobar_core::selftest::TeamSum;
//!
//! isobar_core::entry!(team_sum_f64: TeamSum<'_, f64>);
//! ```
//!
//! The entry is named after the kernel; its arguments are the kernel itself, by value, the number of its items, and an
//! array with a status an item.

mod device;

pub(crate) use device::or_into;

use crate::kernel::WARP;
use crate::{Kernel, Lanes, Status, Team};

#[cfg(feature = "rust-cuda")]
#[doc(hidden)]
pub use cuda_std::kernel as cuda_kernel;

/// Writes the GPU entry of a kernel: `isobar_core::entry!(team_sum_f64: TeamSum<'_, f64>);`. See [`gpu`](crate::gpu).
#[macro_export]
macro_rules! entry {
    ($name:ident: $kernel:ty) => {
        $crate::device_entry! {
            /// See the kernel's item.
            ///
            /// # Safety
            /// The views are valid on this device, `items` is the kernel's number, and `statuses` has an element an
            /// item.
            fn $name(kernel: $kernel, items: u32, statuses: *mut u32) {
                const { assert!($crate::gpu::is_named::<$kernel>(stringify!($name))) };
                // SAFETY: the launcher gives valid views, and a status an item.
                unsafe { $crate::gpu::run(&kernel, items, statuses) }
            }
        }
    };
}

/// Computes this thread's item, or this warp's or block's, and writes its status.
///
/// # Safety
/// The kernel's views are valid on this device, and `statuses` has an element an item.
#[doc(hidden)]
#[inline(always)]
pub unsafe fn run<K: Kernel>(kernel: &K, items: u32, statuses: *mut u32) {
    let (block, thread) = (device::block_index(), device::thread_index());
    let (index, leader, lanes) = match K::TEAM {
        Team::Lane => (block * device::block_size() + thread, true, Lanes::starting_at(0)),
        Team::Warp => {
            let index = block * (device::block_size() / WARP) + thread / WARP;
            (index, thread % WARP == 0, Lanes::starting_at(thread % WARP))
        }
        Team::Block { warps, .. } => {
            let lanes = Lanes::in_block(thread % WARP, thread / WARP, warps, device::scratch::<K>());
            (block, thread == 0, lanes)
        }
    };
    if index >= items as usize {
        return;
    }
    // SAFETY: the index is below items(), and no other thread, warp or block has it.
    let Status(mut status) = unsafe { kernel.item::<1>(index, lanes) };
    if K::TEAM != Team::Lane {
        // All of a warp's lanes have the same index, so all are here.
        status = device::warp_or(status);
    }
    // SAFETY: there is an element an item.
    let place = unsafe { statuses.add(index) };
    if leader {
        // SAFETY: as above, and nobody else writes before the barrier.
        unsafe { *place = status };
    }
    if let Team::Block { warps: 2.., .. } = K::TEAM {
        lanes.barrier();
        // The leader's warp, too: whether a lane leads must not split the warp at the barrier.
        if lanes.first() == 0 && status != 0 {
            // SAFETY: as above.
            unsafe { device::or_into(place, status) };
        }
    }
}

/// The bytes of scratch that a block of the kernel shares.
pub(crate) const fn scratch_bytes<K: Kernel>() -> usize {
    match K::TEAM {
        Team::Block { scratch_bytes, .. } => scratch_bytes,
        Team::Lane | Team::Warp => 0,
    }
}

/// Is `entry` the name under which the launcher looks for the kernel?
#[doc(hidden)]
#[must_use]
pub const fn is_named<K: Kernel>(entry: &str) -> bool {
    let (entry, name, precision) = (entry.as_bytes(), K::NAME.as_bytes(), K::PRECISION.as_bytes());
    if entry.len() != name.len() + 1 + precision.len() {
        return false;
    }
    let mut i = 0;
    while i < entry.len() {
        let expected = if i < name.len() {
            name[i]
        } else if i == name.len() {
            b'_'
        } else {
            precision[i - name.len() - 1]
        };
        if entry[i] != expected {
            return false;
        }
        i += 1;
    }
    true
}
