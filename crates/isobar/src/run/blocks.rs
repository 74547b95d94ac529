//! A member's columns, in as many blocks as its device's memory wants.

use std::ops::Range;
use std::time::{Duration, Instant};

use isobar_column::{Memory, Precision, Quantity, StageReport, Step, Transfers};

use super::block::{Block, Loaded, Storage};
use super::error::Error;
use super::kept::{Kept, keep};
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
            keep(&mut loaded.state, &[])?;
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

    /// Before the first step: what follows from the columns as they start. Keeps the fields named.
    pub(super) fn begin(&mut self, kept: &[Quantity]) -> Result<Kept<R>, Error> {
        let start_s = self.model.setup.start_s;
        let parts = self.each(|loaded| {
            loaded.pipeline.start(&mut loaded.state, start_s)?;
            Ok(keep(&mut loaded.state, kept)?)
        })?;
        Ok(joined(parts, kept.len()))
    }

    /// Goes through some steps; keeps the fields named, if any, at their end.
    pub(super) fn run(&mut self, steps: Range<u64>, kept: Option<&[Quantity]>) -> Result<Option<Kept<R>>, Error> {
        let setup = self.model.setup;
        let mut output = Duration::ZERO;
        let through = |loaded: &mut Loaded<R>| {
            for number in steps.clone() {
                loaded.pipeline.step(&mut loaded.state, &Step::of_run(number, setup.start_s, setup.step_s))?;
            }
            let start = Instant::now();
            let kept = kept.map(|kept| keep(&mut loaded.state, kept)).transpose()?;
            output += start.elapsed();
            Ok(kept)
        };
        let parts = self.each(through)?;
        let start = Instant::now();
        let kept = kept.map(|kept| {
            let parts = parts.into_iter().map(|(width, part)| (width, part.unwrap_or_default())).collect();
            joined(parts, kept.len())
        });
        self.spent.output += output + start.elapsed();
        Ok(kept)
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

/// What all blocks, each with its number of columns, kept of `fields` fields, as one.
fn joined<R: Precision>(mut parts: Vec<(usize, Kept<R>)>, fields: usize) -> Kept<R> {
    let field = |number: usize| {
        let take = |(width, part): &mut (usize, Kept<R>)| (*width, std::mem::take(&mut part[number]));
        join(parts.iter_mut().map(take).collect())
    };
    (0..fields).map(field).collect()
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
