//! Work in order on a GPU.

use std::ffi::c_void;
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;
use std::time::Duration;

use cust::context::CurrentContext;
use cust::event::{Event, EventFlags};
use cust::memory::{AsyncCopyDestination, DevicePointer, DeviceSlice, mem_get_info};
use cust::stream::{Stream as CudaStream, StreamFlags, StreamWaitEventFlags};
use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Team};

use super::foreign::Order;
use super::gpu::{self, Gpu};
use super::memory::{Locked, Memory, wire, wire_mut};
use crate::{Device, Error, ForeignStream, Plain, Ptx};

/// The threads of a block where the kernel does not say: 128 items, or 4 items of a warp each. `cargo xtask ptx`
/// promises the assembler the same.
const BLOCK: u32 = 128;

/// A stream of a GPU.
pub(crate) struct Stream {
    gpu: &'static Gpu,
    stream: CudaStream,
    /// After another library's stream, and before it; made when first needed.
    order: OnceLock<(Order, Order)>,
}

impl Stream {
    pub(crate) fn new(number: u32) -> Result<Self, Error> {
        let gpu = gpu::get(number)?;
        gpu.enter()?;
        let stream = CudaStream::new(StreamFlags::NON_BLOCKING, None).map_err(|e| gpu.error("make a stream", e))?;
        Ok(Self { gpu, stream, order: OnceLock::new() })
    }

    pub(crate) fn device(&self) -> Device {
        self.gpu.device()
    }

    /// Adds kernels to those of the GPU.
    pub(crate) fn load(&self, ptx: Ptx) {
        self.gpu.load(ptx);
    }

    pub(crate) fn allocate<T: Plain>(&self, len: usize) -> Result<Memory<T>, Error> {
        Memory::new(self.gpu, len)
    }

    pub(crate) fn fill_zero<T: Plain>(&self, memory: &mut Memory<T>) -> Result<(), Error> {
        let mut bytes = memory.bytes();
        if bytes.is_empty() {
            return Ok(());
        }
        self.gpu.enter()?;
        // SAFETY: the memory is borrowed exclusively, and what follows on this stream comes after.
        unsafe { bytes.set_8_async(0, &self.stream) }.map_err(|e| self.gpu.error("clear memory", e))
    }

    /// Copies the values to the start of the memory.
    pub(crate) fn write<T: Plain>(&self, values: &[T], memory: &mut Memory<T>) -> Result<(), Error> {
        self.gpu.enter()?;
        let mut target = memory.slice(0..values.len());
        // The driver may still read the values when the call returns: so wait.
        // SAFETY: the values and the memory are borrowed until the copy is done.
        unsafe { target.async_copy_from(wire(values), &self.stream) }
            .map_err(|e| self.gpu.error("copy to the device", e))?;
        self.synchronize()
    }

    pub(crate) fn read<T: Plain>(&self, memory: &Memory<T>, range: Range<usize>) -> Result<Vec<T>, Error> {
        self.gpu.enter()?;
        let len = range.len();
        let mut values = Vec::with_capacity(len);
        let host = wire_mut(&mut values.spare_capacity_mut()[..len]);
        // SAFETY: the memory of both sides is borrowed until the copy is done.
        let copied = unsafe { memory.slice(range).async_copy_to(host, &self.stream) };
        copied.map_err(|e| self.gpu.error("copy to the host", e))?;
        self.synchronize()?;
        // SAFETY: the copy has written len values, and every pattern of bits is one.
        unsafe { values.set_len(len) };
        Ok(values)
    }

    pub(crate) fn lock_memory<T: Plain>(&self, len: usize) -> Result<Locked<T>, Error> {
        Locked::new(self.gpu, len)
    }

    /// Copies the values to the start of the memory in the background.
    ///
    /// # Safety
    /// The values stay and do not change until the stream has been synchronized.
    pub(crate) unsafe fn send<T: Plain>(&self, values: &[T], memory: &mut Memory<T>) -> Result<(), Error> {
        self.gpu.enter()?;
        let mut target = memory.slice(0..values.len());
        // SAFETY: the caller keeps the values; kernels that use the memory come after on this stream.
        let copied = unsafe { target.async_copy_from(wire(values), &self.stream) };
        copied.map_err(|e| self.gpu.error("copy to the device", e))
    }

    /// Copies the first values of the memory to the host in the background.
    ///
    /// # Safety
    /// The host memory stays and is not looked at until the stream has been synchronized.
    pub(crate) unsafe fn receive<T: Plain>(&self, memory: &Memory<T>, host: &mut [T]) -> Result<(), Error> {
        self.gpu.enter()?;
        // SAFETY: initialised values may be written over.
        let uninitialised = unsafe { &mut *(std::ptr::from_mut(host) as *mut [std::mem::MaybeUninit<T>]) };
        // SAFETY: the caller keeps the host memory; kernels that wrote the memory came before on this stream.
        let copied =
            unsafe { memory.slice(0..uninitialised.len()).async_copy_to(wire_mut(uninitialised), &self.stream) };
        copied.map_err(|e| self.gpu.error("copy to the host", e))
    }

    /// Copies values on the device in the background, in the order of the stream.
    pub(crate) fn copy<T: Plain>(
        &self,
        from: &Memory<T>,
        range: Range<usize>,
        to: &mut Memory<T>,
        first: usize,
    ) -> Result<(), Error> {
        self.gpu.enter()?;
        let mut target = to.slice(first..first + range.len());
        // SAFETY: both memories are on this device, and freed after what uses them.
        let copied = unsafe { target.async_copy_from(&from.slice(range), &self.stream) };
        copied.map_err(|e| self.gpu.error("copy on the device", e))
    }

