//! Interval after interval.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use isobar_io::ChemistryInput;
use isobar_io::chemistry::Series;
use isobar_kpp::Mechanism;
use isobar_launch::Error as LaunchError;
use isobar_rosenbrock::{
    BadItems, BelowTolerance, COUNTERS, CellFile, Cells, Chemistry, Device, Integrated, Interval, Options, Rates,
    RunError,
};

use super::budget::Budgets;
use super::choices::CarriedStep;
use super::clock::Clock;
use super::one_cell;
use super::reduction::OfCells;
use super::retry::{self, Retried, Retry};
use crate::program::failure::Failure;
use crate::program::memory::copied;

/// The most cells that failed and get a file.
const MOST_FILES: usize = 8;

/// What is to be computed.
pub(super) struct Work<'a> {
    /// The mechanism's file, without its folder.
    pub(super) name: String,
    pub(super) mechanism: &'a Mechanism,
    pub(super) options: Options,
    pub(super) input: &'a ChemistryInput,
    pub(super) clock: Clock,
    pub(super) carried: CarriedStep,
    /// How thresholds of a reduction differ from cell to cell.
    pub(super) reduced: OfCells,
    /// What cells that fail are tried again with.
    pub(super) retries: Vec<(&'a Retry, Options)>,
    pub(super) budgets: Budgets,
    /// Where the output goes: files of cells that fail go beside it.
    pub(super) out: &'a Path,
}

/// Concentrations below minus their absolute tolerance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Negatives {
    pub(super) count: u64,
    /// The lowest one, in units of its tolerance.
    pub(super) worst: BelowTolerance,
    /// When that is \[s\].
    pub(super) time_s: f64,
}

/// What was computed.
pub(crate) struct Run {
    /// The intervals that are done.
    pub(super) intervals: u64,
    /// The times that are kept \[s\].
    pub(crate) times: Vec<f64>,
    /// Concentrations at each, `[species * cells + cell]`; NaN from a cell's failure on.
    pub(crate) concentrations: Vec<Vec<f64>>,
    /// Sums of the counters over all intervals, `[counter * cells + cell]`.
    pub(crate) counters: Vec<u32>,
    /// The last step as KPP would take the next one \[s\].
    pub(crate) next_step: Vec<f64>,
    /// The first status of each cell that is not success.
    pub(crate) status: Vec<u32>,
    /// The time that a cell reached \[s\].
    pub(crate) reached: Vec<f64>,
    /// The species that were solved for in the last interval that a cell began, and the threshold of the reduction;
    /// none without one.
    pub(crate) solved: Vec<u32>,
    pub(crate) threshold: Vec<f64>,
    /// The attempts beyond the first one of each cell in all intervals; none without `--retry`.
    pub(crate) attempts: Vec<u32>,
    /// Those that were made here.
    pub(super) retried: Retried,
    /// Concentrations at ends of intervals that are below minus the tolerance, of those that were computed here.
    pub(super) negative: Option<Negatives>,
    /// How often each counted reaction happened so far, `[reaction * cells + cell]` \[molecule/cm^3\].
    pub(super) extents: Vec<f64>,
    /// What there was of each budget, integrated over time, `[budget * cells + cell]` \[s molecule/cm^3\].
    pub(super) burdens: Vec<f64>,
    /// The first cells that failed.
    pub(super) failures: Vec<CellFile>,
    /// What the next interval starts from.
    pub(super) cells: Cells<f64>,
}

impl Run {
    /// The cells at the start, which are checked.
    pub(super) fn new(work: &Work<'_>) -> Result<Self, Failure> {
        let (clock, count) = (&work.clock, work.input.cells);
        let mut cells = start(work.input, clock.start_s);
        work.reduced.set(work.mechanism, work.input, clock.start_s, &mut cells)?;
        let reduced = if work.options.reduction.is_some() { count } else { 0 };
        let first = work.interval(0);
        if let Some(first) = work.chemistry().on(&[Device::Cpu]).check(&cells, &first)?.into_iter().next() {
            return Err(first.into());
        }
        Ok(Self {
            intervals: 0,
            times: vec![clock.start_s],
            concentrations: vec![cells.concentration.clone()],
            counters: vec![0; COUNTERS.len() * count],
            next_step: vec![0.0; count],
            status: vec![0; count],
            reached: vec![clock.start_s; count],
            solved: vec![0; reduced],
            threshold: vec![0.0; reduced],
            attempts: vec![0; if work.retries.is_empty() { 0 } else { count }],
            retried: Retried::default(),
            negative: None,
            extents: vec![0.0; work.budgets.counted.len() * count],
            burdens: vec![0.0; work.budgets.all.len() * count],
            failures: vec![],
            cells,
        })
    }

