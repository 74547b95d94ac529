//! Rooms of a device that take turns, and how kernels are run in them.

use isobar_core::{Kernel, Real};
use isobar_launch::{Buffer, Error, Plain, Queue, chunks};

use super::Precision;
use super::layout::Shape;
use super::room::DeviceRoom;
use crate::tables::Tables;
use crate::{Fluxes, Inputs, Launcher, Work};

/// How many rooms take turns on a GPU, and the columns of each: what kernels leave to each other would take more memory
/// than all the rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns {
    pub(super) rooms: usize,
    pub(super) columns: usize,
}

/// Where a batch has the device for itself: kernels of one room fill what those of the others leave idle.
pub(super) const ALONE: Turns = Turns { rooms: 4, columns: 1 << 10 };
/// Where several workers have a batch each, whose kernels do the same.
pub(super) const BESIDE_OTHERS: Turns = Turns { rooms: 1, columns: 1 << 12 };

/// Rooms that take turns: the first on the queue that its user has, each other one on its own.
pub(super) struct Rooms<R: Real + Plain> {
    first: DeviceRoom<R>,
    others: Vec<(Queue, DeviceRoom<R>)>,
}

impl<R: Real + Plain> Rooms<R> {
    /// Rooms for batches of so many columns.
    pub(super) fn new(queue: &Queue, shape: &Shape, columns: usize, turns: Turns) -> Result<Self, Error> {
        let turns = if queue.device().is_cpu() { BESIDE_OTHERS } else { turns };
        let size = columns.min(turns.columns);
        let others = (1..turns.rooms.min(columns.div_ceil(size)))
            .map(|_| Ok((queue.another()?, DeviceRoom::new(queue, shape, size)?)));
        let others = others.collect::<Result<_, Error>>()?;
        Ok(Self { first: DeviceRoom::new(queue, shape, size)?, others })
    }

    /// The columns that have room.
    pub(super) fn columns(&self) -> usize {
        self.first.columns * (1 + self.others.len())
    }

    /// Computes columns of a shape; what follows on the queue comes after it.
    pub(super) fn compute(
        &mut self,
        queue: &Queue,
        shape: &Shape,
        (tables, inputs, fluxes): (Tables<'_, R>, Inputs<'_, R>, Fluxes<'_, R>),
        statuses: &mut Buffer<u32>,
    ) -> Result<(), Error>
    where
        R: Precision,
    {
        for (other, _) in &self.others {
            other.follow(queue)?;
        }
        for (part, columns) in chunks(inputs.columns(), self.first.columns).enumerate() {
            let (queue, room) = match part % (1 + self.others.len()) {
                0 => (queue, &mut self.first),
                number => {
                    let (queue, room) = &mut self.others[number - 1];
                    (&*queue, room)
                }
            };
            let (room, unwanted) = room.view(shape);
            let work = Work { tables, inputs: inputs.range(&columns), room, fluxes: fluxes.range(&columns) };
            let mut launcher = OnQueue { queue, statuses, unwanted, first: columns.start };
            R::compute(&work, &shape.options, &mut launcher)?;
        }
        for (other, _) in &self.others {
            queue.follow(other)?;
        }
        Ok(())
    }
}

/// Runs kernels on a queue.
pub(super) struct OnQueue<'a> {
    queue: &'a Queue,
    statuses: &'a mut Buffer<u32>,
    unwanted: &'a mut Buffer<u32>,
    /// The number of the first column's status.
    first: usize,
}

impl Launcher for OnQueue<'_> {
    type Error = Error;

    fn is_gpu(&self) -> bool {
        !self.queue.device().is_cpu()
    }

    fn launch<K: Kernel>(&mut self, kernel: &K, first: Option<usize>) -> Result<(), Error> {
        match first {
            Some(first) => self.queue.launch_from(kernel, self.statuses, self.first + first),
            None => self.queue.launch(kernel, self.unwanted),
        }
    }
}
