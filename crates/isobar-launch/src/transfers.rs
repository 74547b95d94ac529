//! Memory of a queue's device, and copies to it, from it and on it.

use std::ops::Range;

use isobar_core::FieldMut;
use rayon::prelude::*;

use crate::buffer::Memory;
use crate::queue::{Engine, fits};
use crate::staging::{Staging, Storage};
use crate::{Buffer, Device, Error, Plain, Queue};

impl Queue {
    /// A new buffer of `len` values, all bits zero.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], or what the driver answers.
    pub fn zeros<T: Plain>(&self, len: usize) -> Result<Buffer<T>, Error> {
        const { assert!(size_of::<T>() > 0, "a value has a size") };
        self.allows::<T>(len)?;
        let memory = match &self.engine {
            Engine::Host { .. } => Memory::Host(host_zeros(len)?),
            Engine::Cuda(stream) => {
                let mut memory = stream.allocate(len)?;
                stream.fill_zero(&mut memory)?;
                Memory::Cuda(memory)
            }
        };
        Ok(Buffer { memory })
    }

    /// A new buffer that holds the values.
    ///
    /// # Errors
    /// As [`Queue::zeros`].
    pub fn upload<T: Plain>(&self, values: &[T]) -> Result<Buffer<T>, Error> {
        const { assert!(size_of::<T>() > 0, "a value has a size") };
        self.allows::<T>(values.len())?;
        let memory = match &self.engine {
            Engine::Host { .. } => Memory::Host(host_copy(values)?),
            Engine::Cuda(stream) => {
                let mut memory = stream.allocate(values.len())?;
                stream.write(values, &mut memory)?;
                Memory::Cuda(memory)
            }
        };
        Ok(Buffer { memory })
    }

    /// Copies the values to the start of a buffer; what is beyond them stays.
    ///
    /// # Errors
    /// [`Error::TooShort`], [`Error::WrongDevice`], or what the driver answers.
    pub fn upload_into<T: Plain>(&self, values: &[T], buffer: &mut Buffer<T>) -> Result<(), Error> {
        fits("an upload", values.len(), buffer.len())?;
        let place = buffer.device();
        match (&self.engine, &mut buffer.memory) {
            (Engine::Host { .. }, Memory::Host(target)) => target[..values.len()].copy_from_slice(values),
            (Engine::Cuda(stream), Memory::Cuda(memory)) if place == self.device() => stream.write(values, memory)?,
            _ => return Err(self.wrong(place)),
        }
        Ok(())
    }

    /// Host memory of `len` values for [`Queue::send`] and [`Queue::receive`], all bits zero.
    ///
    /// # Errors
    /// As [`Queue::zeros`].
    pub fn staging<T: Plain>(&self, len: usize) -> Result<Staging<T>, Error> {
        self.allows::<T>(len)?;
        let storage = match &self.engine {
            Engine::Host { .. } => Storage::Host(host_zeros(len)?),
            Engine::Cuda(stream) => Storage::Cuda(stream.lock_memory(len)?),
        };
        Ok(Staging { storage })
    }

    /// Copies the first `len` values to the start of a buffer, on a GPU in the background.
    ///
    /// # Errors
    /// [`Error::TooShort`], [`Error::WrongDevice`], or what the driver answers.
    ///
    /// # Safety
    /// The values stay and do not change until the queue has been synchronized.
    pub unsafe fn send<T: Plain>(&self, from: &Staging<T>, len: usize, to: &mut Buffer<T>) -> Result<(), Error> {
        fits("an upload", len, to.len().min(from.len()))?;
        let place = to.device();
        match (&self.engine, &mut to.memory) {
            (Engine::Host { .. }, Memory::Host(target)) => target[..len].copy_from_slice(&from[..len]),
            (Engine::Cuda(stream), Memory::Cuda(memory)) if place == self.device() => {
                // SAFETY: the caller keeps the values.
                unsafe { stream.send(&from[..len], memory)? };
            }
            _ => return Err(self.wrong(place)),
        }
        Ok(())
    }

    /// Copies the first `len` values of a buffer to the host, on a GPU in the background.
    ///
    /// # Errors
    /// As [`Queue::send`].
    ///
    /// # Safety
    /// The target stays and is not looked at until the queue has been synchronized.
    pub unsafe fn receive<T: Plain>(&self, from: &Buffer<T>, len: usize, to: &mut Staging<T>) -> Result<(), Error> {
        fits("a copy to the host", len, from.len().min(to.len()))?;
        match (&self.engine, &from.memory) {
            (Engine::Host { .. }, Memory::Host(values)) => to[..len].copy_from_slice(&values[..len]),
            (Engine::Cuda(stream), Memory::Cuda(memory)) if memory.device() == self.device() => {
                // SAFETY: the caller keeps the target.
                unsafe { stream.receive(memory, &mut to[..len])? };
            }
            _ => return Err(self.wrong(from.device())),
        }
        Ok(())
    }

