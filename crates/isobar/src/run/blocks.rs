//! A member's columns, in as many blocks as its device's memory wants.

use std::ops::Range;
use std::time::{Duration, Instant};

use isobar_column::{Memory, Precision, Quantity, StageReport, Step, Transfers};

use super::block::{Block, Loaded, Storage};
use super::error::Error;
use super::kept::{Kept, KeptField, keep};
use super::model::{Model, NoStart};
use super::team::share::{columns_of, join};

/// A member's columns. One block stays on the device; several take turns, with their fields in the host's memory
/// meanwhile.
pub(super) struct Blocks<'a, R: Precision> {
    model: Model<'a, R>,
    blocks: Vec<Block<R>>,
    /// The reports of blocks that took turns.
    stages: Vec<StageReport>,
    transfers: Transfers,
    pub(super) spent: Spent,
}

/// The time that goes by beside the stages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// Results were taken and kept.
    pub output: Duration,
    /// Restart files were written.
    pub restart: Duration,
    /// Columns that take turns on the device went there and back.
    pub turns: Duration,
}

impl<'a, R: Precision> Blocks<'a, R> {
    /// The columns as the case starts them, at most `at_once` on the device, and fewer where its memory is too small.
    pub(super) fn new(model: Model<'a, R>, columns: &Range<usize>, at_once: Option<usize>) -> Result<Self, Error> {
        let most = at_once.unwrap_or(usize::MAX).min(model.most_columns());
        let mut count = columns.len().div_ceil(most);
        loop {
            match Self::start(&model, columns, count) {
                Err(NoStart::OutOfMemory(_)) if count < columns.len() => count = (2 * count).min(columns.len()),
                Err(other) => return Err(other.into()),
                Ok(blocks) => {
                    let (transfers, spent) = (Transfers::default(), Spent::default());
                    return Ok(Self { model, blocks, stages: Vec::new(), transfers, spent });
                }
            }
        }
    }

    fn start(model: &Model<'a, R>, columns: &Range<usize>, count: usize) -> Result<Vec<Block<R>>, NoStart> {
        let block = |number| {
            let own = columns_of(columns.len(), number, count);
            let own = columns.start + own.start..columns.start + own.end;
            let mut loaded = Loaded::start(model, &own)?;
            // With all that a record makes.
            keep(&mut loaded.state, &mut [])?;
            let place = if count == 1 { Storage::Device(Box::new(loaded)) } else { Storage::Host(loaded.park()?) };
            Ok(Block { columns: own, place })
        };
        (0..count).map(block).collect()
    }

    /// The columns of all of them.
    pub(super) fn columns(&self) -> usize {
        self.blocks.iter().map(|block| block.columns.len()).sum()
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.blocks.len()
    }

    /// Before the first step: what follows from the columns as they start. Adds to the fields that are kept.
    pub(super) fn begin(&mut self, kept: &mut Kept<R>) -> Result<(), Error> {
        let start_s = self.model.setup.start_s;
        self.keeping(Some(kept), |loaded| Ok(loaded.pipeline.start(&mut loaded.state, start_s)?))
    }

    /// Goes through some steps; adds to the fields that are kept, if any, at their end.
    pub(super) fn run(&mut self, steps: Range<u64>, kept: Option<&mut Kept<R>>) -> Result<(), Error> {
        let setup = self.model.setup;
        self.keeping(kept, |loaded| {
            for number in steps.clone() {
                loaded.pipeline.step(&mut loaded.state, &Step::of_run(number, setup.start_s, setup.step_s))?;
            }
            Ok(())
        })
    }

