//! Stages in an order.
//!
//! What a stage says of the state holds until its next turn, which is ahead. A stage that advances the state takes it
//! through the steps that are done: its turn comes at their end, so that nothing is ahead of its time.

use std::time::Duration;

use isobar_core::Real;
use isobar_launch::Queue;

use crate::stages::quantity::CLAMPS;
use crate::state::agree;
use crate::{Error, Memory, Precision, Quantity, Stage, State, Step};

/// Stages that run in their order, each in every step or every n-th.
///
/// ```
/// use isobar_column::stages::Diagnose;
/// use isobar_column::{Pipeline, State};
/// use isobar_launch::{Device, Queue};
///
/// let state = State::<f32>::new(Queue::new(Device::Cpu)?, [1, 4, 0])?;
/// let error = Pipeline::new().stage(Diagnose).check(&state).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "stage 'diagnose' reads 'air_potential_temperature [K]', which nothing before it provides"
/// );
/// # Ok::<(), isobar_column::Error>(())
/// ```
pub struct Pipeline<R: Precision> {
    stages: Vec<Entry<R>>,
    /// All is of one time after each multiple of the first number of steps, and after so many as the second one.
    together: [u64; 2],
}

struct Entry<R: Precision> {
    stage: Box<dyn Stage<R>>,
    every: u64,
    runs: u64,
    time: Duration,
    bytes: u64,
}

/// What a stage took.
#[derive(Clone, Debug, PartialEq)]
pub struct StageReport {
    /// Its name.
    pub name: String,
    /// How often it ran.
    pub runs: u64,
    /// How long the device was at it, in all.
    pub time: Duration,
    /// The least that had to be moved, in all: each declared field once a run, read or written, and twice where it is
    /// both. At the bandwidth of a copy that takes the least time that memory allows; caches that hold the fields may
    /// do better.
    pub bytes: u64,
}

impl<R: Precision> Default for Pipeline<R> {
    fn default() -> Self {
        Self { stages: Vec::new(), together: [u64::MAX; 2] }
    }
}

impl<R: Precision> Entry<R> {
    /// Its turn in a step: how many steps it is for, and how many of them were before; none if it is not its turn.
    fn turn(&self, number: u64, [records, last]: [u64; 2]) -> Option<[u64; 2]> {
        if !self.stage.advances() {
            // What it says holds to the end of the run, no longer.
            let left = last.checked_sub(number).filter(|&left| left > 0).unwrap_or(u64::MAX);
            return number.is_multiple_of(self.every).then_some([self.every.min(left), 0]);
        }
        let done = number + 1;
        let is_due = done == last || [self.every, records].iter().any(|&every| done.is_multiple_of(every));
        let before = [self.every, records].map(|every| number % every);
        let before = before[0].min(before[1]);
        is_due.then_some([before + 1, before])
    }
}

impl<R: Precision> Pipeline<R> {
    /// No stage yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// And all of it is of one time at results, which are after every `records` steps (at least 1) and after the last
    /// of `steps`: what advances the state in longer steps ends one there, and what the others say ends with the last.
    #[must_use]
    pub fn together_every(mut self, records: u64, steps: u64) -> Self {
        self.together = [records.max(1), steps];
        self
    }

    /// And then this one, in each step.
    #[must_use]
    pub fn stage(self, stage: impl Stage<R> + 'static) -> Self {
        self.stage_every(1, stage)
    }

    /// And then this one, once in `every` steps (at least 1). One that advances the state ([`Stage::advances`]) takes
    /// it through them in the last of them: see [`Pipeline::together_every`] for what is left at the end. Any other one
    /// is for the steps ahead, and runs in the first of them.
    #[must_use]
    pub fn stage_every(mut self, every: u64, stage: impl Stage<R> + 'static) -> Self {
        self.stages.push(Entry {
            stage: Box::new(stage),
            every: every.max(1),
            runs: 0,
            time: Duration::ZERO,
            bytes: 0,
        });
        self
    }

