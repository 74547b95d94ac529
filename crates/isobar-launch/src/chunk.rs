//! Some items of a batch on one device: their way there, and the way back of the results.

use std::ops::Range;

use isobar_core::fields::{AnyField, AnyFieldMut, Declared, InputSet, Kind, OutputSet};
use isobar_core::kernel::WARP;
use isobar_core::{Field, FieldMut};

use crate::scheme::{Given, Job, Outputs, Scheme, Shape};
use crate::{Buffer, Device, Error, Plain, Queue, Staging};

/// Memory for some items of a scheme on the device of a queue.
pub(crate) struct Chunk<S: Scheme> {
    shape: Shape<S>,
    /// The most items that the chunk holds.
    capacity: usize,
    /// The items that are here.
    items: usize,
    /// The items, rounded up to whole warps: rows begin where a GPU reads them best.
    padded: usize,
    /// Nothing has been computed since the items came.
    is_new: bool,
    reals: Transfer<S::Real>,
    words: Transfer<u32>,
    real_results: Transfer<S::Real>,
    word_results: Transfer<u32>,
    workspace: S::Workspace,
}

/// A buffer on a device, and host memory for what comes from there or goes there.
struct Transfer<T: Plain> {
    device: Buffer<T>,
    host: Staging<T>,
}

impl<T: Plain> Transfer<T> {
    fn new(queue: &Queue, len: usize) -> Result<Self, Error> {
        Ok(Self { device: queue.zeros(len)?, host: queue.staging(len)? })
    }
}

/// Rows of all items and single values, of each kind.
#[derive(Clone, Copy, Default)]
struct Sizes {
    rows: usize,
    ones: usize,
}

impl Sizes {
    fn values(self, items: usize) -> usize {
        self.rows * items + self.ones
    }
}

/// The inputs of a kind.
fn input_sizes<S: Scheme>(shape: &Shape<S>, kind: Kind) -> Sizes {
    let mut sizes = Sizes::default();
    for (declared, given) in <S::Inputs<'_>>::DECLARED.iter().zip(&shape.given) {
        match given {
            Given::Rows(rows) if declared.kind == kind => sizes.rows += rows,
            Given::One if declared.kind == kind => sizes.ones += 1,
            _ => {}
        }
    }
    sizes
}

/// The kind of an input, its first row among those of its kind, and its rows; none if it has none.
fn input_rows<S: Scheme>(shape: &Shape<S>, name: &str) -> Option<(Kind, usize, usize)> {
    let declared = <S::Inputs<'_>>::DECLARED.iter().zip(&shape.given);
    let rows = declared.map(|(declared, given)| (declared, if let Given::Rows(rows) = given { *rows } else { 0 }));
    find_rows(rows, name)
}

/// The kind of a result, its first row among those of its kind, and its rows; none if it has none.
fn output_rows<S: Scheme>(shape: &Shape<S>, name: &str) -> Option<(Kind, usize, usize)> {
    let declared = <Outputs<'_, S>>::DECLARED.iter().zip(&shape.wanted);
    let rows = |declared: &Declared| shape.extents.rows(declared.shape);
    find_rows(declared.map(|(declared, wanted)| (declared, if *wanted { rows(declared) } else { 0 })), name)
}

fn find_rows<'a>(
    fields: impl Iterator<Item = (&'a Declared, usize)> + Clone,
    name: &str,
) -> Option<(Kind, usize, usize)> {
    let (found, rows) = fields.clone().find(|(declared, _)| declared.name == name)?;
    let before = fields.take_while(|(declared, _)| declared.name != name);
    let first = before.filter(|(declared, _)| declared.kind == found.kind).map(|(_, rows)| rows).sum();
    (rows > 0).then_some((found.kind, first, rows))
}

/// The rows of the results of a kind, one number a field.
fn result_rows<S: Scheme>(shape: &Shape<S>, kind: Kind) -> Vec<usize> {
    let declared = <Outputs<'_, S>>::DECLARED.iter().zip(&shape.wanted);
    let of_kind = declared.filter(|(declared, wanted)| declared.kind == kind && **wanted);
    of_kind.map(|(declared, _)| shape.extents.rows(declared.shape)).collect()
}

/// The bytes that an item takes on a device for what comes and goes.
pub(crate) fn bytes_per_item<S: Scheme>(shape: &Shape<S>) -> usize {
    let rows = |kind| input_sizes(shape, kind).rows + result_rows(shape, kind).iter().sum::<usize>();
    rows(Kind::Real) * size_of::<S::Real>() + rows(Kind::Word) * size_of::<u32>()
}

