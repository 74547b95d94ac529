//! Fields on a device.

use std::cell::Cell;
use std::sync::Arc;

use isobar_launch::{Buffer, Queue};

use crate::limits::{Stopped, WORDS};
use crate::ptx::load;
use crate::{Error, Precision, Quantity};

/// Fields of columns that live on one device, by name.
///
/// A field is `[row * columns + column]`, the rows from the surface up; of `(layer, tracer, column)`,
/// `[(layer * tracers + tracer) * columns + column]`.
pub struct State<R: Precision> {
    queue: Arc<Queue>,
    columns: usize,
    layers: usize,
    tracers: usize,
    fields: Vec<Stored<R>>,
    /// What became of each column so far: [`WORDS`].
    words: Buffer<u32>,
    /// Statuses of a launch, which nobody looks at: what matters is in the words.
    statuses: Buffer<u32>,
    transfers: Cell<Transfers>,
}

/// A field of a state.
pub(crate) struct Stored<R: Precision> {
    pub(crate) quantity: Quantity,
    pub(crate) values: Buffer<R>,
}

/// Queue, fields, words and statuses, transfers.
pub(crate) type Parts<'s, R> = (&'s Queue, &'s mut [Stored<R>], [&'s mut Buffer<u32>; 2], &'s mut Transfers);

/// What went from the host to the device and back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transfers {
    /// Bytes to the device.
    pub to_device: u64,
    /// Bytes to the host.
    pub to_host: u64,
}

impl<R: Precision> State<R> {
    /// No fields yet, for these columns, layers and tracers.
    ///
    /// # Errors
    /// No column or layer, so many that a field has 2^31 values, or what the device answers.
    pub fn new(queue: Queue, [columns, layers, tracers]: [usize; 3]) -> Result<Self, Error> {
        let most = columns.saturating_mul(layers + 1).saturating_mul(tracers.max(1));
        if columns == 0 || layers == 0 || most > i32::MAX as usize {
            let problem = format!(
                "{columns} columns of {layers} layers with {tracers} tracers: at least 1 column and layer, fewer than \
                    2^31 values a field"
            );
            return Err(Error::Stage { stage: "state".into(), problem });
        }
        load(&queue)?;
        let words = queue.zeros(WORDS * columns)?;
        let statuses = queue.zeros(columns * tracers.max(1))?;
        let queue = Arc::new(queue);
        Ok(Self { queue, columns, layers, tracers, fields: Vec::new(), words, statuses, transfers: Cell::default() })
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of layers.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.layers
    }

    /// The number of tracers.
    #[must_use]
    pub fn tracers(&self) -> usize {
        self.tracers
    }

    /// Where the fields are.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// The fields that are there, in the order in which they came.
    pub fn quantities(&self) -> impl Iterator<Item = Quantity> {
        self.fields.iter().map(|stored| stored.quantity)
    }

    /// The bytes that went to the device and back so far.
    #[must_use]
    pub fn transfers(&self) -> Transfers {
        self.transfers.get()
    }

    /// Brings a field to the device; what was there of that name is replaced.
    ///
    /// # Errors
    /// Another number of values, another unit or shape than that of a field of this name, or what the device answers.
    pub fn insert(&mut self, quantity: Quantity, values: &[R]) -> Result<(), Error> {
        let expected = self.len(quantity);
        if values.len() != expected {
            return Err(Error::Size { quantity, got: values.len(), expected });
        }
        self.make(quantity, "insert")?;
        let place = self.position(quantity.name).expect("it was made");
        self.queue.upload_into(values, &mut self.fields[place].values)?;
        self.count(|transfers| &mut transfers.to_device, size_of_val(values));
        Ok(())
    }

    /// Brings a field to the device that has one value everywhere.
    ///
    /// # Errors
    /// As [`State::insert`].
    pub fn fill(&mut self, quantity: Quantity, value: R) -> Result<(), Error> {
        // A new field is zeros, whose bits are all zero: nothing has to go there.
        if value.value().to_bits() == 0 && self.position(quantity.name).is_none() {
            return self.make(quantity, "fill");
        }
        self.insert(quantity, &vec![value; self.len(quantity)])
    }

