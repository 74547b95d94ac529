//! Numbers of cells that may change in time.

use crate::netcdf::{Dimension, Field};

/// Rows of numbers, each of one or of all cells, constant or at each of a file's times.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub(super) rows: usize,
    /// Times, or 1.
    pub(super) times: usize,
    /// Cells, or 1.
    pub(super) cells: usize,
    /// `[(row * times + time) * cells + cell]`
    pub(super) values: Vec<f64>,
}

impl Series {
    /// One number for everything.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self { rows: 1, times: 1, cells: 1, values: vec![value] }
    }

    pub(super) fn of(field: Field) -> Self {
        let [rows, times, cells] = [Dimension::Reaction, Dimension::Time, Dimension::Cell].map(|d| field.size(d));
        Self { rows, times, cells, values: field.values }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Does it change in time?
    #[must_use]
    pub fn changes(&self) -> bool {
        self.times > 1
    }

    /// Another series of the same or fewer dimensions, value by value.
    pub(super) fn with(&self, other: &Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let (times, cells) = (self.times.max(other.times), self.cells.max(other.cells));
        let index = |series: &Self, row: usize, time: usize, cell: usize| {
            let place = (row.min(series.rows - 1) * series.times + time.min(series.times - 1)) * series.cells;
            series.values[place + cell.min(series.cells - 1)]
        };
        let mut values = Vec::with_capacity(self.rows * times * cells);
        for row in 0..self.rows {
            for time in 0..times {
                values.extend((0..cells).map(|cell| f(index(self, row, time, cell), index(other, row, time, cell))));
            }
        }
        Self { rows: self.rows, times, cells, values }
    }

    /// All cells at a time \[s\], `[row * cells + cell]`, linear between the file's times, which rise; before the first
    /// and after the last, those of these.
    #[must_use]
    pub fn at(&self, times: &[f64], time: f64, cells: usize) -> Vec<f64> {
        let (before, share) = if self.times == 1 { (0, 0.0) } else { place(times, time) };
        let after = (before + 1).min(self.times - 1);
        let value = |row: usize, time: usize, cell: usize| {
            self.values[(row * self.times + time) * self.cells + cell.min(self.cells - 1)]
        };
        let one = |row: usize, cell: usize| {
            let first = value(row, before, cell);
            if share == 0.0 { first } else { (1.0 - share) * first + share * value(row, after, cell) }
        };
        (0..self.rows)
            .flat_map(|row| (0..cells).map(move |cell| (row, cell)))
            .map(|(row, cell)| one(row, cell))
            .collect()
    }
}

/// The last of the times that is not later, and how far it is to the next one.
fn place(times: &[f64], time: f64) -> (usize, f64) {
    let before = times.partition_point(|&known| known <= time).max(1) - 1;
    match times.get(before + 1) {
        Some(&next) if time > times[before] => (before, (time - times[before]) / (next - times[before])),
        _ => (before, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::Series;

    #[test]
    fn between_times_it_is_linear_and_outside_constant() {
        let series = Series { rows: 2, times: 3, cells: 1, values: vec![1.0, 3.0, 7.0, 0.0, 0.0, 10.0] };
        let times = [10.0, 20.0, 40.0];
        for (time, expected) in [
            (0.0, [1.0, 0.0]),
            (10.0, [1.0, 0.0]),
            (15.0, [2.0, 0.0]),
            (20.0, [3.0, 0.0]),
            (25.0, [4.0, 2.5]),
            (40.0, [7.0, 10.0]),
            (99.0, [7.0, 10.0]),
        ] {
            let [first, second] = expected;
            assert_eq!(series.at(&times, time, 2), [first, first, second, second], "{time}");
        }
        assert_eq!(Series::constant(4.0).at(&[], 3.0, 3), [4.0; 3]);
    }

    #[test]
    fn products_have_the_dimensions_of_both() {
        let by_time = Series { rows: 1, times: 2, cells: 1, values: vec![2.0, 3.0] };
        let by_cell = Series { rows: 1, times: 1, cells: 2, values: vec![10.0, 100.0] };
        let product = by_time.with(&by_cell, |a, b| a * b);
        assert_eq!((product.times, product.cells, product.values), (2, 2, vec![20.0, 200.0, 30.0, 300.0]));
    }
}
