//! The run itself: on every device of every process the same program, on its own columns.

use std::sync::Mutex;
use std::time::Instant;

use isobar_column::limits::WORDS;
use isobar_column::{Step, Transfers};
use isobar_core::Status;
use isobar_io::AtomicFile;
use isobar_io::netcdf::DatasetWriter;
use isobar_launch::Device;

use super::blocks::{Blocks, Spent};
use super::case::Case;
use super::copy::copy_bandwidth;
use super::error::Error;
use super::memory::Memory;
use super::model::Model;
use super::options::{Options, Outcome};
use super::pace::Pace;
use super::precision::Precision;
use super::reader::CaseFile;
use super::records::{Records, of_columns};
use super::report::Report;
use super::restart::Restart;
use super::setup::Setup;
use super::sight::Sight;
use super::team::{Member, Team};
use super::write;

/// Runs a case in this process, in the precision `R`.
///
/// The result does not depend on the devices, their number, or how many columns they have at a time.
///
/// # Errors
/// Those of [`Case::prepare`]; [`Error::NoColumn`] and [`Error::TooFewColumns`] if the options do not fit the case;
/// [`Error::Memory`] if it takes more memory than there is; [`Error::Stopped`] if the run was asked to stop; errors of
/// devices and files.
///
/// # Panics
/// If a device's kernel does. With several devices the process ends instead, with the exit code 101.
pub fn run<R: Precision>(case: &mut Case, options: &Options<'_>) -> Result<Outcome<R>, Error> {
    run_in(&Team::alone(), case, options)?.ok_or(Error::Elsewhere)
}

/// Runs a case in all processes of a team, each of which has to call this with the same case and, devices aside, the
/// same options. What comes of it is in the first process, which writes the files; in the others there is nothing.
///
/// # Errors
/// Those of [`run`] in the first process, and [`Error::Elsewhere`] in all others.
///
/// # Panics
/// As [`run`].
pub fn run_in<R: Precision>(team: &Team, case: &mut Case, options: &Options<'_>) -> Result<Option<Outcome<R>>, Error> {
    let mut warnings = Vec::new();
    let mut begin = || {
        let setup = case.prepare(&mut |warning| warnings.push(warning))?;
        let kept = kept(options, setup.columns())?;
        Memory::new(&setup, size_of::<R>(), team).check()?;
        if team.is_first() {
            options.check_files(&setup)?;
        }
        // A folder that cannot be written is refused before the work.
        let output = options.output.as_deref().filter(|_| team.is_first());
        Ok((setup, kept, output.map(DatasetWriter::create).transpose()?))
    };
    let (setup, kept, output) = team.agree::<_, Error>(begin())?;
    let output = Mutex::new(output);
    let work = Work { options, file: &case.file, setup: &setup, kept: &kept, processes: team.processes() };
    let devices = if options.devices.is_empty() { &[Device::Cpu][..] } else { &options.devices };
    let results = team.work(devices, |member, device| {
        let output = if member.is_first() { output.lock().expect("no member panics").take() } else { None };
        work.simulate::<R>(member, device, output)
    })?;
    Ok(results.map(|Results { records, flags, radiance, report, warnings: more }| {
        warnings.extend(more);
        Outcome { setup, columns: kept, records, flags, radiance, report, warnings }
    }))
}

/// The numbers of the columns whose results are wanted, in ascending order.
fn kept(options: &Options<'_>, columns: usize) -> Result<Vec<usize>, Error> {
    let mut kept = options.columns.clone().unwrap_or_else(|| (0..columns).collect());
    kept.sort_unstable();
    kept.dedup();
    match kept.last() {
        Some(&column) if column >= columns => Err(Error::NoColumn { column, columns }),
        _ => Ok(kept),
    }
}

/// The doubles of a copy that measures a device: more than its caches hold.
fn copied(device: Device) -> usize {
    if device.is_cpu() { 1 << 24 } else { 1 << 26 }
}

/// What comes of a run at the first member.
struct Results<R> {
    records: Records<R>,
    flags: Vec<u32>,
    radiance: Option<Vec<f64>>,
    report: Report,
    warnings: Vec<String>,
}

/// A run, for every member the same.
struct Work<'a> {
    options: &'a Options<'a>,
    file: &'a CaseFile,
    setup: &'a Setup,
    kept: &'a [usize],
    processes: usize,
}

