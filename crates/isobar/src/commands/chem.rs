//! `isobar chem`: cells of air in, concentrations after some hours of chemistry out.

mod account;
mod budget;
mod cells;
mod choices;
mod clock;
mod explain;
mod memory;
mod model;
mod one_cell;
mod reduction;
mod restart;
mod retry;
mod run;
mod solve;
mod write;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use isobar_io::chemistry::Series;
use isobar_io::netcdf::Remarks;
use isobar_io::{ChemistryInput, is_model_cell};
use isobar_kpp::Mechanism;

use super::counted;
use super::mechanism_file::Reading;
use crate::program::failure::Failure;
use crate::program::memory::need_for_file;
use crate::program::options::{DeviceOptions, PrecisionOption, Printing, RestartFiles, positive};
use crate::program::output::{PlotFile, ResultOutput, files_in_use};
use crate::program::progress::patiently;
use crate::program::remarks::{note, warn};
use budget::Budgets;
use choices::Choices;
use clock::Clock;

#[derive(Subcommand, Debug)]
enum Part {
    /// Why a cell fails or takes many steps: species that rule the error, fastest modes, what other choices come to
    Explain(Box<explain::Explain>),
}

/// The options of `isobar chem`.
#[derive(Args, Debug)]
// There is no choice.
#[command(mut_arg("precision", |precision| precision.hide(true)))]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Chem {
    #[command(subcommand)]
    part: Option<Part>,
    /// Mechanism in KPP's language: .kpp, .def, .eqn or .spc; MCM's .fac; MUSICA's .json, .yaml; or MECCA's .ini
    #[arg(long, value_name = "FILE", required = true)]
    mechanism: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
    /// Cells, NetCDF: a variable a species, named as in the mechanism, (cell) or (time, cell), in molecule cm-3 or mol
    /// mol-1; air_temperature, air_pressure or number_density, SUN, and what else the rates need; or rate_constant
    /// (reaction, cell). Or files of GEOS-Chem's for KPP-Standalone, a cell each; or its restart file, and behind it
    /// files of the same grid that have what it lacks
    #[arg(long, value_name = "FILE", required_unless_present = "cell", num_args = 1..)]
    cells: Vec<PathBuf>,
    /// An input of the rates, TEMP in K or PRESS in Pa, in all cells, whatever their file has
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    set: Vec<(String, f64)>,
    /// Concentrations, statistics of steps and a status of each cell, NetCDF
    #[arg(short, long, value_name = "FILE", required_unless_present = "cell")]
    out: Option<PathBuf>,
    /// Integrate this number of hours; one interval of the model's unless given, where its cells say how long that is
    #[arg(long, value_name = "H", value_parser = positive, allow_negative_numbers = true)]
    hours: Option<f64>,
    /// Seconds of an interval, at whose start inputs are taken, and rates unless --rates says otherwise; that of the
    /// model, where its cells say it
    #[arg(long, value_name = "S", value_parser = positive, allow_negative_numbers = true)]
    dt: Option<f64>,
    /// Start at this time in seconds; otherwise that of the mechanism (TSTART) with --sun-from-time, the file's first
    /// time, or 0
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    start: Option<f64>,
    /// Write every N-th interval
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// What reactions made and lost over the run, of species and families: O3,OH,Ox=O3+NO2+2*N2O5
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    budget: Vec<String>,
    #[command(flatten)]
    choices: Choices,
    #[command(flatten)]
    plot: PlotFile,
    #[command(flatten)]
    restarts: RestartFiles,
    /// Write a restart file every H hours of the run, at the end of the first interval after them
    #[arg(long, value_name = "H", value_parser = positive, allow_negative_numbers = true)]
    restart_hours: Option<f64>,
    /// Instead of all this: integrate a single cell again that failed, from the file that was written of it
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = [
            "cells", "out", "hours", "dt", "start", "plot", "budget", "restart", "restart_hours", "resume", "set",
            "every", "retry", "carry_step", "json"
        ]
    )]
    cell: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    print: Printing,
}

pub(crate) fn run(chem: &Chem) -> Result<(), Failure> {
    match &chem.part {
        Some(Part::Explain(explain)) => explain::run(explain),
        None => integrate(chem),
    }
}

