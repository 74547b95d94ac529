//! Memory of a GPU.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;

use cust::memory::{
    DeviceCopy, DevicePointer, DeviceSlice, cuda_free, cuda_free_locked, cuda_malloc, cuda_malloc_locked,
};

use super::gpu::Gpu;
use crate::{Device, Error, Plain};

/// Values in the memory of one GPU.
pub(crate) struct Memory<T> {
    gpu: &'static Gpu,
    /// The address on the GPU; 0 where there is no value.
    start: u64,
    len: usize,
    values: PhantomData<T>,
}

/// A value on its way to a GPU or back: its bytes, some of which may be padding.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Wire<T: Plain>(MaybeUninit<T>);

// SAFETY: a plain value is its bytes, without pointers to host memory.
unsafe impl<T: Plain> DeviceCopy for Wire<T> {}

/// The values, as they travel.
pub(super) fn wire<T: Plain>(values: &[T]) -> &[Wire<T>] {
    // SAFETY: a Wire has the layout of the value, and may be anything that a value may be.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

/// Host memory for values that come back, as they are copied.
pub(super) fn wire_mut<T: Plain>(host: &mut [MaybeUninit<T>]) -> &mut [Wire<T>] {
    // SAFETY: a Wire has the layout of its value, and may be uninitialised as well.
    unsafe { std::slice::from_raw_parts_mut(host.as_mut_ptr().cast(), host.len()) }
}

impl<T: Plain> Memory<T> {
    /// Memory that holds anything.
    pub(super) fn new(gpu: &'static Gpu, len: usize) -> Result<Self, Error> {
        let mut memory = Self { gpu, start: 0, len, values: PhantomData };
        let bytes = len.checked_mul(size_of::<T>());
        let bytes = bytes.ok_or(Error::OutOfMemory { device: gpu.device(), bytes: usize::MAX })?;
        if bytes > 0 {
            gpu.enter()?;
            // SAFETY: the size is not zero; what uses the memory writes it first.
            let pointer = unsafe { cuda_malloc::<u8>(bytes) };
            memory.start = pointer.map_err(|e| gpu.allocation_error(bytes, e))?.as_raw();
        }
        Ok(memory)
    }

    /// The bytes, to clear them.
    pub(super) fn bytes(&mut self) -> DeviceSlice<u8> {
        // SAFETY: the memory is that large.
        unsafe { DeviceSlice::from_raw_parts(DevicePointer::from_raw(self.start), self.len * size_of::<T>()) }
    }

    /// Some of the values, to copy.
    pub(super) fn slice(&self, range: Range<usize>) -> DeviceSlice<Wire<T>> {
        assert!(range.start <= range.end && range.end <= self.len, "a copy stays inside of the memory");
        let start = self.start + (range.start * size_of::<T>()) as u64;
        // SAFETY: the range was checked.
        unsafe { DeviceSlice::from_raw_parts(DevicePointer::from_raw(start), range.len()) }
    }
}

impl<T> Memory<T> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn device(&self) -> Device {
        self.gpu.device()
    }

    pub(crate) fn start(&self) -> *mut T {
        std::ptr::with_exposed_provenance_mut(self.start as usize)
    }
}

impl<T> Drop for Memory<T> {
    fn drop(&mut self) {
        if self.start != 0 && self.gpu.enter().is_ok() {
            // SAFETY: `new` allocated the memory and nothing else frees it; the driver waits for the kernels that use
            // it. If it fails the device is lost, and its memory with it.
            let _ = unsafe { cuda_free(DevicePointer::<u8>::from_raw(self.start)) };
        }
    }
}

/// Values in host memory that the system does not move: GPUs read and write it by themselves.
pub(crate) struct Locked<T> {
    gpu: &'static Gpu,
    start: *mut T,
    len: usize,
}

// SAFETY: it owns its values, as a vector does.
unsafe impl<T: Send> Send for Locked<T> {}

impl<T: Plain> Locked<T> {
    /// Values of zero bits.
    pub(super) fn new(gpu: &'static Gpu, len: usize) -> Result<Self, Error> {
        if len == 0 || size_of::<T>() == 0 {
            return Ok(Self { gpu, start: std::ptr::dangling_mut(), len: 0 });
        }
        gpu.enter()?;
        let bytes = len.saturating_mul(size_of::<T>());
        // SAFETY: the size is not zero; page boundaries are aligned for every value.
        let start = unsafe { cuda_malloc_locked::<u8>(bytes) };
        let start = start.map_err(|e| gpu.error("lock host memory", e))?.cast::<T>();
        // SAFETY: the memory has the size of the values, and zero bits are one.
        unsafe { std::ptr::write_bytes(start, 0, len) };
        Ok(Self { gpu, start, len })
    }

    pub(crate) fn values(&self) -> &[T] {
        // SAFETY: `new` made len values.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }

    pub(crate) fn values_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }
}

impl<T> Drop for Locked<T> {
    fn drop(&mut self) {
        if self.len > 0 && self.gpu.enter().is_ok() {
            // SAFETY: `new` made it, and nothing else frees it.
            let _ = unsafe { cuda_free_locked(self.start.cast::<u8>()) };
        }
    }
}
