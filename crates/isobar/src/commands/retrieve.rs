//! `isobar retrieve`: measurements and what was known before in, the most likely atmospheres out.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clap::Args;
use isobar::jurassic::{case_warnings, profile_warning};
use isobar::plot;
use isobar_ega::launch::Infrared;
use isobar_ega::{ForwardSetup, TableData};
use isobar_io::{
    Control, FilesInUse, Observation, ProfileFormat, atmosphere_remarks, line_of_row, lost_in_binary,
    observation_remark, read_atmosphere, read_measurement, read_setup, read_tables,
};
use isobar_launch::Device;
use isobar_raytrace::Atmosphere;
use isobar_retrieval::files::{NAMES, left_out};
use isobar_retrieval::{Estimate, Retrieval};
use rayon::prelude::*;
use serde_json::json;

use super::fits::{Fits, tell_of_paths};
use super::kernel::DerivativeOptions;
use super::ranks::RankOptions;
use super::retrieval_subject::{Subject, subject};
use super::shared::SharedCases;
use crate::inputs::case::{ControlFile, warn_of_tables};
use crate::program::failure::{Exit, Failure};
use crate::program::options::{Arithmetic, DeviceOptions, Printing};
use crate::program::output::PlotFile;
use crate::program::progress::{Progress, patiently};
use crate::program::remarks::warn;

const PLOT: &str = "Also draw the first retrieval, as SVG: profiles with errors, averaging kernels, fit";

/// The options of `isobar retrieve`.
#[derive(Args, Debug)]
// There is no choice.
#[command(mut_arg("precision", |precision| precision.hide(true)), mut_arg("plot", |plot| plot.help(PLOT)))]
pub(crate) struct Retrieve {
    #[command(flatten)]
    control: ControlFile,
    /// A folder with atm_apr.tab, what was known before, and obs_meas.tab, the measurement; results go there, too
    #[arg(long = "dir", value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// A file with such folders, one a line, relative to where it lies
    #[arg(long, value_name = "FILE")]
    dirlist: Option<PathBuf>,
    #[command(flatten)]
    ranks: RankOptions,
    /// Write results under this folder instead: of one retrieval here, of several in folders named 0, 1, 2, ...
    #[arg(short, long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    derivative: DerivativeOptions,
    #[command(flatten)]
    plot: PlotFile,
    #[command(flatten)]
    arithmetic: Arithmetic,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    print: Printing,
}

/// Where a retrieval reads and writes.
struct Folders {
    from: PathBuf,
    to: PathBuf,
}