fn integrate(chem: &Chem) -> Result<(), Failure> {
    if chem.device.precision == PrecisionOption::F32 {
        return Err(Failure::usage(
            "chemistry is computed in f64: single precision does not hold its range of time scales".to_owned(),
        ));
    }
    let mechanism = patiently(chem.print.quiet(), "reading the mechanism", || {
        chem.reading.read_for(chem.mechanism(), chem.cells.first().map(PathBuf::as_path))
    })?;
    if mechanism.unread_rates() > 0 {
        warn(format!(
            "{}: {} of {} rates are not read; rate constants are those of the cells",
            chem.mechanism().display(),
            mechanism.unread_rates(),
            mechanism.reactions().len()
        ));
    }
    if !mechanism.open_laws().is_empty() {
        let laws = counted(mechanism.open_laws().len(), "call");
        warn(format!(
            "{}: {laws} in rates cannot be read; the cells have their values, see isobar kpp info",
            chem.mechanism().display()
        ));
    }
    if !mechanism.notes().is_empty() {
        if !chem.print.quiet() {
            let notes = counted(mechanism.notes().len(), "note");
            tell!("{}: {notes}, see isobar kpp info", chem.mechanism().display());
        }
        mechanism.notes().iter().for_each(|what| note(true, what));
    }
    let options = chem.choices.options(&mechanism)?;
    let budgets = Budgets::new(&chem.budget, &mechanism)?;
    if let Some(file) = &chem.cell {
        return one_cell::run(file, &mechanism, options);
    }
    let (cells, Some(out)) = (&chem.cells[..], &chem.out) else {
        return Err(Failure::usage("--cells and --out are needed".to_owned()));
    };
    chem.check_files((cells, out), &mechanism)?;
    // A folder that cannot be written is refused before the work.
    let output = ResultOutput::create(out, &chem.plot)?;
    if !is_model_cell(&cells[0]) {
        let fields = mechanism.species().len() + mechanism.inputs().len() + 3;
        need_for_file(!chem.print.quiet(), &cells[0], fields as u64)?;
    }
    let mut input = patiently(chem.print.quiet(), "reading the cells", || cells::read(cells, &mechanism, &chem.set))?;
    let options = match &input.model {
        Some(model) => {
            let (options, taken) = chem.choices.of_model(&mechanism, model, &cells[0])?;
            input.derived.extend(taken);
            model::compare_rates(&mechanism, &input, model, &cells[0]);
            options
        }
        None => options,
    };
    input.derived.extend(chem.interval_of_model(&input));
    if input.number_density.as_ref().is_some_and(Series::varies) {
        let what = "the air's number density changes with time: what reacts keeps its mole fraction from interval to \
                    interval, also if it is given in molecule cm-3";
        input.derived.push(what.to_owned());
    }
    input.contradictions.iter().for_each(|what| warn(format!("{}: {what}", cells[0].display())));
    if !chem.print.quiet() {
        input.derived.iter().for_each(|what| tell!("{what}"));
        if !input.unused.is_empty() {
            warn(format!("{}: nothing needs {}", cells[0].display(), input.unused.join(", ")));
        }
        let remarks = Remarks { clamped: input.clamped.clone(), not_read: Vec::new() };
        remarks.lines().iter().for_each(|line| tell!("{}: {line}", cells[0].display()));
    }
    chem.device.with_threads_telling(!chem.print.quiet(), |devices| {
        solve::solve(chem, &mechanism, (options, budgets), &input, devices, (cells, out), output)
    })
}

/// `TEMP=280`
fn setting(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.rsplit_once('=').ok_or("not of the form NAME=VALUE")?;
    let number = value.trim().parse::<f64>().ok().filter(|value| value.is_finite());
    Ok((name.trim().to_owned(), number.ok_or_else(|| format!("{value:?} is not a finite number"))?))
}

impl Chem {
    /// The mechanism, which has to be given where no part is.
    fn mechanism(&self) -> &Path {
        self.mechanism.as_deref().expect("the command line is refused without it")
    }

    /// Nothing that is read is written, but for the restart file that the run goes on from.
    fn check_files(&self, (cells, out): (&[PathBuf], &Path), mechanism: &Mechanism) -> Result<(), Failure> {
        let mut files = files_in_use(out, self.plot.path())?;
        for path in cells {
            files.reads("the cells", path)?;
        }
        for path in mechanism.files() {
            files.reads("the mechanism", path)?;
        }
        let mut others = files.clone();
        files.writes("the restart file", &self.restarts.restart(out))?;
        if let Some(resume) = &self.restarts.resume {
            others.reads("the restart file", resume)?;
        }
        let mut name = out.file_stem().unwrap_or_default().to_owned();
        name.push(".cell");
        files.writes_numbered("the file of a cell that fails", out, (&name, ".json"))?;
        Ok(())
    }

    /// Says which choices change nothing here.
    fn tell_no_effect(&self, (mechanism, options): (&Mechanism, &isobar_rosenbrock::Options), clock: &Clock) {
        let program = mechanism.program();
        let changes = program.depends_on_time() || program.depends_on_species(mechanism.variable());
        if let Some(rates) = self.choices.changing_rates().filter(|_| !changes) {
            warn(format!(
                "--rates {rates} changes nothing: no rate depends on the time or on what reacts, and inputs are taken \
                 at the start of each interval"
            ));
        }
        if let Some(threshold) = options.passive_tolerance
            && options.absolute_tolerance.iter().all(|&tolerance| tolerance < threshold)
        {
            warn(format!("--passive-atol {threshold:e} changes nothing: no species has such an absolute tolerance"));
        }
        if let Some(rounding) = clock.rounding_s() {
            let rates = if program.depends_on_time() { ", and rates that depend on the time with them" } else { "" };
            warn(format!("times of {:e} s are rounded to {rounding} s{rates}", clock.start_s));
        }
    }

    /// Which of `--hours` and `--dt` are the model's interval, in words.
    fn interval_of_model(&self, input: &ChemistryInput) -> Option<String> {
        let seconds = input.model.as_ref()?.interval_s?;
        let options = match (self.hours, self.dt) {
            (None, None) => "--hours and --dt are",
            (None, _) => "--hours is",
            (_, None) => "--dt is",
            _ => return None,
        };
        Some(format!("{options} the interval of the model, {seconds} s, as its cells have it"))
    }

    /// The intervals.
    fn clock(&self, mechanism: &Mechanism, input: &ChemistryInput) -> Result<Clock, Failure> {
        let start = clock::start_s(self.start, &self.reading, mechanism, input);
        let of_model = input.model.as_ref().and_then(|model| model.interval_s);
        let missing = |option: &str| match &input.model {
            None => Failure::usage(format!("{option} is needed")),
            Some(_) => {
                Failure::usage(format!("{option} is needed: the cells do not say the interval, or not the same"))
            }
        };
        let length = self.hours.map(|hours| hours * 3600.0).or(of_model).ok_or_else(|| missing("--hours <H>"))?;
        let interval = self.dt.or(of_model).ok_or_else(|| missing("--dt <S>"))?;
        Ok(Clock { start_s: start, length_s: length, interval_s: interval, every: u64::from(self.every) })
    }
}