impl Work<'_> {
    fn simulate<R: Precision>(
        &self,
        member: &Member<'_>,
        device: Device,
        output: Option<DatasetWriter>,
    ) -> Result<Option<Results<R>>, Error> {
        let Self { options, setup, kept, .. } = *self;
        let columns = setup.columns();
        if columns < member.of() {
            return member.agree(Err(Error::TooFewColumns { columns, members: member.of() }));
        }
        let start = || {
            let restart = Restart::new(setup, R::NAME)?;
            let model = Model::<R>::new(self.file, setup, device);
            let mut blocks = Blocks::new(model, &member.columns(columns), options.at_once)?;
            let mut records = Records::new(setup, &blocks)?;
            let mut first = 0;
            if let Some(path) = &options.resume {
                first = restart.read(path, member, &mut blocks, &mut records)?;
            } else {
                blocks.begin(&mut records.fields)?;
                records.times.push(setup.start_s);
            }
            Ok::<_, Error>((restart, blocks, records, first))
        };
        let (restart, mut blocks, mut records, first) = member.agree(start())?;
        let (start, before) = (Instant::now(), blocks.report().1);
        blocks.spent = Spent::default();
        let mut untold = Vec::new();
        let mut tell = |warning: String| match options.warn {
            _ if !member.is_first() => {}
            Some(warn) => warn(warning),
            None => untold.push(warning),
        };
        self.steps(first, member, (&mut blocks, &mut records), &restart, &mut tell)?;
        let time = start.elapsed();
        let mut words = member.agree(blocks.words())?;
        let own = member.columns(columns);
        let masked: Vec<usize> =
            setup.masked.iter().filter(|column| own.contains(column)).map(|column| column - own.start).collect();
        records.leave_out(&masked, own.len());
        for (number, words) in words.chunks_mut(own.len()).enumerate() {
            let word = if number == 0 { Status::NOT_COMPUTED.0 } else { 0 };
            masked.iter().for_each(|&column| words[column] = word);
        }
        let flags = words[..words.len() / WORDS].to_vec();
        let (stages, after) = blocks.report();
        let transfers =
            Transfers { to_device: after.to_device - before.to_device, to_host: after.to_host - before.to_host };
        let ran = (stages, transfers, blocks.spent);
        let whole = (setup.steps - first, time);
        // Its memory is what the copy is measured with.
        drop(blocks);
        let copy = options.measure_copy.then(|| copy_bandwidth(device, copied(device)).ok()).flatten();
        let report = Report::new(setup, (member, self.processes, device), ran, (&records, &words), whole, copy);
        let sight = setup.satellite.as_ref().map(|satellite| Sight::new(setup, satellite, member, &records));
        let sight = member.agree(sight.transpose())?;
        if options.output.is_some() {
            write::write(setup, device, (member, &records, &words), sight.as_ref(), output)?;
        }
        let radiance = sight.as_ref().map(|sight| of_columns(member, columns, kept, &sight.radiance));
        let mut warnings = sight.as_ref().map(|sight| sight.warnings(member)).unwrap_or_default();
        let records = records.of_columns(member, columns, kept);
        let flags = of_columns(member, columns, kept, &flags);
        let (Some(report), Some(records), Some(flags)) = (report, records, flags) else { return Ok(None) };
        warnings.extend(untold);
        warnings.extend(report.warnings());
        Ok(Some(Results { records, flags, radiance: radiance.flatten(), report, warnings }))
    }

    /// All steps that are left.
    fn steps<R: Precision>(
        &self,
        first: u64,
        member: &Member<'_>,
        (blocks, records): (&mut Blocks<'_, R>, &mut Records<R>),
        restart: &Restart,
        tell: &mut dyn FnMut(String),
    ) -> Result<(), Error> {
        let Self { options, setup, .. } = *self;
        // What a folder lacks is known before the work; the run goes on all the same.
        let saves = setup.restart_every.is_some() || options.stop.is_some();
        if let Some(path) = options.restart.as_deref().filter(|_| saves && member.is_first())
            && let Err(why) = AtomicFile::check(path)
        {
            tell(format!("{why}: there will be no restart file"));
        }
        let mut saved = options.resume.clone().map(|path| (path, first));
        let mut problem = None;
        let reach = |done: u64| {
            if let Some(progress) = options.progress.filter(|_| member.is_first()) {
                let columns = setup.columns() as u64;
                progress(columns * done, columns * setup.steps);
            }
        };
        // Columns of some members may take turns, and those of others not: all keep the same pace.
        let [turns] = member.most([blocks.count() as f64]);
        let mut pace = Pace::new(turns as usize);
        let mut done = first;
        reach(done);
        while done < setup.steps {
            let every = [Some(setup.output_every), setup.restart_every, Some(setup.steps)];
            let end = pace.end(done, every.into_iter().flatten());
            let recorded = end.is_multiple_of(setup.output_every) || end == setup.steps;
            let start = Instant::now();
            let ran = blocks.run(done..end, recorded.then_some(&mut records.fields[..]));
            let asked = f64::from(u8::from(options.stop.is_some_and(|stop| stop())));
            if ran.is_err()
                && let Some((path, step)) = &saved
            {
                tell(format!("the last restart file is {}, after step {step}", path.display()));
            }
            member.agree(ran)?;
            let [took, asked] = member.most([start.elapsed().as_secs_f64(), asked]);
            pace.took(end - done, took);
            done = end;
            reach(done);
            if recorded {
                records.times.push(Step::of_run(done, setup.start_s, setup.step_s).time_s);
            }
            let (stopped, due) = (asked > 0.0, setup.restart_every.is_some_and(|every| done.is_multiple_of(every)));
            if let Some(path) = options.restart.as_deref().filter(|_| done < setup.steps && (due || stopped)) {
                let start = Instant::now();
                problem = restart.write(path, done, member, blocks, records)?;
                blocks.spent.restart += start.elapsed();
                match &problem {
                    None => saved = Some((path.to_owned(), done)),
                    // Whoever stops it is told by the error.
                    Some(why) if !stopped => {
                        let last = saved.as_ref().map(|(path, step)| format!("{}, after step {step}", path.display()));
                        let last = last.unwrap_or_else(|| "none".into());
                        tell(format!("{why}: no restart file after step {done}, the last is {last}; the run goes on"));
                    }
                    Some(_) => {}
                }
            }
            if stopped && done < setup.steps {
                return member.agree(Err(Error::Stopped { step: done, steps: setup.steps, restart: saved, problem }));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// The output and the restart file of a case whose `members` members are on the CPU as if they were GPUs, with
    /// `at_once` columns at once.
    fn files(case: &Path, members: usize, at_once: usize) -> [Vec<u8>; 2] {
        let folder = tempfile::tempdir().unwrap();
        let [output, restart] = ["out.nc", "restart.nc"].map(|name| folder.path().join(name));
        let options = Options {
            devices: vec![Device::Cpu; members],
            at_once: Some(at_once),
            output: Some(output.clone()),
            restart: Some(restart.clone()),
            ..Options::default()
        };
        run::<f64>(&mut Case::open(case).unwrap(), &options).unwrap();
        [output, restart].map(|path| std::fs::read(path).unwrap())
    }

    #[test]
    fn several_devices_and_columns_that_take_turns_change_no_byte() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let folder = tempfile::tempdir().unwrap();
        let text = std::fs::read_to_string(data.join("column/case.toml")).unwrap();
        let text = text.replacen("columns = 64", "columns = 7", 1).replacen("hours = 24.0", "hours = 0.5", 1);
        let text = text.replacen("restart_hours = 6", "restart_hours = 0.25", 1);
        let text = text.replacen("minutes = 30", "minutes = 10", 1).replace("../radiation/", "");
        // Clouds, too, whose sub-columns are others in each step.
        let cloud = "[[clouds.layers]]\nbase_m = 1000.0\ntop_m = 2500.0\nfraction = [0.2, 0.8]\n\
                     liquid_path_g_per_m2 = 60.0\n";
        let text = format!("{text}\n{cloud}");
        let control = format!("{:?}", data.join("nadir/nadir.ctl"));
        let text = text.replacen("\"../nadir/nadir.ctl\"", &control, 1);
        let text = text.replacen("hours = [6.0, 14.0, 24.0]", "hours = [0.0, 0.5]", 1);
        let case = folder.path().join("case.toml");
        std::fs::write(&case, text).unwrap();
        for wave in ["longwave-32", "longwave-32-clouds", "shortwave-32", "shortwave-32-clouds"] {
            let name = format!("ecckd-{wave}.nc");
            std::fs::copy(data.join("radiation").join(&name), folder.path().join(name)).unwrap();
        }
        std::fs::copy(data.join("column/ozone_nox.kpp"), folder.path().join("ozone_nox.kpp")).unwrap();
        let one = files(&case, 1, 7);
        for (members, at_once) in [(3, 7), (1, 2), (2, 3), (7, 1)] {
            assert!(files(&case, members, at_once) == one, "{members} members, {at_once} columns at once");
        }
    }
}
