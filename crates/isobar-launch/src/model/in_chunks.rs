//! Items that go to the memory of a device, and results that come back, chunk by chunk.

use isobar_core::kernel::WARP;

use super::Model;
use super::places::Worker;
use crate::chunk::{Chunk, bytes_per_item};
use crate::pool::Pool;
use crate::scheme::{Outputs, Scheme, Shape};
use crate::{Device, Error, chunk_items};

/// Bytes of a CPU's chunk, which a thread copies and computes by itself: as much as fits into a core's caches.
const CPU_CHUNK_BYTES: usize = 1 << 20;

impl<S: Scheme> Model<S> {
    /// Computes what the pool has left in memory of a device.
    pub(super) fn in_chunks(
        &self,
        device: Device,
        inputs: &S::Inputs<'_>,
        shape: &Shape<S>,
        results: &Outputs<'_, S>,
        pool: &Pool<'_>,
    ) -> Result<(), Error> {
        let mut usual = self.usual_items(device, shape, pool.items());
        if device.is_cpu() && self.items_per_chunk.is_none() {
            let bytes = bytes_per_item(shape) + self.scheme.workspace_bytes(device, shape, WARP) / WARP;
            usual = usual.min((CPU_CHUNK_BYTES / bytes.max(1)).max(WARP));
        }
        let mut worker = self.worker(device, shape, usual)?;
        let mut size = worker.chunk.capacity().min(usual);
        while let Some(range) = pool.take(size) {
            let Worker { queue, tables, chunk } = &mut worker;
            chunk.load(queue, inputs, &range)?;
            if !self.transfers_only {
                let computed = self.present(device, pool);
                match computed.and_then(|()| chunk.compute(&self.scheme, queue, tables, &shape.options)) {
                    Err(Error::OutOfMemory { .. }) if range.len() > 1 => {
                        size = range.len().div_ceil(2);
                        pool.put_back(range);
                        continue;
                    }
                    Err(error) => {
                        pool.put_back(range);
                        return Err(error);
                    }
                    Ok(()) => {}
                }
            }
            chunk.store(queue, results, range.start)?;
            pool.done(range.len());
        }
        self.idle.lock().expect("no worker panics").push(worker);
        Ok(())
    }

    /// An idle worker on a device that fits chunks of `size` items, or a new one with as many as the memory holds.
    fn worker(&self, device: Device, shape: &Shape<S>, mut size: usize) -> Result<Worker<S>, Error> {
        let mut idle = self.idle.lock().expect("no worker panics");
        let fits = |worker: &Worker<S>| worker.chunk.capacity() >= size && worker.chunk.fits(shape);
        // What does not fit now gives its memory back.
        idle.retain(|worker| worker.queue.device() != device || fits(worker));
        if let Some(known) = idle.iter().position(|worker| worker.queue.device() == device) {
            return Ok(idle.swap_remove(known));
        }
        drop(idle);
        // Of a CPU's threads each has a chunk.
        let queue = if device.is_cpu() { self.queue_of_one(device)? } else { self.queue(device)? };
        let tables = self.tables_on(&queue)?;
        let bytes = bytes_per_item(shape) * size + self.scheme.workspace_bytes(device, shape, size);
        size = chunk_items(size, bytes.div_ceil(size) * self.scheme.gpu_workers(), queue.free_bytes(), 1);
        loop {
            match Chunk::new(&self.scheme, &queue, &tables, shape, size) {
                Err(Error::OutOfMemory { .. }) if size > 1 => size = size.div_ceil(2),
                chunk => return chunk.map(|chunk| Worker { queue, tables, chunk }),
            }
        }
    }
}
