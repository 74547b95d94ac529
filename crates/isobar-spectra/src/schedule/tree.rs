//! The cells of a binary tree over a regular grid, and which lines belong to which.
//!
//! Leaves are tiles of 32 points; a cell of level `l` is `2^l` leaves wide. A line is *resolved* in a cell if it lies a
//! cell's width or more beyond it, so that a polynomial through its nodes has the line's wing, and if all of the cell
//! is within the line's reach. It belongs to the largest cell around a point in which it is resolved; where it is in
//! none, it is summed at the points. A cell's polynomial is then added to those of its two halves, down to the leaves.
//! No polynomial crosses a cell's end, and the sharp end of a wing lies in no cell that has the wing in its polynomial.

use core::ops::Range;

use isobar_core::Real;

use super::TILE;
use super::lines::Lines;

/// The tree: sizes only.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Tree {
    /// The first point \[cm^-1\].
    pub first_per_cm: f64,
    /// From one point to the next \[cm^-1\].
    pub step_per_cm: f64,
    /// The leaves.
    pub leaves: usize,
    /// Leaves of a longer grid, whose first point is `first_per_cm`, that come before: whole cells of the last level.
    pub leaves_before: usize,
    /// The levels; none, if every line is summed at every point.
    pub levels: usize,
}

/// A cell.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// Its level, 0 for a leaf.
    pub level: usize,
    /// Its number on that level.
    pub number: usize,
}

impl Tree {
    /// Cells of a level.
    #[inline(always)]
    #[must_use]
    pub fn cells(&self, level: usize) -> usize {
        self.leaves.div_ceil(1 << level)
    }

    /// The number of the first cell of a level among all cells.
    #[inline(always)]
    #[must_use]
    pub fn first_cell(&self, level: usize) -> usize {
        let mut first = 0;
        let mut below = 0;
        while below < level {
            first += self.cells(below);
            below += 1;
        }
        first
    }

    /// All cells.
    #[inline(always)]
    #[must_use]
    pub fn all_cells(&self) -> usize {
        self.first_cell(self.levels)
    }

    /// The cell of a number among all.
    #[inline(always)]
    #[must_use]
    pub fn cell(&self, number: usize) -> Cell {
        let (mut level, mut number) = (0, number);
        while level + 1 < self.levels && number >= self.cells(level) {
            number -= self.cells(level);
            level += 1;
        }
        Cell { level, number }
    }

    /// Where a cell begins, and its width \[cm^-1\].
    #[inline(always)]
    #[must_use]
    pub fn span(&self, cell: Cell) -> (f64, f64) {
        let width = self.step_per_cm * (TILE << cell.level) as f64;
        let number = cell.number + (self.leaves_before >> cell.level);
        (self.first_per_cm + width * number as f64, width)
    }

    /// The lines resolved in a cell: those below it, and those above.
    #[inline(always)]
    fn resolved<R: Real>(&self, lines: &Lines<'_, R>, cell: Cell) -> [Range<usize>; 2] {
        let (low, width) = self.span(cell);
        let (high, cut) = (low + width, lines.cut_per_cm);
        let below = lines.partition(|line| line < high - cut)..lines.partition(|line| line <= low - width);
        let reach = low - 0.5 * self.step_per_cm + cut;
        let above = lines.partition(|line| line < high + width)..lines.partition(|line| line < reach);
        [below, above].map(|range| range.start..range.end.max(range.start))
    }

    /// The lines of a cell's polynomial that are not in its parent's: up to four ranges, ascending.
    #[inline(always)]
    #[must_use]
    pub fn lines_of<R: Real>(&self, lines: &Lines<'_, R>, cell: Cell) -> [Range<usize>; 4] {
        let own = self.resolved(lines, cell);
        let parents = if cell.level + 1 < self.levels {
            self.resolved(lines, Cell { level: cell.level + 1, number: cell.number / 2 })
        } else {
            [0..0, 0..0]
        };
        let [[a, b], [c, d]] = [(&own[0], &parents[0]), (&own[1], &parents[1])].map(|(own, parent)| {
            if parent.is_empty() {
                [own.clone(), own.end..own.end]
            } else {
                [own.start..parent.start, parent.end..own.end]
            }
        });
        [a, b, c, d]
    }

    /// The lines that reach a leaf and are resolved in no cell around it: up to three ranges, ascending.
    #[inline(always)]
    #[must_use]
    pub fn near_lines<R: Real>(&self, lines: &Lines<'_, R>, leaf: usize, reaching: Range<usize>) -> [Range<usize>; 3] {
        if self.levels == 0 {
            return [reaching.clone(), reaching.end..reaching.end, reaching.end..reaching.end];
        }
        let [below, above] = self.resolved(lines, Cell { level: 0, number: leaf });
        let cut = |range: Range<usize>| range.start.min(reaching.end)..range.end.min(reaching.end);
        let (below, above) = match (below.is_empty(), above.is_empty()) {
            (false, false) => (below, above),
            (false, true) => (below, reaching.end..reaching.end),
            (true, false) => (reaching.start..reaching.start, above),
            (true, true) => (reaching.start..reaching.start, reaching.end..reaching.end),
        };
        [
            cut(reaching.start..below.start.max(reaching.start)),
            cut(below.end..above.start.max(below.end)),
            cut(above.end..reaching.end.max(above.end)),
        ]
    }
}
