//! Work in order on one device.

use std::ops::Range;
use std::time::{Duration, Instant};

use isobar_core::{FieldMut, Kernel};

use crate::buffer::Memory;
use crate::staging::{Place, Staging};
use crate::{Buffer, Device, Error, ForeignStream, Plain, Ptx, cuda, host};

/// A place where work is done in the order in which it was given: a CUDA stream, or the calling thread.
///
/// On a GPU a launch returns at once and the copies wait for it. Two queues of one GPU know nothing of each
/// other: [`Queue::synchronize`] the first before the second uses its buffers.
///
/// ```
/// use isobar_launch::{Device, Queue};
/// let queue = Queue::new(Device::Cpu)?;
/// let temperature_k = queue.upload(&[288.0, 281.5, 275.0])?;
/// assert_eq!(queue.to_host(&temperature_k)?, [288.0, 281.5, 275.0]);
/// # Ok::<(), isobar_launch::Error>(())
/// ```
#[derive(Debug)]
pub struct Queue {
    engine: Engine,
    /// No allocation may have more bytes.
    largest_allocation: usize,
}

#[derive(Debug)]
enum Engine {
    Host { device: Device, parallel: bool },
    Cuda(cuda::Stream),
}

impl Queue {
    /// A queue of a device; on the CPU it computes on the calling thread.
    ///
    /// # Errors
    /// If CUDA is asked for and cannot be had: [`Error::NotCompiledIn`], [`Error::NoDriver`], [`Error::NoSuchDevice`],
    /// [`Error::TooOld`] or what the driver answers.
    pub fn new(device: Device) -> Result<Self, Error> {
        Self::with(device, false)
    }

    /// The same; on the CPU it shares the items of a launch among rayon's threads. The bits are the same.
    ///
    /// # Errors
    /// As [`Queue::new`].
    pub fn parallel(device: Device) -> Result<Self, Error> {
        Self::with(device, true)
    }

    fn with(device: Device, parallel: bool) -> Result<Self, Error> {
        let engine = match device.present()? {
            device @ Device::Thread => Engine::Host { device, parallel: false },
            device @ Device::Cpu => Engine::Host { device, parallel },
            Device::Cuda(number) => Engine::Cuda(cuda::Stream::new(number)?),
        };
        Ok(Self { engine, largest_allocation: usize::MAX })
    }

    /// A queue of the same device, which shares the items of a launch as this one does.
    ///
    /// # Errors
    /// As [`Queue::new`].
    pub fn another(&self) -> Result<Self, Error> {
        let another = Self::with(self.device(), matches!(self.engine, Engine::Host { parallel: true, .. }))?;
        Ok(another.largest_allocation(Some(self.largest_allocation)))
    }

    /// Lets every allocation of more bytes fail, as if the device's memory did not hold it.
    pub(crate) fn largest_allocation(self, bytes: Option<usize>) -> Self {
        Self { largest_allocation: bytes.unwrap_or(usize::MAX), ..self }
    }