pub(crate) fn run(options: &Retrieve) -> Result<(), Failure> {
    let shared = options.folders.is_empty() && options.dirlist.is_none();
    if shared && options.out.is_some() {
        return Err(Failure::usage("--out is for folders: shared files of results are named in the control file"));
    }
    let part = options.ranks.part()?;
    let mut folders = if shared { Vec::new() } else { folders(options)? };
    if let Some(part) = part {
        folders = folders.into_iter().enumerate().filter(|(i, _)| part.takes(*i)).map(|(_, one)| one).collect();
    }
    let mut files = files_in_use(options, &folders)?;
    let plot = options.plot.create()?;
    let derivative = options.derivative.derivative()?;
    options.device.need_f64("retrievals")?;
    options.device.with_threads_telling(!options.print.quiet(), |devices| {
        let control = options.control.read(&mut files)?;
        control.require_channels()?;
        let retrieval = control.retrieval()?;
        retrieval.remarks(&control).into_iter().for_each(warn);
        if retrieval.shared.is_some() && !shared {
            return Err(Failure::usage("SHARED_IO_PROFLIST cannot go with --dir and --dirlist"));
        }
        if let Some(folders) = folders.first() {
            warn_of_left_out(folders, &control);
        }
        let cases = shared.then(|| SharedCases::read(&control, &retrieval, part, &mut files)).transpose()?;
        let names = match &cases {
            Some(cases) => cases.names(),
            None => folders.iter().map(|folders| folders.from.display().to_string()).collect(),
        };
        let setup = ForwardSetup { jurassic_exact: options.arithmetic.jurassic_exact, ..read_setup(&control)? };
        let set = patiently(options.print.quiet(), "reading the tables", || read_tables(&control))?;
        warn_of_tables(&control, &set, options.arithmetic.jurassic_exact);
        let tables = TableData::packed(
            &set.tables,
            control.wavenumbers_per_cm.len(),
            options.arithmetic.jurassic_exact,
            setup.interpolation,
        )?;
        // A thread a retrieval, not a ray.
        let devices = if names.len() > 1 && devices == [Device::Cpu] { &[Device::Thread] } else { devices };
        let model = Infrared::<f64>::new(&setup, tables)?.on(devices);
        let job = Retrieval { model: &model, control: &control, options: &retrieval, derivative };
        let start = Instant::now();
        let progress = Progress::new(options.print.quiet(), names.len() as u64, "retrievals");
        let done = AtomicUsize::new(0);
        let finished = || progress.reach(done.fetch_add(1, Ordering::Relaxed) + 1);
        let results = match &cases {
            Some(cases) => cases.run(&job, &finished),
            None if model.launches_jacobians() => together(&job, &folders, &finished),
            None => one_by_one(&job, &folders, &finished),
        };
        drop(progress);
        if let Some(cases) = &cases {
            cases.write(&results, &control)?;
        }
        let seconds = start.elapsed().as_secs_f64();
        warn_of_earlier(&folders, &results, retrieval.matrices);
        warn_of_lost(&folders, &results, &control);
        if let (Some(mut plot), Some(Ok(estimate))) = (plot, results.first()) {
            plot.draw(&plot::retrieve::draw(estimate, &control)?)?;
            plot.commit()?;
        }
        let good = names.iter().zip(&results).find_map(|(name, result)| Some((name, result.as_ref().ok()?)));
        if let Some((name, estimate)) = good {
            let warnings = case_warnings(&setup, &estimate.atmosphere, &estimate.observation.rays);
            warnings.into_iter().for_each(|warning| warn(format!("{name}: {warning}")));
        }
        tell_of_paths(&model, &names, &results);
        report(options, &names, &results, seconds)
    })
}

/// What is written is nothing that is read: results of one retrieval are not what another one starts from.
fn files_in_use(options: &Retrieve, folders: &[Folders]) -> Result<FilesInUse, Failure> {
    let mut files = FilesInUse::default();
    if let Some(plot) = options.plot.path() {
        files.writes("the plot", plot)?;
    }
    if let Some(list) = &options.dirlist {
        files.reads("the list of folders", list)?;
    }
    for Folders { from, to } in folders {
        files.reads("what was known before", &from.join("atm_apr.tab"))?;
        files.reads("the measurement", &from.join("obs_meas.tab"))?;
        let from = from.display();
        NAMES.iter().try_for_each(|name| files.writes(&format!("a result of {from}"), &to.join(name)))?;
    }
    Ok(files)
}

/// A thread a retrieval, each of which reads and writes its own files.
fn one_by_one(
    job: &Retrieval<'_>,
    folders: &[Folders],
    finished: &(dyn Fn() + Sync),
) -> Vec<Result<Estimate, Failure>> {
    let one = |folders: &Folders| {
        let result = (|| {
            let (before, measured) = read(folders, job.control)?;
            let estimate = job.run(&before, &measured, &|_, _| {}).map_err(|error| placed(folders, job, error))?;
            write(folders, estimate, job)
        })();
        finished();
        result
    };
    folders.par_iter().map(one).collect()
}

/// All that can be read go on together, with their Jacobians on GPUs.
fn together(job: &Retrieval<'_>, folders: &[Folders], finished: &(dyn Fn() + Sync)) -> Vec<Result<Estimate, Failure>> {
    let (mut cases, mut places, mut results) = (Vec::new(), Vec::new(), Vec::new());
    let read: Vec<_> = folders.par_iter().map(|folders| read(folders, job.control)).collect();
    for (place, case) in read.into_iter().enumerate() {
        match case {
            Ok(case) => {
                cases.push(case);
                places.push(place);
            }
            Err(failure) => {
                finished();
                results.push((place, Err(failure)));
            }
        }
    }
    let found = job.run_all(&cases, finished);
    let write = |(place, found): (usize, Result<Estimate, isobar_retrieval::Error>)| {
        let folders = &folders[place];
        (place, found.map_err(|error| placed(folders, job, error)).and_then(|estimate| write(folders, estimate, job)))
    };
    results.par_extend(places.into_par_iter().zip(found).map(write));
    results.sort_by_key(|result| result.0);
    results.into_iter().map(|result| result.1).collect()
}

