//! `isobar radiation`, `isobar longwave` and `isobar shortwave`: columns of air in, fluxes and heating rates out, with
//! k-distributions of RRTMGP, ecCKD, RRTMG_LW or our own.

mod alike;
pub(super) mod all_choices;
mod by_ranks;
pub(super) mod choices;
mod draw;
mod gradient;
pub(super) mod gradient_choices;
mod in_parts;
mod journal;
mod low_sun;
pub(super) mod no_effect;
pub(super) mod rrtmg;
pub(super) mod sample_choices;
mod write;
mod write_inputs;

use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use isobar::plot;
use isobar_core::fields::{Declared, Kind, OwnedInputs};
use isobar_io::netcdf::{Part, Sample};
use isobar_io::{NO_MEAN_SUN, Outside, Parts, RadiationInput, RadiationRequest, SunAt, read_radiation};
use isobar_launch::{Device, Model};
use isobar_radiation::{
    AdjointPrecision, CloudSolver, ColumnViews, Columns, FluxViews, Fluxes, Options, Precision, Spectra,
};

use super::column_results::outside_in_words;
use super::radiation_files::{Computed, Counts, RadiationFiles};
use super::say_remarks;
use crate::inputs::k_distributions::{Tables, Waves};
use crate::program::failure::Failure;
use crate::program::memory::need_for_files;
use crate::program::options::PrecisionOption;
use crate::program::output::ResultOutput;
use crate::program::progress::{Progress, Waiting};
use crate::program::remarks::{note, warn};
use all_choices::AllChoices;
use choices::{Choices, LongwaveChoices, TableChoices};
use draw::Draw;
use gradient_choices::GradientChoices;
use rrtmg::RrtmgChoices;
use sample_choices::SampleChoices;

/// The options of `isobar radiation`.
#[derive(Args, Debug)]
pub(crate) struct Radiation {
    #[command(flatten)]
    files: RadiationFiles,
    /// k-distribution of RRTMGP, ecCKD, RRTMG_LW or Isobar's own, once for each spectrum that is to be computed; a name
    /// without a folder is also looked for where `isobar data fetch` puts files. Without it those of both that are in
    /// data/radiation, for which the folder `ISOBAR_DATA`, that of the platform, that of the columns and data/radiation
    /// are searched
    #[arg(long, value_name = "FILE")]
    kdist: Vec<PathBuf>,
    #[command(flatten)]
    choices: Choices,
    #[command(flatten)]
    of_tables: TableChoices,
    #[command(flatten)]
    longwave: LongwaveChoices,
    #[command(flatten)]
    gradient: GradientChoices,
    #[command(flatten, next_help_heading = "Training data")]
    samples: SampleChoices,
    #[command(flatten, next_help_heading = "With RRTMG_LW's k-distribution")]
    of_rrtmg: RrtmgChoices,
}

/// The options of `isobar shortwave`.
#[derive(Args, Debug)]
pub(crate) struct Shortwave {
    #[command(flatten)]
    files: RadiationFiles,
    /// k-distribution of the short wave of RRTMGP, ecCKD or Isobar's own; a name without a folder is also looked for
    /// where `isobar data fetch` puts files. Without it that of data/radiation, for which the folder `ISOBAR_DATA`,
    /// that of the platform, that of the columns and data/radiation are searched
    #[arg(long, value_name = "FILE")]
    kdist: Option<PathBuf>,
    #[command(flatten)]
    choices: Choices,
    #[command(flatten)]
    of_tables: TableChoices,
}

/// What is to be done.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) files: &'a RadiationFiles,
    pub(super) choices: AllChoices<'a>,
    pub(super) kdist: &'a [PathBuf],
    pub(super) waves: Waves,
}

pub(crate) fn run(options: &Radiation) -> Result<(), Failure> {
    let Radiation { files, kdist, choices: common, of_tables, longwave, gradient, samples, of_rrtmg } = options;
    let choices = AllChoices {
        common,
        of_tables,
        longwave: Some(longwave),
        gradient: Some(gradient),
        samples: samples.samples.is_some().then_some(samples),
        of_rrtmg: Some(of_rrtmg),
    };
    compute(Job { files, choices, kdist, waves: Waves::Any })
}

