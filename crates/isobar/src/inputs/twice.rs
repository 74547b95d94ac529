//! Files that are named twice.

use std::collections::HashSet;
use std::path::PathBuf;

use isobar_spectra::lists::ParRecord;

use crate::program::failure::Failure;

/// Refuses a file that is named twice, by whatever names: it would count twice.
pub(crate) fn refuse_twice<'a>(what: &str, paths: impl Iterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    let mut known = HashSet::new();
    for path in paths {
        // Who reads it says what is wrong with a file that is not there.
        if !known.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            return Err(Failure::usage(format!("{what} {}: it is named twice, and would count twice", path.display())));
        }
    }
    Ok(())
}

/// Lines of several lists, counted range by range.
#[derive(Default)]
pub(crate) struct LinesTwice {
    /// Those that stand more than once, with all their numbers.
    alike: usize,
    /// The lines of each list.
    of_lists: Vec<usize>,
}

impl LinesTwice {
    /// Counts the lines of a range.
    pub(crate) fn count(&mut self, records: &[ParRecord], of_lists: &[usize]) {
        if of_lists.len() < 2 {
            return;
        }
        self.of_lists.resize(of_lists.len(), 0);
        self.of_lists.iter_mut().zip(of_lists).for_each(|(all, more)| *all += more);
        let key = |record: &ParRecord| {
            let line = &record.line;
            let numbers = [line.wavenumber_per_cm, line.intensity, line.lower_energy_per_cm].map(f64::to_bits);
            (record.molecule, record.isotopologue, numbers)
        };
        let mut keys: Vec<_> = records.iter().map(key).collect();
        keys.sort_unstable();
        self.alike += keys.windows(2).filter(|pair| pair[0] == pair[1]).count();
    }

    /// What is to be said of them: one list has a few lines that are alike, a copy of another one has half or more.
    pub(crate) fn sentence(&self) -> Option<String> {
        let fewest = self.of_lists.iter().copied().filter(|&lines| lines > 0).min()?;
        (2 * self.alike >= fewest.max(1) && self.of_lists.len() > 1 && self.alike > 0)
            .then(|| format!("--lines: {} lines stand more than once in the lists, and count as often", self.alike))
    }
}