    /// Copies some values of a buffer to another one on this device, where they begin at value `first`.
    ///
    /// # Errors
    /// As [`Queue::send`].
    pub fn copy<T: Plain>(
        &self,
        from: &Buffer<T>,
        range: Range<usize>,
        to: &mut Buffer<T>,
        first: usize,
    ) -> Result<(), Error> {
        fits("a copy on a device", range.end, from.len())?;
        let target = first..first.saturating_add(range.len());
        fits("a copy on a device", target.end, to.len())?;
        let place = to.device();
        match (&self.engine, &from.memory, &mut to.memory) {
            (Engine::Host { .. }, Memory::Host(from), Memory::Host(to)) => to[target].copy_from_slice(&from[range]),
            (Engine::Cuda(stream), Memory::Cuda(from), Memory::Cuda(to))
                if place == self.device() && from.device() == place =>
            {
                stream.copy(from, range, to, first)?;
            }
            _ => return Err(self.wrong(place)),
        }
        Ok(())
    }

    /// All values of a buffer.
    ///
    /// # Errors
    /// [`Error::WrongDevice`], or what the driver answers: also a failure of earlier work.
    pub fn to_host<T: Plain>(&self, buffer: &Buffer<T>) -> Result<Vec<T>, Error> {
        self.to_host_range(buffer, 0..buffer.len())
    }

    /// Some values of a buffer.
    ///
    /// # Errors
    /// [`Error::TooShort`] if the range ends beyond the buffer, and as [`Queue::to_host`].
    pub fn to_host_range<T: Plain>(&self, buffer: &Buffer<T>, range: Range<usize>) -> Result<Vec<T>, Error> {
        let range = range.start.min(range.end)..range.end;
        fits("a copy to the host", range.end, buffer.len())?;
        match (&self.engine, &buffer.memory) {
            (Engine::Host { .. }, Memory::Host(values)) => host_copy(&values[range]),
            (Engine::Cuda(stream), Memory::Cuda(memory)) if memory.device() == self.device() => {
                stream.read(memory, range)
            }
            _ => Err(self.wrong(buffer.device())),
        }
    }

    /// Adds the values of a buffer to others on the host, on all threads where the buffer is there, too.
    ///
    /// # Errors
    /// As [`Queue::to_host`].
    pub fn append_to<T: Plain>(&self, values: &mut Vec<T>, buffer: &Buffer<T>) -> Result<(), Error> {
        match (&self.engine, &buffer.memory) {
            (Engine::Host { parallel: true, .. }, Memory::Host(own)) => {
                let bytes = size_of_val(&own[..]);
                values.try_reserve(own.len()).map_err(|_| Error::OutOfMemory { device: Device::Cpu, bytes })?;
                values.par_extend(own.par_iter().copied());
            }
            _ => values.extend(self.to_host(buffer)?),
        }
        Ok(())
    }

    /// Sets the words of a view of one row to zero.
    ///
    /// # Errors
    /// [`Error::Layout`] where a GPU's do not lie side by side, or what the driver answers.
    ///
    /// # Safety
    /// The view is one of memory of the queue's device, and nobody else uses it.
    pub unsafe fn clear(&self, words: &FieldMut<'_, u32>) -> Result<(), Error> {
        match &self.engine {
            Engine::Host { .. } => (0..words.items()).for_each(|item| words.set(0, item, 0)),
            Engine::Cuda(_) if words.strides().1 != 1 && words.items() > 1 => {
                return Err(Error::Layout { what: "words a value an item" });
            }
            // SAFETY: they lie side by side there, and are ours, says the caller.
            Engine::Cuda(stream) => unsafe { stream.clear(words.as_ptr(), words.items())? },
        }
        Ok(())
    }

    /// Fails where values would be more than an allocation may have.
    fn allows<T>(&self, len: usize) -> Result<(), Error> {
        let bytes = len.saturating_mul(size_of::<T>());
        if bytes <= self.largest_allocation { Ok(()) } else { Err(Error::OutOfMemory { device: self.device(), bytes }) }
    }
}

/// Zeroed host memory; the system hands out its pages when they are first written.
fn host_zeros<T: Plain>(len: usize) -> Result<Vec<T>, Error> {
    let out_of_memory = Error::OutOfMemory { device: Device::Cpu, bytes: len.saturating_mul(size_of::<T>()) };
    let Ok(layout) = std::alloc::Layout::array::<T>(len) else {
        return Err(out_of_memory);
    };
    if layout.size() == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: the layout has a size.
    let start = unsafe { std::alloc::alloc_zeroed(layout) };
    if start.is_null() {
        return Err(out_of_memory);
    }
    // SAFETY: the global allocator gave the memory with the layout of len values, and zero bits are a valid T.
    Ok(unsafe { Vec::from_raw_parts(start.cast(), len, len) })
}

/// A copy in host memory.
fn host_copy<T: Plain>(values: &[T]) -> Result<Vec<T>, Error> {
    let mut copy = Vec::new();
    let out_of_memory = |_| Error::OutOfMemory { device: Device::Cpu, bytes: size_of_val(values) };
    copy.try_reserve_exact(values.len()).map_err(out_of_memory)?;
    copy.extend_from_slice(values);
    Ok(copy)
}
