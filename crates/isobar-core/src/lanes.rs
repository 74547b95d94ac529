//! The lanes of a team: how they exchange values, and the one order in which they are summed.

use core::ptr::null_mut;

use crate::Real;

/// The lanes that work together on one item: a warp of a GPU.
pub const WARP: usize = 32;

/// The `W` neighbouring lanes that the calling thread computes, out of a warp of [`WARP`].
///
/// A GPU thread is one lane (`W = 1`) of a warp; a CPU thread is the whole warp (`W = 32`) and
/// holds a value a lane in an array `[R; W]`, over which loops vectorise.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<const W: usize> {
    first: usize,
    warp: usize,
    warps: usize,
    scratch: *mut u8,
    memory: *mut u8,
}

impl<const W: usize> Lanes<W> {
    /// The lanes from `first` to `first + W - 1` of a team of one warp.
    #[inline(always)]
    #[must_use]
    pub fn starting_at(first: usize) -> Self {
        Self { first, warp: 0, warps: 1, scratch: null_mut(), memory: null_mut() }
    }

    /// The lanes from `first` on of warp number `warp` in a block of `warps`, which shares `scratch`.
    #[inline(always)]
    #[must_use]
    pub fn in_block(first: usize, warp: usize, warps: usize, scratch: *mut u8) -> Self {
        Self { first, warp, warps, scratch, memory: null_mut() }
    }

    /// These lanes with the [`crate::Kernel::memory_bytes`] that a CPU's thread has.
    #[inline(always)]
    #[must_use]
    pub fn with_memory(self, memory: *mut u8) -> Self {
        Self { memory, ..self }
    }

    /// The warp-wide number of this thread's first lane.
    #[inline(always)]
    #[must_use]
    pub fn first(&self) -> usize {
        // Who has a whole warp begins with its first lane: known to the compiler, loops over lanes need no checks.
        if W >= WARP { 0 } else { self.first }
    }

    /// This warp's part of `0..count` pieces of the block's work: on a GPU every n-th of a block of n warps, on a CPU,
    /// which is the only warp, all.
    #[inline(always)]
    pub fn shares(&self, count: usize) -> impl Iterator<Item = usize> + use<W> {
        let (warps, mut next) = (self.warps, self.warp);
        core::iter::from_fn(move || {
            let this = next;
            next += warps;
            (this < count).then_some(this)
        })
    }

    /// The lanes' part of `0..count`: on a GPU every 32nd from its own on; on a CPU, whose thread is the whole warp,
    /// all.
    #[inline(always)]
    pub fn strided(&self, count: usize) -> impl Iterator<Item = usize> + use<W> {
        (self.first()..count).step_by(if W == 1 { WARP } else { 1 })
    }

    /// Waits for all warps of the block: what they wrote to the scratch can be read.
    ///
    /// Every lane of a [`crate::Team::Block`] has to come by.
    #[inline(always)]
    pub fn barrier(&self) {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: all threads of the block are here (the contract above).
        unsafe {
            core::arch::nvptx::_syncthreads();
        }
    }

    /// Waits for the other lanes of the warp: what they wrote to the scratch can be read.
    ///
    /// All lanes of the warp have to come by.
    #[inline(always)]
    pub fn wait(&self) {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: all lanes of the warp are here (the contract above).
        unsafe {
            core::arch::asm!("bar.warp.sync -1;", options(nostack, preserves_flags));
        }
    }

    /// The block's scratch, aligned to 16 bytes.
    #[inline(always)]
    #[must_use]
    pub fn scratch<T>(&self) -> *mut T {
        self.scratch.cast()
    }

    /// The memory of a CPU's thread, aligned to 64 bytes; none on a GPU.
    #[inline(always)]
    #[must_use]
    pub fn memory<T>(&self) -> *mut T {
        self.memory.cast()
    }

