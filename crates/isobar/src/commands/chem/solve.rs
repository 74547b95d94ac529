//! The run of `isobar chem`: cells through all intervals, what is kept on the way, and what is said at the end.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use isobar::plot;
use isobar_io::chemistry::Series;
use isobar_io::netcdf::Remarks;
use isobar_io::{AtomicFile, ChemistryInput};
use isobar_kpp::Mechanism;
use isobar_launch::{Device, Error as LaunchError};
use serde_json::json;

use super::budget::Budgets;
use super::clock::Clock;
use super::restart::Restart;
use super::run::{Negatives, Run, Work};
use super::{Chem, account, memory, write};
use crate::commands::stop::Stop;
use crate::commands::{counted, json_summary, with_remarks};
use crate::program::failure::{Exit, Failure};
use crate::program::output::ResultOutput;
use crate::program::progress::{Progress, patiently};
use crate::program::remarks::warn;

pub(super) fn solve(
    chem: &Chem,
    mechanism: &Mechanism,
    (mut options, budgets): (isobar_rosenbrock::Options, Budgets),
    input: &ChemistryInput,
    devices: &[Device],
    (cells, out): (&[PathBuf], &Path),
    output: ResultOutput,
) -> Result<(), Failure> {
    write::check_names(mechanism, input)?;
    let clock = chem.clock(mechanism, input)?;
    if options.reduction.is_some() && !budgets.all.is_empty() {
        let of_model = " (which --reduce or the cells' files ask for)";
        return Err(Failure::usage(format!(
            "--budget: extents of reactions are not counted with autoreduction{of_model}"
        )));
    }
    if let Some(rates) = chem.choices.changing_rates().filter(|_| input.rate_constants.is_some()) {
        return Err(Failure::usage(format!(
            "--rates {rates}: rate constants are given by the cells, so they cannot change within an interval"
        )));
    }
    chem.tell_no_effect((mechanism, &options), &clock);
    tell_of_times(mechanism, input, &clock);
    if options.method == isobar_rosenbrock::Method::Rang3 {
        warn("rang3 does not see errors of what is linear (decay, photolysis): there tolerances bound nothing");
    }
    options.counted_reactions.clone_from(&budgets.counted);
    let name = chem.mechanism().file_name().unwrap_or_default().to_string_lossy().into_owned();
    let reduced = chem.choices.reduced(&options);
    let (carried, retries) = (chem.choices.carried(), chem.choices.retries(&options, mechanism)?);
    let work = Work { name, mechanism, options, input, clock, carried, reduced, retries, budgets, out };
    memory::check(&work, !chem.print.quiet())?;
    let mut run = patiently(chem.print.quiet(), "starting the cells", || Run::new(&work))?;
    let restart = Restart::new(&work, cells);
    if let Some(path) = &chem.restarts.resume {
        patiently(chem.print.quiet(), "reading the restart file", || restart.read(path, &mut run))?;
    }
    let before = (run.intervals, run.steps());
    let path = chem.restarts.restart(out);
    let mut saved = chem.restarts.resume.clone().map(|path| (path, run.intervals));
    let stop = Stop::watch()?;
    // What a folder lacks is known before the work; the run goes on all the same.
    if let Err(why) = AtomicFile::check(&path) {
        warn(format!("{why}: there will be no restart file"));
    }
    let progress = Arc::new(Progress::new(
        chem.print.quiet(),
        (input.cells as u64).saturating_mul(clock.intervals()),
        "cells and intervals",
    ));
    let bar = progress.clone();
    let start = Instant::now();
    let interrupted = run.go_on(
        &work,
        devices,
        stop.flag(),
        move |done| bar.reach(done as usize),
        |run| {
            if chem.restart_hours.is_some_and(|hours| is_due(&clock, run.intervals, hours)) {
                match restart.write(&path, run) {
                    Ok(()) => saved = Some((path.clone(), run.intervals)),
                    Err(why) => warn(format!("{why}: no restart file; the run goes on")),
                }
            }
        },
    )?;
    let seconds = start.elapsed().as_secs_f64();
    drop(progress);
    let stopped = interrupted.map(|why| {
        let problem = patiently(chem.print.quiet(), "writing the restart file", || restart.write(&path, &run)).err();
        if problem.is_none() {
            saved = Some((path.clone(), run.intervals));
        }
        stopped(&why, &run, &clock, saved.as_ref(), problem)
    });
    run.write_failures(&work)?;
    if let Some(what) = run.retried.describe(&work.retries) {
        warn(what);
    }
    let failed = run.status.iter().filter(|&&status| status != 0).count();
    if failed > 0 {
        warn(format!("{failed} of {} cells failed; the first: {}", input.cells, run.first_failure(out)));
    }
    if let Some(Negatives { count, worst, time_s }) = &run.negative {
        warn(format!(
            "{} below minus the tolerance at ends of intervals; the worst: {} in cell {} at {time_s} s: {:e} molecule \
             cm-3",
            counted(*count as usize, "concentration"),
            mechanism.species()[worst.species].name,
            worst.cell,
            worst.value
        ));
    }
    let draw = || plot::chem::draw(mechanism, &run.times, &run.concentrations, input.cells);
    output.write(chem.print.quiet(), draw, |file| write::write(chem, &work, devices, &run, cells, file))?;
    if let Some(stopped) = stopped {
        return Err(stopped);
    }
    if !chem.print.quiet() {
        let names = devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let (intervals, steps) = (run.intervals - before.0, run.steps() - before.1);
        let computed = input.cells as f64 * intervals as f64;
        tell!(
            "{} cells, {} species, {} reactions, {intervals} intervals on {names}: {seconds:.3} s, {:.0} cells/s an \
             interval, {:.1} steps",
            input.cells,
            mechanism.species().len(),
            mechanism.reactions().len(),
            computed / seconds,
            steps as f64 / computed,
        );
        if !chem.print.json() {
            account::table(&work, &run).iter().for_each(|line| print_line!("{line}"));
        }
    }
    if chem.print.json() {
        let remarks = Remarks { clamped: input.clamped.clone(), not_read: input.unused.clone() };
        let summary = json_summary(("cells", input.cells), failed, devices, seconds, out);
        let mut summary = with_remarks(summary, &input.derived, &remarks);
        summary["below_tolerance"] = match &run.negative {
            None => json!({ "count": 0 }),
            Some(Negatives { count, worst, time_s }) => json!({
                "count": count,
                "worst": {
                    "species": mechanism.species()[worst.species].name,
                    "cell": worst.cell,
                    "time_s": time_s,
                    "value_per_cm3": worst.value,
                },
            }),
        };
        if !work.budgets.all.is_empty() {
            summary["budgets"] = account::json(&work, &run);
        }
        crate::program::print::summary(summary);
    }
    Failure::unless_all(failed, input.cells)
}

