//! Pointers into a block's shared memory, of CUDA's shared address space, and asynchronous copies to it (`cp.async`).

/// A pointer to numbers of one precision in the shared memory of a [`crate::Team::Block`], its scratch.
#[derive(Clone, Copy, Debug)]
pub struct Near<T> {
    /// In the window of shared memory.
    #[cfg(target_arch = "nvptx64")]
    address: u32,
    #[cfg(target_arch = "nvptx64")]
    numbers: core::marker::PhantomData<*mut T>,
    #[cfg(not(target_arch = "nvptx64"))]
    address: *mut T,
}

impl<T: Copy> Near<T> {
    /// The shared-memory pointer of a pointer into the scratch.
    #[inline(always)]
    #[must_use]
    pub fn new(scratch: *mut T) -> Self {
        #[cfg(target_arch = "nvptx64")]
        {
            const { assert!(size_of::<T>() == 4 || size_of::<T>() == 8) };
            let address: u32;
            // SAFETY: arithmetic on registers.
            unsafe {
                core::arch::asm!(
                    "{{ .reg .u64 window; cvta.to.shared.u64 window, {p}; cvt.u32.u64 {a}, window; }}",
                    a = out(reg32) address, p = in(reg64) scratch, options(pure, nomem, nostack, preserves_flags)
                );
            }
            Self { address, numbers: core::marker::PhantomData }
        }
        #[cfg(not(target_arch = "nvptx64"))]
        Self { address: scratch }
    }

    /// The pointer that lies `numbers` numbers further.
    #[inline(always)]
    #[must_use]
    pub fn beyond(self, numbers: usize) -> Self {
        #[cfg(target_arch = "nvptx64")]
        {
            Self { address: self.address.wrapping_add((numbers * size_of::<T>()) as u32), ..self }
        }
        #[cfg(not(target_arch = "nvptx64"))]
        Self { address: self.address.wrapping_add(numbers) }
    }

    /// The pointer that lies `bytes` bytes further, a multiple of a number's size.
    #[inline(always)]
    #[must_use]
    pub fn beyond_bytes(self, bytes: usize) -> Self {
        #[cfg(target_arch = "nvptx64")]
        {
            Self { address: self.address.wrapping_add(bytes as u32), ..self }
        }
        #[cfg(not(target_arch = "nvptx64"))]
        Self { address: self.address.wrapping_byte_add(bytes) }
    }

    /// The numbers there: neighbours, on a GPU one, or two of 8 bytes that begin at a multiple of 16.
    ///
    /// # Safety
    /// They are in the scratch, and were written.
    #[inline(always)]
    #[must_use]
    pub unsafe fn read<const W: usize>(self) -> [T; W] {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: the caller's; `new` checked the size.
        unsafe {
            if W == 2 && size_of::<T>() == 8 {
                let (first, second): (u64, u64);
                core::arch::asm!("ld.shared.v2.b64 {{{a}, {b}}}, [{p}];", a = out(reg64) first, b = out(reg64) second,
                    p = in(reg32) self.address, options(nostack, readonly, preserves_flags));
                let mut numbers = [core::mem::transmute_copy(&first); W];
                numbers[1] = core::mem::transmute_copy(&second);
                numbers
            } else if size_of::<T>() == 4 {
                let bits: u32;
                core::arch::asm!("ld.shared.b32 {b}, [{p}];", b = out(reg32) bits, p = in(reg32) self.address,
                    options(nostack, readonly, preserves_flags));
                [core::mem::transmute_copy(&bits); W]
            } else {
                let bits: u64;
                core::arch::asm!("ld.shared.b64 {b}, [{p}];", b = out(reg64) bits, p = in(reg32) self.address,
                    options(nostack, readonly, preserves_flags));
                [core::mem::transmute_copy(&bits); W]
            }
        }
        #[cfg(not(target_arch = "nvptx64"))]
        // SAFETY: the caller's.
        unsafe {
            self.address.cast::<[T; W]>().read()
        }
    }

    /// Writes neighbouring numbers there.
    ///
    /// # Safety
    /// The addresses are in the scratch, and no other lane uses them.
    #[inline(always)]
    pub unsafe fn write<const W: usize>(self, numbers: [T; W]) {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: the caller's; `new` checked the size.
        unsafe {
            if W == 2 && size_of::<T>() == 8 {
                let first: u64 = core::mem::transmute_copy(&numbers[0]);
                let second: u64 = core::mem::transmute_copy(&numbers[1]);
                core::arch::asm!("st.shared.v2.b64 [{p}], {{{a}, {b}}};", p = in(reg32) self.address,
                    a = in(reg64) first, b = in(reg64) second, options(nostack, preserves_flags));
            } else if size_of::<T>() == 4 {
                let bits: u32 = core::mem::transmute_copy(&numbers[0]);
                core::arch::asm!("st.shared.b32 [{p}], {b};", b = in(reg32) bits, p = in(reg32) self.address,
                    options(nostack, preserves_flags));
            } else {
                let bits: u64 = core::mem::transmute_copy(&numbers[0]);
                core::arch::asm!("st.shared.b64 [{p}], {b};", b = in(reg64) bits, p = in(reg32) self.address,
                    options(nostack, preserves_flags));
            }
        }
        #[cfg(not(target_arch = "nvptx64"))]
        // SAFETY: the caller's.
        unsafe {
            self.address.cast::<[T; W]>().write(numbers);
        }
    }

    /// Copies a number there from global memory, asynchronously: it is there after [`Near::wait`].
    ///
    /// # Safety
    /// As a read of `from` and a write here by the calling thread.
    #[inline(always)]
    pub unsafe fn fetch(self, from: *const T) {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: the caller's; `new` checked the size.
        unsafe {
            core::arch::asm!("cp.async.ca.shared.global [{p}], [{f}], {n};", p = in(reg32) self.address,
                f = in(reg64) from, n = const size_of::<T>(), options(nostack, preserves_flags));
        }
        #[cfg(not(target_arch = "nvptx64"))]
        // SAFETY: the caller's.
        unsafe {
            *self.address = *from;
        }
    }

    /// Copies 16 bytes there from global memory, asynchronously and past the first-level cache: all lanes of the warp
    /// can read them after [`Near::wait`] and [`crate::Lanes::wait`].
    ///
    /// # Safety
    /// As [`Near::fetch`] of all of them; both addresses are multiples of 16.
    #[inline(always)]
    pub unsafe fn fetch_line(self, from: *const T) {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: the caller's.
        unsafe {
            core::arch::asm!("cp.async.cg.shared.global [{p}], [{f}], 16;", p = in(reg32) self.address,
                f = in(reg64) from, options(nostack, preserves_flags));
        }
        #[cfg(not(target_arch = "nvptx64"))]
        // SAFETY: the caller's.
        unsafe {
            core::ptr::copy_nonoverlapping(from, self.address, 16 / size_of::<T>());
        }
    }

    /// Ends a group of [`Near::fetch`] and [`Near::fetch_line`].
    #[inline(always)]
    pub fn group() {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: no operands.
        unsafe {
            core::arch::asm!("cp.async.commit_group;", options(nostack, preserves_flags));
        }
    }

    /// Waits until no more than `LATER` groups are on their way; the calling thread can read what it fetched before.
    #[inline(always)]
    pub fn wait<const LATER: usize>() {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: no operands.
        unsafe {
            core::arch::asm!("cp.async.wait_group {n};", n = const LATER, options(nostack, preserves_flags));
        }
    }
}
