//! Columns and their results in the memory of one device.

use std::ops::Range;
use std::sync::Arc;

use isobar_core::kernel::WARP;
use isobar_core::{FieldMut, Real};
use isobar_launch::rows::{gather, scatter};
use isobar_launch::{Buffer, Device, Error, Plain, Queue, Staging};

use super::Precision;
use super::layout::Shape;
use super::room::fluxes;
use super::tables::DeviceTables;
use super::turns::{ALONE, Rooms, Turns};
use crate::{ARRAYS, Columns, Options, Outputs, Words};

/// Some columns on the device of a queue, and room for their results.
pub struct Resident<R: Real + Plain> {
    device: Device,
    shape: Shape,
    tables: Arc<DeviceTables<R>>,
    /// The columns that are here; there may be room for more.
    columns: usize,
    /// The same up to whole warps: rows begin where a GPU's memory likes it.
    padded: usize,
    inputs: Buffer<R>,
    /// Values that stand for all levels and columns.
    ones: Buffer<R>,
    words: Buffer<u32>,
    outputs: Buffer<R>,
    statuses: Buffer<u32>,
    rooms: Rooms<R>,
    to_device: Staging<R>,
    ones_to_device: Staging<R>,
    words_to_device: Staging<u32>,
    to_host: Staging<R>,
    statuses_to_host: Staging<u32>,
}

