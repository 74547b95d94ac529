//! What kernels leave to each other in the memory of a device, and how they are run there.

use isobar_core::kernel::WARP;
use isobar_core::{FieldMut, Kernel, Real};
use isobar_longwave::spread::Spread;
use isobar_longwave::tables::Tables;
use isobar_longwave::{Fluxes, Inputs, Launcher, LayerStates, Room, Work};

use super::layout::Shape;
use crate::{Buffer, Device, Error, Plain, Precision, Queue, chunks};

/// How many rooms take turns on a GPU, and the columns of each: what kernels leave to each other would take more memory than all the rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns {
    pub(super) rooms: usize,
    pub(super) columns: usize,
}

/// Where a batch has the device for itself: kernels of one room fill what those of the others leave idle.
pub(super) const ALONE: Turns = Turns { rooms: 4, columns: 1 << 10 };
/// Where several workers have a batch each, whose kernels do the same.
pub(super) const BESIDE_OTHERS: Turns = Turns { rooms: 1, columns: 1 << 12 };

/// What kernels leave to each other, for some columns at a time.
pub(super) struct DeviceRoom<R: Real + Plain> {
    pub(super) columns: usize,
    values: Buffer<R>,
    indices: Buffer<u32>,
    lower_layers: Buffer<u32>,
    precipitable_water: Buffer<R>,
    secants: Buffer<R>,
    mask: Buffer<u32>,
    follows: Buffer<f64>,
    numbers: Buffer<R>,
    spread_words: Buffer<u32>,
    slant: Buffer<R>,
    /// Statuses that nobody looks at.
    statuses: Buffer<u32>,
}

impl<R: Real + Plain> DeviceRoom<R> {
    pub(super) fn new(queue: &Queue, shape: &Shape, columns: usize) -> Result<Self, Error> {
        let states = shape.states();
        let [numbers, words] = shape.spread_levels(queue.device());
        Ok(Self {
            columns,
            values: queue.zeros(states.values * columns)?,
            indices: queue.zeros(states.indices * columns)?,
            lower_layers: queue.zeros(columns)?,
            precipitable_water: queue.zeros(columns)?,
            secants: queue.zeros(states.secants * columns)?,
            mask: queue.zeros(shape.generated_levels() * columns)?,
            follows: queue.zeros(shape.follows_levels() * columns)?,
            numbers: queue.zeros(numbers * columns)?,
            spread_words: queue.zeros(words * columns)?,
            slant: queue.zeros(shape.levels_of_slant::<R>().iter().sum::<usize>() * columns)?,
            statuses: queue.zeros(shape.items_per_column() * columns.next_multiple_of(WARP))?,
        })
    }

    /// Views of it, and the statuses.
    pub(super) fn view(&mut self, shape: &Shape) -> (Room<'_, R>, &mut Buffer<u32>) {
        let (columns, states) = (self.columns, shape.states());
        let levels = |levels: usize| if levels > 0 { Some(levels) } else { None };
        let mask = levels(shape.generated_levels());
        let follows = levels(shape.follows_levels());
        let numbers = levels(self.numbers.len() / columns);
        let words = levels(self.spread_words.len() / columns);
        let room = Room {
            states: LayerStates {
                values: self.values.level_fastest_mut(states.values, columns),
                indices: self.indices.level_fastest_mut(states.indices, columns),
                lower_layers: self.lower_layers.item_fastest_mut(1, columns),
                precipitable_water: self.precipitable_water.item_fastest_mut(1, columns),
                secants: self.secants.level_fastest_mut(states.secants, columns),
            },
            mask: mask.map_or(FieldMut::empty(), |levels| self.mask.item_fastest_mut(levels, columns)),
            follows: follows.map_or(FieldMut::empty(), |levels| self.follows.item_fastest_mut(levels, columns)),
            spread: Spread {
                numbers: numbers.map_or(FieldMut::empty(), |levels| self.numbers.level_fastest_mut(levels, columns)),
                words: words.map_or(FieldMut::empty(), |levels| self.spread_words.level_fastest_mut(levels, columns)),
            },
            slant: fluxes(&mut self.slant, &shape.levels_of_slant::<R>(), (columns, columns)),
        };
        (room, &mut self.statuses)
    }
}

/// Rooms that take turns: the first on the queue that its user has, each other one on its own.
pub(super) struct Rooms<R: Real + Plain> {
    first: DeviceRoom<R>,
    others: Vec<(Queue, DeviceRoom<R>)>,
}

impl<R: Real + Plain> Rooms<R> {
    /// Rooms for batches of so many columns.
    pub(super) fn new(queue: &Queue, shape: &Shape, columns: usize, turns: Turns) -> Result<Self, Error> {
        let turns = if queue.device() == Device::Cpu { BESIDE_OTHERS } else { turns };
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
            R::compute_longwave(&work, &shape.options, &mut launcher)?;
        }
        for (other, _) in &self.others {
            queue.follow(other)?;
        }
        Ok(())
    }
}

/// Runs kernels on a queue.
pub(crate) struct OnQueue<'a> {
    queue: &'a Queue,
    statuses: &'a mut Buffer<u32>,
    unwanted: &'a mut Buffer<u32>,
    /// The number of the first column's status.
    first: usize,
}

impl Launcher for OnQueue<'_> {
    type Error = Error;

    fn is_gpu(&self) -> bool {
        self.queue.device() != Device::Cpu
    }

    fn launch<K: Kernel>(&mut self, kernel: &K, first: Option<usize>) -> Result<(), Error> {
        match first {
            Some(first) => self.queue.launch_from(kernel, self.statuses, self.first + first),
            None => self.queue.launch(kernel, self.unwanted),
        }
    }
}

/// Views of fluxes in a buffer.
pub(super) fn fluxes<'a, R: Real + Plain>(
    buffer: &'a mut Buffer<R>,
    levels: &[usize; 10],
    (columns, padded): (usize, usize),
) -> Fluxes<'a, R> {
    let mut fields = [FieldMut::empty(); 10];
    for (field, part) in fields.iter_mut().zip(buffer.parts_mut(levels, padded)) {
        if part.levels() > 0 {
            *field = part.range(0..columns);
        }
    }
    Fluxes::of_fields(fields)
}