    /// Is everything that a stage reads in the state or written by a stage before it, in the stage's unit and shape?
    ///
    /// # Errors
    /// The first stage and field of which that is not so.
    pub fn check(&self, state: &State<R>) -> Result<(), Error> {
        let mut known: Vec<(Quantity, String)> =
            state.quantities().map(|quantity| (quantity, "the state".to_owned())).collect();
        for Entry { stage, .. } in &self.stages {
            let find = |known: &[(Quantity, String)], quantity: Quantity| -> Result<bool, Error> {
                let Some((other, whose)) = known.iter().find(|(other, _)| other.name == quantity.name) else {
                    return Ok(false);
                };
                agree(stage.name(), quantity, *other, whose).map(|()| true)
            };
            for quantity in stage.reads() {
                if !find(&known, quantity)? {
                    return Err(Error::Missing { stage: stage.name().to_owned(), quantity });
                }
            }
            for quantity in stage.writes() {
                if !find(&known, quantity)? {
                    known.push((quantity, format!("stage '{}'", stage.name())));
                }
            }
        }
        Ok(())
    }

    /// Checks, and makes all fields that stages write, zero at first: so that results before the first step have them.
    ///
    /// # Errors
    /// As [`Pipeline::check`], or what the device answers.
    pub fn prepare(&self, state: &mut State<R>) -> Result<(), Error> {
        self.check(state)?;
        for Entry { stage, .. } in &self.stages {
            stage.writes().into_iter().try_for_each(|quantity| state.make(quantity, stage.name()))?;
        }
        Ok(())
    }

    /// Before the first step: what follows from the state as it is, by all stages that do not advance it. What only the
    /// others give is no number yet, and nothing of this is in the [`Pipeline::report`].
    ///
    /// # Errors
    /// What a stage answers.
    pub fn start(&mut self, state: &mut State<R>, start_s: f64) -> Result<(), Error> {
        self.prepare(state)?;
        let clamps = state.position(CLAMPS.name).map(|_| state.to_host(CLAMPS)).transpose()?;
        let mut given: Vec<Quantity> = Vec::new();
        for Entry { stage, .. } in self.stages.iter_mut().filter(|entry| !entry.stage.advances()) {
            state.apply(stage.as_mut(), &Step::start(start_s))?;
            given.extend(stage.writes());
        }
        for Entry { stage, .. } in self.stages.iter().filter(|entry| entry.stage.advances()) {
            given.extend(stage.reads());
            for quantity in stage.writes().into_iter().filter(|quantity| !given.contains(quantity)) {
                state.fill(quantity, <R as Real>::from_f64(f64::NAN))?;
            }
        }
        // The first step counts the same ones again.
        clamps.map_or(Ok(()), |clamps| state.insert(CLAMPS, &clamps))
    }

    /// Runs the stages whose turn it is.
    ///
    /// # Errors
    /// What a stage answers.
    pub fn step(&mut self, state: &mut State<R>, step: &Step) -> Result<(), Error> {
        for entry in &mut self.stages {
            let Some([every, before]) = entry.turn(step.number, self.together) else { continue };
            let step = Step { every, time_s: step.time_s - before as f64 * step.length_s, ..*step };
            let Entry { stage, runs, time, bytes, .. } = entry;
            let mut outcome = Ok(());
            let queue = state.shared_queue();
            let ((), took) = queue.time(|| {
                outcome = state.apply(stage.as_mut(), &step);
                Ok(())
            })?;
            outcome?;
            *runs += 1;
            *time += took;
            *bytes +=
                stage.reads().into_iter().chain(stage.writes()).map(|quantity| state.bytes(quantity)).sum::<u64>();
        }
        Ok(())
    }

    /// What each stage took so far.
    #[must_use]
    pub fn report(&self) -> Vec<StageReport> {
        let entry = |entry: &Entry<R>| StageReport {
            name: entry.stage.name().to_owned(),
            runs: entry.runs,
            time: entry.time,
            bytes: entry.bytes,
        };
        self.stages.iter().map(entry).collect()
    }

    /// What stages keep outside the state: the stage's name, and its memory.
    ///
    /// # Errors
    /// What a device answers.
    pub fn memory(&self, queue: &Queue) -> Result<Vec<(String, Memory)>, Error> {
        let memory = |entry: &Entry<R>| Ok((entry.stage.name().to_owned(), entry.stage.memory(queue)?));
        self.stages.iter().map(memory).collect()
    }

    /// Gives it back, to the same stages.
    ///
    /// # Errors
    /// Numbers that are not those of a stage, or what a device answers.
    pub fn recall(&mut self, queue: &Queue, memory: &[(String, Memory)]) -> Result<(), Error> {
        for Entry { stage, .. } in &mut self.stages {
            if let Some((_, memory)) = memory.iter().find(|(name, _)| name == stage.name()) {
                stage.recall(queue, memory)?;
            }
        }
        Ok(())
    }
}