    pub(crate) fn launch<K: Kernel>(&self, kernel: &K, statuses: &mut Memory<u32>, first: usize) -> Result<(), Error> {
        let items = kernel.items();
        if items == 0 {
            return Ok(());
        }
        let (block, blocks) = match K::TEAM {
            Team::Lane => (BLOCK, items.div_ceil(BLOCK as usize)),
            Team::Warp => (BLOCK, items.div_ceil(BLOCK as usize / WARP)),
            Team::Block { warps, .. } => ((warps * WARP) as u32, items),
        };
        let threads = blocks.saturating_mul(block as usize);
        i32::try_from(threads).map_err(|_| Error::Driver {
            device: self.device(),
            doing: "launch",
            what: format!("{items} items are too many for one launch"),
        })?;
        self.gpu.enter()?;
        let entry = self.gpu.entry(K::NAME, K::PRECISION)?;
        let scratch = kernel.more_scratch_bytes();
        if scratch > 0 {
            entry.allow_scratch(scratch).map_err(|e| self.gpu.error("give a kernel its shared memory", e))?;
        }
        let mut kernel = *kernel;
        let (mut items, mut statuses) = (items as u32, statuses.start().wrapping_add(first));
        let arguments = [
            (&raw mut kernel).cast::<c_void>(),
            (&raw mut items).cast::<c_void>(),
            (&raw mut statuses).cast::<c_void>(),
        ];
        // SAFETY: the entry takes the kernel by value, the number of items and the address of the statuses (gpu-kernels
        // checks name and type at compile time), and the driver copies both before it returns. There is a status an
        // item; the kernel's views are the caller's.
        let launched = unsafe { self.stream.launch(entry.0, blocks as u32, block, scratch as u32, &arguments) };
        launched.map_err(|e| self.gpu.error("launch a kernel", e))
    }

    /// Sets words to zero.
    ///
    /// # Safety
    /// They lie in memory of this GPU, and nobody else uses them.
    pub(crate) unsafe fn clear(&self, words: *mut u32, len: usize) -> Result<(), Error> {
        if len == 0 {
            return Ok(());
        }
        self.gpu.enter()?;
        let start = DevicePointer::from_raw(words.expose_provenance() as u64);
        // SAFETY: the caller vouches for them.
        let mut bytes: DeviceSlice<u8> = unsafe { DeviceSlice::from_raw_parts(start, len * size_of::<u32>()) };
        // SAFETY: as above, and what follows on this stream comes after.
        unsafe { bytes.set_8_async(0, &self.stream) }.map_err(|e| self.gpu.error("clear memory", e))
    }

    /// Waits for all streams of the GPU's context, which other libraries of the process share.
    pub(crate) fn synchronize_device(&self) -> Result<(), Error> {
        self.gpu.enter()?;
        CurrentContext::synchronize().map_err(|e| self.gpu.error("finish the work", e))
    }

    pub(crate) fn synchronize(&self) -> Result<(), Error> {
        self.gpu.enter()?;
        self.stream.synchronize().map_err(|e| self.gpu.error("finish the work", e))
    }

    pub(crate) fn follow(&self, other: &Self) -> Result<(), Error> {
        let fail = |error| self.gpu.error("make a queue follow another", error);
        self.gpu.enter()?;
        let event = Event::new(EventFlags::DISABLE_TIMING).map_err(fail)?;
        event.record(&other.stream).map_err(fail)?;
        self.stream.wait_event(event, StreamWaitEventFlags::DEFAULT).map_err(fail)
    }

    /// What is given to this stream from now on comes after what another library's was given until now.
    ///
    /// # Safety
    /// It is a stream of this GPU.
    pub(crate) unsafe fn follow_foreign(&self, other: ForeignStream) -> Result<(), Error> {
        let (start, _) = self.order()?;
        // SAFETY: the caller vouches for the other stream.
        unsafe { start.follow(self.gpu, self.stream.as_inner(), other) }
    }

    /// What another library's stream is given from now on comes after what this one was given until now.
    ///
    /// # Safety
    /// As [`Stream::follow_foreign`].
    pub(crate) unsafe fn lead_foreign(&self, other: ForeignStream) -> Result<(), Error> {
        let (_, end) = self.order()?;
        // SAFETY: the caller vouches for the other stream.
        unsafe { end.lead(self.gpu, self.stream.as_inner(), other) }
    }

    fn order(&self) -> Result<&(Order, Order), Error> {
        self.gpu.enter()?;
        if let Some(order) = self.order.get() {
            return Ok(order);
        }
        let made = (Order::new(self.gpu)?, Order::new(self.gpu)?);
        Ok(self.order.get_or_init(|| made))
    }

    pub(crate) fn free_bytes(&self) -> Option<usize> {
        self.gpu.enter().ok()?;
        mem_get_info().ok().map(|(free, _)| free)
    }

    pub(crate) fn time<R>(&self, work: impl FnOnce() -> Result<R, Error>) -> Result<(R, Duration), Error> {
        let fail = |error| self.gpu.error("measure time", error);
        self.gpu.enter()?;
        let start = Event::new(EventFlags::DEFAULT).map_err(fail)?;
        let end = Event::new(EventFlags::DEFAULT).map_err(fail)?;
        start.record(&self.stream).map_err(fail)?;
        let result = work()?;
        self.gpu.enter()?;
        end.record(&self.stream).map_err(fail)?;
        end.synchronize().map_err(fail)?;
        Ok((result, end.elapsed(&start).map_err(fail)?))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // The stream itself is destroyed after this, on its own GPU; if that fails the device is lost, and the stream
        // with it.
        let _ = self.gpu.enter();
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({})", self.device())
    }
}