    /// Each lane gets the value of the lane whose number differs from its own in the bits of `distance`.
    ///
    /// All lanes of the warp have to come by; a host thread must hold the whole warp.
    #[inline(always)]
    #[must_use]
    pub fn exchange<R: Real>(&self, values: [R; W], distance: usize) -> [R; W] {
        #[cfg(target_arch = "nvptx64")]
        {
            [shuffle::xor::<R, WARP>(values[0], distance as u32); W]
        }
        #[cfg(not(target_arch = "nvptx64"))]
        {
            core::array::from_fn(|lane| values[(lane ^ distance) % W])
        }
    }

    /// Each lane gets the value of the lane that `source` names for it, by the numbers within the warp.
    ///
    /// All lanes of the warp have to come by; a host thread must hold the whole warp.
    #[inline(always)]
    #[must_use]
    pub fn gather<R: Real>(&self, values: [R; W], source: impl Fn(usize) -> usize) -> [R; W] {
        #[cfg(target_arch = "nvptx64")]
        {
            [shuffle::from::<R, WARP>(values[0], source(self.first) as u32); W]
        }
        #[cfg(not(target_arch = "nvptx64"))]
        {
            core::array::from_fn(|lane| values[source(lane) % W])
        }
    }

    /// Is a flag other than 0 in any lane of the warp? Where it only skips work that no lane needs, the warp stays
    /// together.
    ///
    /// All lanes of the warp have to come by; a host thread must hold the whole warp, or be a team of its own.
    #[inline(always)]
    #[must_use]
    pub fn any(&self, flags: &[u32; W]) -> bool {
        let mut any = 0;
        for flag in flags {
            any |= flag;
        }
        #[cfg(target_arch = "nvptx64")]
        {
            let own = any;
            // SAFETY: all lanes of the warp are here (the contract above).
            unsafe {
                core::arch::asm!(
                    "{{ .reg .pred own, all; setp.ne.u32 own, {o}, 0; vote.sync.any.pred all, own, -1; selp.u32 {a}, \
                        1, 0, all; }}",
                    a = out(reg32) any, o = in(reg32) own,
                    options(nostack, preserves_flags)
                );
            }
        }
        any != 0
    }

    /// A bit for each lane of the warp, set where its flag is not 0: the lowest is the first lane's.
    ///
    /// All lanes of the warp have to come by; a host thread must hold the whole warp.
    #[inline(always)]
    #[must_use]
    pub fn ballot(&self, flags: &[u32; W]) -> u32 {
        let mut bits = 0;
        for (lane, flag) in flags.iter().enumerate() {
            bits |= u32::from(*flag != 0) << lane;
        }
        #[cfg(target_arch = "nvptx64")]
        {
            let own = bits;
            // SAFETY: all lanes of the warp are here (the contract above).
            unsafe {
                core::arch::asm!(
                    "{{ .reg .pred own; setp.ne.u32 own, {o}, 0; vote.sync.ballot.b32 {a}, own, -1; }}",
                    a = out(reg32) bits, o = in(reg32) own,
                    options(nostack, preserves_flags)
                );
            }
        }
        bits
    }

    /// Two sums at once, in the order of [`Lanes::sum`]: the first for the lower half of the lanes, the second for the
    /// upper. A GPU sums one in each half; a thread that holds the whole warp gets both.
    #[inline(always)]
    #[must_use]
    pub fn sum_two<R: Real>(&self, first: [R; W], second: [R; W]) -> [R; 2] {
        #[cfg(target_arch = "nvptx64")]
        {
            let upper = self.first >= 16;
            let (mut x, other) = if upper { (second[0], first[0]) } else { (first[0], second[0]) };
            x += shuffle::xor::<R, WARP>(other, 16);
            let mut offset = 8;
            while offset > 0 {
                x += shuffle::xor::<R, WARP>(x, offset);
                offset >>= 1;
            }
            [x; 2]
        }
        #[cfg(not(target_arch = "nvptx64"))]
        [self.sum(first), self.sum(second)]
    }

