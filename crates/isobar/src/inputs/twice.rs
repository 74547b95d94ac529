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
    /// Those that stand in more than one list, with all their numbers.
    alike: usize,
    /// The position of the first \[cm^-1\].
    first: Option<f64>,
    /// The range that was counted last \[cm^-1\]: ranges overlap by the reach of lines.
    counted: Option<(f64, f64)>,
}

impl LinesTwice {
    /// Counts the lines of a range \[cm^-1\], which stand list by list.
    pub(crate) fn count(&mut self, records: &[ParRecord], of_lists: &[usize], (low, high): (f64, f64)) {
        let before = self.counted.replace((low, high));
        if of_lists.iter().filter(|lines| **lines > 0).count() < 2 {
            return;
        }
        let lists = of_lists.iter().enumerate().flat_map(|(list, &lines)| std::iter::repeat_n(list, lines));
        let key = |(record, list): (&ParRecord, usize)| {
            let line = &record.line;
            let numbers = [line.wavenumber_per_cm, line.intensity, line.lower_energy_per_cm].map(f64::to_bits);
            ((numbers, record.molecule, record.isotopologue), list)
        };
        let mut keys: Vec<_> = records.iter().zip(lists).map(key).collect();
        keys.sort_unstable();
        // Within a list lines may be alike whose states differ.
        for pair in keys.windows(2).filter(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1) {
            let position = f64::from_bits(pair[0].0.0[0]);
            if before.is_none_or(|(low, high)| position < low || position > high) {
                self.alike += 1;
                self.first.get_or_insert(position);
            }
        }
    }

    /// What is to be said of them.
    pub(crate) fn sentence(&self) -> Option<String> {
        let first = self.first?;
        Some(match self.alike {
            1 => format!("--lines: one line stands in more than one list, and counts as often: at {first} cm^-1"),
            alike => format!(
                "--lines: {alike} lines stand more than once in the lists, and count as often; the first is at \
                 {first} cm^-1"
            ),
        })
    }
}
