//! What works on a state.

use isobar_launch::Queue;

use crate::state::agree;
use crate::{Error, Fields, Precision, Quantity, State};

/// A step in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Its number, from 0.
    pub number: u64,
    /// Time at its start, or at that of the first of several \[s\].
    pub time_s: f64,
    /// Its length \[s\].
    pub length_s: f64,
    /// The steps that the stage's turn is for: until it runs again, so long what it gives holds; or, where it advances
    /// the state, those since it last ran, this one among them.
    pub every: u64,
}

impl Step {
    /// The first step, from time 0.
    #[must_use]
    pub fn first(length_s: f64) -> Self {
        Self::of_run(0, 0.0, length_s)
    }

    /// Step `number` of a run that started at `start_s`. The time does not depend on how the steps before were summed.
    #[must_use]
    pub fn of_run(number: u64, start_s: f64, length_s: f64) -> Self {
        Self { number, time_s: start_s + number as f64 * length_s, length_s, every: 1 }
    }

    /// Before the first step of a run that starts at `start_s`: no time goes by.
    #[must_use]
    pub fn start(start_s: f64) -> Self {
        Self::of_run(0, start_s, 0.0)
    }

    /// Time since the start of the run at a part of this step \[s\]: 0 for its start, 1 for its end.
    #[must_use]
    pub fn since_start_s(&self, parts: f64) -> f64 {
        (self.number as f64 + parts) * self.length_s
    }

    /// Its number as kernels have it.
    pub(crate) fn short_number(&self) -> u32 {
        u32::try_from(self.number).unwrap_or(u32::MAX)
    }

    /// Time in the middle of the interval for which the stage's results hold \[s\].
    #[must_use]
    pub fn middle_s(&self) -> f64 {
        self.time_s + 0.5 * (self.every as f64 * self.length_s)
    }
}

/// Numbers that a stage keeps from step to step outside the state, by name.
pub type Memory = Vec<(&'static str, Vec<f64>)>;

/// What works on a state: reads fields, writes fields.
///
/// A stage may read what it writes, if that is there before; it declares it among both then.
pub trait Stage<R: Precision> {
    /// Its name, for errors and reports.
    fn name(&self) -> &str;

    /// The fields that have to be there before.
    fn reads(&self) -> Vec<Quantity>;

    /// The fields that it changes, or makes.
    fn writes(&self) -> Vec<Quantity>;

    /// Works. What is launched on [`Fields::queue`] need not be done on return.
    ///
    /// # Errors
    /// A field that was not declared, or what a device answers.
    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error>;

    /// Does it take the state to the end of the step, rather than say what follows from it? Before the first step such
    /// a stage does not run: [`crate::Pipeline::start`].
    fn advances(&self) -> bool {
        false
    }

    /// What it keeps outside the state, for a restart file.
    ///
    /// # Errors
    /// What a device answers.
    fn memory(&self, queue: &Queue) -> Result<Memory, Error> {
        let _ = queue;
        Ok(Memory::new())
    }

    /// Takes back what [`Stage::memory`] gave.
    ///
    /// # Errors
    /// Numbers of another kind, or what a device answers.
    fn recall(&mut self, queue: &Queue, memory: &Memory) -> Result<(), Error> {
        let _ = (queue, memory);
        Ok(())
    }
}

impl<R: Precision> State<R> {
    /// Runs a stage: what it reads has to be there, what it writes is made where it is not.
    ///
    /// # Errors
    /// What it reads is not there, or in another unit or shape; what the stage answers.
    pub fn apply(&mut self, stage: &mut dyn Stage<R>, step: &Step) -> Result<(), Error> {
        let (reads, writes) = (stage.reads(), stage.writes());
        for &quantity in &reads {
            let Some(found) = self.quantities().find(|found| found.name == quantity.name) else {
                return Err(Error::Missing { stage: stage.name().to_owned(), quantity });
            };
            agree(stage.name(), quantity, found, "the state")?;
        }
        for &quantity in &writes {
            self.make(quantity, stage.name())?;
        }
        let name = stage.name().to_owned();
        let mut fields = Fields::new(self, name, reads, writes);
        stage.run(&mut fields, step)
    }
}
