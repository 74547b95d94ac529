//! A batch of columns of any size, shared by devices chunk by chunk.

use std::sync::Mutex;

use isobar_core::{Kernel, Real};
use isobar_launch::workers::{WORKERS, share};
use isobar_launch::{Device, Error, Plain, Queue, chunk_items, host};
use rayon::prelude::*;

use super::Precision;
use super::layout::Places;
use super::resident::Resident;
use crate::{Columns, Options, Outputs, Room, Ysu, arguments, tracers_kernel};

/// Why columns could not be computed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoundaryLayerError {
    /// The columns.
    #[error(transparent)]
    Columns(#[from] crate::Error),
    /// A device.
    #[error(transparent)]
    Device(#[from] Error),
}

/// The YSU scheme on some devices.
///
/// ```no_run
/// use isobar_launch::Device;
/// use isobar_ysu::launch::BoundaryLayer;
/// use isobar_ysu::{Columns, Options};
///
/// # let columns = Columns::<f32>::default();
/// let results = BoundaryLayer::<f32>::new(&[Device::Cpu]).run(&columns, &Options::new(60.0), &|_| {})?;
/// println!("{} m", results.height[0]);
/// # Ok::<(), isobar_ysu::launch::BoundaryLayerError>(())
/// ```
pub struct BoundaryLayer<R: Real + Plain> {
    devices: Vec<Device>,
    columns_per_chunk: Option<usize>,
    transfers_only: bool,
    /// Queues with their memory that no run is using: memory that GPUs read by themselves is slow to get.
    idle: Mutex<Vec<Slot<R>>>,
}

/// A queue with room for some columns.
struct Slot<R: Real + Plain> {
    queue: Queue,
    resident: Resident<R>,
}

/// Columns that a worker of a GPU takes at a time: small enough that copies of some overlap with kernels of others.
const CHUNK: usize = 1 << 11;
/// Columns that are checked by a thread at a time.
const CHECKED: usize = 1 << 12;

impl<R: Precision> BoundaryLayer<R> {
    /// On these devices, which share each batch.
    #[must_use]
    pub fn new(devices: &[Device]) -> Self {
        Self { devices: devices.to_vec(), columns_per_chunk: None, transfers_only: false, idle: Mutex::default() }
    }

    /// Takes so many columns at a time; the results do not depend on it.
    #[must_use]
    pub fn columns_per_chunk(mut self, columns: usize) -> Self {
        self.columns_per_chunk = Some(columns.max(1));
        self
    }

    /// Copies and computes nothing, to measure what copies cost.
    #[doc(hidden)]
    #[must_use]
    pub fn transfers_only(mut self) -> Self {
        self.transfers_only = true;
        self
    }

    /// The results of a batch. `progress` is told now and then how many columns are done.
    ///
    /// A column whose numbers are too large for the precision has the status [`isobar_core::Status::NOT_FINITE`].
    ///
    /// # Errors
    /// The first column that is not valid, or a device that fails.
    pub fn run(
        &self,
        batch: &Columns<R>,
        options: &Options,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Outputs<R>, BoundaryLayerError> {
        let (results, refused) = self.run_valid(batch, options, progress)?;
        refused.into_iter().next().map_or(Ok(results), |error| Err(error.into()))
    }

    /// The results of the valid columns of a batch, and what is wrong with the others: those have NaN and the status
    /// [`isobar_core::Status::OUT_OF_RANGE`].
    ///
    /// # Errors
    /// Options or sizes that do not fit, or a device that fails.
    pub fn run_valid(
        &self,
        batch: &Columns<R>,
        options: &Options,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<(Outputs<R>, Vec<crate::Error>), BoundaryLayerError> {
        let mut results = Outputs::default();
        let refused = self.run_valid_into(batch, options, &mut results, progress)?;
        Ok((results, refused))
    }

    /// The same into results of before, whose memory is used again if it has the right size: to touch new memory takes
    /// the host of a GPU longer than the copies. After an error their values mean nothing.
    ///
    /// # Errors
    /// As [`BoundaryLayer::run_valid`].
    pub fn run_valid_into(
        &self,
        batch: &Columns<R>,
        options: &Options,
        results: &mut Outputs<R>,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<crate::Error>, BoundaryLayerError> {
        batch.validate_sizes(options)?;
        results.make_room(batch.layers(), batch.tracers(), batch.columns());
        // A bad column does no harm to others, so that the check need not come first.
        let (done, refused) = rayon::join(
            || {
                let on_cpu_alone = self.devices.iter().all(|&device| device.is_cpu());
                let whole = self.columns_per_chunk.is_none() && batch.columns() <= Resident::most_columns(batch);
                if on_cpu_alone && whole {
                    R::compute_here(batch, options, results);
                    progress(batch.columns());
                    Ok(())
                } else {
                    self.in_chunks(batch, options, results, progress)
                }
            },
            || invalid(batch, options),
        );
        done?;
        for column in refused.iter().filter_map(column_of) {
            results.refuse(column);
        }
        Ok(refused)
    }

    fn in_chunks(
        &self,
        batch: &Columns<R>,
        options: &Options,
        results: &mut Outputs<R>,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<(), Error> {
        let columns = batch.columns();
        let places = Places::new(results, batch.layers(), columns);
        share(&self.devices, columns, progress, |device, remaining| {
            let Slot { queue, mut resident } = self.slot(device, batch, options)?;
            while let Some(range) = remaining.take(resident.room()) {
                resident.load(&queue, batch, &range)?;
                if !self.transfers_only {
                    resident.compute(&queue)?;
                }
                resident.store(&queue, &places, range.start)?;
                remaining.done(range.len());
            }
            self.idle.lock().expect("no worker panics").push(Slot { queue, resident });
            Ok(())
        })
    }
}

impl<R: Precision> BoundaryLayer<R> {
    /// An idle slot on a device that fits the batch, or a new one.
    fn slot(&self, device: Device, batch: &Columns<R>, options: &Options) -> Result<Slot<R>, Error> {
        let size = self.columns_per_chunk.unwrap_or(CHUNK).min(batch.columns());
        let mut idle = self.idle.lock().expect("no worker panics");
        let fits = |slot: &Slot<R>| slot.resident.room() >= size && slot.resident.fits(batch, options);
        // What does not fit now gives its memory back.
        idle.retain(|slot| slot.queue.device() != device || fits(slot));
        if let Some(known) = idle.iter().position(|slot| slot.queue.device() == device) {
            return Ok(idle.swap_remove(known));
        }
        drop(idle);
        let queue = Queue::parallel(device)?;
        let bytes = Resident::bytes_per_column(batch, options) * WORKERS;
        let fitting = chunk_items(size, bytes, queue.free_bytes(), 1).min(Resident::most_columns(batch));
        let resident = Resident::new(&queue, batch, options, size.min(fitting))?;
        Ok(Slot { queue, resident })
    }
}

/// The host's arrays are the CPU's, so that nothing is copied.
pub(super) fn on_cpu<R: Real>(batch: &Columns<R>, options: &Options, results: &mut Outputs<R>) {
    let mut room = Room::new(batch);
    let arguments = arguments(batch, options, results, &mut room);
    launch(&Ysu::<R, true>(arguments));
    if let Some(kernel) = tracers_kernel(batch, options, results, &room) {
        launch(&kernel);
    }
}

fn launch<K: Kernel>(kernel: &K) {
    host::launch(kernel, &mut vec![0; kernel.items()], true);
}

/// What is wrong with the columns, in their order.
fn invalid<R: Real>(batch: &Columns<R>, options: &Options) -> Vec<crate::Error> {
    let columns = batch.columns();
    let parts = (0..columns.div_ceil(CHECKED)).into_par_iter();
    parts.flat_map_iter(|i| batch.invalid(i * CHECKED..columns.min((i + 1) * CHECKED), options)).collect()
}

/// The column that an error is about.
fn column_of(error: &crate::Error) -> Option<usize> {
    match error {
        crate::Error::Value { column, .. } | crate::Error::Pressure { column, .. } => Some(*column),
        _ => None,
    }
}
