//! The items of a batch, shared by the workers of several devices.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use crate::threads::Workers;
use crate::{Device, Error};

/// Workers of a GPU: while one computes, others gather on the host, copy in, copy out, and scatter.
pub const WORKERS: usize = 5;

/// What is left of a batch.
pub struct Pool<'a> {
    items: usize,
    next: AtomicUsize,
    done: AtomicUsize,
    /// Ranges that a worker could not compute for want of memory.
    returned: Mutex<Vec<Range<usize>>>,
    failure: Mutex<Option<Error>>,
    /// Why a worker went home, though there may be others: its device's memory.
    exhausted: Mutex<Option<Error>>,
    stop: [Option<&'a AtomicBool>; 2],
    progress: &'a (dyn Fn(usize) + Sync),
}

impl<'a> Pool<'a> {
    /// A batch of `items` items. `progress` is told how many are done; no more are begun once one of `stop` is set.
    pub fn new(items: usize, progress: &'a (dyn Fn(usize) + Sync), stop: [Option<&'a AtomicBool>; 2]) -> Self {
        Self {
            items,
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            returned: Mutex::default(),
            failure: Mutex::default(),
            exhausted: Mutex::default(),
            stop,
            progress,
        }
    }

    /// The next items, `most` at most; none when all are taken, after a failure, or when the run is to stop.
    pub fn take(&self, most: usize) -> Option<Range<usize>> {
        if lock(&self.failure).is_some() || self.stopped() {
            return None;
        }
        let most = most.min(self.items);
        let mut returned = lock(&self.returned);
        if let Some(range) = returned.pop() {
            let end = range.end.min(range.start + most);
            if end < range.end {
                returned.push(end..range.end);
            }
            return Some(range.start..end);
        }
        drop(returned);
        let start = self.next.fetch_add(most, Ordering::Relaxed);
        (start < self.items).then(|| start..self.items.min(start + most))
    }

    /// Gives items back for a worker with more memory, or for smaller chunks.
    pub fn put_back(&self, items: Range<usize>) {
        lock(&self.returned).push(items);
    }

    /// The items of the batch.
    #[must_use]
    pub fn items(&self) -> usize {
        self.items
    }

    /// The items that are done.
    #[must_use]
    pub fn finished(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// Tells that another `items` items are done.
    pub fn done(&self, items: usize) {
        (self.progress)(self.done.fetch_add(items, Ordering::Relaxed) + items);
    }

    /// Is the run to stop?
    pub fn stopped(&self) -> bool {
        self.stop.iter().flatten().any(|stop| stop.load(Ordering::Relaxed))
    }

    /// Runs the workers of some devices until nothing is left; each device has a number of them. A GPU's worker is a
    /// thread, which does parallel loops by [`crate::on_threads`]. That of a CPU is the calling one, where the caller's
    /// choice of threads holds; several are tasks of rayon's threads.
    ///
    /// A worker that ends with [`Error::OutOfMemory`] leaves its items to the others.
    ///
    /// # Errors
    /// The first failure of a worker, after which no more items are begun; the want of memory, if nobody could take the
    /// rest; [`Error::Stopped`]. With it comes how many items are done.
    pub fn run(
        &self,
        devices: &[Device],
        workers: impl Fn(Device) -> usize,
        work: impl Fn(Device, &Self) -> Result<(), Error> + Sync,
    ) -> Result<(), (Error, usize)> {
        let work = &|device| match work(device, self) {
            Ok(()) => {}
            Err(error @ Error::OutOfMemory { .. }) => drop(lock(&self.exhausted).get_or_insert(error)),
            Err(error) => drop(lock(&self.failure).get_or_insert(error)),
        };
        let of_gpus = |&device: &Device| (0..if device.is_cpu() { 0 } else { workers(device) }).map(move |_| device);
        let of_gpus: Vec<Device> = devices.iter().flat_map(of_gpus).collect();
        let started = &Workers::new(of_gpus.len());
        std::thread::scope(|scope| {
            for device in of_gpus {
                scope.spawn(move || started.work(|| work(device)));
            }
            for &device in devices.iter().filter(|device| device.is_cpu()) {
                match workers(device) {
                    0 | 1 => work(device),
                    several => rayon::scope(|scope| (0..several).for_each(|_| scope.spawn(move |_| work(device)))),
                }
            }
            started.wait();
        });
        // Items that a worker gave back while the others had ended already: one after the other takes them.
        let left = || self.done.load(Ordering::Relaxed) < self.items && !self.stopped();
        if left() && lock(&self.failure).is_none() && !lock(&self.returned).is_empty() {
            devices.iter().for_each(|&device| work(device));
        }
        let done = self.done.load(Ordering::Relaxed);
        match lock(&self.failure).take() {
            Some(error) => Err((error, done)),
            None if done >= self.items => Ok(()),
            None if self.stopped() => Err((Error::Stopped, done)),
            None => Err((lock(&self.exhausted).take().unwrap_or(Error::Stopped), done)),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no worker panics")
}