    /// Goes on to the end, or to the last interval that was done when `stop` was set or a device failed, which is the
    /// answer. `save` is called after each one but the last.
    pub(super) fn go_on(
        &mut self,
        work: &Work<'_>,
        devices: &[Device],
        stop: Arc<AtomicBool>,
        progress: impl Fn(u64) + Send + Sync + 'static,
        mut save: impl FnMut(&Self),
    ) -> Result<Option<LaunchError>, Failure> {
        let (clock, input) = (&work.clock, work.input);
        let count = input.cells as u64;
        let before = Arc::new(AtomicU64::new(0));
        let finished = before.clone();
        // What fails is no number any more.
        let model = work
            .chemistry()
            .on(devices)
            .bad_items(BadItems::Compute)
            .stop_on(stop)
            .progress(move |done| progress(finished.load(Ordering::Relaxed) + done as u64));
        let changes = input.inputs.iter().chain(&input.rate_constants).any(Series::changes);
        let mut done = Integrated::default();
        while self.intervals < clock.intervals() {
            let interval = work.interval(self.intervals);
            if self.intervals > 0 && changes {
                (self.cells.rate_input, self.cells.rate_constant) = conditions(input, interval.start_s);
            }
            if self.intervals > 0 {
                work.reduced.set(work.mechanism, input, interval.start_s, &mut self.cells)?;
            }
            before.store(self.intervals * count, Ordering::Relaxed);
            match model.run_into(&self.cells, &interval, &mut done) {
                Err(RunError::Interrupted { source, .. }) => return Ok(Some(source)),
                other => other?,
            };
            self.try_again(work, &interval, &mut done)?;
            self.take(work, &interval, &done)?;
            if self.intervals < clock.intervals() {
                save(self);
            }
        }
        Ok(None)
    }

    /// Takes what reacts from the air of an interval's start to that of its end \[s\]: mole fractions stay.
    fn follow_the_air(&mut self, work: &Work<'_>, interval: [f64; 2]) {
        let (input, cells) = (work.input, self.status.len());
        let Some(density) = input.number_density.as_ref().filter(|density| density.changes()) else { return };
        let [start, end] = interval.map(|time| density.at(&input.times, time, cells));
        for row in self.cells.concentration[..work.mechanism.variable() * cells].chunks_mut(cells) {
            row.iter_mut().zip(start.iter().zip(&end)).for_each(|(x, (start, end))| *x *= end / start);
        }
    }

    /// Gives fixed species that change in the file what they have there at a time \[s\].
    fn fix(&mut self, work: &Work<'_>, time_s: f64) {
        let (input, cells) = (work.input, self.status.len());
        let fixed = input.concentrations.iter().enumerate().skip(work.mechanism.variable());
        for (species, series) in fixed.filter(|(_, series)| series.changes()) {
            let row = &mut self.cells.concentration[species * cells..(species + 1) * cells];
            let now = series.at(&input.times, time_s, cells);
            // Cells that failed stay without numbers.
            row.iter_mut().zip(now).filter(|(x, _)| !x.is_nan()).for_each(|(x, now)| *x = now);
        }
    }

    /// Tries cells that failed in an interval again.
    fn try_again(&mut self, work: &Work<'_>, interval: &Interval, done: &mut Integrated<f64>) -> Result<(), Failure> {
        let had_failed = |cell: usize| self.status[cell] != 0;
        let state = (&self.cells, done, interval);
        let made = retry::again(|| work.chemistry(), &work.retries, state, had_failed, &mut self.retried)?;
        self.attempts.iter_mut().zip(made).for_each(|(sum, made)| *sum = sum.saturating_add(made));
        Ok(())
    }

