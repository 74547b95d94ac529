//! Queues that know a scheme's kernels, and its tables on their devices.

use std::sync::Arc;

use super::Model;
use crate::scheme::Scheme;
use crate::{Device, Error, Queue};

impl<S: Scheme> Model<S> {
    /// The tables on the device of a queue, where they are taken once: also for other kernels that read them.
    ///
    /// # Errors
    /// As [`Scheme::tables`].
    ///
    /// # Panics
    /// If another thread has panicked while it took them.
    pub fn tables_on(&self, queue: &Queue) -> Result<Arc<S::Tables>, Error> {
        let mut known = self.tables.lock().expect("no worker panics");
        if let Some(tables) = known.get(&queue.device()) {
            return Ok(tables.clone());
        }
        let tables = Arc::new(self.scheme.tables(queue)?);
        // Other queues are going to read them.
        queue.synchronize()?;
        known.insert(queue.device(), tables.clone());
        Ok(tables)
    }

    /// A new queue of a device that knows the scheme's kernels, as a worker has one.
    ///
    /// # Errors
    /// As [`Queue::new`].
    pub fn queue(&self, device: Device) -> Result<Queue, Error> {
        if self.scheme.job_a_thread() { self.queue_of_one(device) } else { self.prepared(Queue::parallel(device)?) }
    }

    /// A queue as [`Model::queue`] gives; on a CPU it computes on the calling thread.
    pub(super) fn queue_of_one(&self, device: Device) -> Result<Queue, Error> {
        self.prepared(Queue::new(device)?)
    }

    /// A queue that knows the scheme's kernels.
    pub(super) fn prepared(&self, queue: Queue) -> Result<Queue, Error> {
        let queue = queue.largest_allocation(self.largest_allocation);
        S::PTX.iter().try_for_each(|&ptx| queue.load(ptx))?;
        Ok(queue)
    }
}