    /// Fails where values would be more than an allocation may have.
    fn allows<T>(&self, len: usize) -> Result<(), Error> {
        let bytes = len.saturating_mul(size_of::<T>());
        if bytes <= self.largest_allocation { Ok(()) } else { Err(Error::OutOfMemory { device: self.device(), bytes }) }
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> Device {
        match &self.engine {
            Engine::Host { device, .. } => *device,
            Engine::Cuda(stream) => stream.device(),
        }
    }

    /// Brings kernels to the device, once however often it is called: all queues of the device have them from then on.
    /// The driver compiles them when the first one is launched. Does nothing on the CPU, whose kernels are part of the
    /// program.
    ///
    /// Of two kernels with one name, that which was loaded first is launched.
    ///
    /// # Errors
    /// None so far; a driver that refuses the PTX says so at the first launch.
    pub fn load(&self, ptx: Ptx) -> Result<(), Error> {
        match &self.engine {
            Engine::Host { .. } => {}
            Engine::Cuda(stream) => stream.load(ptx),
        }
        Ok(())
    }

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
        let place = match &self.engine {
            Engine::Host { .. } => Place::Host(host_zeros(len)?),
            Engine::Cuda(stream) => Place::Cuda(stream.lock_memory(len)?),
        };
        Ok(Staging { place })
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

    /// Computes every item of the kernel and writes each one's status.
    ///
    /// # Errors
    /// [`Error::TooShort`] if there are fewer statuses than items, [`Error::WrongDevice`], [`Error::KernelMissing`], or
    /// what the driver answers. A GPU's own failure can show itself only in a later call on the queue.
    pub fn launch<K: Kernel>(&self, kernel: &K, statuses: &mut Buffer<u32>) -> Result<(), Error> {
        self.launch_from(kernel, statuses, 0)
    }

    /// The same; the statuses are written from number `first` on.
    ///
    /// # Errors
    /// As [`Queue::launch`].
    pub fn launch_from<K: Kernel>(&self, kernel: &K, statuses: &mut Buffer<u32>, first: usize) -> Result<(), Error> {
        let items = kernel.items();
        fits("the statuses of a launch", items.saturating_add(first), statuses.len())?;
        let place = statuses.device();
        match (&self.engine, &mut statuses.memory) {
            (Engine::Host { parallel, .. }, Memory::Host(values)) => {
                host::launch(kernel, &mut values[first..first + items], *parallel);
            }
            (Engine::Cuda(stream), Memory::Cuda(memory)) if place == self.device() => {
                stream.launch(kernel, memory, first)?;
            }
            _ => return Err(self.wrong(place)),
        }
        Ok(())
    }

    /// What is given to this queue from now on comes after what another one of the same device was given until now. On
    /// the CPU that is so anyway.
    ///
    /// # Errors
    /// What the driver answers.
    pub fn follow(&self, other: &Self) -> Result<(), Error> {
        match (&self.engine, &other.engine) {
            (Engine::Cuda(stream), Engine::Cuda(other)) => stream.follow(other),
            // The calling thread does everything in order.
            _ => Ok(()),
        }
    }

    /// What is given to this queue from now on comes after what another library's stream was given until now. If that
    /// records a graph, so does this queue, until the stream follows it.
    ///
    /// # Errors
    /// What the driver answers.
    ///
    /// # Safety
    /// It is a stream of the queue's device.
    pub unsafe fn follow_foreign(&self, stream: ForeignStream) -> Result<(), Error> {
        match &self.engine {
            Engine::Host { .. } => Ok(()),
            // SAFETY: the caller vouches for it.
            Engine::Cuda(own) => unsafe { own.follow_foreign(stream) },
        }
    }

    /// What another library's stream is given from now on comes after what this queue was given until now.
    ///
    /// # Errors
    /// What the driver answers.
    ///
    /// # Safety
    /// As [`Queue::follow_foreign`].
    pub unsafe fn lead_foreign(&self, stream: ForeignStream) -> Result<(), Error> {
        match &self.engine {
            Engine::Host { .. } => Ok(()),
            // SAFETY: the caller vouches for it.
            Engine::Cuda(own) => unsafe { own.lead_foreign(stream) },
        }
    }

    /// Waits until all work of the queue is done.
    ///
    /// # Errors
    /// A failure of that work: [`Error::DeviceLost`], or what the driver answers.
    pub fn synchronize(&self) -> Result<(), Error> {
        match &self.engine {
            Engine::Host { .. } => Ok(()),
            Engine::Cuda(stream) => stream.synchronize(),
        }
    }

    /// Waits until all work of the device is done that this process has given to it, by whatever library.
    ///
    /// # Errors
    /// As [`Queue::synchronize`].
    pub fn synchronize_device(&self) -> Result<(), Error> {
        match &self.engine {
            Engine::Host { .. } => Ok(()),
            Engine::Cuda(stream) => stream.synchronize_device(),
        }
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

    /// The device's free memory in bytes, where it is known and a limit: on a GPU.
    #[must_use]
    pub fn free_bytes(&self) -> Option<usize> {
        match &self.engine {
            Engine::Host { .. } => None,
            Engine::Cuda(stream) => stream.free_bytes(),
        }
    }

    /// Gives the work to the queue and measures how long the device is at it: by events on a GPU, by the clock on the
    /// CPU.
    ///
    /// # Errors
    /// Those of the work, or what the driver answers.
    pub fn time<R>(&self, work: impl FnOnce() -> Result<R, Error>) -> Result<(R, Duration), Error> {
        match &self.engine {
            Engine::Host { .. } => {
                let start = Instant::now();
                let result = work()?;
                Ok((result, start.elapsed()))
            }
            Engine::Cuda(stream) => stream.time(work),
        }
    }

    fn wrong(&self, buffer: Device) -> Error {
        Error::WrongDevice { buffer, queue: self.device() }
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

fn fits(what: &'static str, needed: usize, got: usize) -> Result<(), Error> {
    if needed <= got { Ok(()) } else { Err(Error::TooShort { what, needed, got }) }
}
