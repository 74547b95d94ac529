//! `isobar run`: a column model from a case file: radiation, boundary layers and chemistry through the day, to NetCDF.

mod air;
mod case;
mod model;
mod number;
mod reader;
mod records;
mod report;
mod restart;
mod setup;
mod species;
mod stop;
mod write;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use isobar_io::netcdf::{NetcdfOutput, Sample};
use isobar_io::{AtomicFile, Error};
use isobar_launch::column::{Pipeline, State, Step};
use isobar_launch::{Device, Precision};

use super::progress::Progress;
use super::{DeviceOptions, Failure, PrecisionOption};
use crate::case::warn;
use crate::plot;
use reader::CaseFile;
use report::Report;
use restart::Restart;
use stop::Stop;

pub(crate) use records::Records;
pub(crate) use setup::Setup;

/// The options of `isobar run`.
#[derive(Args, Debug)]
pub(crate) struct Run {
    /// The case, TOML: see data/column/case.toml
    case: PathBuf,
    /// Time series and profiles, NetCDF
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Also draw figures, SVG: FILE with -profiles, -day and -chemistry before its ending
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Restart file, written every so often as the case says and when the run is stopped by SIGTERM or SIGINT; without it, the output's name with
    /// .restart before its ending
    #[arg(long, value_name = "FILE")]
    restart: Option<PathBuf>,
    /// Go on from a restart file of the same case
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceOptions,
    /// Print a summary as JSON to standard output
    #[arg(long)]
    json: bool,
    /// Print nothing but warnings and errors
    #[arg(long)]
    quiet: bool,
}

impl Run {
    /// Where the restart file goes.
    fn restart(&self) -> PathBuf {
        self.restart.clone().unwrap_or_else(|| with_suffix(&self.out, ".restart"))
    }
}

/// A path with something before the ending of its name.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    path.with_file_name(format!("{stem}{suffix}{ending}"))
}

pub(crate) fn run(run: &Run) -> Result<(), Failure> {
    let (file, case) = CaseFile::read(&run.case)?;
    // A folder that cannot be written is refused before the work.
    let output = NetcdfOutput::create(&run.out)?;
    let setup = Setup::new(&file, &case)?;
    if !run.quiet {
        setup.notes.iter().for_each(|note| eprintln!("{note}"));
    }
    let plots = plots(run, setup.chemistry.is_some())?;
    run.device.with_threads_telling(!run.quiet, |devices| {
        let [device] = devices else {
            return Err(Failure("a column model runs on one device; give one with --device".into()));
        };
        match run.device.precision {
            PrecisionOption::F32 => simulate::<f32>(run, &file, &setup, *device, output, plots),
            PrecisionOption::F64 => simulate::<f64>(run, &file, &setup, *device, output, plots),
        }
    })
}

/// The files of figures, begun.
fn plots(run: &Run, chemistry: bool) -> Result<Vec<(PathBuf, AtomicFile)>, Failure> {
    let Some(path) = &run.plot else { return Ok(Vec::new()) };
    let names = ["-profiles", "-day", "-chemistry"];
    let names = &names[..if chemistry { 3 } else { 2 }];
    names
        .iter()
        .map(|name| {
            let path = with_suffix(path, name);
            let file = AtomicFile::create(&path)?;
            Ok((path, file))
        })
        .collect()
}

fn simulate<R: Precision + Sample>(
    run: &Run,
    file: &CaseFile,
    setup: &Setup,
    device: Device,
    output: NetcdfOutput,
    plots: Vec<(PathBuf, AtomicFile)>,
) -> Result<(), Failure> {
    let stop = Stop::watch()?;
    let (mut state, mut pipeline) = model::build::<R>(file, setup, device)?;
    let restart = Restart::new(setup, R::NAME)?;
    let mut records = Records::new(setup, &state);
    let mut first = 0;
    if let Some(path) = &run.resume {
        first = restart.read(path, &mut state, &mut pipeline, &mut records)?;
    } else {
        records.add(&mut state, setup.start_s)?;
    }
    let start = Instant::now();
    let before = state.transfers();
    let progress = Progress::new(run.quiet, setup.columns() as u64 * setup.steps, "columns and steps");
    let ended = steps(run, setup, first, (&mut state, &mut pipeline, &mut records), &restart, &stop, &progress);
    drop(progress);
    ended?;
    let report = Report::new(setup, &state, &pipeline, &records, (setup.steps - first, start.elapsed(), before))?;
    write::write(run, setup, device, &records, &report, output)?;
    finish(plots, setup, &records)?;
    if report.flagged > 0 {
        warn(format!("{} of {} columns are flagged: see the variable flags", report.flagged, setup.columns()));
    }
    if report.clamps > 0.0 {
        warn(format!("radiation took {} values of water vapour below 0 for 0", report.clamps));
    }
    if !run.quiet {
        eprintln!("{}", report.text(device, R::NAME));
    }
    if run.json {
        println!("{}", report.json(device, R::NAME));
    }
    Ok(())
}

/// All steps that are left.
fn steps<R: Precision + Sample>(
    run: &Run,
    setup: &Setup,
    first: u64,
    (state, pipeline, records): (&mut State<R>, &mut Pipeline<R>, &mut Records<R>),
    restart: &Restart,
    stop: &Stop,
    progress: &Progress,
) -> Result<(), Failure> {
    for number in first..setup.steps {
        pipeline.step(state, &Step::of_run(number, setup.start_s, setup.step_s))?;
        let done = number + 1;
        progress.reach(setup.columns() * done as usize);
        if done.is_multiple_of(setup.output_every) || done == setup.steps {
            records.add(state, Step::of_run(done, setup.start_s, setup.step_s).time_s)?;
        }
        let stopped = stop.is_asked();
        let due = setup.restart_every.is_some_and(|every| done.is_multiple_of(every));
        if done < setup.steps && (due || stopped) {
            restart.write(&run.restart(), done, state, pipeline, records)?;
        }
        if stopped && done < setup.steps {
            return Err(Failure(format!(
                "stopped by a signal after step {done} of {}: go on with --resume {}",
                setup.steps,
                run.restart().display()
            )));
        }
    }
    Ok(())
}

/// Draws the figures and gives them their names.
fn finish<R: Precision>(plots: Vec<(PathBuf, AtomicFile)>, setup: &Setup, records: &Records<R>) -> Result<(), Failure> {
    if plots.is_empty() {
        return Ok(());
    }
    let drawn = plot::run::draw(setup, records)?;
    let mut done = Vec::new();
    for ((path, mut file), svg) in plots.into_iter().zip(drawn) {
        let failure = |cause| Error::Io { path: path.clone(), action: "write", cause };
        file.write_all(svg.as_bytes()).and_then(|()| file.flush()).map_err(failure)?;
        done.push(file);
    }
    Ok(done.into_iter().try_for_each(AtomicFile::commit)?)
}
