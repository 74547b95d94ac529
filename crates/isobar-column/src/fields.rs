//! A stage's way to the fields.

use isobar_core::fields::Declared;
use isobar_core::{Column, Field, FieldMut, Kernel};
use isobar_launch::{Buffer, Queue};

use crate::limits::WORDS;
use crate::state::{Stored, Transfers};
use crate::{Built, Error, Precision, Quantity, Shape, State};

/// The fields that a stage declared, while it runs.
///
/// A view is an address of the state's device, to be put into a kernel. A field is taken any number of times to read,
/// or once to write.
pub struct Fields<'s, R: Precision> {
    stage: String,
    reads: Vec<Quantity>,
    writes: Vec<Quantity>,
    size: [usize; 3],
    queue: &'s Queue,
    stored: &'s mut [Stored<R>],
    words: FieldMut<'s, u32>,
    statuses: &'s mut Buffer<u32>,
    transfers: &'s mut Transfers,
    taken: Vec<(&'static str, bool)>,
}

impl<'s, R: Precision> Fields<'s, R> {
    pub(crate) fn new(state: &'s mut State<R>, stage: String, reads: Vec<Quantity>, writes: Vec<Quantity>) -> Self {
        let size = [state.columns(), state.layers(), state.tracers()];
        let (queue, stored, [words, statuses], transfers) = state.parts();
        let words = words.item_fastest_mut(WORDS, size[0]);
        Self { stage, reads, writes, size, queue, stored, words, statuses, transfers, taken: Vec::new() }
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.size[0]
    }

