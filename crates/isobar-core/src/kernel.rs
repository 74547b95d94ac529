//! The contract between a physics core and whatever runs it.

pub use crate::lanes::WARP;
use crate::{Lanes, Status};

/// The lanes that an item has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Team {
    /// One: a GPU thread an item.
    Lane,
    /// [`WARP`] lanes, which exchange values.
    Warp,
    /// Several warps of a GPU's block, which wait for each other and share a scratch of `scratch_bytes` and of
    /// [`Kernel::more_scratch_bytes`].
    ///
    /// A CPU thread is one warp that does the work of all: see [`Lanes::shares`].
    Block {
        /// The warps of a GPU's block.
        warps: usize,
        /// The bytes of the scratch, at most 48 KiB.
        scratch_bytes: usize,
    },
}

/// The arguments of a kernel, which know how to compute one item.
///
/// The implementing struct is `repr(C)` and `Copy`, holds views and parameters only, and is the
/// whole ABI of the GPU entry: it travels by value. The same [`Kernel::item`] serves the CPU loop
/// and the GPU entry.
///
/// # Safety
/// `item` may be called for every index below `items()`, each once, in any order and from any
/// thread. An implementation must therefore write only to storage that belongs to the item, but
/// for the bits that it adds by [`crate::FieldMut::mark`], and read nothing that another item of
/// the same launch writes.
pub unsafe trait Kernel: Copy + Send + Sync {
    /// The name of the GPU entry without the precision, as in `trace` of `trace_f64`.
    const NAME: &'static str;
    /// The precision, as in `f64` of `trace_f64`: [`crate::Real::NAME`].
    const PRECISION: &'static str;
    /// Who computes an item.
    const TEAM: Team;
    /// Is the kernel compiled for a CPU? Not those of a family with the same bits, alike but for registers or for who
    /// does what, of which a CPU needs one alone.
    const ON_CPU: bool = true;
    /// The widest vectors of an x86-64 processor, in bits, for which the kernel is compiled: 512 and 256, or 256 alone,
    /// for what a CPU computes for comparisons. The bits of results do not depend on it, but a program's size and
    /// compile time do.
    const VECTOR_BITS: u32 = 512;

    /// The number of independent items.
    fn items(&self) -> usize;

    /// Bytes of scratch behind those of [`Team::Block`], where the arguments say how many it takes: up to some 200 KiB
    /// in all.
    fn more_scratch_bytes(&self) -> usize {
        0
    }

    /// The bytes of [`Lanes::memory`] that a CPU's thread has while it is at an item of a warp or a block, as for what
    /// lanes of a GPU compute twice. They hold anything at first.
    fn memory_bytes(&self) -> usize {
        0
    }

    /// Computes one item with `W` of its lanes.
    ///
    /// A CPU calls it once an item with all lanes of a warp (`W` = [`WARP`], or 1 for [`Team::Lane`]); a GPU
    /// calls it from every thread with `W = 1`.
    ///
    /// # Safety
    /// The views in the arguments are valid on this device, and `index < self.items()`. With lanes of a block comes its
    /// scratch and, with those of a whole warp on a CPU, the memory.
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status;
}

/// The scratch and the memory of a CPU's thread for the items of a kernel.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct ThreadMemory {
    scratch: std::vec::Vec<Line>,
    memory: std::vec::Vec<Line>,
}

/// As much as a processor fetches at a time.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([u8; 64]);

#[cfg(feature = "std")]
impl ThreadMemory {
    /// As much as the kernel asks for.
    #[must_use]
    pub fn of<K: Kernel>(kernel: &K) -> Self {
        let fixed = if let Team::Block { scratch_bytes, .. } = K::TEAM { scratch_bytes } else { 0 };
        let scratch = fixed + kernel.more_scratch_bytes();
        let lines = |bytes: usize| std::vec![Line([0; 64]); bytes.div_ceil(size_of::<Line>())];
        Self { scratch: lines(scratch), memory: lines(kernel.memory_bytes()) }
    }

    /// The lanes of a thread that is the only warp of a block.
    #[must_use]
    pub fn lanes(&mut self) -> Lanes<WARP> {
        let scratch = self.scratch.as_mut_ptr().cast();
        Lanes::in_block(0, 0, 1, scratch).with_memory(self.memory.as_mut_ptr().cast())
    }

    /// One lane of the only warp, as a GPU's thread is.
    #[must_use]
    pub fn lane(&mut self, number: usize) -> Lanes<1> {
        Lanes::in_block(number, 0, 1, self.scratch.as_mut_ptr().cast())
    }
}

/// Computes every item on the calling thread, compiled for the processor that the caller's build is for. A launcher
/// does the same with the vectors of the processor that it finds. The result has the bits of all statuses.
#[cfg(feature = "std")]
#[inline(always)]
pub fn run<K: Kernel>(kernel: &K) -> Status {
    let mut memory = ThreadMemory::of(kernel);
    let mut all = Status::OK;
    for index in 0..kernel.items() {
        // SAFETY: each index once, with memory of the size that the kernel asks for; views live as long as their
        // memory.
        let status = unsafe {
            // The other form is not even compiled.
            if const { matches!(K::TEAM, Team::Lane) } {
                kernel.item::<1>(index, Lanes::starting_at(0))
            } else {
                kernel.item::<WARP>(index, memory.lanes())
            }
        };
        all = all.or(status);
    }
    all
}

/// Computes every item lane by lane, as the threads of a GPU: for tests of kernels whose lanes exchange nothing.
#[cfg(feature = "std")]
#[doc(hidden)]
pub fn run_by_lanes<K: Kernel>(kernel: &K) {
    let mut memory = ThreadMemory::of(kernel);
    for index in 0..kernel.items() {
        for lane in 0..WARP {
            // SAFETY: each lane of each index once.
            unsafe { kernel.item::<1>(index, memory.lane(lane)) };
        }
    }
}
