//! One process, without MPI.

use crate::run::error::Error;

/// This process.
pub(super) struct Ranks;

#[allow(clippy::unused_self, reason = "as with MPI")]
impl Ranks {
    pub(super) fn alone() -> Self {
        Self
    }

    pub(super) fn join() -> Result<Self, Error> {
        Ok(Self)
    }

    pub(super) fn rank(&self) -> usize {
        0
    }

    pub(super) fn size(&self) -> usize {
        1
    }

    pub(super) fn neighbours(&self) -> (usize, usize) {
        (0, 1)
    }

    pub(super) fn gather<T>(&self, own: Vec<Vec<T>>) -> Vec<Vec<T>> {
        own
    }

    pub(super) fn spread<T>(&self, values: Vec<T>) -> Vec<T> {
        values
    }
}
