//! Columns and their results in the memory of one device.

use std::ops::Range;

use isobar_core::Real;
use isobar_core::kernel::WARP;
use isobar_launch::rows::{gather, scatter};
use isobar_launch::{Buffer, Error, Plain, Queue, Staging};

use super::Precision;
use super::layout::{MARKS, Places, inputs, levels_of_inputs, levels_of_outputs, levels_of_room};
use super::ptx::load;
use super::views::Views;
use crate::{Columns, Options, Outputs};

/// Some columns on the device of a queue, and room for their results.
pub struct Resident<R: Real + Plain> {
    options: Options,
    layers: usize,
    tracers: usize,
    /// The columns that are here; there may be room for more.
    columns: usize,
    /// The same with copies of the last one up to whole warps: rows begin where a GPU's memory likes it.
    padded: usize,
    inputs: Buffer<R>,
    outputs: Buffer<R>,
    marks: Buffer<u32>,
    room: Buffer<R>,
    statuses: Buffer<u32>,
    to_device: Staging<R>,
    to_host: Staging<R>,
    marks_to_host: Staging<u32>,
}

impl<R: Real + Plain> Resident<R> {
    /// Room for so many columns with the layers and tracers of a batch.
    ///
    /// # Errors
    /// More than [`Resident::most_columns`], [`Error::OutOfMemory`], or what the driver answers.
    pub fn new(queue: &Queue, batch: &Columns<R>, options: &Options, columns: usize) -> Result<Self, Error> {
        load(queue)?;
        let most = Self::most_columns(batch);
        if columns > most {
            let what = format!("{columns} columns are too many at a time: at most {most} of this shape");
            return Err(Error::Driver { device: queue.device(), doing: "take columns", what });
        }
        let (layers, tracers, columns) = (batch.layers(), batch.tracers(), columns.next_multiple_of(WARP));
        let size = |levels: &[usize]| levels.iter().sum::<usize>() * columns;
        let to_device = size(&levels_of_inputs(layers, tracers, options));
        let to_host = size(&levels_of_outputs(layers, tracers));
        Ok(Self {
            options: *options,
            layers,
            tracers,
            columns: 0,
            padded: 0,
            inputs: queue.zeros(to_device)?,
            outputs: queue.zeros(to_host)?,
            marks: queue.zeros(size(&MARKS))?,
            room: queue.zeros(size(&levels_of_room(layers, tracers)))?,
            statuses: queue.zeros(columns.div_ceil(WARP) * tracers.max(1))?,
            to_device: queue.staging(to_device)?,
            to_host: queue.staging(to_host)?,
            marks_to_host: queue.staging(size(&MARKS))?,
        })
    }

    /// The most columns that can be computed at a time: kernels compute places in a field with 32 bits.
    #[must_use]
    pub fn most_columns(batch: &Columns<R>) -> usize {
        let values = (batch.layers() + 1) * batch.tracers().max(1);
        (i32::MAX as usize / values / WARP * WARP).max(WARP)
    }

    /// The columns for which there is room.
    #[must_use]
    pub fn room(&self) -> usize {
        self.marks.len() / MARKS.len()
    }

    /// Is the room that of such columns?
    pub(super) fn fits(&self, batch: &Columns<R>, options: &Options) -> bool {
        (self.layers, self.tracers, self.options) == (batch.layers(), batch.tracers(), *options)
    }

    /// The bytes that a column takes on a device.
    #[must_use]
    pub fn bytes_per_column(batch: &Columns<R>, options: &Options) -> usize {
        let (layers, tracers) = (batch.layers(), batch.tracers());
        let values = [
            levels_of_inputs(layers, tracers, options),
            levels_of_outputs(layers, tracers),
            levels_of_room(layers, tracers),
        ];
        values.iter().flatten().sum::<usize>() * size_of::<R>() + MARKS.len() * size_of::<u32>()
    }

    /// Takes the columns of a range, which are valid and for which there is room, to the device.
    ///
    /// # Errors
    /// What the driver answers.
    pub fn load(&mut self, queue: &Queue, batch: &Columns<R>, range: &Range<usize>) -> Result<(), Error> {
        // What was sent before has to have left the staging.
        queue.synchronize()?;
        self.columns = range.len();
        self.padded = range.len().next_multiple_of(WARP);
        let len = levels_of_inputs(self.layers, self.tracers, &self.options).iter().sum::<usize>() * self.padded;
        gather(&inputs(batch, &self.options), batch.columns(), range, self.padded, &mut self.to_device[..len]);
        // SAFETY: the staging is the resident's own, and only touched above, after a synchronization.
        unsafe { queue.send(&self.to_device, len, &mut self.inputs) }
    }

    /// Computes the columns, by the queue with which they were loaded.
    ///
    /// # Errors
    /// What the driver answers; on a GPU also later, by [`Resident::outputs`].
    pub fn compute(&mut self, queue: &Queue) -> Result<(), Error>
    where
        R: Precision,
    {
        let (layers, count, tracers) = (self.layers, self.padded, self.tracers);
        let views = Views {
            options: self.options,
            tracers,
            inputs: self.inputs.parts(&levels_of_inputs(layers, tracers, &self.options), count).collect(),
            outputs: self.outputs.parts_mut(&levels_of_outputs(layers, tracers), count).collect(),
            marks: self.marks.parts_mut(&MARKS, count).collect(),
            room: self.room.parts_mut(&levels_of_room(layers, tracers), count).collect(),
        };
        views.compute(queue, &mut self.statuses)
    }

    /// Copies the results to their places among those of all columns, from `first` on.
    ///
    /// # Errors
    /// What the driver answers.
    pub(super) fn store(&mut self, queue: &Queue, places: &Places<'_, R>, first: usize) -> Result<(), Error> {
        let len = levels_of_outputs(self.layers, self.tracers).iter().sum::<usize>() * self.padded;
        let marks = MARKS.len() * self.padded;
        // SAFETY: the staging is the resident's own, and looked at after the synchronization.
        unsafe {
            queue.receive(&self.outputs, len, &mut self.to_host)?;
            queue.receive(&self.marks, marks, &mut self.marks_to_host)?;
        }
        queue.synchronize()?;
        scatter(&self.to_host[..len], self.padded, &places.values, first, self.columns);
        scatter(&self.marks_to_host[..marks], self.padded, &places.marks, first, self.columns);
        Ok(())
    }

    /// The results.
    ///
    /// # Errors
    /// What the driver answers.
    pub fn outputs(&mut self, queue: &Queue) -> Result<Outputs<R>, Error> {
        let mut results = Outputs::room(self.layers, self.tracers, self.columns);
        self.store(queue, &Places::new(&mut results, self.layers, self.columns), 0)?;
        Ok(results)
    }
}
