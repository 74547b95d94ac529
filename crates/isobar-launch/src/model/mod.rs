//! A scheme on some devices.
//!
//! | file | what |
//! |---|---|
//! | `mod` | a model and how it is made |
//! | `run`, `checks` | batches in, results out; what becomes of bad items |
//! | `on_device` | the same in the memory of a device |
//! | `stay` | batches that stay on the devices |
//! | `share`, `in_place`, `in_chunks` | who computes what, and where |
//! | `places`, `queues` | queues with what they need on their devices |

mod checks;
mod in_chunks;
mod in_place;
mod on_device;
mod places;
mod queues;
mod run;
mod share;
mod stay;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use isobar_core::fields;

use crate::scheme::Scheme;
use crate::{Device, Error};
use places::{InPlace, Worker};

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
    /// given to [`Model::run_into`]; the others have [`isobar_core::Status::NOT_COMPUTED`].
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
    /// They have no numbers and [`isobar_core::Status::OUT_OF_RANGE`]; all others are computed.
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
    /// Idle queues that compute in the memory of the caller.
    idle_in_place: Mutex<Vec<InPlace<S>>>,
    /// Those that a graph has, by its number.
    recorded: Mutex<Vec<(u64, InPlace<S>)>>,
}

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

    /// Computes `items` items at a time; the results do not depend on it. On a CPU they are copied then, as for a GPU,
    /// but for [`Scheme::HOST_VIEWS`].
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

    /// Loses the devices once `items` items are done: for tests.
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
}
