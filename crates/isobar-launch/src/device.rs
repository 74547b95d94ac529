//! Which processor computes.

use std::fmt;

/// A processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Device {
    /// The thread that calls.
    Thread,
    /// The CPU: all threads.
    Cpu,
    /// The NVIDIA GPU of this number, from 0.
    Cuda(u32),
}

impl Device {
    /// Is it the CPU, with one thread or all?
    #[must_use]
    pub fn is_cpu(self) -> bool {
        matches!(self, Self::Thread | Self::Cpu)
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Thread => write!(f, "thread"),
            Self::Cpu => write!(f, "cpu"),
            Self::Cuda(number) => write!(f, "cuda:{number}"),
        }
    }
}