    /// Takes over what an interval ended with.
    fn take(&mut self, work: &Work<'_>, interval: &Interval, done: &Integrated<f64>) -> Result<(), Failure> {
        let count = self.status.len();
        for cell in 0..count {
            if self.status[cell] != 0 {
                continue;
            }
            for counter in (0..COUNTERS.len()).map(|counter| counter * count + cell) {
                self.counters[counter] = self.counters[counter].saturating_add(done.counters[counter]);
            }
            self.reached[cell] = done.time_reached_s[cell];
            self.next_step[cell] = done.next_step_s[cell];
            self.status[cell] = done.status[cell];
            if !self.solved.is_empty() {
                self.solved[cell] = done.kept.iter().skip(cell).step_by(count).sum();
                self.threshold[cell] = done.threshold[cell];
            }
            if self.status[cell] != 0 && self.failures.len() < MOST_FILES {
                self.failures.push(file((&work.name, work.mechanism), (&self.cells, done), cell, interval));
            }
        }
        if let Some((count, worst)) = done.below_tolerance(&work.options) {
            let time_s = work.clock.at(self.intervals + 1);
            let before = self.negative.take();
            let kept = before.filter(|before| before.worst.in_tolerances <= worst.in_tolerances);
            let sum = count + before.map_or(0, |before| before.count);
            self.negative = Some(Negatives { count: sum, ..kept.unwrap_or(Negatives { count, worst, time_s }) });
        }
        self.extents.iter_mut().zip(&done.extent_of_reaction).for_each(|(sum, extent)| *sum += extent);
        let ends = [&self.cells.concentration[..], &done.concentration[..]];
        work.budgets.add_burdens(&mut self.burdens, ends, count, interval.length_s());
        let before = std::mem::take(&mut self.cells.first_step_s);
        self.cells.advance(done);
        match work.carried {
            CarriedStep::Longest => {}
            CarriedStep::Hnew => self.cells.first_step_s.clone_from(&done.next_step_s),
            CarriedStep::Start => self.cells.first_step_s = before,
        }
        for cell in (0..count).filter(|&cell| self.status[cell] != 0) {
            self.cells.concentration.iter_mut().skip(cell).step_by(count).for_each(|x| *x = f64::NAN);
        }
        self.intervals += 1;
        // As the next interval begins, if there is one.
        let now = work.clock.at(self.intervals);
        self.follow_the_air(work, [interval.start_s, now]);
        self.fix(work, now);
        if work.clock.keeps(self.intervals) {
            self.times.push(now);
            self.concentrations.push(copied(&self.cells.concentration)?);
        }
        Ok(())
    }

    /// The steps of all cells.
    pub(super) fn steps(&self) -> u64 {
        let count = self.status.len();
        self.counters[2 * count..3 * count].iter().map(|&steps| u64::from(steps)).sum()
    }

    /// Writes the files of cells that failed, beside the output.
    pub(super) fn write_failures(&self, work: &Work<'_>) -> Result<(), Failure> {
        Ok(self.failures.iter().try_for_each(|file| file.write(&failure_file(work.out, file.cell)))?)
    }

    /// What became of the first one, in words.
    pub(super) fn first_failure(&self, out: &Path) -> String {
        let Some(CellFile { cell, outcome, steps, time_s: time, .. }) = self.failures.first() else {
            return String::new();
        };
        let path = failure_file(out, *cell);
        format!("cell {cell}: {outcome} at step {steps}, time {time} s; its state is in {}", path.display())
    }
}

impl Work<'_> {
    /// An interval of the run. Times within it count from its start, so that a late one loses nothing.
    fn interval(&self, number: u64) -> Interval {
        self.options.lasting(self.clock.at(number), self.clock.length(number))
    }

    fn chemistry(&self) -> Chemistry {
        Chemistry::new(self.mechanism.compiled().clone(), Some(self.mechanism.program().clone()))
    }
}

/// Where a cell that failed is described.
pub(super) fn failure_file(out: &Path, cell: usize) -> PathBuf {
    let mut name = out.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".cell{cell}.json"));
    out.with_file_name(name)
}

