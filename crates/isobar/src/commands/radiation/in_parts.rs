//! Files that are read, computed and written part by part.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use isobar_core::Real;
use isobar_io::netcdf::{DatasetWriter, Orientation, Part, Remarks, Sample};
use isobar_io::{BadColumn, Parts, RadiationInput, masked_in_words};
use isobar_launch::{Device, Model};
use isobar_radiation::{AdjointPrecision, ColumnViews, Fluxes};

use super::draw::Drawn;
use super::gradient::{Kernel, Kernels};
use super::write::{self, Results};
use super::{Job, Work, low_sun, say_note, write_inputs};
use crate::commands::radiation_files::{Computed, Counts};
use crate::commands::say_remarks;
use crate::program::failure::Failure;
use crate::program::options::PrecisionOption;
use crate::program::output::ResultOutput;
use crate::program::pipeline::pipeline;
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
    let computer = Computer::<R>::new(work, devices)?;
    let mut writer = PartWriter::new(work, devices);
    let (mut counts, mut computed) = (Counts::default(), 0);
    let fill = |mut file: DatasetWriter| -> Result<(), Failure> {
        file.in_parts(&parts.dimension, parts.size);
        let write = |part: ComputedPart<'_, R>| {
            counts.add(part.counts());
            computed += part.columns();
            writer.write(part, &mut file)?;
            progress.reach(computed);
            Ok(())
        };
        pipeline(&parts.all, |part| work.read_part(part), |part| computer.compute(part), write)?;
        Ok(file.commit()?)
    };
    output.write(true, || unreachable!("a plot is refused"), fill)?;
    writer.report::<R>(parts, counts, start.elapsed().as_secs_f64())
}

/// A part that was read, or drawn.
pub(super) struct ReadPart<'a> {
    part: &'a Part,
    input: RadiationInput,
    /// The column of the file that each is drawn from, and how many numbers of a field were brought into the range that
    /// is accepted, if columns are drawn.
    sources: Vec<usize>,
    clamped: Vec<(&'static str, usize)>,
}

impl ReadPart<'_> {
    /// Refuses what cannot be written.
    pub(super) fn check(&self, work: &Work<'_>) -> Result<(), Failure> {
        if work.draw.is_some() { write_inputs::check_bands(work, &self.input) } else { Ok(()) }
    }
}

/// A part that was computed.
pub(super) struct ComputedPart<'a, R> {
    read: ReadPart<'a>,
    fluxes: Fluxes<R>,
    kernels: Vec<Kernel<R>>,
    low_suns: usize,
}

impl<R> ComputedPart<'_, R> {
    pub(super) fn columns(&self) -> usize {
        self.fluxes.status.len()
    }

    /// What is counted of it.
    pub(super) fn counts(&self) -> Counts {
        Counts::of(&self.fluxes.status, self.read.input.outside.0, self.low_suns)
    }
}

impl Work<'_> {
    pub(super) fn read_part<'a>(&self, part: &'a Part) -> Result<ReadPart<'a>, Failure> {
        let Some(draw) = self.draw else {
            return Ok(ReadPart { part, input: self.read(Some(part))?, sources: Vec::new(), clamped: Vec::new() });
        };
        let Drawn { mut input, sources, clamped } = draw.columns(part.range.clone());
        self.find_outside(&mut input, part.range.clone())?;
        Ok(ReadPart { part, input, sources, clamped })
    }
}

/// Computes parts.
pub(super) struct Computer<'a, R: AdjointPrecision> {
    work: Work<'a>,
    model: Model<isobar_radiation::Radiation<R>>,
    kernels: Option<Kernels<R>>,
}

impl<'a, R: AdjointPrecision> Computer<'a, R> {
    pub(super) fn new(work: Work<'a>, devices: &[Device]) -> Result<Self, Failure> {
        let model = work.tables.radiation::<R>()?.on(devices);
        let kernels = Kernels::of(&work, devices)?;
        Ok(Self { work, model, kernels })
    }

