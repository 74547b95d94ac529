//! Which parts of a file are written: a text beside it that processes add to, one at a time.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use isobar_io::Error;
use isobar_io::netcdf::DatasetWriter;

use crate::commands::radiation_files::Counts;
use crate::program::failure::Failure;

/// The journal of a file that is not complete.
pub(super) struct Journal {
    /// The file with the results, when they are complete.
    out: PathBuf,
    /// Of how many parts it is.
    parts: usize,
    /// What is computed, of what: the same for all processes.
    run: String,
}

/// How far a run has come.
pub(super) struct State {
    /// The parts that are written, by number, with what is counted of them.
    pub(super) written: BTreeMap<usize, Counts>,
    /// What is counted of all of them, where the file has just become complete.
    pub(super) completed: Option<Counts>,
    /// Whether it was complete before.
    pub(super) was_complete: bool,
}

/// The last line of a journal.
const COMPLETE: &str = "complete";

impl Journal {
    pub(super) fn new(out: &Path, parts: usize, run: String) -> Self {
        Self { out: out.to_owned(), parts, run }
    }

    /// The results that are there so far.
    pub(super) fn unfinished(out: &Path) -> PathBuf {
        with(out, ".unfinished")
    }

    /// The journal of results.
    pub(super) fn path(out: &Path) -> PathBuf {
        with(out, ".parts")
    }

    /// Whether a run would begin anew, for there is no list of parts that it goes on with.
    pub(super) fn is_new(&self) -> Result<bool, Failure> {
        let path = Self::path(&self.out);
        let Some(mut file) = File::open(&path).map(Some).or_else(none_if_missing(&path))? else { return Ok(true) };
        let fail = |cause| failure(&path, "read", cause);
        file.lock_shared().map_err(fail)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(fail)?;
        Ok(!self.goes_on(&text))
    }

    /// Whether a run goes on with what a list has, or with another run's that is not complete, which is refused.
    fn goes_on(&self, text: &str) -> bool {
        let is_this = text.lines().next().is_some_and(|run| run == self.run);
        let was_complete = text.lines().last() == Some(COMPLETE);
        !text.is_empty() && (!was_complete || (is_this && self.out.exists()))
    }

    /// Begins a run or goes on with it.
    pub(super) fn begin(&self) -> Result<State, Failure> {
        self.locked(None)
    }

    /// Notes that a part is written, with what is counted of it.
    pub(super) fn note(&self, number: usize, counts: Counts) -> Result<State, Failure> {
        self.locked(Some((number, counts)))
    }

    /// Reads the journal and adds a part, while no other process does; with the last part the results get their name.
    ///
    /// The journal stays: a process that comes when all is done finds it.
    fn locked(&self, part: Option<(usize, Counts)>) -> Result<State, Failure> {
        let [path, unfinished] = [Self::path(&self.out), Self::unfinished(&self.out)];
        let fail = |cause| failure(&path, "write", cause);
        let mut file = File::options().read(true).append(true).create(true).open(&path).map_err(fail)?;
        file.lock().map_err(fail)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(fail)?;
        let is_this = text.lines().next().is_some_and(|run| run == self.run);
        let was_complete = text.lines().last() == Some(COMPLETE);
        let goes_on = self.goes_on(&text);
        if !goes_on {
            // What an earlier run has left is none of this one's.
            DatasetWriter::clear_shared(&unfinished)?;
            file.set_len(0).map_err(fail)?;
            text = format!("{}\n", self.run);
            file.write_all(text.as_bytes()).map_err(fail)?;
        } else if !is_this {
            let problem = format!(
                "{} lists parts of another run, {:?}, and this is {:?}: remove it, or finish that one",
                path.display(),
                text.lines().next().unwrap_or_default(),
                self.run
            );
            return Err(Failure::new(problem));
        }
        let mut written = BTreeMap::new();
        for line in text.lines().skip(1).filter(|line| *line != COMPLETE) {
            let damaged = || Failure::new(format!("{}: {line:?} is no part: remove the file", path.display()));
            let (number, counts) = part_of(line).ok_or_else(damaged)?;
            written.insert(number, counts);
        }
        if let Some((number, counts @ Counts { failed, masked, outside, low_suns })) = part {
            let line =
                format!("part {number}: {failed} failed, {masked} masked, {outside} outside, {low_suns} low suns\n");
            file.write_all(line.as_bytes()).map_err(fail)?;
            written.insert(number, counts);
        }
        let mut state = State { written, completed: None, was_complete: goes_on && was_complete };
        if !state.was_complete && state.written.len() == self.parts {
            DatasetWriter::finish_shared(&unfinished, &self.out)?;
            file.write_all(format!("{COMPLETE}\n").as_bytes()).map_err(fail)?;
            let mut all = Counts::default();
            state.written.values().for_each(|counts| all.add(*counts));
            state.completed = Some(all);
        }
        file.sync_data().map_err(fail)?;
        Ok(state)
    }
}