pub(crate) fn run_shortwave(options: &Shortwave) -> Result<(), Failure> {
    let Shortwave { files, kdist, choices: common, of_tables } = options;
    let choices = AllChoices { common, of_tables, longwave: None, gradient: None, samples: None, of_rrtmg: None };
    compute(Job { files, choices, kdist: kdist.as_slice(), waves: Waves::Short })
}

pub(super) fn compute(job: Job<'_>) -> Result<(), Failure> {
    let Job { files, choices, kdist, waves } = job;
    choices.refuse_with(kdist, waves)?;
    let of_tables = choices.of_tables;
    let mut in_use = files.in_use()?;
    let share = by_ranks::Share::of((files, choices.samples), &mut in_use)?;
    let output = if share.is_some() { None } else { Some(files.results.create()?) };
    let tables =
        Tables::find((kdist, waves), (&of_tables.clouds, &|tables| of_tables.cloud_optics(tables)), &files.columns[0])?
            .with_aerosols(&of_tables.aerosols)?;
    for path in tables.paths() {
        in_use.reads("a table", path)?;
    }
    let scheme = choices.scheme(tables.waves(), tables.rrtmg_path().is_some())?;
    let work = Work { job, scheme: &scheme, tables: &tables, draw: None };
    let draw = choices.samples.map(|samples| work.draw(samples)).transpose()?;
    let work = Work { draw: draw.as_ref(), ..work };
    let Some(output) = output else {
        return share.map_or(Ok(()), |share| by_ranks::solve_any(work, &share));
    };
    if let Some(parts) = Parts::of(&files.columns, files.vertical(), files.at_once())? {
        return in_parts::solve_any(work, &parts, output);
    }
    // Inputs in two precisions, what follows from them, results, the file.
    let bands = if scheme.band_fluxes { 10 * tables.flux_bands().iter().sum::<usize>() as u64 } else { 0 };
    need_for_files(!files.print.quiet(), &files.columns, 90 + bands)?;
    let reading = Waiting::new(files.print.quiet(), "reading the columns");
    let input = work.read(None)?;
    drop(reading);
    work.say_tables()?;
    let views = ColumnViews::try_from(&input.columns)?;
    tables.radiation::<f64>()?.spectra().doubts(&views).into_iter().for_each(warn);
    choices.warn_of_useless(&tables, &input, &files.gas);
    files.warn_of_names(&input.names);
    let more = input.masked_in_words().into_iter().chain(job.outside_in_words(&input.outside, &tables));
    for text in input.notes.iter().cloned().chain(more) {
        say_note(files.print.quiet(), text);
    }
    say_remarks(files.print.quiet(), &files.columns[0], &input.derived, &input.remarks);
    files.device.with_threads_telling(!files.print.quiet(), |devices| match files.device.precision {
        PrecisionOption::F32 => solve::<f32>(work, &input, devices, output),
        PrecisionOption::F64 => solve::<f64>(work, &input, devices, output),
    })
}

/// Says what a reader noted: options without effect are warnings.
fn say_note(quiet: bool, text: String) {
    if text.starts_with(NO_MEAN_SUN) { warn(text) } else { note(quiet, text) }
}

/// What is to be done, with what.
#[derive(Clone, Copy)]
pub(super) struct Work<'a> {
    job: Job<'a>,
    scheme: &'a Options,
    tables: &'a Tables,
    /// Where columns are drawn from those of the file.
    draw: Option<&'a Draw>,
}

