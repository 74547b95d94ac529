//! The one form that every entry has.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Status, Team};

use crate::device;

/// Writes the GPU entry of a kernel: `entry!(team_sum_f64: TeamSum<'_, f64>);`.
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
                const { assert!($crate::entry::is_named::<$kernel>(stringify!($name))) };
                // SAFETY: the launcher gives valid views, and a status an item.
                unsafe { $crate::entry::run(&kernel, items, statuses) }
            }
        }
    };
}

/// Computes this thread's item, or this warp's or block's, and writes its status.
///
/// # Safety
/// The kernel's views are valid on this device, and `statuses` has an element an item.
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
        if lanes.first() == 0 && !leader && status != 0 {
            // SAFETY: as above.
            unsafe { device::or_into(place, status) };
        }
    }
}

/// The bytes of scratch that a block of the kernel shares.
pub const fn scratch_bytes<K: Kernel>() -> usize {
    match K::TEAM {
        Team::Block { scratch_bytes, .. } => scratch_bytes,
        Team::Lane | Team::Warp => 0,
    }
}

/// Is `entry` the name under which the launcher looks for the kernel?
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