/// `part 3: 0 failed, 2 masked, 0 outside, 0 low suns`.
fn part_of(line: &str) -> Option<(usize, Counts)> {
    let (number, counts) = line.strip_prefix("part ")?.split_once(": ")?;
    let (failed, rest) = counts.strip_suffix(" low suns")?.split_once(" failed, ")?;
    let (masked, rest) = rest.split_once(" masked, ")?;
    let (outside, low_suns) = rest.split_once(" outside, ")?;
    let [failed, masked, outside, low_suns] = [failed, masked, outside, low_suns].map(|text| text.parse().ok());
    Some((number.parse().ok()?, Counts { failed: failed?, masked: masked?, outside: outside?, low_suns: low_suns? }))
}

/// Nothing of a file that is not there.
fn none_if_missing<T>(path: &Path) -> impl FnOnce(io::Error) -> Result<Option<T>, Failure> {
    move |cause| match cause.kind() {
        io::ErrorKind::NotFound => Ok(None),
        _ => Err(failure(path, "read", cause)),
    }
}

fn with(out: &Path, ending: &str) -> PathBuf {
    // Without the slash that may end the name of a folder.
    let mut name = out.components().as_path().as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn failure(path: &Path, action: &'static str, cause: io::Error) -> Failure {
    Failure::from(Error::Io { path: path.to_owned(), action, cause })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const NONE: Counts = Counts { failed: 0, masked: 0, outside: 0, low_suns: 0 };

    #[test]
    fn lines_are_found_again() {
        let counts = Counts { failed: 3, masked: 4, outside: 5, low_suns: 6 };
        assert_eq!(part_of("part 12: 3 failed, 4 masked, 5 outside, 6 low suns"), Some((12, counts)));
        for line in [
            "",
            "part 12: 3 failed, 4",
            "part x: 3 failed, 4 masked, 5 outside, 6 low suns",
            "part 1: 3 failed, 4 masked",
        ] {
            assert_eq!(part_of(line), None, "{line:?}");
        }
    }

    #[test]
    fn the_last_part_completes_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.nc");
        let of = |run: &str| Journal::new(&out, 2, run.to_owned());
        assert!(of("this").is_new().unwrap() && !Journal::path(&out).exists());
        assert!(of("this").begin().unwrap().written.is_empty());
        fs::write(Journal::unfinished(&out), b"results").unwrap();
        assert!(!of("this").is_new().unwrap() && !of("that").is_new().unwrap());
        let state = of("this").note(1, Counts { failed: 1, masked: 0, outside: 7, low_suns: 2 }).unwrap();
        assert!(state.completed.is_none() && !out.exists());
        let other = of("that").begin().err().unwrap().to_string();
        assert!(other.contains("lists parts of another run, \"this\", and this is \"that\""), "{other}");
        // Of what was written before nothing is lost.
        let state = of("this").note(0, Counts { failed: 2, masked: 5, outside: 1, low_suns: 0 }).unwrap();
        assert_eq!(state.completed, Some(Counts { failed: 3, masked: 5, outside: 8, low_suns: 2 }));
        assert_eq!(fs::read(&out).unwrap(), b"results");
        // Who comes late finds all there; another run begins anew.
        let state = of("this").begin().unwrap();
        assert!(state.was_complete && state.completed.is_none());
        let state = of("that").begin().unwrap();
        assert!(!state.was_complete && state.written.is_empty());
        of("that").note(0, NONE).unwrap();
        assert!(of("that").note(1, NONE).unwrap().completed.is_some());
        fs::remove_file(&out).unwrap();
        assert!(of("that").begin().unwrap().written.is_empty());
    }
}
