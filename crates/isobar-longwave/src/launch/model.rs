//! A batch of columns of any size, shared by devices chunk by chunk.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use isobar_core::{Kernel, Real};
use isobar_launch::workers::{WORKERS, share};
use isobar_launch::{Device, Error, Plain, Queue, chunk_items, host};
use rayon::prelude::*;

use super::Precision;
use super::resident::{Places, Resident};
use super::tables::DeviceTables;
use super::turns::BESIDE_OTHERS;
use crate::{Columns, HostRoom, Launcher, Options, Outputs, TableData, Words, Work};

/// Why columns could not be computed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LongwaveError {
    /// The columns or the options.
    #[error(transparent)]
    Columns(#[from] crate::Error),
    /// A device.
    #[error(transparent)]
    Device(#[from] Error),
}

/// Longwave radiation on some devices.
///
/// ```no_run
/// use std::sync::Arc;
/// use isobar_launch::Device;
/// use isobar_longwave::launch::Longwave;
/// use isobar_longwave::{Columns, KDistribution, Options, TableData};
///
/// # let columns = Columns::<f32>::default();
/// let tables = TableData::new(&KDistribution::from_rrtmg_file("RRTMG_LW_DATA")?);
/// let fluxes = Longwave::new(&[Device::Cpu], Arc::new(tables)).run(&columns, &Options::default(), &|_| {})?;
/// println!("{} W/m^2 from the first surface", fluxes.up[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Longwave<R: Real + Plain> {
    devices: Vec<Device>,
    tables: Arc<TableData<R>>,
    columns_per_chunk: Option<usize>,
    transfers_only: bool,
    device_tables: Mutex<BTreeMap<Device, Arc<DeviceTables<R>>>>,
    /// Queues with their memory that no run is using: memory that GPUs read by themselves is slow to get.
    idle: Mutex<Vec<Slot<R>>>,
}

/// A queue with room for some columns.
struct Slot<R: Real + Plain> {
    queue: Queue,
    resident: Resident<R>,
}

/// Columns that a worker of a GPU takes at a time: small enough that copies of some overlap with kernels of others.
const CHUNK: usize = 1 << 12;
/// Columns that the CPU takes at a time: what kernels leave to each other stays near, and threads seldom wait for the
/// last.
const CPU_CHUNK: usize = 1 << 12;
/// Columns that are checked by a thread at a time.
const CHECKED: usize = 1 << 10;

