//! Interval after interval.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use isobar_io::ChemistryInput;
use isobar_kpp::Mechanism;
use isobar_rosenbrock::{BadItems, COUNTERS, CellFile, Cells, Chemistry, Device, Integrated, Interval, Options, Rates};

use crate::commands::Failure;

/// So many cells that failed get a file.
const MOST_FILES: usize = 8;

/// What was computed.
pub(crate) struct Run {
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
    /// The first cells that failed.
    failures: Vec<CellFile>,
}

impl Run {
    pub(super) fn new(
        (name, mechanism): (&str, &Mechanism),
        options: Options,
        input: &ChemistryInput,
        times: &[f64],
        every: usize,
        devices: &[Device],
        progress: impl Fn(usize) + Send + Sync + 'static,
    ) -> Result<Self, Failure> {
        let mut cells = start(input, times[0]);
        let count = input.cells;
        let before = Arc::new(AtomicUsize::new(0));
        let finished = before.clone();
        let chemistry = Chemistry::new(mechanism.compiled().clone(), Some(mechanism.program().clone()));
        // What fails is no number any more.
        let model = chemistry
            .on(devices)
            .bad_items(BadItems::Compute)
            .progress(move |done| progress(finished.load(Ordering::Relaxed) + done));
        if let Some(first) = model.check(&cells, &options.over(times[0]..times[1]))?.into_iter().next() {
            return Err(first.into());
        }
        let mut run = Self {
            times: vec![times[0]],
            concentrations: vec![cells.concentration.clone()],
            counters: vec![0; COUNTERS.len() * count],
            next_step: vec![0.0; count],
            status: vec![0; count],
            reached: vec![times[0]; count],
            failures: vec![],
        };
        let changes =
            |series: &[isobar_io::chemistry::Series]| series.iter().any(isobar_io::chemistry::Series::changes);
        let mut done = Integrated::default();
        for (number, pair) in times.windows(2).enumerate() {
            let interval = options.over(pair[0]..pair[1]);
            if number > 0 && (changes(&input.inputs) || input.rate_constants.as_ref().is_some_and(|k| k.changes())) {
                (cells.rate_input, cells.rate_constant) = conditions(input, interval.start_s);
            }
            before.store(number * count, Ordering::Relaxed);
            model.run_into(&cells, &interval, &mut done)?;
            for cell in 0..count {
                if run.status[cell] != 0 {
                    continue;
                }
                for counter in (0..COUNTERS.len()).map(|counter| counter * count + cell) {
                    run.counters[counter] = run.counters[counter].saturating_add(done.counters[counter]);
                }
                run.reached[cell] = done.time_reached_s[cell];
                run.next_step[cell] = done.next_step_s[cell];
                run.status[cell] = done.status[cell];
                if run.status[cell] != 0 && run.failures.len() < MOST_FILES {
                    run.failures.push(file((name, mechanism), (&cells, &done), cell, &interval));
                }
            }
            cells.advance(&done);
            for cell in (0..count).filter(|&cell| run.status[cell] != 0) {
                cells.concentration.iter_mut().skip(cell).step_by(count).for_each(|x| *x = f64::NAN);
            }
            if (number + 1) % every == 0 || number + 2 == times.len() {
                run.times.push(interval.end_s);
                run.concentrations.push(cells.concentration.clone());
            }
        }
        Ok(run)
    }

    /// The steps of all cells.
    pub(super) fn steps(&self) -> u64 {
        let count = self.status.len();
        self.counters[2 * count..3 * count].iter().map(|&steps| u64::from(steps)).sum()
    }

    /// Files of cells that failed, beside the output.
    pub(super) fn failure_files(&self, out: &Path) -> impl Iterator<Item = (&CellFile, PathBuf)> {
        let stem = out.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let path = move |cell: usize| out.with_file_name(format!("{stem}.cell{cell}.json"));
        self.failures.iter().map(move |file| (file, path(file.cell)))
    }

    /// What became of the first one, in words.
    pub(super) fn first_failure(&self, out: &Path) -> String {
        let Some((file, path)) = self.failure_files(out).next() else { return String::new() };
        let CellFile { cell, outcome, steps, time_s: time, .. } = file;
        format!("cell {cell}: {outcome} at step {steps}, time {time} s; its state is in {}", path.display())
    }
}

/// The cells at a time \[s\].
fn start(input: &ChemistryInput, time: f64) -> Cells<f64> {
    let count = input.cells;
    let concentration = input.concentrations.iter().flat_map(|series| series.at(&input.times, time, count)).collect();
    let (rate_input, rate_constant) = conditions(input, time);
    Cells { concentration, rate_constant, rate_input, first_step_s: vec![0.0; count] }
}

/// Inputs and rate constants at a time \[s\].
fn conditions(input: &ChemistryInput, time: f64) -> (Vec<f64>, Vec<f64>) {
    let at = |series: &isobar_io::chemistry::Series| series.at(&input.times, time, input.cells);
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
    CellFile::new(name, (cells, done), cell, interval.end_s, rate_constants)
}
