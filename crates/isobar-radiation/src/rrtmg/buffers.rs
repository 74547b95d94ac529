//! What kernels leave to each other in the memory of a device, and how columns take turns there.

use isobar_core::Real;
use isobar_core::kernel::WARP;
use isobar_launch::{Allocations, Buffer, Device, DeviceMemory, Error, Queue};

use crate::rrtmg::workspace::{Rows, Workspace};

/// Columns that a worker takes at a time: on a GPU small enough that copies of some overlap with kernels of others; on
/// a CPU what kernels leave to each other stays near, and threads seldom wait for the last.
pub(crate) const CHUNK: usize = 1 << 12;

/// How many memories take turns on a device with `columns` columns, and the columns of each: what kernels leave to
/// each other would take more memory than all the rest. On a GPU that a batch has for itself, kernels of one fill what
/// those of the others leave idle; those of several workers, which have a whole chunk each, do so without.
fn turns(device: Device, columns: usize) -> (usize, usize) {
    match columns {
        _ if device.is_cpu() => (1, columns.min(CHUNK)),
        CHUNK => (1, CHUNK),
        _ => (columns.div_ceil(1 << 10).clamp(1, 4), columns.min(1 << 10)),
    }
}

/// The columns that have memory.
pub(crate) fn columns_at_a_time(device: Device, columns: usize) -> usize {
    let (memories, each) = turns(device, columns);
    memories * each
}

/// Memories that take turns: the first on the queue that its user has, each other one on its own.
pub(crate) struct Buffers<R: Real> {
    first: Memory<R>,
    others: Vec<(Queue, Memory<R>)>,
}

impl<R: Real> Buffers<R> {
    pub(crate) fn new(queue: &Queue, rows: &Rows, columns: usize) -> Result<Self, Error> {
        let (memories, each) = turns(queue.device(), columns);
        let others = (1..memories).map(|_| Ok((queue.another()?, Memory::new(queue, rows, each)?)));
        let others = others.collect::<Result<_, Error>>()?;
        Ok(Self { first: Memory::new(queue, rows, each)?, others })
    }

    /// The columns of each.
    pub(crate) fn columns(&self) -> usize {
        self.first.columns
    }

    /// Lets the others' queues come after that of the first.
    pub(crate) fn begin(&self, queue: &Queue) -> Result<(), Error> {
        self.others.iter().try_for_each(|(other, _)| other.follow(queue))
    }

    /// The queue and the memory whose turn it is.
    pub(crate) fn turn<'a>(&'a mut self, queue: &'a Queue, number: usize) -> (&'a Queue, &'a mut Memory<R>) {
        match number % (1 + self.others.len()) {
            0 => (queue, &mut self.first),
            other => {
                let (queue, memory) = &mut self.others[other - 1];
                (queue, memory)
            }
        }
    }

    /// What follows on the queue of the first comes after the others.
    pub(crate) fn end(&self, queue: &Queue) -> Result<(), Error> {
        self.others.iter().try_for_each(|(other, _)| queue.follow(other))
    }
}

/// Memory for some columns.
pub(crate) struct Memory<R: Real> {
    columns: usize,
    workspace: Workspace<'static, R>,
    /// Statuses of launches, which nobody looks at: those of columns are among the results.
    statuses: Buffer<u32>,
    _parts: Allocations,
}

impl<R: Real> Memory<R> {
    fn new(queue: &Queue, rows: &Rows, columns: usize) -> Result<Self, Error> {
        let mut parts = DeviceMemory::new(queue);
        // SAFETY: the parts live as long as the views, and nobody gets these for longer.
        let workspace = unsafe { Workspace::new(rows, columns, &mut parts) };
        let statuses = queue.zeros(rows.items * columns.next_multiple_of(WARP))?;
        Ok(Self { columns, workspace, statuses, _parts: parts.end()? })
    }

    /// Views, and the statuses.
    pub(crate) fn views(&mut self) -> (Workspace<'_, R>, &mut Buffer<u32>) {
        (self.workspace, &mut self.statuses)
    }
}
