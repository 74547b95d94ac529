//! Numbers of cells that may change in time.

use std::sync::Arc;

use isobar_core::constants::BOLTZMANN_J_PER_K;

use crate::netcdf::{Dimension, Field};

/// Rows of numbers, each of one or of all cells, constant or at each of a file's times.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    rows: usize,
    /// Times, or 1.
    times: usize,
    /// Cells, or 1.
    cells: usize,
    /// `[(row * times + time) * cells + cell]`
    values: Arc<[f64]>,
    /// What they are made of, if that is linear between times and they are not.
    parts: Option<Arc<(Of, Self, Self)>>,
}

/// How numbers follow from two others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Product,
    Quotient,
    /// Molecules of air \[1/cm^3\] from pressure \[Pa\] and temperature \[K\].
    NumberDensity,
}

impl Of {
    fn compute(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Product => a * b,
            Self::Quotient => a / b,
            Self::NumberDensity => 1e-6 * a / (BOLTZMANN_J_PER_K * b),
        }
    }
}

impl Series {
    /// One number for everything.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self::of_cells(vec![value])
    }

    /// A number of each cell.
    pub(super) fn of_cells(values: Vec<f64>) -> Self {
        Self::of_rows(1, values)
    }

    /// A number of each cell in each of the rows, cells the fastest.
    pub(super) fn of_rows(rows: usize, values: Vec<f64>) -> Self {
        Self { rows, times: 1, cells: values.len() / rows.max(1), values: values.into(), parts: None }
    }

    pub(super) fn of(field: Field) -> Self {
        let [rows, times, cells] = [Dimension::Reaction, Dimension::Time, Dimension::Cell].map(|d| field.size(d));
        Self { rows, times, cells, values: field.values.into(), parts: None }
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

    /// Has it other numbers at one time than at another?
    #[must_use]
    pub fn varies(&self) -> bool {
        let rows = self.values.chunks(self.times.max(1) * self.cells.max(1));
        rows.into_iter().any(|row| row.iter().zip(&row[self.cells.min(row.len())..]).any(|(one, next)| one != next))
    }

    /// The number of cells of which it has numbers, or 1.
    pub(super) fn cells(&self) -> usize {
        self.cells
    }

    /// All numbers at the file's times.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// What follows from each number.
    pub(super) fn map(&self, f: impl Fn(f64) -> f64) -> Self {
        Self { values: self.values.iter().map(|&value| f(value)).collect(), parts: None, ..*self }
    }

    /// What follows from this and another series of the same or fewer rows, at any time.
    pub(super) fn with(&self, other: &Self, of: Of) -> Self {
        let (times, cells) = (self.times.max(other.times), self.cells.max(other.cells));
        let index = |series: &Self, row: usize, time: usize, cell: usize| {
            let place = (row.min(series.rows - 1) * series.times + time.min(series.times - 1)) * series.cells;
            series.values[place + cell.min(series.cells - 1)]
        };
        let mut values = Vec::with_capacity(self.rows * times * cells);
        for row in 0..self.rows {
            for time in 0..times {
                let one = |cell| of.compute(index(self, row, time, cell), index(other, row, time, cell));
                values.extend((0..cells).map(one));
            }
        }
        let linear = self.parts.is_none()
            && other.parts.is_none()
            && !(other.changes() && (of != Of::Product || self.changes()));
        let parts = (!linear).then(|| Arc::new((of, self.clone(), other.clone())));
        Self { rows: self.rows, times, cells, values: values.into(), parts }
    }

    /// All cells at a time \[s\], `[row * cells + cell]`. What the file has is linear between its times, which rise;
    /// before the first and after the last, it is that of these.
    #[must_use]
    pub fn at(&self, times: &[f64], time: f64, cells: usize) -> Vec<f64> {
        let (before, share) = if self.times == 1 { (0, 0.0) } else { place(times, time) };
        if let Some((of, one, other)) = self.parts.as_deref().filter(|_| share != 0.0) {
            let (one, other) = (one.at(times, time, cells), other.at(times, time, cells));
            // A single row holds for all.
            let pairs = one.iter().zip(other.iter().cycle());
            return pairs.map(|(&a, &b)| of.compute(a, b)).collect();
        }
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
    use super::{Of, Series};

    fn series([rows, times, cells]: [usize; 3], values: &[f64]) -> Series {
        Series { rows, times, cells, values: values.into(), parts: None }
    }

    #[test]
    fn between_times_it_is_linear_and_outside_constant() {
        let series = series([2, 3, 1], &[1.0, 3.0, 7.0, 0.0, 0.0, 10.0]);
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
        assert!(series.varies() && !Series { values: [2.0; 6].into(), ..series.clone() }.varies());
        assert_eq!(Series::constant(4.0).at(&[], 3.0, 3), [4.0; 3]);
    }

    #[test]
    fn products_have_the_dimensions_of_both() {
        let by_time = series([1, 2, 1], &[2.0, 3.0]);
        let by_cell = series([1, 1, 2], &[10.0, 100.0]);
        let product = by_time.with(&by_cell, Of::Product);
        assert_eq!((product.times, product.cells, product.values()), (2, 2, &[20.0, 200.0, 30.0, 300.0][..]));
        assert_eq!(product.at(&[0.0, 1.0], 0.5, 2), [25.0, 250.0]);
    }

    /// Between times a product is that of its parts there, and so is the density of air that expands and warms.
    #[test]
    fn what_is_made_of_others_is_so_at_all_times() {
        let (times, one) = ([0.0, 4.0], series([1, 2, 1], &[2.0, 6.0]));
        let product = one.with(&series([1, 2, 2], &[10.0, 20.0, 30.0, 40.0]), Of::Product);
        assert_eq!(product.at(&times, 0.0, 2), [20.0, 40.0]);
        assert_eq!(product.at(&times, 1.0, 2), [3.0 * 15.0, 3.0 * 25.0]);
        assert_eq!(product.at(&times, 9.0, 2), [180.0, 240.0]);
        let quotient = Series::constant(12.0).with(&one, Of::Quotient);
        assert_eq!(quotient.at(&times, 2.0, 1), [3.0]);
        let nested = quotient.with(&Series::constant(2.0), Of::Product);
        assert_eq!(nested.at(&times, 2.0, 1), [6.0]);
        let density = series([1, 2, 1], &[1e5, 5e4]).with(&series([1, 2, 1], &[300.0, 200.0]), Of::NumberDensity);
        let expected = 1e-6 * 75_000.0 / (1.380_649e-23 * 250.0);
        assert!((density.at(&times, 2.0, 1)[0] / expected - 1.0).abs() < 1e-15);
    }
}