impl<R: Precision> Longwave<R> {
    /// On these devices, which share each batch.
    #[must_use]
    pub fn new(devices: &[Device], tables: Arc<TableData<R>>) -> Self {
        Self {
            devices: devices.to_vec(),
            tables,
            columns_per_chunk: None,
            transfers_only: false,
            device_tables: Mutex::default(),
            idle: Mutex::default(),
        }
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

    /// Fluxes and heating rates of a batch. `progress` is told now and then how many columns are done.
    ///
    /// A column whose numbers are too large for the precision has the status [`isobar_core::Status::NOT_FINITE`].
    ///
    /// # Errors
    /// Options or sizes that do not fit, the first column that is not valid, or a device that fails.
    pub fn run(
        &self,
        columns: &Columns<R>,
        options: &Options,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Outputs<R>, LongwaveError> {
        let mut results = Outputs::default();
        self.run_into(columns, options, &mut results, progress)?;
        Ok(results)
    }

    /// The same into results of before, whose memory is used again where it has the right size: to touch new memory
    /// takes the host of a GPU longer than the copies. After an error their values mean nothing.
    ///
    /// # Errors
    /// As [`Longwave::run`].
    pub fn run_into(
        &self,
        columns: &Columns<R>,
        options: &Options,
        results: &mut Outputs<R>,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<(), LongwaveError> {
        let (bands, points) = (self.tables.bands.len(), self.tables.points);
        columns.validate_sizes((bands, points), options)?;
        let words = columns.words((bands, points), options)?;
        let (extents, count) = (self.tables.extents(columns.layers()), columns.columns());
        results.make_room(&extents, options, columns.clouds.is_some(), count);
        // A bad column does no harm to others, so that the check need not come first.
        let (done, checked) = rayon::join(
            || {
                let on_cpu_alone = self.devices.iter().all(|&device| device.is_cpu());
                if on_cpu_alone && self.columns_per_chunk.is_none() && count <= Resident::most_columns(columns) {
                    R::compute_here(self, (columns, &words), options, results, progress);
                    Ok(())
                } else {
                    self.in_chunks((columns, &words), options, results, progress)
                }
            },
            || {
                let ranges = (0..count.div_ceil(CHECKED)).into_par_iter();
                let ranges = ranges.map(|i| i * CHECKED..count.min((i + 1) * CHECKED));
                ranges.map(|range| columns.validate_range(range, bands, options)).find_first(Result::is_err)
            },
        );
        checked.unwrap_or(Ok(()))?;
        Ok(done?)
    }

    fn in_chunks(
        &self,
        batch: (&Columns<R>, &Words<'_>),
        options: &Options,
        results: &mut Outputs<R>,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<(), Error> {
        let places = Places::new(results);
        share(&self.devices, batch.0.columns(), progress, |device, remaining| {
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

    /// An idle slot on a device that fits the batch, or a new one.
    fn slot(&self, device: Device, batch: (&Columns<R>, &Words<'_>), options: &Options) -> Result<Slot<R>, Error> {
        let size = self.columns_per_chunk.unwrap_or(CHUNK).min(batch.0.columns());
        let mut idle = self.idle.lock().expect("no worker panics");
        let fits = |slot: &Slot<R>| slot.resident.room() >= size && slot.resident.fits(batch, options);
        // What does not fit now gives its memory back.
        idle.retain(|slot| slot.queue.device() != device || fits(slot));
        if let Some(known) = idle.iter().position(|slot| slot.queue.device() == device) {
            return Ok(idle.swap_remove(known));
        }
        drop(idle);
        let queue = Queue::parallel(device)?;
        let tables = self.tables_on(&queue)?;
        let bytes = Resident::bytes_per_column(device, &tables, batch, options) * WORKERS;
        let fitting = chunk_items(size, bytes, queue.free_bytes(), 1).min(Resident::most_columns(batch.0));
        let resident = Resident::with(&queue, &tables, batch, options, (size.min(fitting), BESIDE_OTHERS))?;
        Ok(Slot { queue, resident })
    }

    /// The tables on the device of a queue, where they are taken once.
    fn tables_on(&self, queue: &Queue) -> Result<Arc<DeviceTables<R>>, Error> {
        let mut known = self.device_tables.lock().expect("no worker panics");
        if let Some(tables) = known.get(&queue.device()) {
            return Ok(tables.clone());
        }
        let tables = Arc::new(DeviceTables::new(queue, &self.tables)?);
        known.insert(queue.device(), tables.clone());
        Ok(tables)
    }

    /// The host's arrays are the CPU's, so that nothing is copied.
    pub(super) fn on_cpu(
        &self,
        (columns, words): (&Columns<R>, &Words<'_>),
        options: &Options,
        results: &mut Outputs<R>,
        progress: &(dyn Fn(usize) + Sync),
    ) {
        let (extents, count) = (self.tables.extents(columns.layers()), columns.columns());
        let at_a_time = (count.min(CPU_CHUNK), columns.generates_masks(options));
        let mut room = HostRoom::new(&extents, columns, options, at_a_time);
        let mut statuses = std::mem::take(&mut results.status);
        let words = [&words.mask[..], &words.entries];
        let work = Work::on_host(&self.tables, columns, words, options, (&mut room, results.view(count)));
        let mut threads = AllThreads { statuses: &mut statuses, unwanted: Vec::new(), progress };
        let Ok(()) = work.compute(options, &mut threads);
        results.status = statuses;
    }
}

/// Runs kernels on all threads.
struct AllThreads<'a> {
    statuses: &'a mut [u32],
    /// Statuses that nobody looks at.
    unwanted: Vec<u32>,
    progress: &'a (dyn Fn(usize) + Sync),
}

impl Launcher for AllThreads<'_> {
    type Error = Infallible;

    fn launch<K: Kernel>(&mut self, kernel: &K, first: Option<usize>) -> Result<(), Infallible> {
        let items = kernel.items();
        match first {
            Some(first) => {
                host::launch(kernel, &mut self.statuses[first..first + items], true);
                (self.progress)(first + items);
            }
            None => {
                self.unwanted.resize(items.max(self.unwanted.len()), 0);
                host::launch(kernel, &mut self.unwanted[..items], true);
            }
        }
        Ok(())
    }
}
