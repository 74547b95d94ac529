//! The intervals of a run.

use isobar_io::ChemistryInput;
use isobar_kpp::Mechanism;

use crate::commands::mechanism_file::Reading;

/// The first second of a run: as given, of the mechanism where the Sun follows from the time, of the cells, or 0.
pub(super) fn start_s(given: Option<f64>, reading: &Reading, mechanism: &Mechanism, input: &ChemistryInput) -> f64 {
    let of_mechanism = || mechanism.setting("TSTART").filter(|_| reading.has_sun());
    given.or_else(of_mechanism).or_else(|| input.times.first().copied()).unwrap_or(0.0)
}

/// Intervals of equal length but for the last one, which may be shorter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    /// The start \[s\].
    pub(super) start_s: f64,
    /// The length of all of them \[s\].
    pub(super) length_s: f64,
    /// The length of one \[s\].
    pub(super) interval_s: f64,
    /// The intervals from one kept result to the next; the end is kept, too.
    pub(super) every: u64,
}

impl Clock {
    /// How many there are: whole numbers up to 2^64, at which they end.
    pub(super) fn intervals(&self) -> u64 {
        // A last interval that is shorter by roundings only is a whole one.
        ((self.length_s / self.interval_s) - 1e-9).ceil().max(1.0) as u64
    }

    /// When interval `number` starts, and the one before it ends \[s\].
    pub(super) fn at(&self, number: u64) -> f64 {
        if number == self.intervals() {
            self.start_s + self.length_s
        } else {
            self.start_s + self.interval_s * number as f64
        }
    }

    /// The length of interval `number` \[s\].
    pub(super) fn length(&self, number: u64) -> f64 {
        if number + 1 == self.intervals() { self.length_s - self.interval_s * number as f64 } else { self.interval_s }
    }

    /// By how much the times of intervals are rounded, where that is more than a thousandth of one \[s\].
    pub(super) fn rounding_s(&self) -> Option<f64> {
        let latest = self.at(self.intervals()).abs().max(self.start_s.abs());
        Some(latest.next_up() - latest).filter(|&rounding| rounding > 1e-3 * self.interval_s)
    }

    /// The results that are kept, with the start.
    pub(super) fn kept(&self) -> u64 {
        self.intervals().div_ceil(self.every).saturating_add(1)
    }

    /// Are results kept after `done` intervals?
    pub(super) fn keeps(&self, done: u64) -> bool {
        done.is_multiple_of(self.every) || done == self.intervals()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_interval_ends_where_the_run_does() {
        let clock = Clock { start_s: 100.0, length_s: 3600.0, interval_s: 1000.0, every: 3 };
        let times: Vec<f64> = (0..=clock.intervals()).map(|number| clock.at(number)).collect();
        assert_eq!(times, [100.0, 1100.0, 2100.0, 3100.0, 3700.0]);
        let lengths: Vec<f64> = (0..4).map(|number| clock.length(number)).collect();
        assert_eq!(lengths, [1000.0, 1000.0, 1000.0, 600.0]);
        assert_eq!((clock.rounding_s(), Clock { start_s: 1e20, ..clock }.rounding_s()), (None, Some(16_384.0)));
        let kept: Vec<u64> = (0..=4).filter(|&done| clock.keeps(done)).collect();
        assert_eq!((kept.len() as u64, kept), (clock.kept(), vec![0, 3, 4]));
        // 0.3 / 0.1 is less than 3, and 1e12 hours are many.
        assert_eq!(Clock { length_s: 0.3, interval_s: 0.1, ..clock }.intervals(), 3);
        assert_eq!(Clock { length_s: 3.6e15, interval_s: 600.0, ..clock }.intervals(), 6_000_000_000_000);
        assert_eq!(Clock { length_s: 1e300, interval_s: 1.0, ..clock }.intervals(), u64::MAX);
    }
}
