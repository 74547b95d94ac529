//! Kernels on the thread that calls.

use isobar_core::{Kernel, Status};

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

    // A function a kernel: all of them in the one that calls would take the compiler minutes.
    #[inline(never)]
    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Self::Error> {
        #[cfg(all(feature = "launch", not(test)))]
        {
            self.statuses.clear();
            self.statuses.resize(kernel.items(), 0);
            isobar_launch::host::launch(kernel, &mut self.statuses, false);
            self.status = self.statuses.iter().fold(Status::OK, |all, &status| all.or(Status(status)));
        }
        #[cfg(not(all(feature = "launch", not(test))))]
        {
            self.status = isobar_core::kernel::run(kernel);
        }
        Ok(())
    }
}