/// Says what the file's times do not reach, and what is not read of them.
fn tell_of_times(mechanism: &Mechanism, input: &ChemistryInput, clock: &Clock) {
    let fixed = &input.concentrations[mechanism.variable()..];
    let conditions = input.inputs.iter().chain(&input.rate_constants).chain(fixed);
    if let (Some(&first), Some(&last)) = (input.times.first(), input.times.last())
        && conditions.into_iter().any(Series::changes)
    {
        let ends = [clock.start_s, clock.at(clock.intervals() - 1)];
        if ends[0] < first || ends[1] > last {
            warn(format!(
                "intervals start from {} to {} s, and the file's times are {first} to {last} s: its first and last \
                 values hold beyond",
                ends[0], ends[1]
            ));
        }
    }
    if input.times.last().is_none_or(|&last| last <= clock.start_s) {
        return;
    }
    let reacting = mechanism.species()[..mechanism.variable()].iter().zip(&input.at_times);
    let names = reacting.filter(|(_, several)| **several).map(|(species, _)| species.name.as_str());
    let names: Vec<&str> = names.collect();
    if let Some(first) = names.first() {
        let others = if names.len() > 1 { format!(" and {} others", names.len() - 1) } else { String::new() };
        warn(format!("{first}{others}: of the file's times only the start is read; from there on reactions change it"));
    }
}

/// Does a multiple of `hours` lie in the last of the intervals that are done?
fn is_due(clock: &Clock, done: u64, hours: f64) -> bool {
    // Roundings of times are far below a millionth of the distance.
    let multiples = |number: u64| ((clock.at(number) - clock.start_s) / (3600.0 * hours) + 1e-6).floor();
    multiples(done) > multiples(done - 1)
}

/// In words what becomes of a run that a signal or a device has stopped.
fn stopped(
    why: &LaunchError,
    run: &Run,
    clock: &Clock,
    saved: Option<&(PathBuf, u64)>,
    problem: Option<Failure>,
) -> Failure {
    let (why, exit) = match why {
        // What cannot be resumed for want of a file fails as one that cannot be written.
        LaunchError::Stopped => {
            ("stopped by a signal".into(), if saved.is_some() { Exit::Stopped } else { Exit::Input })
        }
        device => (device.to_string(), Exit::Device),
    };
    let after = format!("{why} after interval {} of {}", run.intervals, clock.intervals());
    let problem = problem.map(|why| format!(", which could not be saved ({why})")).unwrap_or_default();
    let text = match saved {
        Some((path, saved)) if *saved == run.intervals => {
            format!("{after}; what is finished is written: go on with --resume {}", path.display())
        }
        Some((path, saved)) => {
            format!("{after}{problem}: go on from interval {saved} with --resume {}", path.display())
        }
        None => format!("{after}{problem}: there is no restart file, and the run has to begin anew"),
    };
    Failure::of(exit, text)
}