/// What was known before, and what was measured.
fn read(folders: &Folders, control: &Control) -> Result<(Atmosphere, Observation), Failure> {
    let file = |name: &str| folders.from.join(name);
    Ok((read_atmosphere(&file("atm_apr.tab"), control)?, read_measurement(&file("obs_meas.tab"), control)?))
}

/// Says what of the files of a retrieval is not read.
fn warn_of_left_out(folders: &Folders, control: &Control) {
    let (before, measured) = (folders.from.join("atm_apr.tab"), folders.from.join("obs_meas.tab"));
    profile_warning(control, &before, &measured).into_iter().for_each(warn);
    atmosphere_remarks(&before, control).into_iter().for_each(warn);
    observation_remark(&measured, control).into_iter().for_each(warn);
}

fn write(folders: &Folders, estimate: Estimate, job: &Retrieval<'_>) -> Result<Estimate, Failure> {
    fs::create_dir_all(&folders.to).map_err(|cause| isobar_io::Error::Io {
        path: folders.to.clone(),
        action: "write",
        cause,
    })?;
    isobar_retrieval::files::write(&folders.to, &estimate, job.control, job.options.matrices)
        .map_err(|error| Failure::new(error.to_string()))?;
    Ok(estimate)
}

/// Says what the first binary file of results leaves out that leaves something out.
fn warn_of_lost(folders: &[Folders], results: &[Result<Estimate, Failure>], control: &Control) {
    let lost = |(folders, result): (&Folders, &Result<Estimate, Failure>)| {
        let lost = lost_in_binary(&result.as_ref().ok()?.atmosphere)?;
        Some(format!("{}: {lost}", folders.to.join("atm_final.tab").display()))
    };
    if control.atmosphere_format == ProfileFormat::Binary {
        folders.iter().zip(results).find_map(lost).into_iter().for_each(warn);
    }
}

/// Says which results of an earlier run lie beside those of this one, and where those of this one would be that failed.
fn warn_of_earlier(folders: &[Folders], results: &[Result<Estimate, Failure>], matrices: bool) {
    let of_one = |(folders, result): (&Folders, &Result<Estimate, Failure>)| -> Vec<(bool, PathBuf)> {
        let names: Vec<&str> = match result {
            Ok(estimate) => left_out(estimate, matrices).collect(),
            Err(_) => NAMES.to_vec(),
        };
        let paths = names.into_iter().map(|name| folders.to.join(name)).filter(|path| path.exists());
        paths.map(|path| (result.is_ok(), path)).collect()
    };
    let all: Vec<(bool, PathBuf)> = folders.iter().zip(results).flat_map(of_one).collect();
    for (wanted, place, why) in [
        (true, "beside the results", "ERR_ANA and WRITE_MATRIX of this run do not ask for them"),
        (false, "in the place of results", "the retrieval of this run failed"),
    ] {
        let mut earlier = all.iter().filter(|(ok, _)| *ok == wanted);
        if let Some((_, first)) = earlier.next() {
            let (count, first) = (1 + earlier.count(), first.display());
            warn(format!("{count} files of an earlier run lie {place}, first {first}: {why}"));
        }
    }
}

/// An error with the file of a folder, and where it has lines the line, that it is about.
fn placed(folders: &Folders, job: &Retrieval<'_>, error: isobar_retrieval::Error) -> Failure {
    let (name, row) = match subject(job, &error) {
        Subject::Named => return error.into(),
        Subject::Key(place) => return Failure::from(error).in_file(place),
        Subject::Before(row) => ("atm_apr.tab", row),
        Subject::Measured(row) => ("obs_meas.tab", row),
        Subject::Case => return Failure::from(error).in_file(folders.from.display()),
    };
    let path = folders.from.join(name);
    match row.and_then(|row| line_of_row(&path, row)) {
        Some(line) => Failure::from(error).in_file(isobar_io::Place::Line(path, line)),
        None => Failure::from(error).in_file(path.display()),
    }
}

