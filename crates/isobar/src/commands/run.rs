//! `isobar run`: a column model from a case file: radiation, boundary layers and chemistry through the day, to NetCDF.

mod summary;

use std::path::PathBuf;
use std::sync::Mutex;

use clap::Args;
use isobar::plot;
use isobar::run::{Case, Error as RunError, Options, Outcome, Precision, Setup, Team, devices_of, run_in};
use isobar_io::FilesInUse;
use isobar_io::netcdf::DatasetWriter;
use isobar_launch::{Device, parse_devices, with_threads};

use super::stop::Stop;
use crate::program::failure::{Exit, Failure};
use crate::program::memory::say;
use crate::program::options::{DeviceOptions, PrecisionOption, Printing, RestartFiles};
use crate::program::output::{Plot, ResultFiles, with_suffix};
use crate::program::progress::{Progress, Waiting, patiently};
use crate::program::remarks::{note, warn};

const PLOT: &str = "Also draw figures, SVG: FILE with -profiles, -day, -chemistry and -spectra before its ending";

/// The options of `isobar run`.
#[derive(Args, Debug)]
#[command(mut_arg("plot", |plot| plot.help(PLOT)))]
pub(crate) struct Run {
    /// The case, TOML: see data/column/case.toml
    case: PathBuf,
    #[command(flatten)]
    results: ResultFiles,
    #[command(flatten)]
    restarts: RestartFiles,
    #[command(flatten)]
    device: DeviceOptions,
    /// The most columns that a device has at a time; without it, as many as fit into its memory
    #[arg(long, value_name = "COLUMNS", value_parser = at_least_one)]
    at_once: Option<usize>,
    #[command(flatten)]
    print: Printing,
}

impl Run {
    /// Figures, too, are none of the files that are read or written; the run itself checks the others.
    fn check_figures(&self, setup: &Setup) -> Result<(), Failure> {
        let Some(plot) = self.results.plot.path() else { return Ok(()) };
        let mut files = FilesInUse::default();
        for name in plot::run::names(setup) {
            files.writes("the figure", &with_suffix(plot, &format!("-{name}")))?;
        }
        files.clone().writes("the output", &self.results.out)?;
        files.clone().writes("the restart file", &self.restarts.restart(&self.results.out))?;
        let resume = self.restarts.resume.iter().map(|path| ("the restart file", path));
        let mut read = setup.inputs().iter().map(|path| ("a file of the case", path)).chain(resume);
        Ok(read.try_for_each(|(what, path)| files.reads(what, path))?)
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "it is not a whole number of 1 or more".into())
}

pub(crate) fn run(run: &Run) -> Result<(), Failure> {
    with_threads(run.device.threads, || {
        let team = Team::join()?;
        let prepared = team.agree(Prepared::new(run, &team));
        let outcome = prepared.and_then(|prepared| match run.device.precision {
            PrecisionOption::F32 => prepared.work::<f32>(run, &team),
            PrecisionOption::F64 => prepared.work::<f64>(run, &team),
        });
        // Who started the processes sees the number of the one that ends first.
        let mut exit = Exit::Input;
        let outcome = team.end(outcome, |failure: &Failure| {
            failure.tell();
            exit = failure.exit();
        });
        let (flagged, columns) = outcome.map_err(|_| Failure::told(exit))?;
        Failure::unless_all(flagged, columns)
    })?
}

/// What a process needs to know before it works.
struct Prepared {
    case: Case,
    devices: Vec<Device>,
    /// Files of figures, begun by the first process.
    plots: Vec<Plot>,
    stop: Stop,
}

impl Prepared {
    fn new(run: &Run, team: &Team) -> Result<Self, Failure> {
        let mut case = Case::open(&run.case)?;
        let tell = team.is_first() && !run.print.quiet();
        if team.is_first() {
            // A folder that cannot be written is refused before the case's files are read.
            DatasetWriter::check(&run.results.out)?;
        }
        let setup = patiently(!tell, "reading the case's files", || case.prepare(&mut warn))?;
        if team.is_first() {
            setup.notes().iter().for_each(|text| note(run.print.quiet(), text));
            run.check_figures(&setup)?;
        }
        let plots = if team.is_first() { plots(run, &plot::run::names(&setup))? } else { Vec::new() };
        let devices = own_devices(run.device.devices(tell)?, &run.device.device, team.neighbours())?;
        Ok(Self { case, devices, plots, stop: Stop::watch()? })
    }