impl<S: Scheme> Chunk<S> {
    /// Memory for a chunk of `items` items.
    pub(crate) fn new(
        scheme: &S,
        queue: &Queue,
        tables: &S::Tables,
        shape: &Shape<S>,
        items: usize,
    ) -> Result<Self, Error> {
        let capacity = items.next_multiple_of(WARP);
        let results = |kind| result_rows(shape, kind).iter().sum::<usize>() * capacity;
        Ok(Self {
            shape: shape.clone(),
            capacity,
            items: 0,
            padded: 0,
            is_new: true,
            reals: Transfer::new(queue, input_sizes(shape, Kind::Real).values(capacity))?,
            words: Transfer::new(queue, input_sizes(shape, Kind::Word).values(capacity))?,
            real_results: Transfer::new(queue, results(Kind::Real))?,
            word_results: Transfer::new(queue, results(Kind::Word))?,
            workspace: scheme.workspace(queue, tables, shape, capacity)?,
        })
    }

    /// The most items that the chunk holds.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// The bytes of its memory on a device.
    pub(crate) fn device_bytes(&self, scheme: &S, device: Device) -> usize {
        bytes_per_item(&self.shape) * self.capacity + scheme.workspace_bytes(device, &self.shape, self.capacity)
    }

    /// Does the memory fit such items?
    pub(crate) fn fits(&self, shape: &Shape<S>) -> bool {
        self.shape == *shape
    }

    /// The items for which the workspace holds state from run to run are others now.
    pub(crate) fn workspace(&mut self) -> &mut S::Workspace {
        &mut self.workspace
    }

    /// Takes the items of a range, no more than the capacity, to the device.
    pub(crate) fn load(&mut self, queue: &Queue, inputs: &S::Inputs<'_>, range: &Range<usize>) -> Result<(), Error> {
        // What was sent before has to have left the host's memory.
        queue.synchronize()?;
        self.is_new = true;
        self.items = range.len();
        self.padded = range.len().next_multiple_of(WARP);
        let (reals, words) = (input_sizes(&self.shape, Kind::Real), input_sizes(&self.shape, Kind::Word));
        let (mut real, mut word) = (
            Rows::new(&mut self.reals.host, reals.rows * self.padded),
            Rows::new(&mut self.words.host, words.rows * self.padded),
        );
        let (mut given, padded) = (self.shape.given.iter(), self.padded);
        inputs.visit(&mut |_, field| {
            let given = *given.next().expect("as many as there are inputs");
            match field {
                AnyField::Real(field) => real.put(&field, given, range, padded),
                AnyField::Word(field) => word.put(&field, given, range, padded),
            }
        });
        // SAFETY: the host's memory is the chunk's own, and only touched above, after a synchronization.
        unsafe {
            queue.send(&self.reals.host, reals.values(self.padded), &mut self.reals.device)?;
            queue.send(&self.words.host, words.values(self.padded), &mut self.words.device)
        }
    }

    /// Computes the items that are here.
    pub(crate) fn compute(
        &mut self,
        scheme: &S,
        queue: &Queue,
        tables: &S::Tables,
        options: &S::Options,
    ) -> Result<(), Error> {
        let Self { shape, items, padded, is_new, reals, words, real_results, word_results, workspace, .. } = self;
        let (items, padded) = (*items, *padded);
        let mut real = Views::new(&reals.device, input_sizes(shape, Kind::Real).rows * padded, items, padded);
        let mut word = Views::new(&words.device, input_sizes(shape, Kind::Word).rows * padded, items, padded);
        let (mut given, extents) = (shape.given.iter(), shape.extents.with_items(items));
        let inputs = <S::Inputs<'_>>::build(&mut |declared| {
            let given = *given.next().expect("as many as there are inputs");
            let rows = extents.rows(declared.shape);
            match declared.kind {
                Kind::Real => AnyField::Real(real.next(given, rows)),
                Kind::Word => AnyField::Word(word.next(given, rows)),
            }
        });
        let mut real = real_results.device.parts_mut(&result_rows(shape, Kind::Real), padded);
        let mut word = word_results.device.parts_mut(&result_rows(shape, Kind::Word), padded);
        let mut wanted = shape.wanted.iter();
        let outputs = <Outputs<'_, S>>::build(&mut |declared| match (
            declared.kind,
            *wanted.next().expect("as many as there are results"),
        ) {
            (Kind::Real, true) => AnyFieldMut::Real(part(real.next(), items)),
            (Kind::Word, true) => AnyFieldMut::Word(part(word.next(), items)),
            (Kind::Real, false) => AnyFieldMut::Real(FieldMut::empty()),
            (Kind::Word, false) => AnyFieldMut::Word(FieldMut::empty()),
        });
        // Once for the items: what an earlier computation of them added stays, as it does from step to step.
        if std::mem::take(is_new) {
            // SAFETY: the views are of the chunk's own memory on the queue's device.
            unsafe { clear_statuses::<S>(queue, &outputs)? };
        }
        scheme.enqueue(Job { queue, tables, workspace, options, extents, inputs, outputs })
    }

    /// Copies results to the inputs that go on from them.
    pub(crate) fn advance(&mut self, queue: &Queue) -> Result<(), Error> {
        let padded = self.padded;
        for &(input, result) in S::CONTINUES {
            let Some((kind, to, rows)) = input_rows(&self.shape, input) else { continue };
            let Some((result_kind, from, result_rows)) = output_rows(&self.shape, result) else { continue };
            assert_eq!((kind, rows), (result_kind, result_rows), "{input} continues {result}");
            let (to, from) = (to * padded, from * padded..(from + rows) * padded);
            match kind {
                Kind::Real => queue.copy(&self.real_results.device, from, &mut self.reals.device, to)?,
                Kind::Word => queue.copy(&self.word_results.device, from, &mut self.words.device, to)?,
            }
        }
        Ok(())
    }

    /// Copies the results to the rows of all items, from `first` on.
    pub(crate) fn store(&mut self, queue: &Queue, results: &Outputs<'_, S>, first: usize) -> Result<(), Error> {
        let len = |kind, padded| result_rows(&self.shape, kind).iter().sum::<usize>() * padded;
        let (reals, words) = (len(Kind::Real, self.padded), len(Kind::Word, self.padded));
        // SAFETY: the host's memory is the chunk's own, and looked at after the synchronization.
        unsafe {
            queue.receive(&self.real_results.device, reals, &mut self.real_results.host)?;
            queue.receive(&self.word_results.device, words, &mut self.word_results.host)?;
        }
        queue.synchronize()?;
        let mut real = self.real_results.host.chunks_exact(self.padded);
        let mut word = self.word_results.host.chunks_exact(self.padded);
        let items = self.items;
        results.visit(&mut |_, field| match field {
            AnyFieldMut::Real(field) => {
                (0..field.levels()).zip(&mut real).for_each(|(row, values)| {
                    field.set_items(row, first, &values[..items]);
                });
            }
            AnyFieldMut::Word(field) => {
                (0..field.levels()).zip(&mut word).for_each(|(row, values)| {
                    field.set_items(row, first, &values[..items]);
                });
            }
        });
        Ok(())
    }
}

