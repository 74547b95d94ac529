//! The lanes of a team and the one order in which they are summed.

use crate::Real;

/// The `W` neighbouring lanes that the calling thread computes, out of a team of [`crate::kernel::WARP`].
///
/// A GPU thread is one lane (`W = 1`) of a warp; a CPU thread is the whole team (`W = 32`) and
/// holds a value a lane in an array `[R; W]`, over which loops vectorise.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<const W: usize> {
    first: usize,
}

impl<const W: usize> Lanes<W> {
    /// The lanes from `first` to `first + W - 1`.
    #[must_use]
    pub fn starting_at(first: usize) -> Self {
        Self { first }
    }

    /// The team-wide number of this thread's first lane.
    #[inline(always)]
    #[must_use]
    pub fn first(&self) -> usize {
        self.first
    }

    /// The sum over all lanes of the team, the same on every lane.
    ///
    /// One order on every backend: lane `l` adds lane `l + 16`, then `l + 8`, `+ 4`, `+ 2`, `+ 1`.
    /// A warp does it with shuffles. A host thread must hold the whole team (`W = 32`); a host
    /// thread that is a team of its own (`W = 1`) gets its value back.
    #[inline(always)]
    #[must_use]
    pub fn sum<R: Real>(&self, values: [R; W]) -> R {
        #[cfg(target_arch = "nvptx64")]
        {
            let mut x = values[0];
            let mut offset = 16;
            while offset > 0 {
                x += shuffle_xor(x, offset);
                offset >>= 1;
            }
            x
        }
        #[cfg(not(target_arch = "nvptx64"))]
        {
            let mut x = values;
            let mut offset = W / 2;
            while offset > 0 {
                for lane in 0..offset {
                    x[lane] += x[lane + offset];
                }
                offset /= 2;
            }
            x[0]
        }
    }
}

/// The value of the lane whose number differs in the bits of `mask`.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn shuffle_xor<R: Real>(x: R, mask: u32) -> R {
    #[inline(always)]
    fn word(bits: u32, mask: u32) -> u32 {
        let received: u32;
        // SAFETY: all lanes of the warp reach the shuffle, for a team's item is uniform.
        unsafe {
            core::arch::asm!(
                "shfl.sync.bfly.b32 {r}, {b}, {m}, 31, 0xffffffff;",
                r = out(reg32) received, b = in(reg32) bits, m = in(reg32) mask,
                options(nostack, preserves_flags)
            );
        }
        received
    }
    // A Real is 4 or 8 bytes of plain data; the branch is decided at compile time.
    if core::mem::size_of::<R>() == 4 {
        // SAFETY: R is f32, which has the size of u32 and no invalid bit pattern.
        unsafe {
            let bits: u32 = core::mem::transmute_copy(&x);
            core::mem::transmute_copy(&word(bits, mask))
        }
    } else {
        // SAFETY: R is f64, which has the size of u64 and no invalid bit pattern.
        unsafe {
            let bits: u64 = core::mem::transmute_copy(&x);
            let low = word(bits as u32, mask);
            let high = word((bits >> 32) as u32, mask);
            core::mem::transmute_copy(&(u64::from(low) | (u64::from(high) << 32)))
        }
    }
}