    /// Works on each block on the device, and then adds to the fields that are kept.
    fn keeping(
        &mut self,
        kept: Option<&mut Kept<R>>,
        mut work: impl FnMut(&mut Loaded<R>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some(kept) = kept else { return self.each(work).map(drop) };
        let (alone, mut output) = (self.blocks.len() == 1, Duration::ZERO);
        let parts = self.each(|loaded| {
            work(loaded)?;
            let start = Instant::now();
            let mut part = Vec::new();
            if alone {
                keep(&mut loaded.state, kept)?;
            } else {
                part.extend(kept.iter().map(|(quantity, _)| (*quantity, Vec::new())));
                keep(&mut loaded.state, &mut part)?;
            }
            output += start.elapsed();
            Ok(part)
        })?;
        let start = Instant::now();
        if !alone {
            add_joined(kept, parts);
        }
        self.spent.output += output + start.elapsed();
        Ok(())
    }

    /// Works on each block on the device.
    fn each<T>(&mut self, mut work: impl FnMut(&mut Loaded<R>) -> Result<T, Error>) -> Result<Vec<(usize, T)>, Error> {
        let mut results = Vec::with_capacity(self.blocks.len());
        for block in &mut self.blocks {
            let result = match &mut block.place {
                Storage::Device(loaded) => work(loaded)?,
                Storage::Host(parked) => {
                    let start = Instant::now();
                    let mut loaded = Loaded::load(&self.model, parked)?;
                    self.spent.turns += start.elapsed();
                    let result = work(&mut loaded)?;
                    let start = Instant::now();
                    *parked = loaded.park()?;
                    self.spent.turns += start.elapsed();
                    add_stages(&mut self.stages, loaded.pipeline.report());
                    self.transfers = sum(self.transfers, loaded.state.transfers());
                    result
                }
            };
            results.push((block.columns.len(), result));
        }
        Ok(results)
    }

    /// The fields that there are.
    pub(super) fn quantities(&self) -> Vec<Quantity> {
        self.blocks[0].quantities()
    }

    /// The values of a field.
    pub(super) fn values(&self, quantity: Quantity) -> Result<Vec<R>, Error> {
        self.joined(|block| block.values(quantity))
    }

    /// What became of each column, `[word * columns + column]`.
    pub(super) fn words(&self) -> Result<Vec<u32>, Error> {
        self.joined(Block::words)
    }

    /// What stages keep beside the fields.
    pub(super) fn memory(&self) -> Result<Vec<(String, Memory)>, Error> {
        let parts = self.blocks.iter().map(Block::memory).collect::<Result<Vec<_>, _>>()?;
        let width = |block: usize| self.blocks[block].columns.len();
        let whole = |stage: usize, item: usize| {
            join(parts.iter().enumerate().map(|(i, part)| (width(i), part[stage].1[item].1.clone())).collect())
        };
        let stages = parts[0].iter().enumerate().map(|(i, (stage, memory))| {
            (stage.clone(), memory.iter().enumerate().map(|(j, (name, _))| (*name, whole(i, j))).collect())
        });
        Ok(stages.collect())
    }

    fn joined<T: Copy>(&self, values: impl Fn(&Block<R>) -> Result<Vec<T>, Error>) -> Result<Vec<T>, Error> {
        let part = |block: &Block<R>| Ok((block.columns.len(), values(block)?));
        Ok(join(self.blocks.iter().map(part).collect::<Result<_, Error>>()?))
    }

    /// The blocks, for a restart file to fill.
    pub(super) fn blocks_mut(&mut self) -> &mut [Block<R>] {
        &mut self.blocks
    }

    /// What the stages took so far, and what went to the device and back.
    pub(super) fn report(&self) -> (Vec<StageReport>, Transfers) {
        match &self.blocks[0].place {
            Storage::Device(loaded) => (loaded.pipeline.report(), loaded.state.transfers()),
            Storage::Host(_) => (self.stages.clone(), self.transfers),
        }
    }
}

/// Adds what all blocks, each with its number of columns, kept of some fields.
fn add_joined<R: Precision>(kept: &mut Kept<R>, mut parts: Vec<(usize, Vec<KeptField<R>>)>) {
    for (number, (_, values)) in kept.iter_mut().enumerate() {
        let take = |(width, part): &mut (usize, Vec<KeptField<R>>)| (*width, std::mem::take(&mut part[number].1));
        values.extend(join(parts.iter_mut().map(take).collect()));
    }
}

/// Adds what the stages of another pipeline took.
fn add_stages(sum: &mut Vec<StageReport>, more: Vec<StageReport>) {
    if sum.is_empty() {
        *sum = more;
        return;
    }
    for (stage, more) in sum.iter_mut().zip(more) {
        stage.runs += more.runs;
        stage.time += more.time;
        stage.bytes += more.bytes;
    }
}

fn sum(a: Transfers, b: Transfers) -> Transfers {
    Transfers { to_device: a.to_device + b.to_device, to_host: a.to_host + b.to_host }
}
