//! Kernels on the thread that calls.

use isobar_core::kernel::{Kernel, Team, ThreadMemory};
use isobar_core::{Lanes, Status};

use crate::jacobian::Launcher;

/// Computes all items of a kernel whose views are of this host, one after the other. The result has the bits of all
/// statuses.
#[inline(always)]
pub(crate) fn run<K: Kernel>(kernel: &K) -> Status {
    let mut memory = ThreadMemory::of(kernel);
    let mut all = Status::OK;
    for item in 0..kernel.items() {
        #[allow(unsafe_code, reason = "this is where kernels are called")]
        // SAFETY: each item once, with all of its lanes and the memory for them.
        let status = unsafe {
            match K::TEAM {
                Team::Lane => kernel.item(item, Lanes::<1>::starting_at(0)),
                Team::Warp | Team::Block { .. } => kernel.item(item, memory.lanes()),
            }
        };
        all = all.or(status);
    }
    all
}

/// Launches them so, and has the statuses of the last.
#[derive(Default)]
pub(crate) struct Here(pub(crate) Status);

impl Launcher for Here {
    type Error = core::convert::Infallible;

    #[inline(always)]
    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Self::Error> {
        self.0 = run(kernel);
        Ok(())
    }
}
