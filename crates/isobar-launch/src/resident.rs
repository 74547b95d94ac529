//! A batch that stays on its devices from run to run.

use std::ops::Range;
use std::sync::Arc;

use isobar_core::fields::{self, OwnedOutputs};

use crate::chunk::Chunk;
use crate::scheme::{Scheme, Shape};
use crate::{Device, Error, Queue};

/// A batch on its devices, made by [`crate::Model::resident`]: computed again and again without a copy.
pub struct Resident<'m, S: Scheme> {
    scheme: &'m S,
    shape: Shape<S>,
    items: usize,
    parts: Vec<Part<S>>,
}

/// Items on one device.
struct Part<S: Scheme> {
    items: Range<usize>,
    queue: Arc<Queue>,
    tables: Arc<S::Tables>,
    chunk: Chunk<S>,
}

impl<'m, S: Scheme> Resident<'m, S> {
    pub(crate) fn new(scheme: &'m S, shape: Shape<S>) -> Self {
        Self { scheme, shape, items: 0, parts: Vec::new() }
    }

    /// Takes items to a device, in several parts where they are too many for one.
    pub(crate) fn take(
        &mut self,
        queue: &dyn Fn() -> Result<Arc<Queue>, Error>,
        tables: &Arc<S::Tables>,
        inputs: &S::Inputs<'_>,
        items: Range<usize>,
    ) -> Result<(), Error> {
        let (mut start, mut size) = (items.start, items.len().min(self.shape.most_items()));
        while start < items.end {
            let range = start..items.end.min(start + size);
            let queue = queue()?;
            match Chunk::new(self.scheme, &queue, tables, &self.shape, range.len()) {
                Ok(mut chunk) => {
                    chunk.load(&queue, inputs, &range)?;
                    start = range.end;
                    self.parts.push(Part { items: range, queue, tables: tables.clone(), chunk });
                }
                Err(Error::OutOfMemory { .. }) if range.len() > 1 => size = range.len().div_ceil(2),
                Err(error) => return Err(error),
            }
        }
        self.items = items.end.max(self.items);
        Ok(())
    }

    /// The bytes of the devices' memory that the batch and its workspace take; tables apart.
    #[must_use]
    pub fn device_bytes(&self) -> usize {
        let of_part = |part: &Part<S>| part.chunk.device_bytes(self.scheme, part.queue.device());
        self.parts.iter().map(of_part).sum()
    }

    /// Gives all items to the queues of their devices, with the options of the batch or others that need no other
    /// memory. Statuses to which kernels only add keep what earlier computations of the batch added.
    ///
    /// # Errors
    /// What a device answers; on a GPU also later.
    pub fn compute(&mut self, options: &S::Options) -> Result<(), Error> {
        for Part { queue, tables, chunk, .. } in &mut self.parts {
            chunk.compute(self.scheme, queue, tables, options)?;
        }
        Ok(())
    }

    /// Makes results of the last computation what the next one starts from: those that [`Scheme::CONTINUES`] names. The
    /// other inputs stay, and so does what was left out or given as one value for all.
    ///
    /// # Errors
    /// What a device answers.
    pub fn advance(&mut self) -> Result<(), Error> {
        self.parts.iter_mut().try_for_each(|part| part.chunk.advance(&part.queue))
    }

    /// Waits until all devices are done.
    ///
    /// # Errors
    /// What a device answers.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.parts.iter().try_for_each(|part| part.queue.synchronize())
    }

    /// The results of the last computation.
    ///
    /// # Errors
    /// What a device answers; [`Error::OutOfMemory`] if the host has no memory for the results.
    pub fn results_into(&mut self, results: &mut S::Results) -> Result<(), Error> {
        let (scheme, shape) = (self.scheme, &self.shape);
        let extents = shape.extents.with_items(self.items);
        let resized = results.resize(&extents, &|declared| scheme.wants(declared, &extents, &shape.options));
        let bytes = |error| if let fields::Error::OutOfMemory { bytes, .. } = error { bytes } else { 0 };
        resized.map_err(|error| Error::OutOfMemory { device: Device::Cpu, bytes: bytes(error) })?;
        let views = results.views(self.items);
        self.parts.iter_mut().try_for_each(|part| part.chunk.store(&part.queue, &views, part.items.start))
    }

    /// The queues: one or more a device.
    pub fn queues(&self) -> impl Iterator<Item = &Arc<Queue>> {
        self.parts.iter().map(|part| &part.queue)
    }

    /// The queues, each with its workspace: for what a scheme does between runs.
    pub fn workspaces(&mut self) -> impl Iterator<Item = (&Queue, &mut S::Workspace)> {
        self.parts.iter_mut().map(|part| (&*part.queue, part.chunk.workspace()))
    }
}