    /// All values of a field. The only way back from the device, with [`State::append_to`].
    ///
    /// # Errors
    /// There is no such field, or what the device answers.
    pub fn to_host(&self, quantity: Quantity) -> Result<Vec<R>, Error> {
        let values = self.queue.to_host(&self.stored(quantity)?.values)?;
        self.count(|transfers| &mut transfers.to_host, size_of_val(&values[..]));
        Ok(values)
    }

    /// Adds all values of a field to others, without a copy between.
    ///
    /// # Errors
    /// As [`State::to_host`].
    pub fn append_to(&self, values: &mut Vec<R>, quantity: Quantity) -> Result<(), Error> {
        let before = values.len();
        self.queue.append_to(values, &self.stored(quantity)?.values)?;
        self.count(|transfers| &mut transfers.to_host, size_of_val(&values[before..]));
        Ok(())
    }

    fn stored(&self, quantity: Quantity) -> Result<&Stored<R>, Error> {
        let stored = self.position(quantity.name).map(|place| &self.fields[place]);
        stored.filter(|stored| stored.quantity == quantity).ok_or(Error::Absent { quantity })
    }

    /// The statuses of all steps so far, a column each: the bits of [`isobar_core::Status`] and of the schemes' own.
    ///
    /// # Errors
    /// What the device answers.
    pub fn flags(&self) -> Result<Vec<u32>, Error> {
        let mut words = self.words()?;
        words.truncate(self.columns);
        Ok(words)
    }

    /// Where the state of each column left its range, if it did: [`crate::limits`].
    ///
    /// # Errors
    /// What the device answers.
    pub fn stopped(&self) -> Result<Vec<Option<Stopped>>, Error> {
        Ok(Stopped::of_columns(&self.words()?, self.columns))
    }

    /// The words of each column, `[word * columns + column]`: [`WORDS`].
    ///
    /// # Errors
    /// What the device answers.
    pub fn words(&self) -> Result<Vec<u32>, Error> {
        let words = self.queue.to_host(&self.words)?;
        self.count(|transfers| &mut transfers.to_host, size_of_val(&words[..]));
        Ok(words)
    }

    /// Sets them, as from a restart file.
    ///
    /// # Errors
    /// Another number of them, or what the device answers.
    pub fn set_words(&mut self, words: &[u32]) -> Result<(), Error> {
        self.queue.upload_into(words, &mut self.words)?;
        self.count(|transfers| &mut transfers.to_device, size_of_val(words));
        Ok(())
    }

    /// Makes a field of zeros, if it is not there.
    pub(crate) fn make(&mut self, quantity: Quantity, stage: &str) -> Result<(), Error> {
        match self.position(quantity.name) {
            Some(place) => agree(stage, quantity, self.fields[place].quantity, "the state"),
            None => {
                let values = self.queue.zeros(self.len(quantity))?;
                self.fields.push(Stored { quantity, values });
                Ok(())
            }
        }
    }

    pub(crate) fn shared_queue(&self) -> Arc<Queue> {
        self.queue.clone()
    }

    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|stored| stored.quantity.name == name)
    }

    /// Everything that a stage works on.
    pub(crate) fn parts(&mut self) -> Parts<'_, R> {
        (&self.queue, &mut self.fields, [&mut self.words, &mut self.statuses], self.transfers.get_mut())
    }

    fn len(&self, quantity: Quantity) -> usize {
        quantity.shape.per_column(self.layers, self.tracers) * self.columns
    }

    /// The bytes of a field.
    pub(crate) fn bytes(&self, quantity: Quantity) -> u64 {
        (self.len(quantity) * size_of::<R>()) as u64
    }

    fn count(&self, which: impl Fn(&mut Transfers) -> &mut u64, bytes: usize) {
        let mut transfers = self.transfers.get();
        *which(&mut transfers) += bytes as u64;
        self.transfers.set(transfers);
    }
}

/// Do two mean the same field?
pub(crate) fn agree(stage: &str, quantity: Quantity, other: Quantity, whose: &str) -> Result<(), Error> {
    let (stage, whose) = (stage.to_owned(), whose.to_owned());
    if quantity.unit != other.unit {
        return Err(Error::Unit { stage, quantity, other: whose, unit: other.unit });
    }
    if quantity.shape != other.shape {
        return Err(Error::Shape { stage, quantity, other: whose, found: other.shape });
    }
    Ok(())
}
