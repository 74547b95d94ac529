//! Where items are computed: queues with what they need on their devices.

use std::sync::Arc;

use crate::Queue;
use crate::chunk::Chunk;
use crate::scheme::{Scheme, Shape};

/// A queue with memory for some items.
pub(super) struct Worker<S: Scheme> {
    pub(super) queue: Queue,
    pub(super) tables: Arc<S::Tables>,
    pub(super) chunk: Chunk<S>,
}

/// A queue with a workspace for some items, which lie in the memory of the caller.
pub(super) struct InPlace<S: Scheme> {
    pub(super) queue: Queue,
    pub(super) tables: Arc<S::Tables>,
    pub(super) shape: Shape<S>,
    pub(super) items: usize,
    pub(super) workspace: S::Workspace,
}

impl<S: Scheme> InPlace<S> {
    pub(super) fn fits(&self, shape: &Shape<S>, items: usize) -> bool {
        self.items >= items && self.shape == *shape
    }
}
