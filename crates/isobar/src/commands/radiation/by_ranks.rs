//! A file that several processes compute, part by part (`--ranks`).

use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use isobar_io::netcdf::{DatasetWriter, Sample, file_stamp, is_zarr};
use isobar_io::{FilesInUse, Parts};
use isobar_launch::Device;
use isobar_radiation::AdjointPrecision;

use super::Work;
use super::in_parts::{ComputedPart, Computer, PartWriter};
use super::journal::Journal;
use super::sample_choices::SampleChoices;
use crate::commands::history_of_all_ranks;
use crate::commands::radiation_files::RadiationFiles;
use crate::commands::ranks::Part as Rank;
use crate::program::failure::Failure;
use crate::program::options::PrecisionOption;
use crate::program::pipeline::pipeline;
use crate::program::progress::Progress;
use crate::program::remarks::note;

/// The parts of a file, and which of them are this process's.
pub(super) struct Share {
    rank: Rank,
    parts: Parts,
}

impl Share {
    /// The share of a process, if there are several.
    pub(super) fn of(
        (files, samples): (&RadiationFiles, Option<&SampleChoices>),
        in_use: &mut FilesInUse,
    ) -> Result<Option<Self>, Failure> {
        let rank = match (files.ranks.part()?, samples) {
            (Some(rank), _) => rank,
            (None, Some(_)) => Rank::ALONE,
            (None, None) => return Ok(None),
        };
        if files.results.plot.path().is_some() {
            let option = if samples.is_some() { "--samples" } else { "--ranks" };
            return Err(Failure::usage(format!("--plot: a plot shows all columns, which {option} divides")));
        }
        let out = &files.results.out;
        if !out.metadata().map_or(true, |file| file.is_file() || is_zarr(out)) || *out == Path::new("-") {
            return Err(Failure::usage("--out: what is written part by part has to be a file".to_owned()));
        }
        DatasetWriter::check(out)?;
        in_use.writes("the unfinished output", &Journal::unfinished(out))?;
        in_use.writes("the list of its parts", &Journal::path(out))?;
        if let Some(parts) = samples.and_then(|samples| samples.parts(files.at_once())) {
            return Ok(Some(Self { rank, parts }));
        }
        let of = |most| Parts::of(&files.columns, files.vertical(), most);
        let parts = match of(files.at_once())? {
            Some(parts) => Some(parts),
            // As many parts as there are processes, if there are as many columns.
            None => match of(Some(1))? {
                Some(single) => of(Some(single.columns.div_ceil(rank.ranks())))?,
                None => None,
            },
        };
        let Some(parts) = parts else {
            return Err(Failure::usage("--ranks: the columns of the file are too few to be divided".to_owned()));
        };
        Ok(Some(Self { rank, parts }))
    }
}

/// In the precision that was asked for.
pub(super) fn solve_any(work: Work<'_>, share: &Share) -> Result<(), Failure> {
    let files = work.job.files;
    files.device.with_threads_telling(!files.print.quiet(), |devices| match files.device.precision {
        PrecisionOption::F32 => solve::<f32>(work, share, devices),
        PrecisionOption::F64 => solve::<f64>(work, share, devices),
    })
}

fn solve<R: AdjointPrecision + Sample>(work: Work<'_>, share: &Share, devices: &[Device]) -> Result<(), Failure> {
    let Share { rank, parts } = share;
    let files = work.job.files;
    let (quiet, out) = (files.print.quiet(), &files.results.out);
    let start = Instant::now();
    let journal = Journal::new(out, parts.all.len(), run_in_words(files, parts)?);
    // What a command is refused for is said before there is a list of its parts, which another could not go on with.
    let (mut computer, mut first) = (None, None);
    if journal.is_new()? {
        let ready = Computer::<R>::new(work, devices)?;
        let read = work.read_part(&parts.all[0])?;
        read.check(&work)?;
        first = Some(ready.compute(read)?);
        computer = Some(ready);
    }
    let first = Mutex::new(first);
    let mut state = journal.begin()?;
    if state.was_complete {
        let journal = Journal::path(out);
        note(quiet, format!("all parts are there already; without {} they are computed anew", journal.display()));
        return Ok(());
    }
    let own = (0..parts.all.len()).filter(|&number| rank.takes(number) && !state.written.contains_key(&number));
    let own: Vec<usize> = own.collect();
    let mut writer = PartWriter::new(work, devices);
    if !own.is_empty() {
        let computer = computer.map_or_else(|| Computer::<R>::new(work, devices), Ok)?;
        let progress = Progress::new(quiet, own.len() as u64, "parts");
        let mut file = DatasetWriter::shared(&Journal::unfinished(out))?;
        file.in_parts(&parts.dimension, parts.size);
        // The header is that of the first part, whoever's it is.
        let others = own.iter().copied().filter(|&number| number > 0);
        let order: Vec<usize> = std::iter::once(0).chain(others).collect();
        let mut done = 0;
        let write = |part: ComputedPart<'_, R>| {
            let (number, counts) = (order[done], part.counts());
            writer.write(part, &mut file)?;
            file.sync()?;
            if own.contains(&number) {
                state = journal.note(number, counts)?;
            }
            done += 1;
            progress.reach(done);
            Ok(())
        };
        // The first part may have been computed already.
        let is_there = first.lock().is_ok_and(|first| first.is_some());
        let read = |&number: &usize| {
            if number == 0 && is_there { Ok(None) } else { work.read_part(&parts.all[number]).map(Some) }
        };
        let there = || first.lock().ok().and_then(|mut first| first.take());
        let compute = |part: Option<_>| {
            let not_there = || Failure::new("the first part was computed twice".to_owned());
            part.map_or_else(|| there().ok_or_else(not_there), |part| computer.compute(part))
        };
        pipeline(&order, read, compute, write)?;
    }
    let (all, there, here) = (parts.all.len(), state.written.len(), own.len());
    match state.completed {
        Some(counts) if here > 0 => writer.report::<R>(parts, counts, start.elapsed().as_secs_f64()),
        Some(_) => {
            note(quiet, format!("all {all} parts were there: the file is complete"));
            Ok(())
        }
        None => {
            note(quiet, format!("{here} parts computed here, {there} of {all} are there: others complete the file"));
            Ok(())
        }
    }
}

/// What is computed, of what: what processes that share a file have in common.
fn run_in_words(files: &RadiationFiles, parts: &Parts) -> Result<String, Failure> {
    let mut text = format!("{} {}", history_of_all_ranks(), env!("CARGO_PKG_VERSION"));
    text += &format!(", {} parts along {}", parts.all.len(), parts.dimension);
    for path in &files.columns {
        text += &format!(", {} of {}", path.display(), file_stamp(path)?);
    }
    Ok(text.replace('\n', " "))
}