/// The cells at a time \[s\].
fn start(input: &ChemistryInput, time: f64) -> Cells<f64> {
    let count = input.cells;
    let concentration = input.concentrations.iter().flat_map(|series| series.at(&input.times, time, count)).collect();
    let (rate_input, rate_constant) = conditions(input, time);
    let at = |series: &Series| series.at(&input.times, time, count);
    let first_step_s = input.first_steps.as_ref().map_or_else(|| vec![0.0; count], at);
    Cells { concentration, rate_constant, rate_input, first_step_s, ..Cells::default() }
}

/// Inputs and rate constants at a time \[s\].
fn conditions(input: &ChemistryInput, time: f64) -> (Vec<f64>, Vec<f64>) {
    let at = |series: &Series| series.at(&input.times, time, input.cells);
    (input.inputs.iter().flat_map(at).collect(), input.rate_constants.as_ref().map_or_else(Vec::new, at))
}

/// A cell that failed: where it stands, with which rate constants and with which step.
fn file(
    (name, mechanism): (&str, &Mechanism),
    (cells, done): (&Cells<f64>, &Integrated<f64>),
    cell: usize,
    interval: &Interval,
) -> CellFile {
    let of = |values: &[f64]| values.iter().skip(cell).step_by(done.status.len()).copied().collect::<Vec<_>>();
    let computed = cells.rate_constant.is_empty() && interval.options.rates == Rates::Frozen;
    let rate_constants = if computed {
        let (concentrations, inputs) = (of(&cells.concentration), of(&cells.rate_input));
        mechanism.program().rate_constants(&concentrations, &inputs, interval.start_s)
    } else {
        vec![]
    };
    let names = one_cell::names(mechanism);
    CellFile { names, ..CellFile::new(name, (cells, done), cell, interval, rate_constants) }
}

#[cfg(test)]
mod tests {
    use isobar_rosenbrock::Method;

    use super::*;

    /// A run that was stopped and whose device then is not there is where it was, and goes on elsewhere to the same
    /// bits.
    #[test]
    fn a_device_that_fails_keeps_the_intervals_that_are_done() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let mechanism = Mechanism::from_file(data.join("mechanisms/chapman_nox.kpp")).unwrap();
        let input = super::super::cells::read(&[data.join("chemistry/cells.nc")], &mechanism, &[]).unwrap();
        let clock = Clock { start_s: 0.0, length_s: 3600.0, interval_s: 600.0, every: 2 };
        let options = Options::new(Method::Ros3, 1e-3, 1.0);
        let out = Path::new("out.nc");
        let work = Work {
            name: "m".into(),
            mechanism: &mechanism,
            options,
            input: &input,
            clock,
            out,
            carried: CarriedStep::Longest,
            reduced: OfCells::default(),
            retries: vec![],
            budgets: Budgets::default(),
        };
        let (stop, never) = (Arc::new(AtomicBool::new(false)), Arc::<AtomicBool>::default());
        let mut whole = Run::new(&work).unwrap();
        assert!(whole.go_on(&work, &[Device::Cpu], never.clone(), |_| {}, |_| {}).unwrap().is_none());
        let mut run = Run::new(&work).unwrap();
        let after_two = |run: &Run| stop.store(run.intervals == 2, Ordering::Relaxed);
        let why = run.go_on(&work, &[Device::Cpu], stop.clone(), |_| {}, after_two).unwrap();
        assert!(matches!(why, Some(LaunchError::Stopped)) && run.intervals == 2, "{why:?}");
        let why = run.go_on(&work, &[Device::Cuda(4711)], never.clone(), |_| {}, |_| {}).unwrap();
        assert!(why.is_some_and(|why| !matches!(why, LaunchError::Stopped)) && run.intervals == 2);
        assert!(run.go_on(&work, &[Device::Thread], never, |_| {}, |_| {}).unwrap().is_none());
        assert_eq!((run.intervals, &run.times, &run.counters), (6, &whole.times, &whole.counters));
        let bits = |run: &Run| run.concentrations.iter().flatten().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&run), bits(&whole));
    }
}
