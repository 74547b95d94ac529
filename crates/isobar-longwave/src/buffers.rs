//! What kernels leave to each other in the memory of a device, and how columns take turns there.

use isobar_core::kernel::WARP;
use isobar_core::{FieldMut, Real};
use isobar_launch::{Buffer, Device, Error, Plain, Queue};

use crate::arguments::{LayerStates, Spread};
use crate::workspace::{Rows, Workspace, fluxes_of};

/// Columns that a worker takes at a time: on a GPU small enough that copies of some overlap with kernels of others; on
/// a CPU what kernels leave to each other stays near, and threads seldom wait for the last.
pub(crate) const CHUNK: usize = 1 << 12;

/// How many memories take turns on a device that has so many columns, and the columns of each: what kernels leave to
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
pub struct Buffers<R: Real + Plain> {
    first: Memory<R>,
    others: Vec<(Queue, Memory<R>)>,
}

impl<R: Real + Plain> Buffers<R> {
    pub(crate) fn new(queue: &Queue, rows: &Rows, columns: usize) -> Result<Self, Error> {
        let (memories, each) = turns(queue.device(), columns);
        let others = (1..memories).map(|_| Ok((queue.another()?, Memory::new(queue, *rows, each)?)));
        let others = others.collect::<Result<_, Error>>()?;
        Ok(Self { first: Memory::new(queue, *rows, each)?, others })
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
pub(crate) struct Memory<R: Real + Plain> {
    columns: usize,
    rows: Rows,
    values: Buffer<R>,
    indices: Buffer<u32>,
    lower_layers: Buffer<u32>,
    precipitable_water_cm: Buffer<R>,
    secants: Buffer<R>,
    mask: Buffer<u32>,
    entries: Buffer<u32>,
    follows: Buffer<f64>,
    spread_numbers: Buffer<R>,
    spread_words: Buffer<u32>,
    slant: Buffer<R>,
    /// Statuses of launches, which nobody looks at: those of columns are among the results.
    statuses: Buffer<u32>,
}

impl<R: Real + Plain> Memory<R> {
    fn new(queue: &Queue, rows: Rows, columns: usize) -> Result<Self, Error> {
        Ok(Self {
            columns,
            rows,
            values: queue.zeros(rows.values * columns)?,
            indices: queue.zeros(rows.layers * columns)?,
            lower_layers: queue.zeros(columns)?,
            precipitable_water_cm: queue.zeros(columns)?,
            secants: queue.zeros(rows.bands * columns)?,
            mask: queue.zeros(rows.mask * columns)?,
            entries: queue.zeros(rows.entries * columns)?,
            follows: queue.zeros(rows.follows * columns)?,
            spread_numbers: queue.zeros(rows.spread_numbers * columns)?,
            spread_words: queue.zeros(rows.spread_words * columns)?,
            slant: queue.zeros(rows.slant.iter().sum::<usize>() * columns)?,
            statuses: queue.zeros(rows.items * columns.next_multiple_of(WARP))?,
        })
    }

    /// Views for so many columns, and the statuses.
    pub(crate) fn views(&mut self, count: usize) -> (Workspace<'_, R>, &mut Buffer<u32>) {
        let (columns, rows) = (self.columns, self.rows);
        let slant = self.slant.parts_mut(&rows.slant, columns);
        let workspace = Workspace {
            states: LayerStates {
                values: by_level(&mut self.values, rows.values, columns),
                indices: by_level(&mut self.indices, rows.layers, columns),
                lower_layers: by_column(&mut self.lower_layers, 1, columns),
                precipitable_water_cm: by_column(&mut self.precipitable_water_cm, 1, columns),
                secants: by_level(&mut self.secants, rows.bands, columns),
            },
            mask: by_column(&mut self.mask, rows.mask, columns),
            entries: by_column(&mut self.entries, rows.entries, columns),
            follows: by_column(&mut self.follows, rows.follows, columns),
            spread: Spread {
                numbers: by_level(&mut self.spread_numbers, rows.spread_numbers, columns),
                words: by_level(&mut self.spread_words, rows.spread_words, columns),
            },
            slant: fluxes_of(slant.map(|part| part.range(0..count))),
        };
        (workspace, &mut self.statuses)
    }
}

fn by_column<T: Plain>(buffer: &mut Buffer<T>, rows: usize, columns: usize) -> FieldMut<'_, T> {
    if rows == 0 { FieldMut::empty() } else { buffer.item_fastest_mut(rows, columns) }
}

fn by_level<T: Plain>(buffer: &mut Buffer<T>, rows: usize, columns: usize) -> FieldMut<'_, T> {
    if rows == 0 { FieldMut::empty() } else { buffer.level_fastest_mut(rows, columns) }
}
