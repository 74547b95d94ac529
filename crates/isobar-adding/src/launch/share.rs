//! A batch of profiles shared by devices, chunk by chunk.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use isobar_core::Real;
use isobar_launch::{Device, Error, Queue, chunk_items, for_each_chunk};

use super::AddingError;

/// How a batch is cut.
pub(super) struct Share<'a> {
    /// Who computes.
    pub(super) devices: &'a [Device],
    /// The profiles of the batch.
    pub(super) profiles: usize,
    /// The profiles of a chunk, if the user has chosen; a device's memory may hold fewer.
    pub(super) profiles_per_chunk: Option<usize>,
    /// Otherwise those that the CPU takes at a time.
    pub(super) cpu_chunk: usize,
    /// And a GPU.
    pub(super) gpu_chunk: usize,
    /// The most profiles that can be brought to a device at a time.
    pub(super) most_profiles: usize,
    /// The bytes that a profile takes on a device.
    pub(super) bytes_per_profile: usize,
}

impl Share<'_> {
    /// Calls `work` for ranges of profiles that together are the batch; each device takes the next range when it is
    /// done with one. `progress` is told how many profiles are done.
    ///
    /// `work` is called again, for smaller ranges, where a device is out of memory.
    ///
    /// # Errors
    /// The first of any device, after which no more ranges are begun.
    pub(super) fn run(
        &self,
        progress: &(dyn Fn(usize) + Sync),
        work: impl Fn(&Queue, Range<usize>) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        let failure = Mutex::new(None);
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let take = |device: Device| -> Result<(), Error> {
            let queue = Queue::parallel(device)?;
            let usual = if device.is_cpu() { self.cpu_chunk } else { self.gpu_chunk };
            let fitting = chunk_items(self.profiles, self.bytes_per_profile, queue.free_bytes(), 1);
            let size = self.profiles_per_chunk.unwrap_or(usual).min(fitting).min(self.most_profiles);
            loop {
                let start = next.fetch_add(size, Ordering::Relaxed);
                if start >= self.profiles || failure.lock().expect("no worker panics").is_some() {
                    return Ok(());
                }
                let end = self.profiles.min(start + size);
                for_each_chunk(end - start, size, 1, |range| {
                    let range = start + range.start..start + range.end;
                    work(&queue, range.clone())?;
                    progress(done.fetch_add(range.len(), Ordering::Relaxed) + range.len());
                    Ok(())
                })?;
            }
        };
        let take = |device| {
            if let Err(error) = take(device) {
                failure.lock().expect("no worker panics").get_or_insert(error);
            }
        };
        std::thread::scope(|scope| {
            for &device in self.devices.iter().filter(|device| !device.is_cpu()) {
                scope.spawn(move || take(device));
            }
            // Here, where the caller's choice of threads holds.
            self.devices.iter().filter(|device| device.is_cpu()).for_each(|&device| take(device));
        });
        failure.into_inner().expect("no worker panics").map_or(Ok(()), Err)
    }
}

/// The columns of a range of profiles, for every row of `values`.
pub(super) fn part<R: Real>(values: &[f64], profiles: usize, range: &Range<usize>) -> Vec<R> {
    values.chunks(profiles).flat_map(|row| &row[range.clone()]).map(|&x| R::from_f64(x)).collect()
}

/// Copies the rows of a range of profiles to their places among all.
pub(super) fn put<R: Copy>(all: &mut [R], part: &[R], profiles: usize, range: &Range<usize>) {
    for (row, values) in all.chunks_mut(profiles).zip(part.chunks(range.len())) {
        row[range.clone()].copy_from_slice(values);
    }
}

/// Fails where a radiance of valid profiles is no number: beyond the range of the precision.
pub(super) fn check_finite<R: Real>(radiance: &[R], profiles: usize) -> Result<(), AddingError> {
    match radiance.iter().position(|value| !value.is_finite()) {
        Some(at) => Err(AddingError::NotFinite { profile: at % profiles, angle: at / profiles, precision: R::NAME }),
        None => Ok(()),
    }
}
