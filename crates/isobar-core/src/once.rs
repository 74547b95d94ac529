//! Writes of what nobody needs again soon: on a GPU they leave the second-level cache to the rest.

/// Writes a number of 4 or 8 bytes that will not be read again soon. On a CPU a plain write.
///
/// # Safety
/// As a plain write.
#[inline(always)]
pub unsafe fn write_once<T: Copy>(place: *mut T, value: T) {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: the caller's; the sizes are those of the numbers.
    unsafe {
        const { assert!(size_of::<T>() == 4 || size_of::<T>() == 8) };
        if size_of::<T>() == 4 {
            let bits: u32 = core::mem::transmute_copy(&value);
            core::arch::asm!("st.cs.b32 [{p}], {b};", b = in(reg32) bits, p = in(reg64) place,
                options(nostack, preserves_flags));
        } else {
            let bits: u64 = core::mem::transmute_copy(&value);
            core::arch::asm!("st.cs.b64 [{p}], {b};", b = in(reg64) bits, p = in(reg64) place,
                options(nostack, preserves_flags));
        }
    }
    #[cfg(not(target_arch = "nvptx64"))]
    // SAFETY: the caller's.
    unsafe {
        *place = value;
    }
}

/// Reads 16 bytes of a table that nothing changes while a kernel runs: a GPU takes them at once, and begins with it
/// here, not where they are needed.
///
/// # Safety
/// They are there, and begin at a multiple of 16 bytes on a GPU.
#[inline(always)]
#[must_use]
pub unsafe fn read_table(place: *const [u64; 2]) -> [u64; 2] {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: the caller's.
    unsafe {
        let (first, second): (u64, u64);
        core::arch::asm!("ld.global.nc.v2.b64 {{{a}, {b}}}, [{p}];", a = out(reg64) first, b = out(reg64) second,
            p = in(reg64) place, options(readonly, nostack, preserves_flags));
        [first, second]
    }
    #[cfg(not(target_arch = "nvptx64"))]
    // SAFETY: the caller's.
    unsafe {
        *place
    }
}
