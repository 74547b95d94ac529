//! A clear-sky batch of any size, shared by devices chunk by chunk.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use isobar_adding::Schedule;
use isobar_adding::clear_sky::{Profiles, Reflection};
use isobar_core::Real;

use super::{Outputs, Radiances, Resident};
use crate::{Device, Error, Plain, Queue, chunk_items, for_each_chunk};

/// Why radiances could not be computed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AddingError {
    /// The batch.
    #[error(transparent)]
    Batch(#[from] isobar_adding::Error),
    /// A device.
    #[error(transparent)]
    Device(#[from] Error),
}

/// A clear-sky calculation on some devices, in the precision that [`ClearSkyModel::run`] is asked for.
///
/// ```
/// use isobar_adding::clear_sky::{Absorption, Profiles, Reflection, Source};
/// use isobar_launch::adding::{ClearSkyModel, Outputs};
/// use isobar_launch::Device;
///
/// let profiles = Profiles {
///     cosine: vec![1.0],
///     absorption: Absorption::OpticalDepth(vec![0.0, 40.0]),
///     source: Source::Isothermal(vec![50.0, 80.0]),
///     surface_planck: vec![100.0],
///     emissivity: vec![1.0],
///     cosmic: vec![0.0],
///     reflection: Reflection::Specular,
///     sun: None,
/// };
/// let radiances = ClearSkyModel::new(&[Device::Cpu]).run::<f64>(&profiles, Outputs::Ends, &|_| {})?;
/// assert_eq!(radiances.top, [80.0]); // the opaque layer hides the surface
/// # Ok::<(), isobar_launch::adding::AddingError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClearSkyModel {
    devices: Vec<Device>,
    schedule: Schedule,
    profiles_per_chunk: Option<usize>,
}

/// Profiles that a GPU takes at a time, so that several chunks and several GPUs share a batch.
const GPU_CHUNK: usize = 1 << 18;
/// Profiles that the CPU takes at a time: their inputs fit into its caches.
const CPU_CHUNK: usize = 1 << 12;

impl ClearSkyModel {
    /// On these devices, which share each batch.
    #[must_use]
    pub fn new(devices: &[Device]) -> Self {
        Self { devices: devices.to_vec(), schedule: Schedule::Auto, profiles_per_chunk: None }
    }

    /// Shares the work in this way; the radiances do not depend on it.
    #[must_use]
    pub fn schedule(mut self, schedule: Schedule) -> Self {
        self.schedule = schedule;
        self
    }

    /// Takes so many profiles at a time; the radiances do not depend on it.
    #[must_use]
    pub fn profiles_per_chunk(mut self, profiles: usize) -> Self {
        self.profiles_per_chunk = Some(profiles.max(1));
        self
    }

    /// The radiances of a batch. `progress` is told now and then how many profiles are done.
    ///
    /// # Errors
    /// A batch that is not valid, or a device that fails.
    pub fn run<R: Real + Plain>(
        &self,
        batch: &Profiles,
        outputs: Outputs,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Radiances<R>, AddingError> {
        batch.validate()?;
        if outputs == Outputs::Emission && batch.reflection != Reflection::None {
            return Err(
                isobar_adding::Error::Setup("a reflecting surface needs the downward radiance: ask for Ends").into()
            );
        }
        let (profiles, angles) = (batch.profiles(), batch.angles());
        let room = |wanted: bool, rows: usize| vec![R::ZERO; if wanted { rows * profiles } else { 0 }];
        let levels = outputs == Outputs::Levels;
        let result = Mutex::new(Radiances {
            top: room(true, angles),
            surface_down: room(outputs != Outputs::Emission, angles),
            level_up: room(levels, (batch.layers() + 1) * angles),
            level_down: room(levels, (batch.layers() + 1) * angles),
        });
        let failure = Mutex::new(None);
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |device: Device| -> Result<(), Error> {
            let queue = Queue::parallel(device)?;
            let bytes = Resident::<R>::bytes_per_profile(batch, outputs);
            let usual = if device == Device::Cpu { CPU_CHUNK } else { GPU_CHUNK };
            let size = self
                .profiles_per_chunk
                .unwrap_or(usual)
                .min(chunk_items(profiles, bytes, queue.free_bytes(), 1))
                .min(Resident::<R>::most_profiles(batch));
            loop {
                let start = next.fetch_add(size, Ordering::Relaxed);
                if start >= profiles || failure.lock().expect("no worker panics").is_some() {
                    return Ok(());
                }
                let end = profiles.min(start + size);
                for_each_chunk(end - start, size, 1, |range| {
                    let range = start + range.start..start + range.end;
                    let mut resident = Resident::<R>::new(&queue, batch, range.clone(), outputs)?;
                    resident.compute(&queue, self.schedule)?;
                    let part = resident.radiances(&queue)?;
                    put(&mut result.lock().expect("no worker panics"), &part, profiles, &range);
                    progress(done.fetch_add(range.len(), Ordering::Relaxed) + range.len());
                    Ok(())
                })?;
            }
        };
        let work = |device| {
            if let Err(error) = work(device) {
                failure.lock().expect("no worker panics").get_or_insert(error);
            }
        };
        std::thread::scope(|scope| {
            for &device in self.devices.iter().filter(|&&device| device != Device::Cpu) {
                scope.spawn(move || work(device));
            }
            // Here, where the caller's choice of threads holds.
            self.devices.iter().filter(|&&device| device == Device::Cpu).for_each(|&device| work(device));
        });
        match failure.into_inner().expect("no worker panics") {
            Some(error) => Err(error.into()),
            None => Ok(result.into_inner().expect("no worker panics")),
        }
    }
}

/// Copies the radiances of a range of profiles to their places.
fn put<R: Real>(all: &mut Radiances<R>, part: &Radiances<R>, profiles: usize, range: &Range<usize>) {
    let pairs = [
        (&mut all.top, &part.top),
        (&mut all.surface_down, &part.surface_down),
        (&mut all.level_up, &part.level_up),
        (&mut all.level_down, &part.level_down),
    ];
    for (all, part) in pairs {
        for (row, values) in all.chunks_mut(profiles).zip(part.chunks(range.len())) {
            row[range.clone()].copy_from_slice(values);
        }
    }
}
