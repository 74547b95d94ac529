//! Work in order on one device.

use std::time::{Duration, Instant};

use isobar_core::Kernel;

use crate::buffer::Memory;
use crate::{Buffer, Device, Error, ForeignStream, Ptx, cuda, host};

/// The bytes of arguments that every GPU and driver accepts.
const ARGUMENT_BYTES: usize = 4096;

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
    pub(crate) engine: Engine,
    /// No allocation may have more bytes.
    pub(crate) largest_allocation: usize,
}

#[derive(Debug)]
pub(crate) enum Engine {
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

    /// A queue of a device; on the CPU it shares the items of a launch among rayon's threads. The bits do not change.
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
    /// If two kernels have one name, the one that was loaded first is launched.
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

    /// Computes every item of the kernel and writes each one's status.
    ///
    /// # Errors
    /// [`Error::TooShort`] if there are fewer statuses than items, [`Error::WrongDevice`], [`Error::KernelMissing`], or
    /// what the driver answers. A GPU's own failure can show itself only in a later call on the queue.
    pub fn launch<K: Kernel>(&self, kernel: &K, statuses: &mut Buffer<u32>) -> Result<(), Error> {
        self.launch_from(kernel, statuses, 0)
    }

    /// Computes every item of the kernel, and writes statuses from number `first` on.
    ///
    /// # Errors
    /// As [`Queue::launch`].
    pub fn launch_from<K: Kernel>(&self, kernel: &K, statuses: &mut Buffer<u32>, first: usize) -> Result<(), Error> {
        // On a CPU, too: what fits nowhere else shows itself in every build.
        const {
            let bytes = size_of::<K>() + 2 * size_of::<u64>();
            assert!(bytes <= ARGUMENT_BYTES, "the kernel's arguments are too large for a GPU");
        }
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

    pub(crate) fn wrong(&self, buffer: Device) -> Error {
        Error::WrongDevice { buffer, queue: self.device() }
    }
}

pub(crate) fn fits(what: &'static str, needed: usize, got: usize) -> Result<(), Error> {
    if needed <= got { Ok(()) } else { Err(Error::TooShort { what, needed, got }) }
}