    /// The whole run, on all devices of this process. How many columns are flagged, of how many, is known to the first
    /// process.
    fn work<R: Precision>(self, run: &Run, team: &Team) -> Result<(usize, usize), Failure> {
        let Self { mut case, devices, plots, stop } = self;
        let setup = case.prepare(&mut warn)?;
        let columns = setup.columns();
        if team.is_first() && !run.print.quiet() {
            say(&format!("{columns} columns"), setup.memory_bytes(size_of::<R>(), team));
        }
        let quiet = run.print.quiet() || !team.is_first();
        let bar: Mutex<Option<Progress>> = Mutex::new(None);
        let waiting = Mutex::new(Some(Waiting::new(quiet, "starting the columns")));
        let options = Options {
            devices,
            at_once: run.at_once,
            output: Some(run.results.out.clone()),
            restart: Some(run.restarts.restart(&run.results.out)),
            resume: run.restarts.resume.clone(),
            columns: Some(if run.results.plot.path().is_some() { plot::run::columns(columns) } else { Vec::new() }),
            measure_copy: run.print.json() || !run.print.quiet(),
            stop: Some(&|| stop.is_asked()),
            warn: Some(&|warning| warn(warning)),
            progress: Some(&|done, of| {
                let (mut bar, mut waiting) =
                    (bar.lock().expect("nobody panics with it"), waiting.lock().expect("nobody panics with it"));
                *waiting = None;
                let shown = bar.get_or_insert_with(|| Progress::new(run.print.quiet(), of, "columns and steps"));
                shown.reach(done as usize);
                if done == of {
                    *bar = None;
                    *waiting = Some(Waiting::new(quiet, "finishing and writing"));
                }
            }),
        };
        let outcome = run_in::<R>(team, &mut case, &options);
        // It is gone before anything is said.
        drop((bar, waiting));
        let outcome = outcome.map_err(stopped)?;
        team.agree(outcome.as_ref().map_or(Ok(()), |outcome| finish(plots, outcome)))?;
        let Some(Outcome { setup, report, warnings, .. }) = outcome else { return Ok((0, columns)) };
        warnings.iter().for_each(warn);
        if !run.print.quiet() {
            tell!("{}", summary::text(&report, R::NAME));
        }
        if run.print.json() {
            crate::program::print::summary(summary::json(&report, R::NAME));
        }
        Ok((report.flagged, report.columns - setup.masked().len()))
    }
}

/// In words what becomes of a run that a signal has stopped.
fn stopped(error: RunError) -> Failure {
    let RunError::Stopped { step, steps, restart, problem } = error else { return error.into() };
    let after = format!("stopped by a signal after step {step} of {steps}");
    let problem = problem.map(|why| format!(", which could not be saved ({why})")).unwrap_or_default();
    match restart {
        Some((path, saved)) if saved == step => {
            Failure::stopped(format!("{after}: go on with --resume {}", path.display()))
        }
        Some((path, saved)) => {
            Failure::stopped(format!("{after}{problem}: go on from step {saved} with --resume {}", path.display()))
        }
        // For want of a file that can be written.
        None => Failure::new(format!("{after}{problem}: there is no restart file, and the run has to begin anew")),
    }
}

/// The devices of this process among those of its host: without a number, its own GPU.
fn own_devices(asked: Vec<Device>, name: &str, neighbours: (usize, usize)) -> Result<Vec<Device>, Failure> {
    let any = matches!(name, "auto" | "cuda" | "cuda:all") && !asked[0].is_cpu();
    if !any || (neighbours.1 == 1 && asked.len() == 1) {
        return Ok(asked);
    }
    let mut own = devices_of(&parse_devices("cuda:all")?, neighbours);
    if name != "cuda:all" {
        own.truncate(1);
    }
    Ok(own)
}

/// The files of figures, begun.
fn plots(run: &Run, names: &[&str]) -> Result<Vec<Plot>, Failure> {
    let Some(path) = run.results.plot.path() else { return Ok(Vec::new()) };
    names.iter().map(|name| Plot::create(&with_suffix(path, &format!("-{name}")))).collect()
}

/// Draws the figures and gives them their names.
fn finish<R: Precision>(mut plots: Vec<Plot>, outcome: &Outcome<R>) -> Result<(), Failure> {
    if plots.is_empty() {
        return Ok(());
    }
    let figures = plot::run::draw(outcome)?;
    plots.iter_mut().zip(&figures).try_for_each(|(plot, figure)| plot.draw(figure))?;
    plots.into_iter().try_for_each(Plot::commit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_of_several_takes_its_own_gpu() {
        // Whoever names a number, or the CPU, gets it.
        for (name, device) in [("cpu", Device::Cpu), ("auto", Device::Cpu), ("cuda:1", Device::Cuda(1))] {
            assert_eq!(own_devices(vec![device], name, (1, 2)).unwrap(), [device]);
        }
        assert_eq!(own_devices(vec![Device::Cuda(0)], "cuda", (0, 1)).unwrap(), [Device::Cuda(0)]);
    }
}
