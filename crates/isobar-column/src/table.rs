//! What is prescribed by time and height.

use std::vec;
use std::vec::Vec;

use crate::forcing::place;

/// A constant, a profile, a series, or values by time and height: linear between, the nearest beyond the first and the
/// last.
///
/// ```
/// use isobar_column::Table;
///
/// // From 2 m/s to 4 m/s at the ground, and to 6 m/s at 100 m, within an hour.
/// let table = Table::new(vec![0.0, 3600.0], vec![0.0, 100.0], vec![2.0, 2.0, 4.0, 6.0])?;
/// assert_eq!((table.at_height(1800.0, 50.0), table.at(7200.0)), (3.5, 4.0));
/// // A value that jumps after a minute.
/// let table = Table::new(vec![0.0, 60.0, 60.0, 90.0], vec![0.0], vec![1.0, 1.0, 5.0, 5.0])?;
/// assert_eq!((table.at(59.0), table.at(60.0)), (1.0, 5.0));
/// # Ok::<(), isobar_column::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    times_s: Vec<f64>,
    heights_m: Vec<f64>,
    values: Vec<f64>,
}

/// A table that cannot be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Times or heights that are none, or do not rise; two of them may be the same, where values jump.
    #[error("{what} {number} is {value}, and {what}s have to rise, or to be the same twice where the values jump")]
    NotRising {
        /// Which.
        what: &'static str,
        /// Its number, from 1.
        number: usize,
        /// It.
        value: f64,
    },
    /// Another number of values than there are times and heights.
    #[error("{got} values instead of {expected}, one for each of {times} times and {heights} heights")]
    Size {
        /// Values.
        got: usize,
        /// Those that are wanted.
        expected: usize,
        /// Times.
        times: usize,
        /// Heights.
        heights: usize,
    },
    /// A value that is no number.
    #[error("value {number} is {value}, which is not finite")]
    NotFinite {
        /// Its number, from 1.
        number: usize,
        /// It.
        value: f64,
    },
}

impl Table {
    /// One value at all times and heights.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self { times_s: vec![0.0], heights_m: vec![0.0], values: vec![value] }
    }

    /// Values `[time * heights + height]` at rising times since the start \[s\] and heights above the ground \[m\], one
    /// of each at least. Of two that are the same the first one's values count before and the second one's from there.
    ///
    /// # Errors
    /// Times or heights that do not rise, another number of values, or one that is not finite.
    pub fn new(times_s: Vec<f64>, heights_m: Vec<f64>, values: Vec<f64>) -> Result<Self, TableError> {
        for (what, nodes) in [("time", &times_s), ("height", &heights_m)] {
            // NaN does not rise, either. What is the same twice is the third time no jump.
            let rises = |number: usize| {
                let above = |before: usize| nodes[number] > nodes[before];
                let jumps = number > 0 && nodes[number] == nodes[number - 1] && (number == 1 || above(number - 2));
                nodes[number].is_finite() && (number == 0 || above(number - 1) || jumps)
            };
            if let Some(number) = (0..nodes.len()).find(|&number| !rises(number)) {
                return Err(TableError::NotRising { what, number: number + 1, value: nodes[number] });
            }
        }
        let (times, heights, got) = (times_s.len(), heights_m.len(), values.len());
        if got != times * heights || got == 0 {
            return Err(TableError::Size { got, expected: times.max(1) * heights.max(1), times, heights });
        }
        if let Some(number) = values.iter().position(|value| !value.is_finite()) {
            return Err(TableError::NotFinite { number: number + 1, value: values[number] });
        }
        Ok(Self { times_s, heights_m, values })
    }

    /// The times \[s\].
    #[must_use]
    pub fn times_s(&self) -> &[f64] {
        &self.times_s
    }

    /// The heights \[m\].
    #[must_use]
    pub fn heights_m(&self) -> &[f64] {
        &self.heights_m
    }

    /// The values, `[time * heights + height]`.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The last time at or before another, the next one, and what is taken of the next, 0 to 1.
    #[must_use]
    pub fn times_around(&self, time_s: f64) -> (usize, usize, f64) {
        place(|time| self.times_s[time], self.times_s.len(), time_s)
    }

    /// The value at a time, at the lowest height.
    #[must_use]
    pub fn at(&self, time_s: f64) -> f64 {
        self.at_height(time_s, self.heights_m[0])
    }

    /// The value at a time and height.
    #[must_use]
    pub fn at_height(&self, time_s: f64, height_m: f64) -> f64 {
        let (below, above, share) = place(|height| self.heights_m[height], self.heights_m.len(), height_m);
        let at = |time: usize| {
            let row = &self.values[time * self.heights_m.len()..];
            row[below] + share * (row[above] - row[below])
        };
        let (before, after, passed) = self.times_around(time_s);
        at(before) + passed * (at(after) - at(before))
    }
}
