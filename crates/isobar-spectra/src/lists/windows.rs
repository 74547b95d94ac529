//! Lists that need not fit into memory: the lines of one window of wavenumbers at a time.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

use super::par::{ParReader, energy_is_known};
use super::{Oddities, ParRecord, isotopologue};
use crate::SpectraError;

/// HITRAN's lists, of which the lines of one window are in memory.
pub struct ParWindows {
    /// HITRAN's numbers; none: all.
    molecules: Option<Vec<u32>>,
    skip_unknown_energies: bool,
    lists: Vec<List>,
    /// The last window's lower end \[cm^-1\].
    low: f64,
}

struct List {
    reader: ParReader,
    /// What was read and may be wanted again; all but the last lie within the window.
    held: VecDeque<ParRecord>,
    /// The number of lines of each molecule that lie below.
    passed: BTreeMap<u32, usize>,
    ended: bool,
}

/// The lines of a window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Window {
    /// The records, list by list, each ascending.
    pub records: Vec<ParRecord>,
    /// The number of each list's records among these.
    pub of_lists: Vec<usize>,
    /// What was odd in each list since the window before.
    pub odd: Vec<Oddities>,
    passed: BTreeMap<u32, usize>,
}

impl Window {
    /// How many lines of a molecule the lists have below the window: [`super::Gas::after`] wants to know.
    #[must_use]
    pub fn passed(&self, molecule: u32) -> usize {
        self.passed.get(&molecule).copied().unwrap_or(0)
    }
}

impl ParWindows {
    /// Opens lists for the lines of some molecules, by HITRAN's numbers, or of all.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn open(
        paths: &[PathBuf],
        molecules: Option<Vec<u32>>,
        skip_unknown_energies: bool,
    ) -> Result<Self, SpectraError> {
        let open = |path: &PathBuf| Ok(List::new(ParReader::open(path)?));
        let lists = paths.iter().map(open).collect::<Result<_, SpectraError>>()?;
        Ok(Self { molecules, skip_unknown_energies, lists, low: 0.0 })
    }

    /// The lines from `low` to `high` \[cm^-1\]. Windows that ascend pass through the lists once, and hold no more than
    /// their own lines; for a lower one the lists are read from their beginnings. What comes after the last window is
    /// not looked at.
    ///
    /// # Errors
    /// As [`super::read_par`].
    pub fn window(&mut self, low: f64, high: f64) -> Result<Window, SpectraError> {
        if low < self.low {
            let again = |list: List| Ok(List::new(list.reader.again()?));
            let lists = std::mem::take(&mut self.lists).into_iter().map(again);
            self.lists = lists.collect::<Result<_, SpectraError>>()?;
        }
        self.low = low;
        let mut window = Window::default();
        for list in &mut self.lists {
            let (before, count) = (list.reader.odd().clone(), window.records.len());
            list.read_to(low, high, self.molecules.as_deref(), self.skip_unknown_energies)?;
            window.records.extend(list.held.iter().filter(|record| record.line.wavenumber_per_cm <= high));
            window.of_lists.push(window.records.len() - count);
            window.odd.push(list.reader.odd().since(&before));
            for (molecule, count) in &list.passed {
                *window.passed.entry(*molecule).or_default() += count;
            }
        }
        Ok(window)
    }
}

impl List {
    fn new(reader: ParReader) -> Self {
        Self { reader, held: VecDeque::new(), passed: BTreeMap::new(), ended: false }
    }

    fn read_to(
        &mut self,
        low: f64,
        high: f64,
        molecules: Option<&[u32]>,
        skip_unknown_energies: bool,
    ) -> Result<(), SpectraError> {
        let below = self.held.partition_point(|record| record.line.wavenumber_per_cm < low);
        for record in self.held.drain(..below) {
            *self.passed.entry(record.molecule).or_default() += 1;
        }
        while !self.ended && self.held.back().is_none_or(|record| record.line.wavenumber_per_cm <= high) {
            let Some(record) = self.reader.read()? else {
                self.ended = true;
                break;
            };
            if molecules.is_some_and(|molecules| !molecules.contains(&record.molecule)) {
                continue;
            }
            if record.line.wavenumber_per_cm < low {
                let counts = energy_is_known(&record) && isotopologue(record.molecule, record.isotopologue).is_ok();
                *self.passed.entry(record.molecule).or_default() += usize::from(counts);
                continue;
            }
            if self.reader.takes(&record, skip_unknown_energies)? {
                self.held.push_back(record);
            }
        }
        Ok(())
    }
}
