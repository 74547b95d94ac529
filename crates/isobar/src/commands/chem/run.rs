//! Interval after interval.

use std::path::{Path, PathBuf};

use isobar_core::Status;
use isobar_io::ChemistryInput;
use isobar_kpp::Mechanism;
use isobar_launch::Device;
use isobar_rosenbrock::launch::Chemistry;
use isobar_rosenbrock::{Batch, COUNTERS, CellFile, Cells, Options};

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
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Self, Failure> {
        let model = Chemistry::new(devices, mechanism.compiled().clone(), Some(mechanism.program().clone()));
        let mut cells = start(input, times[0]);
        let count = cells.count;
        let mut run = Self {
            times: vec![times[0]],
            concentrations: vec![cells.concentrations.clone()],
            counters: vec![0; COUNTERS.len() * count],
            next_step: vec![0.0; count],
            status: vec![0; count],
            reached: vec![times[0]; count],
            failures: vec![],
        };
        let changes =
            |series: &[isobar_io::chemistry::Series]| series.iter().any(isobar_io::chemistry::Series::changes);
        for (number, pair) in times.windows(2).enumerate() {
            let interval = pair[0]..pair[1];
            if number > 0 && (changes(&input.inputs) || input.rate_constants.as_ref().is_some_and(|k| k.changes())) {
                (cells.inputs, cells.rate_constants) = conditions(input, interval.start);
            }
            let told = |done: usize| progress(number * count + done);
            let done = match number {
                0 => model.run(&cells, &options, interval.clone(), &told)?,
                // What fails is no number any more.
                _ => model.run_any(&cells, &options, interval.clone(), &told)?,
            };
            for cell in 0..count {
                if run.status[cell] != 0 {
                    continue;
                }
                for counter in (0..COUNTERS.len()).map(|counter| counter * count + cell) {
                    run.counters[counter] = run.counters[counter].saturating_add(done.outputs.counters[counter]);
                }
                run.reached[cell] = done.outputs.times[cell];
                run.next_step[cell] = done.outputs.times[2 * count + cell];
                run.status[cell] = done.outputs.status[cell];
                if run.status[cell] != 0 && run.failures.len() < MOST_FILES {
                    run.failures.push(again((name, mechanism), &options, &cells, cell, interval.clone())?);
                }
            }
            cells.first_step = done.outputs.next_step;
            cells.concentrations = done.concentrations;
            for cell in (0..count).filter(|&cell| run.status[cell] != 0) {
                cells.concentrations.iter_mut().skip(cell).step_by(count).for_each(|x| *x = f64::NAN);
            }
            if (number + 1) % every == 0 || number + 2 == times.len() {
                run.times.push(interval.end);
                run.concentrations.push(cells.concentrations.clone());
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
        let CellFile { cell, outcome, steps, time, .. } = file;
        format!("cell {cell}: {outcome} at step {steps}, time {time} s; its state is in {}", path.display())
    }
}

/// The cells at a time \[s\].
fn start(input: &ChemistryInput, time: f64) -> Cells {
    let count = input.cells;
    let concentrations = input.concentrations.iter().flat_map(|series| series.at(&input.times, time, count)).collect();
    let (inputs, rate_constants) = conditions(input, time);
    Cells { count, concentrations, rate_constants, inputs, first_step: vec![] }
}

/// Inputs and rate constants at a time \[s\].
fn conditions(input: &ChemistryInput, time: f64) -> (Vec<f64>, Vec<f64>) {
    let at = |series: &isobar_io::chemistry::Series| series.at(&input.times, time, input.cells);
    (input.inputs.iter().flat_map(at).collect(), input.rate_constants.as_ref().map_or_else(Vec::new, at))
}

/// A cell that failed, alone, to the same bits: where it stands, and with which step.
fn again(
    (name, mechanism): (&str, &Mechanism),
    options: &Options,
    cells: &Cells,
    cell: usize,
    interval: std::ops::Range<f64>,
) -> Result<CellFile, Failure> {
    let of = |values: &[f64]| values.iter().skip(cell).step_by(cells.count).copied().collect();
    let alone = Cells {
        count: 1,
        concentrations: of(&cells.concentrations),
        rate_constants: of(&cells.rate_constants),
        inputs: of(&cells.inputs),
        first_step: of(&cells.first_step),
    };
    let program = Some(mechanism.program().clone());
    let mut batch = Batch::with_bad_cells(mechanism.compiled().clone(), program, alone, options.clone())?;
    batch.integrate(interval.start, interval.end)?;
    debug_assert_ne!(batch.status(0), Status::OK);
    let file = batch.cell_file(name, 0, interval.end);
    Ok(CellFile { cell, ..file })
}
