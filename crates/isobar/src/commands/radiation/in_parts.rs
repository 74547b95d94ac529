//! Files that are read, computed and written part by part.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use isobar_io::netcdf::{NetcdfOutput, Orientation, Part, Remarks, Sample};
use isobar_io::{BadColumn, Parts, masked_in_words};
use isobar_launch::{Device, Model};
use isobar_radiation::{AdjointPrecision, ColumnViews};

use super::draw::Drawn;
use super::gradient::Kernels;
use super::write::{self, Results};
use super::{Job, Work};
use crate::commands::radiation_files::{Computed, Counts};
use crate::commands::say_remarks;
use crate::program::failure::Failure;
use crate::program::options::PrecisionOption;
use crate::program::output::ResultOutput;
use crate::program::progress::Progress;
use crate::program::remarks::{note, warn};

/// In the precision that was asked for.
pub(super) fn solve_any(work: Work<'_>, parts: &Parts, output: ResultOutput) -> Result<(), Failure> {
    let files = work.job.files;
    if files.results.plot.path().is_some() {
        let why = "a plot shows all columns, which are read in parts: --at-once says how many are read together";
        return Err(Failure::usage(format!("--plot: {why}")));
    }
    files.device.with_threads_telling(!files.print.quiet(), |devices| match files.device.precision {
        PrecisionOption::F32 => solve::<f32>(work, parts, devices, output),
        PrecisionOption::F64 => solve::<f64>(work, parts, devices, output),
    })
}

fn solve<R: AdjointPrecision + Sample>(
    work: Work<'_>,
    parts: &Parts,
    devices: &[Device],
    output: ResultOutput,
) -> Result<(), Failure> {
    let quiet = work.job.files.print.quiet();
    let start = Instant::now();
    let progress = Progress::new(quiet, parts.columns as u64, "columns");
    let mut worker = Worker::<R>::new(work, devices)?;
    let (mut counts, mut computed) = (Counts::default(), 0);
    let fill = |mut file: NetcdfOutput| -> Result<(), Failure> {
        file.in_parts(&parts.dimension, parts.size);
        for part in &parts.all {
            let (columns, more) = worker.compute(part, &mut file)?;
            counts.add(more);
            computed += columns;
            progress.reach(computed);
        }
        Ok(file.commit()?)
    };
    output.write(true, || unreachable!("a plot is refused"), fill)?;
    worker.report(parts, counts, start.elapsed().as_secs_f64())
}

/// Computes parts, and knows what was said of those before.
pub(super) struct Worker<'a, R: AdjointPrecision> {
    work: Work<'a>,
    devices: &'a [Device],
    model: Model<isobar_radiation::Radiation<R>>,
    kernels: Option<Kernels<R>>,
    said: Said<'a>,
    /// Layers, orientation, what was derived, and what else there is to say, of the first part.
    first: Option<(usize, Orientation, Vec<String>, Remarks)>,
    bad: Option<BadColumn>,
    masked_by: String,
    /// How many numbers of samples were brought into the range that is accepted.
    clamped: BTreeMap<&'static str, usize>,
}

impl<'a, R: AdjointPrecision + Sample> Worker<'a, R> {
    pub(super) fn new(work: Work<'a>, devices: &'a [Device]) -> Result<Self, Failure> {
        let model = work.tables.radiation::<R>()?.on(devices);
        let kernels = Kernels::of(&work, devices)?;
        let said = Said { job: work.job, all: BTreeSet::new() };
        let (masked_by, clamped) = (String::new(), BTreeMap::new());
        Ok(Self { work, devices, model, kernels, said, first: None, bad: None, masked_by, clamped })
    }

    /// Reads, computes and writes a part: how many columns it has, and how many of them were not computed.
    pub(super) fn compute(&mut self, part: &Part, file: &mut NetcdfOutput) -> Result<(usize, Counts), Failure> {
        let Work { job, tables, .. } = self.work;
        let quiet = job.files.print.quiet();
        let (mut input, drawn) = match self.work.draw {
            Some(draw) => {
                let Drawn { input, sources, clamped } = draw.columns(part.range.clone());
                clamped.into_iter().for_each(|(name, count)| *self.clamped.entry(name).or_default() += count);
                (input, Some((draw, sources)))
            }
            None => (self.work.read(Some(part))?, None),
        };
        if self.first.is_none() {
            self.work.say_tables()?;
        }
        let views = ColumnViews::try_from(&input.columns)?;
        tables.radiation::<f64>()?.spectra().doubts(&views).into_iter().for_each(|text| self.said.once(text, warn));
        for text in input.notes.clone().into_iter().chain(job.outside_in_words(&input, tables)) {
            self.said.once(text, |text| note(quiet, text));
        }
        let fluxes = self.work.run(&self.model, &input)?;
        let kernels = self.kernels.as_ref().map(|kernels| kernels.run(&self.work, &input)).transpose()?;
        let kernels = kernels.unwrap_or_default();
        file.begin_part(part.range.start);
        let drawn = drawn.as_ref().map(|(draw, sources)| (*draw, &sources[..]));
        let results = Results { input: &input, fluxes: &fluxes, kernels: &kernels, drawn };
        write::write(&self.work, self.devices, results, file)?;
        file.end_part()?;
        let columns = fluxes.status.len();
        if self.bad.is_none() && !input.bad.is_empty() {
            self.bad = Some(input.bad.swap_remove(0));
        }
        let layers = input.columns.temperature_k.len() / columns;
        self.first.get_or_insert((layers, input.orientation, input.derived, input.remarks));
        if self.masked_by.is_empty() {
            self.masked_by = input.masked_by;
        }
        Ok((columns, Counts::of(&fluxes.status)))
    }

    /// Says of all parts, which are written, how many columns were not computed, and how long they took.
    pub(super) fn report(&self, parts: &Parts, counts: Counts, seconds: f64) -> Result<(), Failure> {
        let Some((layers, orientation, derived, remarks)) = &self.first else { return Ok(()) };
        let files = self.work.job.files;
        let quiet = files.print.quiet();
        masked_in_words([counts.masked, parts.columns], &self.masked_by).into_iter().for_each(|text| note(quiet, text));
        say_remarks(quiet, &files.columns[0], derived, remarks);
        for (name, count) in &self.clamped {
            note(quiet, format!("--vary {name}: {count} values were brought into the range that is accepted"));
        }
        let computed = Computed {
            size: [parts.columns, *layers],
            orientation: *orientation,
            derived,
            remarks,
            bad: self.bad.as_ref(),
            counts,
            devices: self.devices,
            precision: R::NAME,
            seconds,
        };
        files.warn_of_bad(&computed);
        files.report(&computed, self.work.compared()?.into_iter())
    }
}

/// What was said of the parts before.
struct Said<'a> {
    job: Job<'a>,
    all: BTreeSet<String>,
}

impl Said<'_> {
    /// Says something of which no part before gave cause to.
    fn once(&mut self, text: String, say: impl FnOnce(String)) {
        if self.all.insert(text.clone()) && !self.job.files.print.quiet() {
            say(text);
        }
    }
}