impl<R: Real + Plain> Resident<R> {
    /// Room for so many columns like those of a batch, whose sizes are valid; `words` are the batch's.
    ///
    /// # Errors
    /// More than [`Resident::most_columns`], [`Error::OutOfMemory`], or what the driver answers.
    pub fn new(
        queue: &Queue,
        tables: &Arc<DeviceTables<R>>,
        (batch, words): (&Columns<R>, &Words<'_>),
        options: &Options,
        columns: usize,
    ) -> Result<Self, Error> {
        Self::with(queue, tables, (batch, words), options, (columns, ALONE))
    }

    /// The same; `turns` says how the columns share what kernels leave to each other.
    pub(super) fn with(
        queue: &Queue,
        tables: &Arc<DeviceTables<R>>,
        (batch, words): (&Columns<R>, &Words<'_>),
        options: &Options,
        (columns, turns): (usize, Turns),
    ) -> Result<Self, Error> {
        let most = Self::most_columns(batch);
        if columns > most {
            let what = format!("{columns} columns are too many at a time: at most {most} of this shape");
            return Err(Error::Driver { device: queue.device(), doing: "take columns", what });
        }
        let shape = shape(tables, (batch, words), options);
        let columns = columns.next_multiple_of(WARP);
        let size = |levels: &[usize]| levels.iter().sum::<usize>() * columns;
        let (to_device, words) = (size(&shape.levels_of_inputs()), size(&shape.levels_of_words()));
        let to_host = size(&shape.levels_of_outputs::<R>());
        Ok(Self {
            device: queue.device(),
            tables: tables.clone(),
            columns: 0,
            padded: 0,
            inputs: queue.zeros(to_device)?,
            ones: queue.zeros(ARRAYS)?,
            words: queue.zeros(words)?,
            outputs: queue.zeros(to_host)?,
            statuses: queue.zeros(columns)?,
            rooms: Rooms::new(queue, &shape, columns, turns)?,
            to_device: queue.staging(to_device)?,
            ones_to_device: queue.staging(ARRAYS)?,
            words_to_device: queue.staging(words)?,
            to_host: queue.staging(to_host)?,
            statuses_to_host: queue.staging(columns)?,
            shape,
        })
    }

    /// The most columns that can be computed at a time: kernels compute places in a field with 32 bits.
    #[must_use]
    pub fn most_columns(batch: &Columns<R>) -> usize {
        (i32::MAX as usize / (batch.layers() + 1) / WARP * WARP).max(WARP)
    }

    /// The columns for which there is room.
    #[must_use]
    pub fn room(&self) -> usize {
        self.statuses.len()
    }

    /// Is the room that of such columns?
    pub(super) fn fits(&self, batch: (&Columns<R>, &Words<'_>), options: &Options) -> bool {
        self.shape == shape(&self.tables, batch, options)
    }

    /// The bytes of the device's memory that all of it takes, tables apart.
    #[must_use]
    pub fn device_bytes(&self) -> usize {
        let (each, at_a_time) = self.shape.bytes_per_column::<R>(self.device);
        each * self.room() + at_a_time * self.rooms.columns()
    }

    /// The most bytes that a column of such a batch takes on a device.
    #[must_use]
    pub fn bytes_per_column(
        device: Device,
        tables: &DeviceTables<R>,
        batch: (&Columns<R>, &Words<'_>),
        options: &Options,
    ) -> usize {
        let (each, at_a_time) = shape(tables, batch, options).bytes_per_column::<R>(device);
        each + at_a_time
    }

    /// Takes the columns of a range, which are valid and for which there is room, to the device.
    ///
    /// # Errors
    /// What the driver answers.
    pub fn load(
        &mut self,
        queue: &Queue,
        (batch, words): (&Columns<R>, &Words<'_>),
        range: &Range<usize>,
    ) -> Result<(), Error> {
        // What was sent before has to have left the staging.
        queue.synchronize()?;
        self.columns = range.len();
        self.padded = range.len().next_multiple_of(WARP);
        let (rows, ones) = self.shape.inputs(batch);
        let len = self.shape.levels_of_inputs().iter().sum::<usize>() * self.padded;
        gather(&rows, batch.columns(), range, self.padded, &mut self.to_device[..len]);
        self.ones_to_device.copy_from_slice(&ones);
        let words_len = self.shape.levels_of_words().iter().sum::<usize>() * self.padded;
        let arrays = [&words.mask[..], &words.entries];
        gather(&arrays, batch.columns(), range, self.padded, &mut self.words_to_device[..words_len]);
        // SAFETY: the staging is the resident's own, and only touched above, after a synchronization.
        unsafe {
            queue.send(&self.to_device, len, &mut self.inputs)?;
            queue.send(&self.ones_to_device, ARRAYS, &mut self.ones)?;
            queue.send(&self.words_to_device, words_len, &mut self.words)
        }
    }

    /// Computes the columns, by the queue with which they were loaded.
    ///
    /// # Errors
    /// What the driver answers; on a GPU also later, by [`Resident::outputs`].
    pub fn compute(&mut self, queue: &Queue) -> Result<(), Error>
    where
        R: Precision,
    {
        let (shape, size) = (&self.shape, (self.columns, self.padded));
        let inputs = shape.views((&self.inputs, &self.ones, &self.words), size);
        let fluxes = fluxes(&mut self.outputs, &shape.levels_of_outputs::<R>(), size);
        self.rooms.compute(queue, shape, (self.tables.view(), inputs, fluxes), &mut self.statuses)
    }

    /// Copies the results to their places among those of all columns, from `first` on.
    ///
    /// # Errors
    /// What the driver answers.
    pub(super) fn store(&mut self, queue: &Queue, places: &Places<'_, R>, first: usize) -> Result<(), Error> {
        let len = self.shape.levels_of_outputs::<R>().iter().sum::<usize>() * self.padded;
        // SAFETY: the staging is the resident's own, and looked at after the synchronization.
        unsafe {
            queue.receive(&self.outputs, len, &mut self.to_host)?;
            queue.receive(&self.statuses, self.columns, &mut self.statuses_to_host)?;
        }
        queue.synchronize()?;
        scatter(&self.to_host[..len], self.padded, &places.fields, first, self.columns);
        places.status.set_items(0, first, &self.statuses_to_host[..self.columns]);
        Ok(())
    }

    /// The results.
    ///
    /// # Errors
    /// What the driver answers.
    pub fn outputs(&mut self, queue: &Queue) -> Result<Outputs<R>, Error> {
        let mut results = self.shape.results(self.columns);
        self.store(queue, &Places::new(&mut results), 0)?;
        Ok(results)
    }
}

/// Where results go.
pub(super) struct Places<'a, R> {
    fields: [FieldMut<'a, R>; 10],
    status: FieldMut<'a, u32>,
}

impl<'a, R: Real> Places<'a, R> {
    pub(super) fn new(results: &'a mut Outputs<R>) -> Self {
        let columns = results.status.len();
        // Of its own, for the fields' views borrow all of the results.
        let start = results.status.as_mut_ptr();
        let fields = results.view(columns).fields();
        // SAFETY: the statuses stay where they are as long as the results are borrowed, and are none of the fields.
        let status = unsafe { FieldMut::from_raw(start, 1, columns, columns as isize, 1) };
        Self { fields, status }
    }
}

fn shape<R: Real + Plain>(
    tables: &DeviceTables<R>,
    (batch, words): (&Columns<R>, &Words<'_>),
    options: &Options,
) -> Shape {
    Shape::new(tables.extents(batch.layers()), batch, words, options)
}
