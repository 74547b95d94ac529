//! The one form that every entry has.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Status};

use crate::device;

/// Writes the GPU entry of a kernel: `entry!(team_sum_f64: TeamSum<'_, f64>);`.
#[macro_export]
macro_rules! entry {
    ($name:ident: $kernel:ty) => {
        $crate::device_entry! {
            /// See the kernel's item.
            ///
            /// # Safety
            /// The views are valid on this device, and `statuses` has an element an item.
            fn $name(kernel: $kernel, statuses: *mut u32) {
                const { assert!($crate::entry::is_named::<$kernel>(stringify!($name))) };
                // SAFETY: the launcher gives valid views, and a status an item.
                unsafe { $crate::entry::run(&kernel, statuses) }
            }
        }
    };
}

/// Computes this thread's item, or this warp's, and writes its status.
///
/// # Safety
/// The kernel's views are valid on this device, and `statuses` has an element an item.
#[inline(always)]
pub unsafe fn run<K: Kernel>(kernel: &K, statuses: *mut u32) {
    let thread = device::thread_index();
    let index = if K::TEAM { thread / WARP } else { thread };
    if index >= kernel.items() {
        return;
    }
    let lane = if K::TEAM { thread % WARP } else { 0 };
    // SAFETY: the index is below items(), and no other thread or warp has it.
    let Status(mut status) = unsafe { kernel.item::<1>(index, Lanes::starting_at(lane)) };
    if K::TEAM {
        // A whole warp has the same index, so all of its lanes are here.
        status = device::warp_or(status);
    }
    if lane == 0 {
        // SAFETY: there is an element an item.
        unsafe { *statuses.add(index) = status };
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
