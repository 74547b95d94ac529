//! Kernels on the thread that calls.

use isobar_core::Status;
use isobar_core::kernel::{Kernel, run};

use crate::jacobian::Launcher;

/// Computes all items of kernels whose views are of this host, and has the status of the last: with the vectors of the
/// processor where there is the launcher, which compiles kernels for them, and with the same bits without.
#[derive(Default)]
pub(crate) struct Here {
    pub(crate) status: Status,
    #[cfg(all(feature = "launch", not(test)))]
    statuses: Vec<u32>,
}

impl Launcher for Here {
    type Error = core::convert::Infallible;

    #[inline(always)]
    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Self::Error> {
        #[cfg(all(feature = "launch", not(test)))]
        if isobar_launch::host::supported() {
            self.statuses.clear();
            self.statuses.resize(kernel.items(), 0);
            isobar_launch::host::launch(kernel, &mut self.statuses, false);
            self.status = self.statuses.iter().fold(Status::OK, |all, &status| all.or(Status(status)));
            return Ok(());
        }
        self.status = run(kernel);
        Ok(())
    }
}