/// Sets the statuses of items that are going to be computed, to whose words kernels may only add: on the queue's
/// device.
///
/// # Safety
/// The views are of that device's memory, and ours.
pub(crate) unsafe fn clear_statuses<S: Scheme>(queue: &Queue, outputs: &Outputs<'_, S>) -> Result<(), Error> {
    let mut cleared = Ok(());
    outputs.visit(&mut |declared, field| {
        if let ("status", AnyFieldMut::Word(field)) = (declared.name, field)
            && !field.is_empty()
            && cleared.is_ok()
        {
            // SAFETY: the caller's.
            cleared = unsafe { queue.clear(&field) };
        }
    });
    cleared
}

/// A wanted result's view, without the values that only fill warps.
fn part<T: Plain>(view: Option<FieldMut<'_, T>>, items: usize) -> FieldMut<'_, T> {
    let view = view.expect("as many as there are wanted results");
    if view.levels() == 0 { FieldMut::empty() } else { view.range(0..items) }
}

/// Host memory that is filled with rows, and behind them with single values.
struct Rows<'a, T> {
    rows: &'a mut [T],
    ones: std::slice::IterMut<'a, T>,
    filled: usize,
}

impl<'a, T: Plain> Rows<'a, T> {
    fn new(memory: &'a mut [T], rows: usize) -> Self {
        let (rows, ones) = memory.split_at_mut(rows);
        Self { rows, ones: ones.iter_mut(), filled: 0 }
    }

    /// The items of a range: row after row, each filled up to `padded` values with its last one.
    fn put(&mut self, field: &Field<'_, T>, given: Given, range: &Range<usize>, padded: usize) {
        match given {
            Given::Nothing => {}
            Given::One => *self.ones.next().expect("as many as there are single values") = field.at(0, range.start),
            Given::Rows(rows) => {
                for row in 0..rows {
                    let (values, rest) = self.rows[self.filled..self.filled + padded].split_at_mut(range.len());
                    match field.neighbours(row, range.clone()) {
                        Some(neighbours) => values.copy_from_slice(neighbours),
                        None => {
                            for (value, item) in values.iter_mut().zip(range.clone()) {
                                *value = field.at(row, item);
                            }
                        }
                    }
                    rest.fill(values[range.len() - 1]);
                    self.filled += padded;
                }
            }
        }
    }
}

/// Views of rows and single values in a buffer, one after the other.
struct Views<'a, T: Plain> {
    buffer: &'a Buffer<T>,
    row: usize,
    one: usize,
    items: usize,
    padded: usize,
}

impl<'a, T: Plain> Views<'a, T> {
    fn new(buffer: &'a Buffer<T>, ones: usize, items: usize, padded: usize) -> Self {
        Self { buffer, row: 0, one: ones, items, padded }
    }

    /// The next field; one that has one value for all gets `rows` rows.
    fn next(&mut self, given: Given, rows: usize) -> Field<'a, T> {
        match given {
            Given::Nothing => Field::empty(),
            Given::One => {
                self.one += 1;
                self.buffer.constant(self.one - 1, rows, self.items)
            }
            Given::Rows(rows) => {
                let first = self.row * self.padded;
                self.row += rows;
                self.buffer.rows(first, rows, self.padded).range(0..self.items)
            }
        }
    }
}
