//! What is odd about records of lists: it is counted by its kind, and does not keep the others from being used.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::SpectraError;
use crate::limits::{ENOUGH_RECORDS, MOST_PERCENT};

/// A kind of odd record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Odd {
    /// No width by air: HITRAN 2020 has such lines of O2 in the ultraviolet. They are Doppler lines, widened by the gas
    /// itself where that width is known.
    NoAirWidth,
    /// A record of 160 columns that stands a second time, with all its quantum numbers: where two lists were put
    /// together that overlap.
    Repeated,
    /// A state a rounding below the ground state.
    RoundedEnergy,
    /// The energy of the lower state is unknown, and such lines are to be left out.
    UnknownEnergy,
    /// A transition between states of one energy, which has no line.
    NoTransitionEnergy,
    /// The upper state lies below the lower one.
    Inverted,
    /// A state that the list does not have, or that is odd itself.
    NoState,
    /// A state below the ground state, or of no degeneracy.
    BadState,
    /// A position that is not above 0.
    BadPosition,
    /// A negative intensity or Einstein's A.
    BadIntensity,
    /// A negative width.
    BadWidth,
    /// A number that is not finite, or far from what any line has.
    Absurd,
    /// A molecule or isotopologue that is not known here.
    UnknownMolecule,
}

impl Odd {
    /// Is the record used all the same?
    fn is_taken(self) -> bool {
        matches!(self, Self::NoAirWidth | Self::Repeated | Self::RoundedEnergy)
    }

    /// Is the record right as it is, or left out by the caller's choice: does it say nothing against the list?
    fn is_harmless(self) -> bool {
        self.is_taken() || matches!(self, Self::UnknownEnergy | Self::NoTransitionEnergy)
    }

    /// What is odd, in words: for one record, and for several.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::NoAirWidth => ("line without a width by air", "lines without a width by air"),
            Self::Repeated => ("record that stands twice", "records that stand twice"),
            Self::RoundedEnergy => ("state a rounding below 0 cm^-1", "states a rounding below 0 cm^-1"),
            Self::UnknownEnergy => ("line without known lower energy", "lines without known lower energy"),
            Self::NoTransitionEnergy => {
                ("transition between states of one energy", "transitions between states of one energy")
            }
            Self::Inverted => ("transition to a lower state", "transitions to lower states"),
            Self::NoState => ("transition of a state that is not there", "transitions of states that are not there"),
            Self::BadState => {
                ("state of negative energy or no degeneracy", "states of negative energy or no degeneracy")
            }
            Self::BadPosition => ("line whose position is not above 0", "lines whose positions are not above 0"),
            Self::BadIntensity => ("line of negative intensity", "lines of negative intensity"),
            Self::BadWidth => ("line of negative width", "lines of negative widths"),
            Self::Absurd => ("line with a number that no line has", "lines with numbers that no line has"),
            Self::UnknownMolecule => ("line of an unknown molecule", "lines of unknown molecules"),
        }
    }
}

/// What was odd in a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Oddities {
    records: usize,
    /// How many of each kind, and where the first was.
    counts: BTreeMap<Odd, (usize, String)>,
    /// The first record that says something against the list: its file and line, and what is wrong.
    worst: Option<(PathBuf, usize, String)>,
    /// That a table has columns that would change its lines, and are not read.
    unread: Option<String>,
}

impl Oddities {
    /// How many records were read, the odd ones among them.
    #[must_use]
    pub fn records(&self) -> usize {
        self.records
    }

    /// How many are of a kind.
    #[must_use]
    pub fn count(&self, odd: Odd) -> usize {
        self.counts.get(&odd).map_or(0, |found| found.0)
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Each kind in words: how many, what becomes of them, and where the first is.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let one = |(odd, (count, place)): (&Odd, &(usize, String))| {
            let (single, plural) = odd.words();
            let fate = match (odd, *count) {
                (Odd::NoAirWidth, 1) => "is taken as a Doppler line",
                (Odd::NoAirWidth, _) => "are taken as Doppler lines",
                (Odd::Repeated, 1) => "counts twice",
                (Odd::Repeated, _) => "count twice",
                (Odd::RoundedEnergy, 1) => "is taken as it is",
                (Odd::RoundedEnergy, _) => "are taken as they are",
                (_, 1) => "is left out",
                _ => "are left out",
            };
            let what = if *count == 1 { single } else { plural };
            format!("{count} {what} {fate}; the first: {place}")
        };
        self.counts.iter().map(one).chain(self.unread.clone()).collect()
    }

    /// What came after `before`, which is how these were at an earlier time.
    #[must_use]
    pub(crate) fn since(&self, before: &Self) -> Self {
        let more = |(odd, (count, place)): (&Odd, &(usize, String))| {
            let more = count - before.count(*odd);
            (more > 0).then(|| (*odd, (more, place.clone())))
        };
        let counts = self.counts.iter().filter_map(more).collect();
        let unread = self.unread.clone().filter(|_| before.unread.is_none());
        Self { records: self.records - before.records, counts, worst: None, unread }
    }

    /// Adds what came after.
    pub fn add(&mut self, more: Self) {
        self.records += more.records;
        for (odd, (count, place)) in more.counts {
            self.counts.entry(odd).or_insert((0, place)).0 += count;
        }
        self.worst = self.worst.take().or(more.worst);
        self.unread = self.unread.take().or(more.unread);
    }

    /// Notes the columns of a table that would change its lines, and are not read.
    pub(super) fn note_unread(&mut self, path: &Path, columns: &[String]) {
        if !columns.is_empty() {
            self.unread = Some(format!("{}: columns that are not read: {}", path.display(), columns.join(", ")));
        }
    }

    /// Counts a record, whatever it is.
    pub(crate) fn read_one(&mut self) {
        self.records += 1;
    }

    pub(crate) fn note(&mut self, odd: Odd, path: &Path, line: usize, why: impl FnOnce() -> String) {
        let place = || format!("{}, line {line}", path.display());
        self.counts.entry(odd).or_insert_with(|| (0, place())).0 += 1;
        if !odd.is_harmless() && self.worst.is_none() {
            self.worst = Some((path.to_owned(), line, why()));
        }
    }

    /// Refuses a list of which more than one record in a hundred is left out for what is wrong with it.
    ///
    /// # Errors
    /// The first of them, with file and line, and how many they are.
    pub(crate) fn check(&self, ended: bool) -> Result<(), SpectraError> {
        let bad: usize = self.counts.iter().filter(|(odd, _)| !odd.is_harmless()).map(|(_, found)| found.0).sum();
        let is_judged = ended || self.records >= ENOUGH_RECORDS;
        match &self.worst {
            Some((path, line, why)) if is_judged && 100 * bad > MOST_PERCENT * self.records => {
                let share = format!("{bad} of {} records like this one, more than {MOST_PERCENT} %", self.records);
                Err(SpectraError::record(path, *line, format!("{why} ({share})")))
            }
            _ => Ok(()),
        }
    }
}