impl Work<'_> {
    /// Says which k-distributions there are, and what is to be said of them.
    fn say_tables(&self) -> Result<(), Failure> {
        if !self.job.files.print.quiet() {
            tell!("k-distributions: {}", self.tables.description());
        }
        self.tables.warn_of_rrtmg()
    }

    /// Reads the columns, or those of a part of the file.
    fn read(&self, part: Option<&Part>) -> Result<RadiationInput, Failure> {
        let Job { files, choices, .. } = self.job;
        let radiation = self.tables.radiation()?;
        let mut input = read_radiation(&files.columns, &self.request(radiation.spectra(), part))?;
        let columns = input.horizontal.iter().map(|(_, size)| size).product();
        let seeds = &mut input.columns.subcolumn_seed;
        if choices.common.seed.is_some() && !seeds.is_empty() {
            input.notes.push("subcolumn_seed of the file does not count beside --seed".to_owned());
        }
        if choices.common.seed.is_some() || seeds.is_empty() {
            *seeds = vec![choices.common.seed(); columns];
        }
        input.notes.extend(self.rounded_sub_columns(&input.columns));
        let has_others = radiation.spectra().gas_optics().next().is_some();
        input.notes.extend(alike::in_words(self, &input, self.tables.rrtmg_path().is_some(), has_others));
        // Samples have what was derived as their own.
        if choices.samples.is_none() && choices.gradient.is_some_and(|gradient| !gradient.gradient.is_empty()) {
            let held = gradient::held_in_words(&input.derived);
            input.notes.extend(held);
        }
        Ok(input)
    }

    /// What is asked of the file, or of a part of it.
    fn request<'b>(&'b self, spectra: &'b Spectra<f64>, part: Option<&'b Part>) -> RadiationRequest<'b> {
        let Job { files, choices, .. } = self.job;
        let of_tables = choices.of_tables;
        RadiationRequest {
            spectra,
            options: self.scheme,
            constants: &files.gas,
            names: files.names(),
            vertical: files.vertical(),
            assume_zero: files.assume_zero,
            aerosols: self.tables.aerosols(),
            clouds: choices.common.clouds(),
            cloud_fraction: choices.common.cloud_fraction(),
            rain_and_snow: of_tables.rain_and_snow,
            rain_as_liquid: of_tables.rain_as_liquid,
            snow_as_ice: of_tables.snow_as_ice,
            part,
            sun: if of_tables.mean_sun { SunAt::Mean } else { SunAt::Time },
            outside: choices.common.outside(),
            keep_going: files.bad.keep_going,
        }
    }

    /// That RRTMG_LW's sub-columns, whose random numbers begin with pressures, are others in single precision.
    fn rounded_sub_columns(&self, columns: &Columns<f64>) -> Option<String> {
        let is_single = matches!(self.job.files.device.precision, PrecisionOption::F32);
        let draws = self.tables.rrtmg_path().is_some()
            && self.scheme.cloud_solver == CloudSolver::McIca
            && columns.cloud_fraction.iter().any(|&fraction| fraction > 0.0 && fraction < 1.0);
        let text = "--precision f32: RRTMG_LW's sub-columns of clouds are drawn by pressures in f32, others than in \
                    f64: fluxes of single columns differ by what sub-columns do, some W/m^2";
        (is_single && draws).then(|| text.to_owned())
    }

    /// What samples are drawn from.
    fn draw(&self, samples: &SampleChoices) -> Result<Draw, Failure> {
        let files = self.job.files;
        let reading = Waiting::new(files.print.quiet(), "reading the columns");
        let base = self.read(None)?;
        drop(reading);
        self.job.choices.warn_of_useless(self.tables, &base, &files.gas);
        files.warn_of_names(&base.names);
        if let Some(first) = base.bad.first() {
            let columns: usize = base.horizontal.iter().map(|(_, size)| size).product();
            let bad = base.bad.len();
            warn(format!(
                "{bad} of {columns} columns cannot be computed, and none is drawn of them; the first: {}",
                first.text
            ));
        }
        Draw::new(base, samples, self.job.choices.common.seed())
    }

    /// Finds what lies outside of the tables in samples of these numbers, and does with it as with a file's.
    fn find_outside(&self, drawn: &mut RadiationInput, numbers: Range<usize>) -> Result<(), Failure> {
        let radiation = self.tables.radiation()?;
        drawn.find_outside(numbers, &self.request(radiation.spectra(), None));
        match &drawn.outside {
            (count, Some(first)) if self.job.choices.common.outside() == Outside::Error => {
                let others = if *count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
                Err(Failure::new(format!("--samples: {first}{others}")))
            }
            _ => Ok(()),
        }
    }

    /// Computes columns.
    fn run<R: Precision>(
        &self,
        model: &Model<isobar_radiation::Radiation<R>>,
        input: &RadiationInput,
    ) -> Result<Fluxes<R>, Failure> {
        let mut fluxes = if self.job.choices.common.top_layer {
            let radiation = self.tables.radiation::<f64>()?;
            let columns = radiation.spectra().with_top_layer(&input.columns);
            let columns = columns.map_err(|problem| Failure::new(format!("--top-layer: {problem}")))?;
            model.run(&columns.rounded(), self.scheme)?.without_top_layer()
        } else {
            model.run(&input.columns.rounded(), self.scheme)?
        };
        input.left_out().for_each(|(column, status)| fluxes.status[column] = status.0);
        Ok(fluxes)
    }

    /// The fields that a comparison looks at.
    fn compared(&self) -> Result<Vec<&'static Declared>, Failure> {
        let radiation = self.tables.radiation::<f64>()?;
        let wants =
            |declared: &&Declared| declared.kind == Kind::Real && radiation.spectra().wants(declared, self.scheme);
        Ok(FluxViews::<f64>::DECLARED.iter().filter(wants).collect())
    }
}

