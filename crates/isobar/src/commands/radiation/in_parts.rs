//! Files that are read, computed and written part by part.

use std::collections::BTreeSet;
use std::time::Instant;

use isobar_io::netcdf::{NetcdfOutput, Sample};
use isobar_io::{Parts, masked_in_words};
use isobar_launch::Device;
use isobar_radiation::{ColumnViews, Precision};

use super::{Job, Work, write};
use crate::commands::radiation_files::Computed;
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

fn solve<R: Precision + Sample>(
    work: Work<'_>,
    parts: &Parts,
    devices: &[Device],
    output: ResultOutput,
) -> Result<(), Failure> {
    let Work { job, scheme, tables } = work;
    let quiet = job.files.print.quiet();
    let start = Instant::now();
    let progress = Progress::new(quiet, parts.columns as u64, "columns");
    let model = tables.radiation::<R>()?.on(devices);
    let mut said = Said { job, all: BTreeSet::new() };
    let (mut status, mut bad, mut masked) = (Vec::new(), Vec::new(), 0);
    let (mut first, mut masked_by) = (None, String::new());
    let fill = |mut file: NetcdfOutput| -> Result<(), Failure> {
        file.in_parts(&parts.dimension, parts.size);
        for part in &parts.all {
            let mut input = work.read(Some(part))?;
            if first.is_none() {
                work.say_tables()?;
            }
            let views = ColumnViews::try_from(&input.columns)?;
            tables.radiation::<f64>()?.spectra().doubts(&views).into_iter().for_each(|text| said.once(text, warn));
            for text in input.notes.clone().into_iter().chain(job.outside_in_words(&input, tables)) {
                said.once(text, |text| note(quiet, text));
            }
            let fluxes = work.run(&model, &input)?;
            file.begin_part(part.range.start);
            write::write(job, (scheme, tables), devices, (&input, &fluxes), &mut file)?;
            file.end_part()?;
            status.extend_from_slice(&fluxes.status);
            progress.reach(status.len());
            masked += input.masked.len();
            bad.append(&mut input.bad);
            let layers = input.columns.temperature_k.len() / fluxes.status.len();
            first.get_or_insert((layers, input.orientation, input.derived, input.remarks));
            if masked_by.is_empty() {
                masked_by = input.masked_by;
            }
        }
        Ok(file.commit()?)
    };
    output.write(true, || unreachable!("a plot is refused"), fill)?;
    let Some((layers, orientation, derived, remarks)) = first else { return Ok(()) };
    masked_in_words([masked, parts.columns], &masked_by).into_iter().for_each(|text| note(quiet, text));
    say_remarks(quiet, &job.files.columns[0], &derived, &remarks);
    let computed = Computed {
        size: [parts.columns, layers],
        orientation,
        derived: &derived,
        remarks: &remarks,
        bad: &bad,
        status: &status,
        devices,
        precision: R::NAME,
        seconds: start.elapsed().as_secs_f64(),
    };
    job.files.warn_of_bad(&computed);
    job.files.report(&computed, work.compared()?.into_iter())
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
