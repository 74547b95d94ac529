//! The floating-point environment of a thread: traps, flags, rounding and the flushing of small numbers.

/// The usual environment, as long as this lives: no operation traps, small numbers are kept, results are rounded to
/// the nearest. Then that of before is there again, its flags too.
///
/// Programs in Fortran let an invalid operation, a division by zero or an overflow end them (`-ffpe-trap`), or flush
/// small numbers to zero. Here such operations are part of computations without a branch, whose results are thrown
/// away, and the bits would be others. Threads that are started meanwhile have the usual environment for good: a new
/// thread has that of the one that starts it.
///
/// On processors other than x86-64 and AArch64 it does nothing.
#[must_use = "the environment of before returns when it is dropped"]
pub struct UsualFloats {
    #[allow(dead_code, reason = "not read on processors that are not known")]
    before: registers::Saved,
    /// It belongs to the thread.
    _here: std::marker::PhantomData<*const ()>,
}

impl UsualFloats {
    /// Keeps the environment of the calling thread, and replaces it.
    #[inline(never)]
    pub fn here() -> Self {
        Self { before: registers::replace(), _here: std::marker::PhantomData }
    }
}

impl Drop for UsualFloats {
    #[inline(never)]
    fn drop(&mut self) {
        registers::restore(&self.before);
    }
}

#[cfg(target_arch = "x86_64")]
mod registers {
    use std::arch::asm;

    /// All exceptions masked, no flag, to the nearest, small numbers kept: as a program begins.
    static USUAL: u32 = 0x1f80;

    /// The environment of the old unit, which the C library may use, and the control word of the vectors.
    pub(super) struct Saved {
        x87: [u32; 7],
        vectors: u32,
    }

    pub(super) fn replace() -> Saved {
        let mut saved = Saved { x87: [0; 7], vectors: 0 };
        // SAFETY: there is room for 28 and for 4 bytes. Storing the environment masks the old unit's exceptions, and
        // its stack stays as it is.
        unsafe {
            asm!(
                "fnstenv [{x87}]",
                "fnclex",
                "stmxcsr [{vectors}]",
                "ldmxcsr [{usual}]",
                x87 = in(reg) saved.x87.as_mut_ptr(),
                vectors = in(reg) &raw mut saved.vectors,
                usual = in(reg) &raw const USUAL,
                options(nostack),
            );
        }
        saved
    }

    pub(super) fn restore(saved: &Saved) {
        // SAFETY: what was stored above, whose flags were set without a trap there.
        unsafe {
            asm!(
                "fldenv [{x87}]",
                "ldmxcsr [{vectors}]",
                x87 = in(reg) saved.x87.as_ptr(),
                vectors = in(reg) &raw const saved.vectors,
                options(nostack),
            );
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod registers {
    use std::arch::asm;

    /// Control and status.
    pub(super) struct Saved {
        control: u64,
        status: u64,
    }

    pub(super) fn replace() -> Saved {
        let (control, status): (u64, u64);
        // SAFETY: reads two registers, and sets what a program begins with.
        unsafe {
            asm!(
                "mrs {control}, fpcr",
                "mrs {status}, fpsr",
                "msr fpcr, xzr",
                control = out(reg) control,
                status = out(reg) status,
                options(nostack),
            );
        }
        Saved { control, status }
    }

    pub(super) fn restore(saved: &Saved) {
        // SAFETY: what was read above.
        unsafe {
            asm!(
                "msr fpsr, {status}",
                "msr fpcr, {control}",
                control = in(reg) saved.control,
                status = in(reg) saved.status,
                options(nostack),
            );
        }
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod registers {
    pub(super) struct Saved;

    pub(super) fn replace() -> Saved {
        Saved
    }

    pub(super) fn restore(_: &Saved) {}
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use std::arch::asm;
    use std::hint::black_box;

    use super::UsualFloats;

    fn vectors() -> u32 {
        let mut word = 0_u32;
        // SAFETY: there is room for the word.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack)) };
        word
    }

    fn set_vectors(word: u32) {
        // SAFETY: a word that was read, or one that flushes small numbers to zero and has flags.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack)) };
    }

    #[test]
    fn of_before_is_there_again() {
        let own = vectors();
        // Small numbers are zero (bits 15 and 6), the flag of what is inexact is set (bit 5), and no trap.
        let other = 0x1f80 | 1 << 15 | 1 << 6 | 1 << 5;
        set_vectors(other);
        let (small, inside, of_new_thread) = {
            let _usual = UsualFloats::here();
            let small = black_box(f64::MIN_POSITIVE) / black_box(4.0);
            let infinite = black_box(1.0) / black_box(0.0);
            assert!(infinite > f64::MAX);
            (small, vectors(), std::thread::spawn(vectors).join().unwrap())
        };
        let after = vectors();
        set_vectors(own);
        // 2^-1024, the bits of which begin at 2^-1074.
        assert_eq!(small.to_bits(), 1 << 50);
        // The flag of the division, and traps off.
        assert_eq!((inside & 0x4, inside & !0x3f), (0x4, 0x1f80));
        assert_eq!(of_new_thread & !0x3f, 0x1f80);
        assert_eq!(after, other);
    }
}
