//! `isobar run`: a column model from a case file: radiation, boundary layers and chemistry through the day, to NetCDF.

mod air;
mod block;
mod blocks;
mod case;
mod collected;
mod kept;
mod model;
mod number;
mod pace;
mod reader;
mod records;
mod report;
mod restart;
mod satellite;
mod setup;
mod sight;
mod species;
mod stop;
mod write;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use clap::Args;
use isobar_column::{Step, Transfers};
use isobar_io::netcdf::{NetcdfOutput, Sample};
use isobar_io::{AtomicFile, Error};
use isobar_launch::{Device, parse_devices, with_threads};

use super::progress::Progress;
use super::{DeviceOptions, Failure, PrecisionOption, copy_bandwidth};
use crate::case::warn;
use crate::plot;
use crate::team::share::devices_of;
use crate::team::{Member, Team};
use blocks::{Blocks, Spent};
use model::Model;
use pace::Pace;
use reader::CaseFile;
use report::Report;
use restart::Restart;
use sight::Sight;
use stop::Stop;

pub(crate) use records::Records;
pub(crate) use satellite::{Satellite, View};
pub(crate) use setup::Setup;

/// A precision of a run: that of the column model and of what a satellite sees.
pub(crate) trait Precision: isobar_column::Precision + isobar_ega::launch::Precision {}
impl Precision for f32 {}
impl Precision for f64 {}

/// The options of `isobar run`.
#[derive(Args, Debug)]
pub(crate) struct Run {
    /// The case, TOML: see data/column/case.toml
    case: PathBuf,
    /// Time series and profiles, NetCDF
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Also draw figures, SVG: FILE with -profiles, -day, -chemistry and -spectra before its ending
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Restart file, written every so often as the case says and when the run is stopped by SIGTERM or SIGINT; without
    /// it, the output's name with .restart before its ending
    #[arg(long, value_name = "FILE")]
    restart: Option<PathBuf>,
    /// Go on from a restart file of the same case
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceOptions,
    /// The most columns that a device has at a time; without it, as many as fit into its memory
    #[arg(long, value_name = "COLUMNS", value_parser = at_least_one)]
    at_once: Option<usize>,
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

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "it is not a whole number of 1 or more".into())
}

/// A path with something before the ending of its name.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    path.with_file_name(format!("{stem}{suffix}{ending}"))
}

pub(crate) fn run(run: &Run) -> Result<(), Failure> {
    with_threads(run.device.threads, || {
        let team = Team::join()?;
        let prepared = team.agree(Prepared::new(run, &team));
        team.end(prepared.and_then(|prepared| prepared.work(run, &team)))
    })?
}

/// The files that a run writes, begun.
struct Files {
    output: NetcdfOutput,
    plots: Vec<(PathBuf, AtomicFile)>,
}

/// What a process needs to know before it works.
struct Prepared {
    file: CaseFile,
    setup: Setup,
    devices: Vec<Device>,
    /// In the first process.
    files: Option<Files>,
    stop: Stop,
}

impl Prepared {
    fn new(run: &Run, team: &Team) -> Result<Self, Failure> {
        let (file, case) = CaseFile::read(&run.case)?;
        let tell = team.is_first() && !run.quiet;
        // A folder that cannot be written is refused before the work.
        let output = team.is_first().then(|| NetcdfOutput::create(&run.out)).transpose()?;
        let setup = Setup::new(&file, &case)?;
        if tell {
            setup.notes.iter().for_each(|note| eprintln!("{note}"));
        }
        let plots = if team.is_first() { plots(run, &setup)? } else { Vec::new() };
        let devices = own_devices(run.device.devices(tell)?, &run.device.device, team.neighbours())?;
        let files = output.map(|output| Files { output, plots });
        Ok(Self { file, setup, devices, files, stop: Stop::watch()? })
    }