    /// The number of layers.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.size[1]
    }

    /// The number of tracers.
    #[must_use]
    pub fn tracers(&self) -> usize {
        self.size[2]
    }

    /// Where the fields are.
    #[must_use]
    pub fn queue(&self) -> &'s Queue {
        self.queue
    }

    /// A view of a field, without items where it has no values. Of `(layer, tracer, column)`, an item is a tracer of a
    /// column, `tracer * columns + column`.
    ///
    /// # Errors
    /// The stage did not declare it, or has taken it to write.
    pub fn read(&mut self, quantity: Quantity) -> Result<Field<'s, R>, Error> {
        self.view(quantity, self.extent(quantity.shape))
    }

    fn view(&mut self, quantity: Quantity, (levels, items): (usize, usize)) -> Result<Field<'s, R>, Error> {
        if !self.reads.contains(&quantity) {
            return Err(Error::Undeclared { stage: self.stage.clone(), does: "reads", quantity });
        }
        let place = self.take(quantity, false)?;
        if levels * items == 0 {
            return Ok(Field::empty());
        }
        let view = self.stored[place].values.item_fastest(levels, items);
        // SAFETY: the state, and with it the buffer, is borrowed for 's, and nobody takes a field to write that
        // somebody reads.
        Ok(unsafe { Field::from_raw(view.as_ptr(), levels, items, items as isize, 1) })
    }

    /// The field of a scheme, a row for each index of its dimensions; without items where it has no values.
    ///
    /// # Errors
    /// As [`Fields::read`].
    pub fn read_rows(&mut self, declared: &Declared) -> Result<Field<'s, R>, Error> {
        let quantity = Quantity::of(declared);
        self.view(quantity, self.rows(quantity.shape))
    }

    /// [`Fields::read_rows`], to write.
    ///
    /// # Errors
    /// As [`Fields::write`].
    pub fn write_rows(&mut self, declared: &Declared) -> Result<FieldMut<'s, R>, Error> {
        let quantity = Quantity::of(declared);
        self.view_mut(quantity, self.rows(quantity.shape))
    }

    /// A view of a field with one value a column.
    ///
    /// # Errors
    /// As [`Fields::read`].
    ///
    /// # Panics
    /// If the field has more values.
    pub fn read_column(&mut self, quantity: Quantity) -> Result<Column<'s, R>, Error> {
        assert_eq!(quantity.shape, Shape::Column, "{quantity} has one value a column");
        Ok(self.read(quantity)?.row(0))
    }

    /// A view of a field, to write.
    ///
    /// # Errors
    /// The stage did not declare it, or has taken it before.
    pub fn write(&mut self, quantity: Quantity) -> Result<FieldMut<'s, R>, Error> {
        self.view_mut(quantity, self.extent(quantity.shape))
    }

    fn view_mut(&mut self, quantity: Quantity, (levels, items): (usize, usize)) -> Result<FieldMut<'s, R>, Error> {
        if !self.writes.contains(&quantity) {
            return Err(Error::Undeclared { stage: self.stage.clone(), does: "writes", quantity });
        }
        let place = self.take(quantity, true)?;
        if levels * items == 0 {
            return Ok(FieldMut::empty());
        }
        let view = self.stored[place].values.item_fastest_mut(levels, items);
        // SAFETY: the state, and with it the buffer, is borrowed for 's, and nobody else takes a field that somebody
        // writes.
        Ok(unsafe { FieldMut::from_raw(view.as_ptr(), levels, items, items as isize, 1) })
    }

    /// The values of a field that nobody writes, on the host.
    ///
    /// # Errors
    /// As [`Fields::read`], or what the device answers.
    pub(crate) fn values_on_host(&mut self, quantity: Quantity) -> Result<Vec<R>, Error> {
        let _ = self.read(quantity)?;
        let place = self.stored.iter().position(|stored| stored.quantity == quantity);
        let place = place.ok_or(Error::Absent { quantity })?;
        let values = self.queue.to_host(&self.stored[place].values)?;
        self.transfers.to_host += size_of_val(&values[..]) as u64;
        Ok(values)
    }

    /// Brings values to the device.
    pub(crate) fn put_on_device(&mut self, values: &[R], buffer: &mut Buffer<R>) -> Result<(), Error> {
        self.queue.upload_into(values, buffer)?;
        self.transfers.to_device += size_of_val(values) as u64;
        Ok(())
    }

    /// The words of each column ([`WORDS`]), the first of them the statuses of all steps so far, to add to.
    #[must_use]
    pub fn words(&self) -> FieldMut<'s, u32> {
        self.words
    }

    /// Lets the stage's next kernel take all fields again: kernels run one after another.
    pub(crate) fn next_kernel(&mut self) {
        self.taken.clear();
    }

    /// Launches a kernel. A GPU needs its PTX, which [`Queue::load`] of the state's queue brings there.
    ///
    /// # Errors
    /// As [`Queue::launch`]: [`isobar_launch::Error::KernelMissing`] for a kernel whose PTX is not there.
    pub fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Error> {
        Ok(self.queue.launch(kernel, self.statuses)?)
    }

    /// Launches one of the kernels that are compiled here.
    pub(crate) fn launch_built(&mut self, kernel: &Built<'_, R>) -> Result<(), Error> {
        Ok(R::launch(kernel, self.queue, self.statuses)?)
    }

    /// Rows of columns.
    fn rows(&self, shape: Shape) -> (usize, usize) {
        let [columns, layers, tracers] = self.size;
        (shape.per_column(layers, tracers), columns)
    }

    /// Levels and items.
    fn extent(&self, shape: Shape) -> (usize, usize) {
        let [columns, layers, tracers] = self.size;
        match shape {
            Shape::Column => (1, columns),
            Shape::Layers => (layers, columns),
            Shape::Levels => (layers + 1, columns),
            Shape::LayersOfTracers => (layers, tracers * columns),
            Shape::Tracers => (tracers, columns),
            Shape::Soil(layers) => (layers, columns),
        }
    }

    /// The place of a field that may be taken so.
    fn take(&mut self, quantity: Quantity, to_write: bool) -> Result<usize, Error> {
        let clash = |&(name, written): &(&str, bool)| name == quantity.name && (written || to_write);
        if self.taken.iter().any(clash) {
            return Err(Error::Twice { stage: self.stage.clone(), quantity });
        }
        self.taken.push((quantity.name, to_write));
        let place = self.stored.iter().position(|stored| stored.quantity == quantity);
        place.ok_or(Error::Absent { quantity })
    }
}
