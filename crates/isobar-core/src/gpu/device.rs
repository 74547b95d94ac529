//! The few names of a GPU that an entry needs.
//!
//! By default they are the compiler's own (`core::arch::nvptx`), which is what is built and shipped. The feature
//! `rust-cuda` takes them from `cuda_std`, whose releases on the registry need a compiler of December 2021 for device
//! code: it is type-checked on the host, so that the day they move on the change is this file.

/// Writes a GPU entry.
#[cfg(not(feature = "rust-cuda"))]
#[doc(hidden)]
#[macro_export]
macro_rules! device_entry {
    ($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) $body:block) => {
        $(#[$doc])*
        #[cfg(target_arch = "nvptx64")]
        #[unsafe(no_mangle)]
        #[allow(improper_ctypes_definitions, reason = "the launcher passes the same repr(C) struct")]
        pub unsafe extern "ptx-kernel" fn $name($($argument: $type),*) $body

        $(#[$doc])*
        #[cfg(not(target_arch = "nvptx64"))]
        pub unsafe fn $name($($argument: $type),*) $body
    };
}

/// Writes a GPU entry.
#[cfg(feature = "rust-cuda")]
#[doc(hidden)]
#[macro_export]
macro_rules! device_entry {
    ($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) $body:block) => {
        $(#[$doc])*
        #[$crate::gpu::cuda_kernel]
        #[allow(improper_ctypes_definitions, reason = "the launcher passes the same repr(C) struct")]
        pub unsafe fn $name($($argument: $type),*) $body
    };
}

/// This block's number in the grid, this thread's in the block, and the block's threads: one dimension each. A kernel
/// has fewer than 2^31 threads, so that numbers of 32 bits do.
#[cfg(all(target_arch = "nvptx64", not(feature = "rust-cuda")))]
mod place {
    use core::arch::nvptx::{_block_dim_x, _block_idx_x, _thread_idx_x};

    #[inline(always)]
    pub(crate) fn block_index() -> usize {
        // SAFETY: every thread can read the register.
        unsafe { _block_idx_x() as u32 as usize }
    }

    #[inline(always)]
    pub(crate) fn thread_index() -> usize {
        // SAFETY: as above.
        unsafe { _thread_idx_x() as u32 as usize }
    }

    #[inline(always)]
    pub(crate) fn block_size() -> usize {
        // SAFETY: as above.
        unsafe { _block_dim_x() as u32 as usize }
    }
}

/// The numbers of block and thread by the names of `cuda_std`.
#[cfg(feature = "rust-cuda")]
mod place {
    use cuda_std::thread::{block_dim_x, block_idx_x, thread_idx_x};

    pub(crate) fn block_index() -> usize {
        block_idx_x() as usize
    }

    pub(crate) fn thread_index() -> usize {
        thread_idx_x() as usize
    }

    pub(crate) fn block_size() -> usize {
        block_dim_x() as usize
    }
}

/// On the host the entries are type-checked only.
#[cfg(not(any(target_arch = "nvptx64", feature = "rust-cuda")))]
mod place {
    pub(crate) fn block_index() -> usize {
        0
    }

    pub(crate) fn thread_index() -> usize {
        0
    }

    pub(crate) fn block_size() -> usize {
        32
    }
}

pub(crate) use place::{block_index, block_size, thread_index};

/// The bitwise OR of the values of a warp's 32 lanes, all of which must call it. (`cuda_std` has no name for it.)
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(crate) fn warp_or(value: u32) -> u32 {
    let all: u32;
    // SAFETY: all 32 lanes are here; the instruction touches registers only.
    unsafe {
        core::arch::asm!(
            "redux.sync.or.b32 {all}, {value}, 0xffffffff;",
            all = out(reg32) all, value = in(reg32) value,
            options(nostack, preserves_flags)
        );
    }
    all
}

/// On the host the entries are type-checked only.
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) fn warp_or(value: u32) -> u32 {
    value
}

/// Sets the bits of `value` in the number at `address`, which other warps do at the same time. (`cuda_std` has no name
/// for it.)
///
/// # Safety
/// The address is valid.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(crate) unsafe fn or_into(address: *mut u32, value: u32) {
    // SAFETY: the caller vouches for the address; the instruction is atomic.
    unsafe {
        core::arch::asm!("red.or.b32 [{address}], {value};", address = in(reg64) address, value = in(reg32) value)
    };
}

/// Sets the bits of `value` in the number at `address` on the host, whose threads do so at the same time.
///
/// # Safety
/// The address is valid.
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) unsafe fn or_into(address: *mut u32, value: u32) {
    use core::sync::atomic::{AtomicU32, Ordering};
    // SAFETY: the caller vouches for the address; all who write meanwhile do it here.
    unsafe { AtomicU32::from_ptr(address) }.fetch_or(value, Ordering::Relaxed);
}

/// The memory that the threads of this block share.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(crate) fn scratch<K: crate::Kernel>() -> *mut u8 {
    let address: u64;
    // SAFETY: a declaration and its address.
    unsafe {
        core::arch::asm!(
            "{{ .shared .align 16 .b8 scratch[{bytes}]; .reg .u64 near; mov.u64 near, scratch; cvta.shared.u64 \
                {address}, near; }}",
            bytes = const super::scratch_bytes::<K>(), address = out(reg64) address,
            options(nostack, preserves_flags, nomem)
        );
    }
    address as *mut u8
}

/// On the host the entries are type-checked only.
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) fn scratch<K: crate::Kernel>() -> *mut u8 {
    const { assert!(super::scratch_bytes::<K>() <= 48 << 10) };
    core::ptr::null_mut()
}

/// A core does not panic on input that it accepts; a mistake in one stops the launch, and the host sees a lost device.
#[cfg(all(target_arch = "nvptx64", not(feature = "rust-cuda")))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: trap has no condition.
    unsafe { core::arch::nvptx::trap() }
}