    /// The whole run, on all devices of this process.
    fn work(self, run: &Run, team: &Team) -> Result<(), Failure> {
        let Self { file, setup, devices, files, stop } = self;
        let files = Mutex::new(files);
        let work = Work { run, file: &file, setup: &setup, stop: &stop, processes: team.processes() };
        team.work(&devices, |member, device| {
            let files = if member.is_first() { files.lock().expect("no member panics").take() } else { None };
            match run.device.precision {
                PrecisionOption::F32 => work.simulate::<f32>(member, device, files),
                PrecisionOption::F64 => work.simulate::<f64>(member, device, files),
            }
        })
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
fn plots(run: &Run, setup: &Setup) -> Result<Vec<(PathBuf, AtomicFile)>, Failure> {
    let Some(path) = &run.plot else { return Ok(Vec::new()) };
    let mut names = vec!["-profiles", "-day"];
    names.extend(setup.chemistry.is_some().then_some("-chemistry"));
    names.extend(setup.satellite.is_some().then_some("-spectra"));
    names
        .iter()
        .map(|name| {
            let path = with_suffix(path, name);
            let file = AtomicFile::create(&path)?;
            Ok((path, file))
        })
        .collect()
}

/// The doubles of a copy that measures a device: more than its caches hold.
fn copied(device: Device) -> usize {
    if device.is_cpu() { 1 << 24 } else { 1 << 26 }
}

/// A run, for every member the same.
struct Work<'a> {
    run: &'a Run,
    file: &'a CaseFile,
    setup: &'a Setup,
    stop: &'a Stop,
    processes: usize,
}

impl Work<'_> {
    fn simulate<R: Precision + Sample>(
        &self,
        member: &Member<'_>,
        device: Device,
        files: Option<Files>,
    ) -> Result<(), Failure> {
        let Self { run, setup, .. } = self;
        let columns = setup.columns();
        if columns < member.of() {
            let problem = format!("{columns} columns are too few for {} devices and processes", member.of());
            return member.agree(Err(Failure(problem)));
        }
        let start = || {
            let restart = Restart::new(setup, R::NAME)?;
            let model = Model::<R>::new(self.file, setup, device);
            let mut blocks = Blocks::new(model, &member.columns(columns), run.at_once)?;
            let mut records = Records::new(setup, &blocks)?;
            let mut first = 0;
            if let Some(path) = &run.resume {
                first = restart.read(path, member, &mut blocks, &mut records)?;
            } else {
                let kept = blocks.run(0..0, Some(&records.quantities()))?;
                records.add(kept.unwrap_or_default(), setup.start_s);
            }
            Ok((restart, blocks, records, first))
        };
        let (restart, mut blocks, mut records, first) = member.agree(start())?;
        let (start, before) = (Instant::now(), blocks.report().1);
        blocks.spent = Spent::default();
        let progress =
            Progress::new(run.quiet || !member.is_first(), columns as u64 * setup.steps, "columns and steps");
        let ended = self.steps(first, member, (&mut blocks, &mut records), &restart, &progress);
        drop(progress);
        ended?;
        let time = start.elapsed();
        let flags = member.agree(blocks.flags())?;
        let (stages, after) = blocks.report();
        let transfers =
            Transfers { to_device: after.to_device - before.to_device, to_host: after.to_host - before.to_host };
        let ran = (stages, transfers, blocks.spent);
        let whole = (setup.steps - first, time);
        // Its memory is what the copy is measured with.
        drop(blocks);
        let copy = (run.json || !run.quiet).then(|| copy_bandwidth(device, copied(device)).ok()).flatten();
        let report = Report::new(setup, (member, self.processes, device), ran, (&records, &flags), whole, copy);
        let (output, plots) = files.map_or((None, Vec::new()), |files| (Some(files.output), files.plots));
        let sight = setup.satellite.as_ref().map(|satellite| Sight::new(setup, satellite, member, &records));
        let sight = member.agree(sight.transpose())?;
        write::write(run, setup, device, (member, &records, flags), sight.as_ref(), output)?;
        let seen = sight.as_ref().and_then(|sight| sight.of_column(member, setup, plot::run::column(setup)));
        let shown =
            if run.plot.is_some() { records.of_columns(member, setup, &plot::run::columns(setup)) } else { None };
        member.agree(shown.map_or(Ok(()), |shown| finish(plots, setup, &shown, seen.as_deref())))?;
        if let Some(sight) = &sight {
            sight.tell(member);
        }
        if let Some(report) = report {
            self.tell(&report, R::NAME);
        }
        Ok(())
    }