    /// Four sums at once, in the order of [`Lanes::sum`]: each for a quarter of the lanes, in their order. A GPU's lane
    /// gets that of its quarter four times; a thread that holds the whole warp gets all.
    #[inline(always)]
    #[must_use]
    pub fn sum_four<R: Real>(&self, values: [[R; W]; 4]) -> [R; 4] {
        #[cfg(target_arch = "nvptx64")]
        {
            let [a, b, c, d] = values.map(|value| value[0]);
            let upper = self.first & 16 != 0;
            let (mut x, mut y) = if upper { (c, d) } else { (a, b) };
            let (give_x, give_y) = if upper { (a, b) } else { (c, d) };
            x += shuffle::xor::<R, WARP>(give_x, 16);
            y += shuffle::xor::<R, WARP>(give_y, 16);
            let upper = self.first & 8 != 0;
            let (mut sum, give) = if upper { (y, x) } else { (x, y) };
            sum += shuffle::xor::<R, WARP>(give, 8);
            let mut offset = 4;
            while offset > 0 {
                sum += shuffle::xor::<R, WARP>(sum, offset);
                offset >>= 1;
            }
            [sum; 4]
        }
        #[cfg(not(target_arch = "nvptx64"))]
        values.map(|values| self.sum(values))
    }

    /// The sum over all lanes of the warp, the same on every lane.
    ///
    /// One order on every backend: lane `l` adds lane `l + 16`, then `l + 8`, `+ 4`, `+ 2`, `+ 1`.
    /// A warp does it with shuffles. A host thread must hold the whole warp (`W = 32`); a host
    /// thread that is a team of its own (`W = 1`) gets its value back.
    #[inline(always)]
    #[must_use]
    pub fn sum<R: Real>(&self, values: [R; W]) -> R {
        #[cfg(target_arch = "nvptx64")]
        {
            let mut x = values[0];
            let mut offset = 16;
            while offset > 0 {
                x += shuffle::xor::<R, WARP>(x, offset);
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

/// Values from other lanes of a team of `N`, a part of the warp, all 32 lanes of which are there, for its item is
/// uniform.
#[cfg(target_arch = "nvptx64")]
pub(crate) mod shuffle {
    use super::WARP;
    use crate::Real;

    macro_rules! shuffle {
        ($name:ident, $mode:literal, $doc:literal) => {
            #[doc = $doc]
            #[inline(always)]
            pub(crate) fn $name<R: Real, const N: usize>(x: R, which: u32) -> R {
                // The last operand but one: which bits of a lane's number are its team's, and the last lane.
                // A Real is 4 or 8 bytes of plain data; the branch is decided at compile time.
                if core::mem::size_of::<R>() == 4 {
                    let received: u32;
                    // SAFETY: R is f32, which has the size of u32 and no invalid bit pattern. All lanes of the warp
                    // reach the shuffle; it touches registers only.
                    unsafe {
                        core::arch::asm!(
                            concat!("shfl.sync.", $mode, ".b32 {r}, {b}, {m}, {t}, -1;"),
                            r = out(reg32) received, b = in(reg32) core::mem::transmute_copy::<R, u32>(&x),
                            m = in(reg32) which, t = const { ((WARP - N) << 8) | 31 }, options(nostack, preserves_flags)
                        );
                        core::mem::transmute_copy(&received)
                    }
                } else {
                    let received: u64;
                    // SAFETY: R is f64, which has the size of u64 and no invalid bit pattern; else as above.
                    unsafe {
                        core::arch::asm!(
                            concat!(
                                "{{ .reg .b32 l, h; mov.b64 {{l, h}}, {b}; ",
                                "shfl.sync.", $mode, ".b32 l, l, {m}, {t}, -1; ",
                                "shfl.sync.", $mode, ".b32 h, h, {m}, {t}, -1; mov.b64 {r}, {{l, h}}; }}"
                            ),
                            r = out(reg64) received, b = in(reg64) core::mem::transmute_copy::<R, u64>(&x),
                            m = in(reg32) which, t = const { ((WARP - N) << 8) | 31 }, options(nostack, preserves_flags)
                        );
                        core::mem::transmute_copy(&received)
                    }
                }
            }
        };
    }

    shuffle!(xor, "bfly", "The value of the lane whose number differs in the bits of `which`.");
    shuffle!(from, "idx", "The value of lane `which` of the team.");
}
