//! Memory of a device for a scheme's tables and for what its kernels leave to each other.

use std::any::Any;
use std::ptr;

use isobar_core::{Column, TableMemory, WorkMemory};

use crate::{Buffer, Error, Plain, Queue};

/// Memory of a device, freed with it.
pub type Allocations = Vec<Box<dyn Any + Send + Sync>>;

/// Memory of a queue's device, part by part. Of tables a GPU gets copies, and a CPU reads the host's own.
pub struct DeviceMemory<'a> {
    queue: &'a Queue,
    parts: Allocations,
    failure: Option<Error>,
}

impl<'a> DeviceMemory<'a> {
    /// None yet.
    #[must_use]
    pub fn new(queue: &'a Queue) -> Self {
        Self { queue, parts: Vec::new(), failure: None }
    }

    /// What has to live as long as the views, besides the host's tables on a CPU.
    ///
    /// # Errors
    /// The first part for which there is no memory: then no view is to be used.
    pub fn end(self) -> Result<Allocations, Error> {
        self.failure.map_or(Ok(self.parts), Err)
    }

    /// Keeps a part; says where it begins.
    fn keep<T: Plain>(&mut self, part: Result<Buffer<T>, Error>) -> *mut T {
        match part {
            Ok(mut part) => {
                let start = part.start_mut();
                self.parts.push(Box::new(part));
                start
            }
            Err(error) => {
                self.failure.get_or_insert(error);
                ptr::null_mut()
            }
        }
    }
}

impl TableMemory for DeviceMemory<'_> {
    fn column<'a, T: Plain>(&mut self, values: &'a [T]) -> Column<'a, T> {
        if values.is_empty() {
            return Column::empty();
        }
        if self.queue.device().is_cpu() {
            return Column::from(values);
        }
        let start = self.keep(self.queue.upload(values));
        // SAFETY: the copy has this number of values, and the caller of `end` has it for as long as views are used.
        unsafe { Column::from_raw(start, values.len(), 1) }
    }
}

impl WorkMemory for DeviceMemory<'_> {
    fn allocate<T: Plain>(&mut self, values: usize) -> *mut T {
        self.keep(self.queue.zeros(values))
    }
}