/// The folders that the options name, in order.
fn folders(options: &Retrieve) -> Result<Vec<Folders>, Failure> {
    let mut from = options.folders.clone();
    if let Some(list) = &options.dirlist {
        let text = isobar_core::text::read_to_string(list).map_err(|cause| isobar_io::Error::Io {
            path: list.clone(),
            action: "read",
            cause,
        })?;
        let base = list.parent().unwrap_or(Path::new(""));
        from.extend(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| base.join(line)));
    }
    if from.is_empty() {
        return Err(Failure::usage("no retrieval is named: give --dir FOLDER or --dirlist FILE"));
    }
    let alone = from.len() == 1;
    let to = |(i, from): (usize, &PathBuf)| match &options.out {
        None => from.clone(),
        Some(out) if alone => out.clone(),
        Some(out) => out.join(i.to_string()),
    };
    let to: Vec<PathBuf> = from.iter().enumerate().map(to).collect();
    Ok(from.into_iter().zip(to).map(|(from, to)| Folders { from, to }).collect())
}

/// Says what became of all; a failure if there was one.
fn report(
    options: &Retrieve,
    names: &[String],
    results: &[Result<Estimate, Failure>],
    seconds: f64,
) -> Result<(), Failure> {
    let mut failed = Vec::new();
    for (name, result) in names.iter().zip(results) {
        match result {
            Ok(estimate) if !estimate.converged => warn(format!(
                "{name}: no convergence in {} iterations, cost {}",
                estimate.costs.len() - 1,
                estimate.costs.last().copied().unwrap_or(f64::NAN)
            )),
            Ok(_) => {}
            Err(failure) => failed.push(failure),
        }
    }
    let good = results.iter().flatten();
    let fits = Fits::of(names, results);
    fits.sentences().into_iter().for_each(warn);
    let converged = good.clone().filter(|estimate| estimate.converged).count();
    if !options.print.quiet() {
        tell!(
            "{} retrievals, {converged} converged, {} failed: {seconds:.3} s, {:.1} retrievals/s",
            results.len(),
            failed.len(),
            results.len() as f64 / seconds
        );
        if let [Ok(estimate)] = results {
            let (first, last) = (estimate.costs[0], estimate.costs[estimate.costs.len() - 1]);
            let (m, n) = (estimate.measurement.len(), estimate.state.len());
            let iterations = estimate.costs.len() - 1;
            tell!("{m} measured values, {n} elements: cost {first:.4} to {last:.4} in {iterations} iterations");
        }
    }
    if options.print.json() {
        let costs: Vec<_> = results.iter().map(|result| result.as_ref().ok().map(|e| e.costs.clone())).collect();
        let values: Vec<_> = results.iter().map(|result| result.as_ref().ok().map(|e| e.measurement.len())).collect();
        let chi_squared: Vec<_> =
            results.iter().map(|result| result.as_ref().ok().map(Estimate::chi_squared)).collect();
        let summary = json!({
            "retrievals": results.len(),
            "converged": converged,
            "failed": failed.len(),
            "costs": costs,
            "measured_values": values,
            "values_missing": fits.missing.0,
            "elements_at_limits": fits.at_limits.1,
            "chi_squared": chi_squared,
            "chi_squared_too_large": fits.too_large.0,
            "chi_squared_too_small": fits.too_small,
            "seconds": seconds,
        });
        crate::program::print::summary(summary);
    }
    failed.iter().for_each(|failure| failure.tell());
    match failed.first() {
        None => Ok(()),
        // Of one retrieval, or where all fail alike, the reason says more than that all failed.
        Some(first) if failed.len() == results.len() && failed.iter().all(|failure| failure.exit() == first.exit()) => {
            Err(Failure::told(if results.len() == 1 || first.exit() == Exit::Device {
                first.exit()
            } else {
                Exit::AllFailed
            }))
        }
        Some(_) => Failure::unless_all(failed.len(), results.len()),
    }
}
