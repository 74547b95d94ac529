//! A scheme on some devices.

mod on_device;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use isobar_core::fields::{self, AnyField, AnyFieldMut, Extents, InputSet, OutputSet, OwnedOutputs};
use isobar_core::kernel::WARP;
use isobar_core::{FieldMut, Status};
use rayon::prelude::*;

use crate::chunk::{Chunk, bytes_per_item};
use crate::pool::Pool;
use crate::resident::Resident;
use crate::scheme::{Job, Outputs, Scheme, Shape};
use crate::{Device, Error, Queue, chunk_items, chunks};

/// Why a batch could not be computed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The batch or the options.
    #[error(transparent)]
    Batch(#[from] fields::Error),
    /// A device could not be made ready.
    #[error(transparent)]
    Device(#[from] Error),
    /// A device failed on the way, or the run was stopped. Items that were finished have their results in what was
    /// given to [`Model::run_into`]; the others have [`Status::NOT_COMPUTED`].
    #[error("{source} ({done} of {items} {item_name}s were finished)")]
    Interrupted {
        /// Why.
        source: Error,
        /// The items that were finished.
        done: usize,
        /// The items of the batch.
        items: usize,
        /// What an item is.
        item_name: &'static str,
    },
}

/// What becomes of a batch with items that are not valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BadItems {
    /// The first is an error, and the batch is not computed.
    #[default]
    Stop,
    /// They have no numbers and [`Status::OUT_OF_RANGE`]; all others are computed.
    Flag,
    /// Nothing is checked, and what becomes of an item is what its status says: where inputs are results of before.
    Compute,
}

/// What goes on beside one run: who may end it, and who is told how far it is.
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    /// No more items are begun once it is set, as with [`Model::stop_on`] for all runs of a model.
    pub stop: Option<&'a AtomicBool>,
    /// Is told now and then how many items are done, besides [`Model::progress`].
    pub progress: Option<&'a (dyn Fn(usize) + Sync)>,
}

type Progress = Box<dyn Fn(usize) + Send + Sync>;

/// A scheme on some devices, which share each batch: chunks that fit their memory, copies beside kernels, results of
/// before whose memory is used again.
///
/// The bits of the results depend neither on the devices nor on the chunks.
pub struct Model<S: Scheme> {
    scheme: S,
    devices: Vec<Device>,
    bad_items: BadItems,
    items_per_chunk: Option<usize>,
    largest_allocation: Option<usize>,
    lost_after: Option<usize>,
    transfers_only: bool,
    progress: Option<Progress>,
    stop: Option<Arc<AtomicBool>>,
    tables: Mutex<BTreeMap<Device, Arc<S::Tables>>>,
    /// Queues with their memory that no run is using: memory that GPUs read by themselves is slow to get.
    idle: Mutex<Vec<Worker<S>>>,
    /// The same of those that compute in the memory of the caller.
    idle_in_place: Mutex<Vec<InPlace<S>>>,
    /// Those that a graph has, by its number.
    recorded: Mutex<Vec<(u64, InPlace<S>)>>,
}

/// A queue with room for some items.
struct Worker<S: Scheme> {
    queue: Queue,
    tables: Arc<S::Tables>,
    chunk: Chunk<S>,
}

/// A queue with a workspace for some items, which lie in the memory of the caller.
struct InPlace<S: Scheme> {
    queue: Queue,
    tables: Arc<S::Tables>,
    shape: Shape<S>,
    items: usize,
    workspace: S::Workspace,
}

impl<S: Scheme> InPlace<S> {
    fn fits(&self, shape: &Shape<S>, items: usize) -> bool {
        self.items >= items && self.shape == *shape
    }
}

/// Items that a thread checks at a time.
const CHECKED: usize = 1 << 12;
/// Bytes of a CPU's chunk, which a thread copies and computes by itself: as much as fits into a core's caches.
const CPU_CHUNK_BYTES: usize = 1 << 20;

impl<S: Scheme> Model<S> {
    /// The scheme on these devices: [`Device::Thread`] for the calling thread, [`Device::Cpu`] for all threads, GPUs.
    #[must_use]
    pub fn new(scheme: S, devices: &[Device]) -> Self {
        Self {
            scheme,
            devices: devices.to_vec(),
            bad_items: BadItems::Stop,
            items_per_chunk: None,
            largest_allocation: None,
            lost_after: None,
            transfers_only: false,
            progress: None,
            stop: None,
            tables: Mutex::default(),
            idle: Mutex::default(),
            idle_in_place: Mutex::default(),
            recorded: Mutex::default(),
        }
    }

