//! Host memory that a device reads and writes by itself.

use std::ops::{Deref, DerefMut};

use crate::{Plain, cuda};

/// Values on their way, made by [`crate::Queue::staging`]: on a GPU's queue in memory that the system does not move, so
/// that copies are fast and overlap with other work.
pub struct Staging<T: Plain> {
    pub(crate) storage: Storage<T>,
}

pub(crate) enum Storage<T: Plain> {
    Host(Vec<T>),
    Cuda(cuda::Locked<T>),
}

impl<T: Plain> Deref for Staging<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.storage {
            Storage::Host(values) => values,
            Storage::Cuda(values) => values.values(),
        }
    }
}

impl<T: Plain> DerefMut for Staging<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.storage {
            Storage::Host(values) => values,
            Storage::Cuda(values) => values.values_mut(),
        }
    }
}