    pub(super) fn compute<'p>(&self, read: ReadPart<'p>) -> Result<ComputedPart<'p, R>, Failure> {
        let fluxes = self.work.run(&self.model, &read.input)?;
        let kernels = self.kernels.as_ref().map(|kernels| kernels.run(&self.work, &read.input)).transpose()?;
        let low_suns = self.work.low_suns::<R>(&read.input, &fluxes.status);
        Ok(ComputedPart { read, fluxes, kernels: kernels.unwrap_or_default(), low_suns })
    }
}

/// Writes parts, and knows what was said of those before.
pub(super) struct PartWriter<'a> {
    work: Work<'a>,
    devices: &'a [Device],
    said: Said<'a>,
    /// Layers, orientation, what was derived, and what else there is to say, of the first part.
    first: Option<(usize, Orientation, Vec<String>, Remarks)>,
    bad: Option<BadColumn>,
    masked_by: String,
    /// The first value outside of the tables, in words.
    outside: Option<String>,
    /// How many numbers of samples were brought into the range that is accepted.
    clamped: BTreeMap<&'static str, usize>,
}

impl<'a> PartWriter<'a> {
    pub(super) fn new(work: Work<'a>, devices: &'a [Device]) -> Self {
        let said = Said { job: work.job, all: BTreeSet::new() };
        let (masked_by, clamped) = (String::new(), BTreeMap::new());
        Self { work, devices, said, first: None, bad: None, masked_by, outside: None, clamped }
    }

    /// Writes a part, and says what there is to say of it.
    pub(super) fn write<R: Real + Sample>(
        &mut self,
        part: ComputedPart<'_, R>,
        file: &mut DatasetWriter,
    ) -> Result<(), Failure> {
        let Work { job, tables, draw, .. } = self.work;
        let quiet = job.files.print.quiet();
        let columns = part.columns();
        let ComputedPart { read: ReadPart { part, mut input, sources, clamped }, fluxes, kernels, .. } = part;
        if self.first.is_none() {
            self.work.say_tables()?;
        }
        let views = ColumnViews::try_from(&input.columns)?;
        tables.radiation::<f64>()?.spectra().doubts(&views).into_iter().for_each(|text| self.said.once(text, warn));
        for text in input.notes.clone() {
            self.said.once(text, |text| say_note(quiet, text));
        }
        // Attributes are those of the first part, and this is a matter of all: it is said at the end.
        let (_, outside) = std::mem::take(&mut input.outside);
        self.outside = self.outside.take().or(outside);
        file.begin_part(part.range.start);
        let drawn = draw.map(|draw| (draw, &sources[..]));
        let results = Results { input: &input, fluxes: &fluxes, kernels: &kernels, drawn };
        write::write(&self.work, self.devices, results, file)?;
        file.end_part()?;
        clamped.into_iter().for_each(|(name, count)| *self.clamped.entry(name).or_default() += count);
        if self.bad.is_none() && !input.bad.is_empty() {
            self.bad = Some(input.bad.swap_remove(0));
        }
        let layers = input.columns.temperature_k.len() / columns;
        self.first.get_or_insert((layers, input.orientation, input.derived, input.remarks));
        if self.masked_by.is_empty() {
            self.masked_by = input.masked_by;
        }
        Ok(())
    }

    /// Says of all parts, which are written, how many columns were not computed, and how long they took.
    pub(super) fn report<R: Real>(&self, parts: &Parts, counts: Counts, seconds: f64) -> Result<(), Failure> {
        let Some((layers, orientation, derived, remarks)) = &self.first else { return Ok(()) };
        let files = self.work.job.files;
        let quiet = files.print.quiet();
        masked_in_words([counts.masked, parts.columns], &self.masked_by).into_iter().for_each(|text| note(quiet, text));
        let outside = (counts.outside, self.outside.clone());
        self.work.job.outside_in_words(&outside, self.work.tables).into_iter().for_each(|text| note(quiet, text));
        low_sun::in_words::<R>([counts.low_suns, parts.columns]).into_iter().for_each(|text| note(quiet, text));
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
