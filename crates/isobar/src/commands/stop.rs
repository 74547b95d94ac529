//! Signals that ask a command to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::program::failure::Failure;

/// Watches for SIGTERM, SIGINT, and SIGUSR1, which `mpirun` passes on: the steps that are under way end, and the state
/// is saved.
pub(super) struct Stop {
    asked: Arc<AtomicBool>,
}

impl Stop {
    pub(super) fn watch() -> Result<Self, Failure> {
        let asked = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        crate::program::signals::leave_to_the_command();
        #[cfg(unix)]
        for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT, signal_hook::consts::SIGUSR1] {
            signal_hook::flag::register(signal, asked.clone())
                .map_err(|cause| Failure::new(format!("cannot watch for signals: {cause}")))?;
        }
        Ok(Self { asked })
    }

    /// What is set once it is asked.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        self.asked.clone()
    }

    pub(super) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}
