//! How long each kernel takes.

use std::mem::take;
use std::sync::Mutex;
use std::time::Duration;

use isobar_core::Kernel;
use isobar_launch::{Buffer, Error, Queue};

use super::scratch::grow;
use crate::jacobian::Launcher;

/// Time a kernel, by its name.
pub type StageTimes = Vec<(&'static str, Duration)>;

/// Launches kernels and, where asked to, waits for each and adds up its time.
#[derive(Default)]
pub(super) struct Clock {
    pub(super) stages: Option<Mutex<StageTimes>>,
}

impl Clock {
    pub(super) fn launch<K: Kernel>(&self, queue: &Queue, kernel: &K, statuses: &mut Buffer<u32>) -> Result<(), Error> {
        let Some(stages) = &self.stages else { return queue.launch(kernel, statuses) };
        let ((), time) = queue.time(|| queue.launch(kernel, statuses))?;
        let mut stages = stages.lock().expect("no worker panics");
        match stages.iter_mut().find(|stage| stage.0 == K::NAME) {
            Some(stage) => stage.1 += time,
            None => stages.push((K::NAME, time)),
        }
        Ok(())
    }

    /// The times since the last call.
    pub(super) fn read(&self) -> StageTimes {
        self.stages.as_ref().map_or_else(Vec::new, |stages| take(&mut stages.lock().expect("no worker panics")))
    }
}

/// Launches on a queue; the statuses are those of the last kernel.
pub(super) struct OnQueue<'a> {
    pub(super) queue: &'a Queue,
    pub(super) clock: &'a Clock,
    pub(super) statuses: &'a mut Buffer<u32>,
}

impl Launcher for OnQueue<'_> {
    type Error = Error;

    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Error> {
        grow(self.queue, self.statuses, kernel.items())?;
        self.clock.launch(self.queue, kernel, self.statuses)
    }
}
