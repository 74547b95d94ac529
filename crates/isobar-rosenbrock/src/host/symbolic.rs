//! Where the factors of the matrix have entries.

use std::collections::BTreeSet;

use crate::host::bits::Bits;

/// The pattern of L and U in one compressed matrix: each row has L, the diagonal and U from left to right.
#[derive(Clone, Debug, PartialEq)]
pub struct LuPattern {
    /// Where each row starts, and the end of the last.
    pub row_start: Vec<usize>,
    /// The column of each entry.
    pub column: Vec<usize>,
    /// The place of each row's diagonal.
    pub diagonal: Vec<usize>,
}

impl LuPattern {
    /// The pattern of the factors of a matrix, eliminated in the order of its rows without exchanges.
    #[must_use]
    pub fn of(pattern: &[BTreeSet<u32>]) -> Self {
        let mut rows: Vec<Bits> = pattern.iter().map(|row| Bits::of(row.iter().copied(), pattern.len())).collect();
        for i in 0..rows.len() {
            // What an eliminated entry brings lies to its right, so the walk meets it.
            let mut row = std::mem::take(&mut rows[i]);
            let mut next = row.next(0);
            while let Some(j) = next.filter(|&j| j < i) {
                row.extend_from(&rows[j], j + 1);
                next = row.next(j + 1);
            }
            rows[i] = row;
        }
        let mut all = Self { row_start: vec![0], column: vec![], diagonal: vec![] };
        for (i, row) in rows.iter().enumerate() {
            let start = all.column.len();
            all.column.extend(row.iter());
            all.diagonal.push(start + all.column[start..].iter().take_while(|&&j| j < i).count());
            all.row_start.push(all.column.len());
        }
        all
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.diagonal.len()
    }

    /// The number of entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.column.len()
    }

    /// Multiplications that one factorisation takes.
    #[must_use]
    pub fn products(&self) -> usize {
        let right = |row: usize| self.row_start[row + 1] - self.diagonal[row];
        let of_row = |row: usize| self.column[self.row_start[row]..self.diagonal[row]].iter().map(|&j| right(j)).sum();
        (0..self.rows()).map::<usize, _>(of_row).sum()
    }

    /// The place of an entry, if there is one.
    #[must_use]
    pub fn place(&self, row: usize, column: usize) -> Option<usize> {
        let range = self.row_start[row]..self.row_start[row + 1];
        self.column[range.clone()].binary_search(&column).ok().map(|place| range.start + place)
    }
}