    /// What becomes of items that are not valid.
    #[must_use]
    pub fn bad_items(mut self, bad_items: BadItems) -> Self {
        self.bad_items = bad_items;
        self
    }

    /// Takes so many items at a time; the results do not depend on it. On a CPU they are copied then, as for a GPU, but
    /// for [`Scheme::HOST_VIEWS`].
    #[must_use]
    pub fn items_per_chunk(mut self, items: usize) -> Self {
        self.items_per_chunk = Some(items.max(1));
        self
    }

    /// Tells now and then how many items are done.
    #[must_use]
    pub fn progress(mut self, progress: impl Fn(usize) + Send + Sync + 'static) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Begins no more items once `stop` is set, and ends with what is finished: [`RunError::Interrupted`].
    #[must_use]
    pub fn stop_on(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Every allocation of more bytes fails as if a device's memory did not hold it: for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn largest_allocation(mut self, bytes: usize) -> Self {
        self.largest_allocation = Some(bytes);
        self
    }

    /// Devices are lost once so many items are done: for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn lost_after(mut self, items: usize) -> Self {
        self.lost_after = Some(items);
        self
    }

    /// Copies and computes nothing, to measure what copies cost.
    #[doc(hidden)]
    #[must_use]
    pub fn transfers_only(mut self) -> Self {
        self.transfers_only = true;
        self
    }

    /// The scheme.
    #[must_use]
    pub fn scheme(&self) -> &S {
        &self.scheme
    }

