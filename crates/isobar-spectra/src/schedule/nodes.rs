//! The polynomials of the tree's cells: values at their nodes, and the way down to the leaves.

use isobar_core::{Column, FieldMut, Real, Status};

use super::lines::Lines;
use super::tree::{Cell, Tree};
use crate::physics::chebyshev::{NODES, POSITIONS};

/// Sums each cell's lines at its nodes: a lane a node.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct FillNodes<'a, R, const EXTRA: bool> {
    /// The lines.
    pub lines: Lines<'a, R>,
    /// The cells.
    pub tree: Tree,
    /// `(node, cell)`, all cells of all levels, from the leaves up.
    pub nodes: FieldMut<'a, f64>,
}

impl<R: Real, const EXTRA: bool> FillNodes<'_, R, EXTRA> {
    /// Node `item % NODES` of cell `item / NODES`.
    #[inline(always)]
    pub fn compute(&self, item: usize) -> Status {
        let (number, node) = (item / NODES, item % NODES);
        let cell = self.tree.cell(number);
        let (low, width) = self.tree.span(cell);
        let point = low + 0.5 * (1.0 + POSITIONS[node]) * width;
        let mut sum = [0.0];
        for stretch in 0..self.tree.stretches::<EXTRA>() {
            for range in self.tree.lines_of::<R, EXTRA>(&self.lines, cell, stretch) {
                // Their reach was a condition: at a node there is none.
                let endless = Lines { cut_per_cm: f64::INFINITY, ..self.lines };
                endless.add::<1, EXTRA>(range, &[point], (point, point), &mut sum);
            }
        }
        self.nodes.set(node, number, sum[0]);
        Status::OK
    }
}

/// Adds the polynomials of a level to those of the level below: a lane a node.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct PushDown<'a> {
    /// The cells.
    pub tree: Tree,
    /// The level that gets.
    pub level: usize,
    /// What each node of a cell counts at the nodes of its lower half, and of its upper: `[half][node][parent's node]`.
    pub halves: Column<'a, f64>,
    /// See [`FillNodes::nodes`].
    pub nodes: FieldMut<'a, f64>,
}

impl PushDown<'_> {
    /// The number of items.
    #[inline(always)]
    #[must_use]
    pub fn count(&self) -> usize {
        self.tree.cells(self.level) * NODES
    }

    /// Node `item % NODES` of the level's cell `item / NODES`.
    #[inline(always)]
    pub fn compute(&self, item: usize) -> Status {
        let (number, node) = (item / NODES, item % NODES);
        let cell = Cell { level: self.level, number };
        let own = self.tree.first_cell(cell.level) + number;
        let parent = self.tree.first_cell(cell.level + 1) + number / 2;
        let mut sum = self.nodes.at(node, own);
        for other in 0..NODES {
            let weight = self.halves.at(((number % 2) * NODES + node) * NODES + other);
            sum += weight * self.nodes.at(other, parent);
        }
        self.nodes.set(node, own, sum);
        Status::OK
    }
}
