//! Kernels on the thread that calls.

use isobar_core::Status;
use isobar_core::kernel::{Kernel, run};

use crate::jacobian::Launcher;

/// Computes all items of kernels whose views are of this host, and has the statuses of the last.
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