    /// The devices.
    #[must_use]
    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// The results of a batch: vectors whose sizes are right, or views.
    ///
    /// # Errors
    /// Options, sizes or the first item that is not valid; a device that fails.
    pub fn run<'a, I>(&self, inputs: I, options: &S::Options) -> Result<S::Results, RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        let mut results = S::Results::default();
        self.run_into(inputs, options, &mut results)?;
        Ok(results)
    }

    /// The same into results of before, whose memory is used again where it has the right size: to touch new memory
    /// takes the host of a GPU longer than the copies. What is wrong with flagged items is the answer.
    ///
    /// # Errors
    /// As [`Model::run`]. After [`RunError::Interrupted`] finished items have their results; after another error no
    /// value means anything.
    pub fn run_into<'a, I>(
        &self,
        inputs: I,
        options: &S::Options,
        results: &mut S::Results,
    ) -> Result<Vec<fields::Error>, RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        let (inputs, shape, extents) = self.shape(inputs.try_into().map_err(fields::Error::from)?, options)?;
        results.resize(&extents, &|declared| self.scheme.wants(declared, &extents, &shape.options))?;
        self.run_shaped(&inputs, &shape, &extents, &results.views(extents.items()), Watch::default())
    }

    /// The same into memory of the caller's, in any layout. A field that the options do not want may be
    /// left out, and is not written.
    ///
    /// # Errors
    /// As [`Model::run_into`]; a field that is wanted and has another size.
    pub fn run_views<'a, I>(
        &self,
        inputs: I,
        options: &S::Options,
        results: &Outputs<'_, S>,
    ) -> Result<Vec<fields::Error>, RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        self.run_watched(inputs, options, results, Watch::default())
    }

    /// The same, watched.
    ///
    /// # Errors
    /// As [`Model::run_views`].
    pub fn run_watched<'a, I>(
        &self,
        inputs: I,
        options: &S::Options,
        results: &Outputs<'_, S>,
        watch: Watch<'_>,
    ) -> Result<Vec<fields::Error>, RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        let (inputs, shape, extents) = self.shape(inputs.try_into().map_err(fields::Error::from)?, options)?;
        let wanted = Self::wanted(&shape, &extents, results)?;
        self.run_shaped(&inputs, &shape, &extents, &wanted, watch)
    }

    /// Of views to write those that are wanted, whose sizes are right.
    fn wanted<'o>(
        shape: &Shape<S>,
        extents: &Extents,
        results: &Outputs<'o, S>,
    ) -> Result<Outputs<'o, S>, fields::Error> {
        let mut fields = Vec::new();
        results.visit(&mut |_, field| fields.push(field));
        let (mut given, mut wrong) = (fields.into_iter().zip(&shape.wanted), None);
        let wanted = <Outputs<'_, S>>::build(&mut |declared| match given.next().expect("one a field") {
            (field, true) => {
                let (rows, items) = field.extent();
                if (rows, items) != (extents.rows(declared.shape), extents.items()) {
                    wrong.get_or_insert_with(|| fields::check::size_error(declared, rows * items, extents, S::ITEM));
                }
                field
            }
            (AnyFieldMut::Real(_), false) => AnyFieldMut::Real(FieldMut::empty()),
            (AnyFieldMut::Word(_), false) => AnyFieldMut::Word(FieldMut::empty()),
        });
        match wrong {
            Some(error) => Err(error),
            None => Ok(wanted),
        }
    }

    fn run_shaped(
        &self,
        inputs: &S::Inputs<'_>,
        shape: &Shape<S>,
        extents: &Extents,
        results: &Outputs<'_, S>,
        watch: Watch<'_>,
    ) -> Result<Vec<fields::Error>, RunError> {
        let (items, options) = (extents.items(), &shape.options);
        set_status::<S>(results, 0..items, Status::NOT_COMPUTED);
        let compute = || self.compute(inputs, shape, results, items, watch);
        // A bad item does no harm to others, so that the check need not come first.
        let check = |part| match self.bad_items {
            BadItems::Compute => Vec::new(),
            BadItems::Stop | BadItems::Flag => self.scheme.check(inputs, extents, options, part),
        };
        let one_thread = self.devices.iter().all(|&device| device == Device::Thread);
        let (done, mut refused) =
            if one_thread { (compute(), check(0..items)) } else { rayon::join(compute, || in_parts(items, check)) };
        if self.bad_items == BadItems::Stop
            && let Some(first) = refused.first()
        {
            return Err(first.clone().into());
        }
        for item in refused.iter().filter_map(fields::Error::item) {
            results.refuse(item);
            set_status::<S>(results, item..item + 1, Status::OUT_OF_RANGE);
        }
        done.map_err(|(source, done)| RunError::Interrupted { source, done, items, item_name: S::ITEM })?;
        let check = |part| match self.bad_items {
            BadItems::Compute => Vec::new(),
            BadItems::Stop | BadItems::Flag => self.scheme.check_results(results, extents, options, part),
        };
        let not_finite = if one_thread { check(0..items) } else { in_parts(items, check) };
        if self.bad_items == BadItems::Stop
            && let Some(first) = not_finite.first()
        {
            return Err(first.clone().into());
        }
        for item in not_finite.iter().filter_map(fields::Error::item) {
            results.refuse(item);
            set_status::<S>(results, item..item + 1, Status::NOT_FINITE);
        }
        refused.extend(not_finite);
        Ok(refused)
    }

    /// What is wrong with the items of a batch, one error a bad item.
    ///
    /// # Errors
    /// Options or sizes that do not fit.
    pub fn check<'a, I>(&self, inputs: I, options: &S::Options) -> Result<Vec<fields::Error>, RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        let (inputs, shape, extents) = self.shape(inputs.try_into().map_err(fields::Error::from)?, options)?;
        Ok(in_parts(extents.items(), |part| self.scheme.check(&inputs, &extents, &shape.options, part)))
    }

    /// Takes a batch to the devices, where it stays from run to run. Its values are checked.
    ///
    /// # Errors
    /// As [`Model::run`].
    pub fn resident<'a, I>(&self, inputs: I, options: &S::Options) -> Result<Resident<'_, S>, RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        let inputs = inputs.try_into().map_err(fields::Error::from)?;
        self.resident_on(inputs, options, &|device| self.queue(device).map(Arc::new))
    }

    /// The same in the order of another batch, by its queues: what both are given is computed one after the other.
    ///
    /// # Errors
    /// As [`Model::run`].
    pub fn resident_beside<'a, I>(
        &self,
        other: &Resident<'_, S>,
        inputs: I,
        options: &S::Options,
    ) -> Result<Resident<'_, S>, RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        let inputs = inputs.try_into().map_err(fields::Error::from)?;
        self.resident_on(inputs, options, &|device| {
            let known = other.queues().find(|queue| queue.device() == device);
            known.map_or_else(|| self.queue(device).map(Arc::new), |queue| Ok(queue.clone()))
        })
    }

    fn resident_on(
        &self,
        inputs: S::Inputs<'_>,
        options: &S::Options,
        queue: &dyn Fn(Device) -> Result<Arc<Queue>, Error>,
    ) -> Result<Resident<'_, S>, RunError> {
        if S::HOST_VIEWS {
            return Err(fields::Error::Setup(format!("{}s do not stay on a device", S::ITEM)).into());
        }
        let (inputs, shape, extents) = self.shape(inputs, options)?;
        let items = extents.items();
        if self.bad_items != BadItems::Compute {
            let refused = in_parts(items, |part| self.scheme.check(&inputs, &extents, &shape.options, part));
            if let Some(first) = refused.into_iter().next() {
                return Err(first.into());
            }
        }
        let mut resident = Resident::new(&self.scheme, shape);
        for (number, &device) in self.devices.iter().enumerate() {
            let share = items * number / self.devices.len()..items * (number + 1) / self.devices.len();
            let tables = self.tables_on(&*queue(device)?)?;
            resident.take(&|| queue(device), &tables, &inputs, share)?;
        }
        Ok(resident)
    }

    /// The inputs with single values stretched over all items, what memory for a chunk depends on, and the sizes.
    fn shape<'a>(
        &self,
        inputs: S::Inputs<'a>,
        options: &S::Options,
    ) -> Result<(S::Inputs<'a>, Shape<S>, Extents), RunError> {
        if self.devices.is_empty() {
            return Err(Error::NoDevice.into());
        }
        let extents = self.scheme.extents(&inputs, options)?;
        let need = |declared: &fields::Declared| self.scheme.need(declared, options);
        let inputs = fields::check::complete(&inputs, &extents, S::ITEM, &need)?;
        let shape = Shape::new(&self.scheme, &inputs, &extents, options);
        Ok((inputs, shape, extents))
    }

    /// Computes all items; with an error comes how many are done.
    fn compute(
        &self,
        inputs: &S::Inputs<'_>,
        shape: &Shape<S>,
        results: &Outputs<'_, S>,
        items: usize,
        watch: Watch<'_>,
    ) -> Result<(), (Error, usize)> {
        let progress = |done: usize| {
            if let Some(progress) = &self.progress {
                progress(done);
            }
            if let Some(progress) = watch.progress {
                progress(done);
            }
        };
        let pool = Pool::new(items, &progress, [self.stop.as_deref(), watch.stop]);
        // The host's arrays are the CPU's, so that nothing is copied; kernels compute offsets in all of them with 32
        // bits.
        let in_place = S::HOST_VIEWS
            || self.items_per_chunk.is_none()
                && items <= shape.most_items()
                && self.devices.iter().all(|device| device.is_cpu())
                && has_short_offsets(inputs, results)
                && self.scheme.fits_layout(inputs, results);
        let workers = |device| match device {
            // Each thread copies, too.
            Device::Cpu if !in_place => rayon::current_num_threads(),
            device => self.workers(device),
        };
        pool.run(&self.devices, workers, |device, pool| {
            if in_place {
                self.in_place(device, inputs, shape, results, pool)
            } else {
                self.in_chunks(device, inputs, shape, results, pool)
            }
        })
    }

    /// The workers that a device gets: see [`Scheme::JOB_A_THREAD`] and [`Scheme::gpu_workers`].
    pub fn workers(&self, device: Device) -> usize {
        match device {
            Device::Cpu if S::JOB_A_THREAD => rayon::current_num_threads(),
            Device::Thread | Device::Cpu => 1,
            Device::Cuda(_) => self.scheme.gpu_workers(),
        }
    }

    /// Computes what the pool has left in the memory of the caller.
    fn in_place(
        &self,
        device: Device,
        inputs: &S::Inputs<'_>,
        shape: &Shape<S>,
        results: &Outputs<'_, S>,
        pool: &Pool<'_>,
    ) -> Result<(), Error> {
        let (mut size, mut place) = (self.usual_items(device, shape, pool.items()), None);
        while let Some(range) = pool.take(size) {
            // Kernels that write no status leave it as it is in the new memory of a device.
            set_status::<S>(results, range.clone(), Status::OK);
            let views = (inputs.range(&range), results.range(&range));
            match self.present(device, pool).and_then(|()| self.job(device, shape, &mut place, views, range.len())) {
                Ok(()) => pool.done(range.len()),
                Err(error) => {
                    set_status::<S>(results, range.clone(), Status::NOT_COMPUTED);
                    size = range.len().div_ceil(2);
                    let halved = matches!(error, Error::OutOfMemory { .. }) && range.len() > 1;
                    pool.put_back(range);
                    if !halved {
                        return Err(error);
                    }
                }
            }
        }
        self.idle_in_place.lock().expect("no worker panics").extend(place);
        Ok(())
    }

    /// Computes some items in the memory of the caller.
    fn job(
        &self,
        device: Device,
        shape: &Shape<S>,
        place: &mut Option<InPlace<S>>,
        (inputs, outputs): (S::Inputs<'_>, Outputs<'_, S>),
        items: usize,
    ) -> Result<(), Error> {
        let InPlace { queue, tables, workspace, .. } = match place {
            Some(place) if place.items >= items => place,
            _ => place.insert(self.place(device, shape, items)?),
        };
        let extents = shape.extents.with_items(items);
        self.scheme.enqueue(Job { queue, tables, workspace, options: &shape.options, extents, inputs, outputs })
    }

    /// A queue of a CPU with a workspace for so many items: an idle one that fits, or a new one.
    fn place(&self, device: Device, shape: &Shape<S>, items: usize) -> Result<InPlace<S>, Error> {
        let mut idle = self.idle_in_place.lock().expect("no worker panics");
        // What does not fit now gives its memory back.
        idle.retain(|place| place.queue.device() != device || place.fits(shape, items));
        if let Some(known) = idle.iter().position(|place| place.queue.device() == device) {
            return Ok(idle.swap_remove(known));
        }
        drop(idle);
        let queue = self.queue(device)?;
        let tables = self.tables_on(&queue)?;
        let workspace = self.scheme.workspace(&queue, &tables, shape, items)?;
        Ok(InPlace { queue, tables, shape: shape.clone(), items, workspace })
    }

    /// Computes what the pool has left in memory of a device.
    fn in_chunks(
        &self,
        device: Device,
        inputs: &S::Inputs<'_>,
        shape: &Shape<S>,
        results: &Outputs<'_, S>,
        pool: &Pool<'_>,
    ) -> Result<(), Error> {
        let mut usual = self.usual_items(device, shape, pool.items());
        if device.is_cpu() && self.items_per_chunk.is_none() {
            let bytes = bytes_per_item(shape) + self.scheme.workspace_bytes(device, shape, WARP) / WARP;
            usual = usual.min((CPU_CHUNK_BYTES / bytes.max(1)).max(WARP));
        }
        let mut worker = self.worker(device, shape, usual)?;
        let mut size = worker.chunk.room().min(usual);
        while let Some(range) = pool.take(size) {
            let Worker { queue, tables, chunk } = &mut worker;
            chunk.load(queue, inputs, &range)?;
            if !self.transfers_only {
                let computed = self.present(device, pool);
                match computed.and_then(|()| chunk.compute(&self.scheme, queue, tables, &shape.options)) {
                    Err(Error::OutOfMemory { .. }) if range.len() > 1 => {
                        size = range.len().div_ceil(2);
                        pool.put_back(range);
                        continue;
                    }
                    Err(error) => {
                        pool.put_back(range);
                        return Err(error);
                    }
                    Ok(()) => {}
                }
            }
            chunk.store(queue, results, range.start)?;
            pool.done(range.len());
        }
        self.idle.lock().expect("no worker panics").push(worker);
        Ok(())
    }

    /// Is the device still there? Always, but for tests.
    fn present(&self, device: Device, pool: &Pool<'_>) -> Result<(), Error> {
        match self.lost_after {
            Some(items) if pool.finished() >= items => Err(Error::DeviceLost { device, what: "a test".into() }),
            _ => Ok(()),
        }
    }

    /// The items of a chunk of a batch of so many, if a device's memory holds them.
    fn usual_items(&self, device: Device, shape: &Shape<S>, items: usize) -> usize {
        let share = items.div_ceil(self.devices.len());
        let usual = || self.scheme.chunk_items(device, &shape.extents.with_items(share));
        // A GPU's memory is for larger batches to come, too; a CPU's is had at no cost.
        let most = if device.is_cpu() { shape.most_items().min(items) } else { shape.most_items() };
        self.items_per_chunk.unwrap_or_else(usual).min(most).max(1)
    }

    /// An idle worker on a device that fits chunks of so many items, or a new one with as many as the memory holds.
    fn worker(&self, device: Device, shape: &Shape<S>, mut size: usize) -> Result<Worker<S>, Error> {
        let mut idle = self.idle.lock().expect("no worker panics");
        let fits = |worker: &Worker<S>| worker.chunk.room() >= size && worker.chunk.fits(shape);
        // What does not fit now gives its memory back.
        idle.retain(|worker| worker.queue.device() != device || fits(worker));
        if let Some(known) = idle.iter().position(|worker| worker.queue.device() == device) {
            return Ok(idle.swap_remove(known));
        }
        drop(idle);
        // Of a CPU's threads each has a chunk.
        let queue = if device.is_cpu() { self.queue_of_one(device)? } else { self.queue(device)? };
        let tables = self.tables_on(&queue)?;
        let bytes = bytes_per_item(shape) * size + self.scheme.workspace_bytes(device, shape, size);
        size = chunk_items(size, bytes.div_ceil(size) * self.scheme.gpu_workers(), queue.free_bytes(), 1);
        loop {
            match Chunk::new(&self.scheme, &queue, &tables, shape, size) {
                Err(Error::OutOfMemory { .. }) if size > 1 => size = size.div_ceil(2),
                chunk => return chunk.map(|chunk| Worker { queue, tables, chunk }),
            }
        }
    }

    /// The tables on the device of a queue, where they are taken once: also for other kernels that read them.
    ///
    /// # Errors
    /// As [`Scheme::tables`].
    ///
    /// # Panics
    /// If another thread has panicked while it took them.
    pub fn tables_on(&self, queue: &Queue) -> Result<Arc<S::Tables>, Error> {
        let mut known = self.tables.lock().expect("no worker panics");
        if let Some(tables) = known.get(&queue.device()) {
            return Ok(tables.clone());
        }
        let tables = Arc::new(self.scheme.tables(queue)?);
        // Other queues are going to read them.
        queue.synchronize()?;
        known.insert(queue.device(), tables.clone());
        Ok(tables)
    }

    /// A new queue of a device that knows the scheme's kernels, as a worker has one.
    ///
    /// # Errors
    /// As [`Queue::new`].
    pub fn queue(&self, device: Device) -> Result<Queue, Error> {
        if S::JOB_A_THREAD { self.queue_of_one(device) } else { self.prepared(Queue::parallel(device)?) }
    }

    /// The same; on a CPU it computes on the calling thread.
    fn queue_of_one(&self, device: Device) -> Result<Queue, Error> {
        self.prepared(Queue::new(device)?)
    }

    /// A queue that knows the scheme's kernels.
    fn prepared(&self, queue: Queue) -> Result<Queue, Error> {
        let queue = queue.largest_allocation(self.largest_allocation);
        S::PTX.iter().try_for_each(|&ptx| queue.load(ptx))?;
        Ok(queue)
    }
}

