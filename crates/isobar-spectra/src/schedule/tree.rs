//! The cells of a binary tree over a regular grid, and which lines belong to which.
//!
//! Leaves are tiles of 32 points; a cell of level `l` is `2^l` leaves wide. A line is *resolved* in a cell if it lies a
//! cell's width or more beyond it, so that a polynomial through its nodes has the line's wing, and if all of the cell
//! is within the line's reach; where wings are weakened, all of it must lie between two of their kinks, too. It belongs
//! to the largest cell around a point in which it is resolved; where it is in none, it is summed at the points. A
//! cell's polynomial is then added to those of its two halves, down to the leaves. No polynomial crosses a cell's end,
//! and the sharp end of a wing lies in no cell that has the wing in its polynomial.

use core::ops::Range;

use isobar_core::Real;

use super::TILE;
use super::lines::Lines;
use crate::physics::carbon_dioxide_wing::KINKS_PER_CM;

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
    /// Are wings weakened, with kinks?
    pub has_kinks: bool,
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
        (self.edge(cell, 0), self.step_per_cm * (TILE << cell.level) as f64)
    }

    /// Where a cell begins, or the next one \[cm^-1\]: the same number for cells of all levels that begin there, since
    /// widths are powers of two times that of a leaf. So what is resolved in a cell is resolved in its halves.
    #[inline(always)]
    fn edge(&self, cell: Cell, next: usize) -> f64 {
        let width = self.step_per_cm * (TILE << cell.level) as f64;
        let number = cell.number + (self.leaves_before >> cell.level) + next;
        self.first_per_cm + width * number as f64
    }

    /// The stretches of lines that a cell's polynomial may have: to either side one, or one between two kinks.
    #[inline(always)]
    #[must_use]
    pub fn stretches<const EXTRA: bool>(&self) -> usize {
        if self.levels == 0 { 0 } else { 2 * self.pieces::<EXTRA>() }
    }

    #[inline(always)]
    fn pieces<const EXTRA: bool>(&self) -> usize {
        if EXTRA && self.has_kinks { KINKS_PER_CM.len() + 1 } else { 1 }
    }

    /// The lines resolved in a cell, a stretch of them; stretches ascend.
    #[inline(always)]
    fn resolved<R: Real, const EXTRA: bool>(&self, lines: &Lines<'_, R>, cell: Cell, stretch: usize) -> Range<usize> {
        let (low, width) = self.span(cell);
        let (high, cut, pieces) = (self.edge(cell, 1), lines.cut_per_cm, self.pieces::<EXTRA>());
        let is_below = stretch < pieces;
        // From the cell outwards.
        let piece = if is_below { pieces - 1 - stretch } else { stretch - pieces };
        let gap = if piece > 0 { width.at_least(KINKS_PER_CM[piece - 1]) } else { width };
        let has_end = piece + 1 < pieces;
        let end = if has_end { KINKS_PER_CM[piece] } else { f64::INFINITY };
        let (mut first, mut last);
        if is_below {
            first = lines.partition(|line| line < high - cut);
            last = lines.partition_shifted(|[largest, _]| largest <= low - gap);
            if has_end {
                first = first.max(lines.partition_shifted(|[_, smallest]| smallest < high - end));
            }
        } else {
            let reach = low - 0.5 * self.step_per_cm + cut;
            first = lines.partition_shifted(|[_, smallest]| smallest < high + gap);
            last = lines.partition(|line| line < reach);
            if has_end {
                last = last.min(lines.partition_shifted(|[largest, _]| largest <= low + end));
            }
        }
        first..last.max(first)
    }

    /// The lines of a stretch of a cell's polynomial that are not in its parent's: up to two ranges, ascending.
    #[inline(always)]
    #[must_use]
    pub fn lines_of<R: Real, const EXTRA: bool>(
        &self,
        lines: &Lines<'_, R>,
        cell: Cell,
        stretch: usize,
    ) -> [Range<usize>; 2] {
        let own = self.resolved::<R, EXTRA>(lines, cell, stretch);
        let parent = if cell.level + 1 < self.levels {
            self.resolved::<R, EXTRA>(lines, Cell { level: cell.level + 1, number: cell.number / 2 }, stretch)
        } else {
            0..0
        };
        if parent.is_empty() { [own.clone(), own.end..own.end] } else { [own.start..parent.start, parent.end..own.end] }
    }

    /// Of `lines_left`, which reach a leaf, those before a stretch that are resolved in no cell around it, and where
    /// the lines behind the stretch begin. After the last stretch all are.
    #[inline(always)]
    #[must_use]
    pub fn near_lines<R: Real, const EXTRA: bool>(
        &self,
        lines: &Lines<'_, R>,
        leaf: usize,
        stretch: usize,
        lines_left: Range<usize>,
    ) -> (Range<usize>, usize) {
        let Range { start, end } = lines_left;
        if stretch == self.stretches::<EXTRA>() {
            return (start..end, end);
        }
        let resolved = self.resolved::<R, EXTRA>(lines, Cell { level: 0, number: leaf }, stretch);
        if resolved.is_empty() {
            return (start..start, start);
        }
        let cut = |line: usize| line.max(start).min(end);
        (start..cut(resolved.start), cut(resolved.end))
    }
}
