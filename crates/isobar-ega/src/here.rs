//! Kernels on the thread that calls.

use isobar_core::Status;
use isobar_core::kernel::{Kernel, run};

use crate::jacobian::Launcher;

/// Computes all items of kernels whose views are of this host, and has the status of the last: with the vectors of the
/// processor where there is the launcher, which compiles kernels for them, and with the same bits without.
#[derive(Default)]
pub(crate) struct Here {
    pub(crate) status: Status,
    #[cfg(feature = "launch")]
    statuses: Vec<u32>,
}

impl Launcher for Here {
    type Error = core::convert::Infallible;

    #[inline(always)]
    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Self::Error> {
        #[cfg(feature = "launch")]
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

/// Launches on the thread that calls, with the vectors of its processor where there is a launcher.
#[cfg(feature = "launch")]
#[derive(Default)]
pub(crate) struct OneThread(Vec<u32>);

#[cfg(feature = "launch")]
impl OneThread {
    /// What the items of the last kernel say together.
    pub(crate) fn status(&self) -> Status {
        self.0.iter().fold(Status::OK, |all, &status| all.or(Status(status)))
    }
}

#[cfg(feature = "launch")]
impl Launcher for OneThread {
    type Error = core::convert::Infallible;

    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Self::Error> {
        self.0.resize(kernel.items(), 0);
        isobar_launch::host::launch(kernel, &mut self.0, false);
        Ok(())
    }
}

/// The same without a launcher.
#[cfg(not(feature = "launch"))]
pub(crate) type OneThread = Here;

#[cfg(not(feature = "launch"))]
impl Here {
    /// What the items of the last kernel say together.
    pub(crate) fn status(&self) -> Status {
        self.0
    }
}
