//! The scratch of a block on a CPU, where one thread does the work of all its warps.

use crate::{Kernel, Lanes, Team};

/// Room for the scratch of a kernel's items, which a thread computes one after the other.
#[derive(Debug)]
pub struct HostScratch(Vec<u128>);

impl HostScratch {
    /// Room for the kernel's items; none where they need none.
    #[must_use]
    pub fn new<K: Kernel>() -> Self {
        let bytes = if let Team::Block { scratch_bytes, .. } = K::TEAM { scratch_bytes } else { 0 };
        // 16 bytes an element: the alignment that a scratch has.
        Self(vec![0; bytes.div_ceil(size_of::<u128>())])
    }

    /// `W` lanes from `first` on that work with this scratch.
    pub fn lanes<const W: usize>(&mut self, first: usize) -> Lanes<W> {
        Lanes::in_block(first, 0, 1, self.0.as_mut_ptr().cast())
    }
}