/// Are the offsets in all views numbers of 32 bits, as kernels compute them? Parts of a larger array may be far apart.
fn has_short_offsets<'a, 'b>(inputs: &impl InputSet<'a>, results: &impl OutputSet<'b>) -> bool {
    fn is_short((rows, items): (usize, usize), (row, item): (isize, isize)) -> bool {
        let reach = |count: usize, stride: isize| count.saturating_sub(1).saturating_mul(stride.unsigned_abs());
        reach(rows, row).saturating_add(reach(items, item)) < i32::MAX as usize
    }
    let mut short = true;
    inputs.visit(&mut |_, field| {
        short &= match field {
            AnyField::Real(real) => is_short(field.extent(), real.strides()),
            AnyField::Word(word) => is_short(field.extent(), word.strides()),
        };
    });
    results.visit(&mut |_, field| {
        short &= match field {
            AnyFieldMut::Real(real) => is_short(field.extent(), real.strides()),
            AnyFieldMut::Word(word) => is_short(field.extent(), word.strides()),
        };
    });
    short
}

/// What is wrong with the items, in their order.
fn in_parts(items: usize, check: impl Fn(Range<usize>) -> Vec<fields::Error> + Send + Sync) -> Vec<fields::Error> {
    let parts: Vec<Range<usize>> = chunks(items, CHECKED).collect();
    parts.into_par_iter().flat_map_iter(check).collect()
}

/// Sets the status of some items, where the scheme has one.
fn set_status<S: Scheme>(results: &Outputs<'_, S>, items: Range<usize>, status: Status) {
    results.visit(&mut |declared, field| {
        if let ("status", AnyFieldMut::Word(field)) = (declared.name, field) {
            items.clone().filter(|&item| item < field.items()).for_each(|item| field.set(0, item, status.0));
        }
    });
}
