//! The columns of a batch, shared by the workers of several devices.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Device, Error};

/// Workers of a GPU: while one computes, others gather on the host, copy in, copy out, and scatter.
pub const WORKERS: usize = 5;

/// What is left of a batch.
pub struct Remaining<'a> {
    columns: usize,
    next: AtomicUsize,
    done: AtomicUsize,
    failure: Mutex<Option<Error>>,
    progress: &'a (dyn Fn(usize) + Sync),
}

impl Remaining<'_> {
    /// The next columns, at most so many; none when all are taken, or after a failure.
    pub fn take(&self, size: usize) -> Option<Range<usize>> {
        let start = self.next.fetch_add(size, Ordering::Relaxed);
        let failed = || self.failure.lock().expect("no worker panics").is_some();
        (start < self.columns && !failed()).then(|| start..self.columns.min(start + size))
    }

    /// Tells that so many more are done.
    pub fn done(&self, columns: usize) {
        (self.progress)(self.done.fetch_add(columns, Ordering::Relaxed) + columns);
    }
}

/// Calls `work` for each worker, which takes columns until none are left: [`WORKERS`] of a GPU, one of the CPU, on the
/// calling thread.
///
/// # Errors
/// The first of any worker, after which no more columns are taken.
pub fn share(
    devices: &[Device],
    columns: usize,
    progress: &(dyn Fn(usize) + Sync),
    work: impl Fn(Device, &Remaining<'_>) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let remaining = Remaining { columns, next, done, failure: Mutex::new(None), progress };
    let work = |device| {
        if let Err(error) = work(device, &remaining) {
            remaining.failure.lock().expect("no worker panics").get_or_insert(error);
        }
    };
    std::thread::scope(|scope| {
        for &device in devices.iter().filter(|device| !device.is_cpu()) {
            for _ in 0..WORKERS {
                scope.spawn(move || work(device));
            }
        }
        // Here, where the caller's choice of threads holds.
        devices.iter().filter(|device| device.is_cpu()).for_each(|&device| work(device));
    });
    remaining.failure.into_inner().expect("no worker panics").map_or(Ok(()), Err)
}
