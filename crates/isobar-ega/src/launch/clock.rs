//! How long each kernel takes.

use std::time::Duration;

use isobar_core::Kernel;
use isobar_launch::{Buffer, Error, Queue};

/// Time a kernel, by its name.
pub type StageTimes = Vec<(&'static str, Duration)>;

/// Launches kernels and, where asked to, waits for each and adds up its time.
#[derive(Default)]
pub(super) struct Clock {
    timed: bool,
    pub(super) stages: StageTimes,
}

impl Clock {
    pub(super) fn new(timed: bool) -> Self {
        Self { timed, stages: Vec::new() }
    }

    pub(super) fn launch<K: Kernel>(
        &mut self,
        queue: &Queue,
        kernel: &K,
        statuses: &mut Buffer<u32>,
    ) -> Result<(), Error> {
        if !self.timed {
            return queue.launch(kernel, statuses);
        }
        let ((), time) = queue.time(|| queue.launch(kernel, statuses))?;
        add(&mut self.stages, K::NAME, time);
        Ok(())
    }
}

/// Adds a time to that of the stage of this name.
pub(super) fn add(stages: &mut StageTimes, name: &'static str, time: Duration) {
    match stages.iter_mut().find(|stage| stage.0 == name) {
        Some(stage) => stage.1 += time,
        None => stages.push((name, time)),
    }
}