impl Job<'_> {
    /// How many values lie outside of the tables, and what becomes of them.
    fn outside_in_words(&self, found: &(usize, Option<String>), tables: &Tables) -> Option<String> {
        let is_rrtmg_alone = tables.rrtmg_path().is_some() && tables.waves() == [true, false];
        let words = if is_rrtmg_alone {
            ["pressures and temperatures", "absorption tables", "extrapolated"]
        } else {
            ["values", "tables", "left as they are"]
        };
        outside_in_words(found, self.choices.common.outside(), words)
    }
}

fn solve<R: AdjointPrecision + Sample>(
    work: Work<'_>,
    input: &RadiationInput,
    devices: &[Device],
    output: ResultOutput,
) -> Result<(), Failure> {
    let Work { job, tables, .. } = work;
    let columns: usize = input.horizontal.iter().map(|(_, size)| size).product();
    let start = Instant::now();
    let kernels = gradient::Kernels::<R>::of(&work, devices)?;
    let kernels = kernels.map(|kernels| kernels.run(&work, input)).transpose()?.unwrap_or_default();
    let progress = Progress::new(job.files.print.quiet(), columns as u64, "columns");
    let model = tables.radiation::<R>()?.on(devices).progress(move |done| progress.reach(done));
    let fluxes = work.run(&model, input)?;
    drop(model);
    let low_suns = work.low_suns::<R>(input, &fluxes.status);
    low_sun::in_words::<R>([low_suns, columns]).into_iter().for_each(|text| note(job.files.print.quiet(), text));
    let computed = Computed {
        size: [columns, input.columns.temperature_k.len() / columns],
        orientation: input.orientation,
        derived: &input.derived,
        remarks: &input.remarks,
        bad: input.bad.first(),
        counts: Counts::of(&fluxes.status, input.outside.0, low_suns),
        devices,
        precision: R::NAME,
        seconds: start.elapsed().as_secs_f64(),
    };
    job.files.warn_of_bad(&computed);
    output.write(
        job.files.print.quiet(),
        || plot::radiation::draw(&input.columns, &fluxes),
        |mut file| {
            let results = write::Results { input, fluxes: &fluxes, kernels: &kernels, drawn: None };
            write::write(&work, devices, results, &mut file)?;
            Ok(file.commit()?)
        },
    )?;
    job.files.report(&computed, work.compared()?.into_iter())
}
