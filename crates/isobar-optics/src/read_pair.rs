//! Two neighbouring numbers at once.

use isobar_core::Real;

/// Reads two neighbouring numbers, on a GPU in one access.
///
/// # Safety
/// There are two, and they begin at a multiple of their size.
#[inline(always)]
pub(crate) unsafe fn read_pair<R: Real>(start: *const R) -> [R; 2] {
    // SAFETY: the caller's; an integer of their size has the alignment, and no bits are invalid as a number.
    unsafe {
        if cfg!(not(target_arch = "nvptx64")) {
            [start.read(), start.add(1).read()]
        } else if size_of::<R>() == 4 {
            core::mem::transmute_copy(&start.cast::<u64>().read())
        } else {
            core::mem::transmute_copy(&start.cast::<u128>().read())
        }
    }
}
