//! What stands in for CUDA where it is not compiled in: types without values, and one answer.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::ops::Range;
use std::time::Duration;

use isobar_core::Kernel;

use crate::{Device, DeviceInfo, Error, ForeignStream, Plain, Ptx};

pub(crate) fn list() -> Result<Vec<DeviceInfo>, Error> {
    Err(Error::NotCompiledIn)
}

impl ForeignStream {
    /// # Safety
    /// None is needed.
    pub(crate) unsafe fn graph_on(self, _number: u32) -> Result<Option<u64>, Error> {
        Err(Error::NotCompiledIn)
    }
}

pub(crate) struct Memory<T> {
    never: Infallible,
    values: PhantomData<T>,
}

impl<T> Memory<T> {
    pub(crate) fn len(&self) -> usize {
        match self.never {}
    }
    pub(crate) fn device(&self) -> Device {
        match self.never {}
    }
    pub(crate) fn start(&self) -> *mut T {
        let _ = self.values;
        match self.never {}
    }
}

pub(crate) struct Locked<T> {
    never: Infallible,
    values: PhantomData<T>,
}

impl<T> Locked<T> {
    pub(crate) fn values(&self) -> &[T] {
        let _ = self.values;
        match self.never {}
    }
    pub(crate) fn values_mut(&mut self) -> &mut [T] {
        match self.never {}
    }
}

#[derive(Debug)]
pub(crate) struct Stream {
    never: Infallible,
}

impl Stream {
    pub(crate) fn new(_number: u32) -> Result<Self, Error> {
        Err(Error::NotCompiledIn)
    }
    pub(crate) fn device(&self) -> Device {
        match self.never {}
    }
    pub(crate) fn load(&self, _ptx: Ptx) {
        match self.never {}
    }
    pub(crate) fn allocate<T: Plain>(&self, _len: usize) -> Result<Memory<T>, Error> {
        match self.never {}
    }
    pub(crate) fn fill_zero<T: Plain>(&self, _memory: &mut Memory<T>) -> Result<(), Error> {
        match self.never {}
    }
    pub(crate) fn write<T: Plain>(&self, _values: &[T], _memory: &mut Memory<T>) -> Result<(), Error> {
        match self.never {}
    }
    pub(crate) fn read<T: Plain>(&self, _memory: &Memory<T>, _range: Range<usize>) -> Result<Vec<T>, Error> {
        match self.never {}
    }
    pub(crate) fn lock_memory<T: Plain>(&self, _len: usize) -> Result<Locked<T>, Error> {
        match self.never {}
    }
    /// # Safety
    /// None is needed.
    pub(crate) unsafe fn send<T: Plain>(&self, _values: &[T], _memory: &mut Memory<T>) -> Result<(), Error> {
        match self.never {}
    }
    /// # Safety
    /// None is needed.
    pub(crate) unsafe fn receive<T: Plain>(&self, _memory: &Memory<T>, _host: &mut [T]) -> Result<(), Error> {
        match self.never {}
    }
    pub(crate) fn copy<T: Plain>(
        &self,
        _from: &Memory<T>,
        _range: Range<usize>,
        _to: &mut Memory<T>,
        _first: usize,
    ) -> Result<(), Error> {
        match self.never {}
    }
    pub(crate) fn launch<K: Kernel>(
        &self,
        _kernel: &K,
        _statuses: &mut Memory<u32>,
        _first: usize,
    ) -> Result<(), Error> {
        match self.never {}
    }
    /// # Safety
    /// None is needed.
    pub(crate) unsafe fn clear(&self, _words: *mut u32, _len: usize) -> Result<(), Error> {
        match self.never {}
    }
    pub(crate) fn synchronize_device(&self) -> Result<(), Error> {
        match self.never {}
    }
    pub(crate) fn synchronize(&self) -> Result<(), Error> {
        match self.never {}
    }
    pub(crate) fn follow(&self, _other: &Self) -> Result<(), Error> {
        match self.never {}
    }
    /// # Safety
    /// None is needed.
    pub(crate) unsafe fn follow_foreign(&self, _other: ForeignStream) -> Result<(), Error> {
        match self.never {}
    }
    /// # Safety
    /// None is needed.
    pub(crate) unsafe fn lead_foreign(&self, _other: ForeignStream) -> Result<(), Error> {
        match self.never {}
    }
    pub(crate) fn free_bytes(&self) -> Option<usize> {
        match self.never {}
    }
    pub(crate) fn time<R>(&self, _work: impl FnOnce() -> Result<R, Error>) -> Result<(R, Duration), Error> {
        match self.never {}
    }
}