    /// All steps that are left.
    fn steps<R: Precision + Sample>(
        &self,
        first: u64,
        member: &Member<'_>,
        (blocks, records): (&mut Blocks<'_, R>, &mut Records<R>),
        restart: &Restart,
        progress: &Progress,
    ) -> Result<(), Failure> {
        let setup = self.setup;
        let quantities = records.quantities();
        let mut pace = Pace::new(blocks.count());
        let mut done = first;
        while done < setup.steps {
            let every = [Some(setup.output_every), setup.restart_every, Some(setup.steps)];
            let end = pace.end(done, every.into_iter().flatten());
            let recorded = end.is_multiple_of(setup.output_every) || end == setup.steps;
            let start = Instant::now();
            let kept = blocks.run(done..end, recorded.then_some(&quantities[..]));
            let asked = f64::from(u8::from(self.stop.is_asked()));
            let kept = member.agree(kept)?;
            let [took, asked] = member.most([start.elapsed().as_secs_f64(), asked]);
            pace.took(end - done, took);
            done = end;
            progress.reach(setup.columns() * done as usize);
            if let Some(kept) = kept {
                let start = Instant::now();
                records.add(kept, Step::of_run(done, setup.start_s, setup.step_s).time_s);
                blocks.spent.output += start.elapsed();
            }
            let (stopped, due) = (asked > 0.0, setup.restart_every.is_some_and(|every| done.is_multiple_of(every)));
            if done < setup.steps && (due || stopped) {
                let start = Instant::now();
                restart.write(&self.run.restart(), done, member, blocks, records)?;
                blocks.spent.restart += start.elapsed();
            }
            if stopped && done < setup.steps {
                let path = self.run.restart();
                let words = format!(
                    "stopped by a signal after step {done} of {}: go on with --resume {}",
                    setup.steps,
                    path.display()
                );
                return member.agree(Err(Failure(words)));
            }
        }
        Ok(())
    }

    /// What the user should know at the end.
    fn tell(&self, report: &Report, precision: &str) {
        if report.flagged > 0 {
            warn(format!("{} of {} columns are flagged: see the variable flags", report.flagged, self.setup.columns()));
        }
        if report.clamps > 0.0 {
            warn(format!("radiation took {} values of water vapour below 0 for 0", report.clamps));
        }
        if !self.run.quiet {
            eprintln!("{}", report.text(precision));
        }
        if self.run.json {
            println!("{}", report.json(precision));
        }
    }
}

/// Draws the figures and gives them their names.
fn finish<R: Precision>(
    plots: Vec<(PathBuf, AtomicFile)>,
    setup: &Setup,
    records: &Records<R>,
    seen: Option<&[f64]>,
) -> Result<(), Failure> {
    let mut drawn = plot::run::draw(setup, records)?;
    if let (Some(satellite), Some(seen)) = (&setup.satellite, seen) {
        drawn.push(plot::run::spectra(satellite, &records.times, seen)?);
    }
    let mut done = Vec::new();
    for ((path, mut file), svg) in plots.into_iter().zip(drawn) {
        let failure = |cause| Error::Io { path: path.clone(), action: "write", cause };
        file.write_all(svg.as_bytes()).and_then(|()| file.flush()).map_err(failure)?;
        done.push(file);
    }
    Ok(done.into_iter().try_for_each(AtomicFile::commit)?)
}

#[cfg(all(test, not(feature = "mpi")))]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Options {
        #[command(flatten)]
        run: Run,
    }

    /// The demonstration for half an hour, with so many members on the CPU as if they were GPUs, and so many columns at
    /// once: the output and the restart file.
    fn files(case: &Path, members: usize, at_once: &str) -> [Vec<u8>; 2] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.nc");
        let options = ["run", case.to_str().unwrap(), "-o", out.to_str().unwrap(), "--quiet", "--at-once", at_once];
        let Options { run } = Options::parse_from(options);
        let team = Team::join().unwrap();
        let mut prepared = Prepared::new(&run, &team).unwrap();
        prepared.devices = vec![Device::Cpu; members];
        prepared.work(&run, &team).unwrap();
        [&out, &run.restart()].map(|path| std::fs::read(path).unwrap())
    }

    #[test]
    fn several_devices_and_columns_that_take_turns_change_no_byte() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let folder = tempfile::tempdir().unwrap();
        let text = std::fs::read_to_string(data.join("column/case.toml")).unwrap();
        let text = text.replacen("columns = 64", "columns = 7", 1).replacen("hours = 24.0", "hours = 0.5", 1);
        let text = text.replacen("restart_hours = 6", "restart_hours = 0.25", 1);
        let text = text.replacen("minutes = 30", "minutes = 10", 1).replacen("../longwave/", "", 1);
        let control = format!("{:?}", data.join("nadir/nadir.ctl"));
        let text = text.replacen("\"../nadir/nadir.ctl\"", &control, 1);
        let text = text.replacen("hours = [6.0, 14.0, 24.0]", "hours = [0.0, 0.5]", 1);
        let case = folder.path().join("case.toml");
        std::fs::write(&case, text).unwrap();
        for file in ["longwave/demonstration.kd", "column/ozone_nox.kpp"] {
            let file = data.join(file);
            std::fs::copy(&file, folder.path().join(file.file_name().unwrap())).unwrap();
        }
        let one = files(&case, 1, "7");
        for (members, at_once) in [(3, "7"), (1, "2"), (2, "3"), (7, "1")] {
            assert!(files(&case, members, at_once) == one, "{members} members, {at_once} columns at once");
        }
    }

    #[test]
    fn a_process_of_several_takes_its_own_gpu() {
        // Whoever names a number, or the CPU, gets it.
        for (name, device) in [("cpu", Device::Cpu), ("auto", Device::Cpu), ("cuda:1", Device::Cuda(1))] {
            assert_eq!(own_devices(vec![device], name, (1, 2)).unwrap(), [device]);
        }
        assert_eq!(own_devices(vec![Device::Cuda(0)], "cuda", (0, 1)).unwrap(), [Device::Cuda(0)]);
    }
}
