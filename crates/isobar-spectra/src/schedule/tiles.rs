//! Sums at the points of a grid: a warp a tile of 32 points.

use isobar_core::{Column, Field, FieldMut, Lanes, Real, Status};

use super::TILE;
use super::lines::Lines;
use super::tree::Tree;
use crate::physics::chebyshev::NODES;

/// Sums lines at points: every line that reaches them, or, with a tree, those that are in no polynomial, and the leaf's
/// polynomial.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SumTiles<'a, R, const EXTRA: bool> {
    /// The lines.
    pub lines: Lines<'a, R>,
    /// The points, ascending \[cm^-1\].
    pub wavenumbers_per_cm: Column<'a, f64>,
    /// The cells; none without [`Tree::levels`].
    pub tree: Tree,
    /// See [`super::nodes::FillNodes::nodes`].
    pub nodes: Field<'a, f64>,
    /// What each node of a leaf counts at its points: `[point][node]`.
    pub at_points: Column<'a, f64>,
    /// What brings scaled sums back to cm^2/molecule.
    pub unscale: f64,
    /// `(0, point)` \[cm^2/molecule\].
    pub cross_sections: FieldMut<'a, f64>,
}

impl<R: Real, const EXTRA: bool> SumTiles<'_, R, EXTRA> {
    /// The number of tiles.
    #[inline(always)]
    #[must_use]
    pub fn count(&self) -> usize {
        self.wavenumbers_per_cm.len().div_ceil(TILE)
    }

    /// Tile `item`.
    #[inline(always)]
    pub fn compute<const W: usize>(&self, item: usize, lanes: Lanes<W>) -> Status {
        let first = item * TILE;
        let last = (first + TILE).min(self.wavenumbers_per_cm.len()) - 1;
        let (low, high) = (self.wavenumbers_per_cm.at(first), self.wavenumbers_per_cm.at(last));
        let mut points = [0.0; W];
        for (lane, point) in points.iter_mut().enumerate() {
            *point = self.wavenumbers_per_cm.at((first + lanes.first() + lane).min(last));
        }
        let mut sums = [0.0; W];
        let reaching = self.lines.reaching(low, high);
        let mut left = reaching.start;
        for stretch in 0..self.tree.stretches::<EXTRA>() + 1 {
            let (near, next) = self.tree.near_lines::<R, EXTRA>(&self.lines, item, stretch, left..reaching.end);
            self.lines.add::<W, EXTRA>(near, &points, (low, high), &mut sums);
            left = next;
        }
        let mut finite = true;
        for (lane, sum) in sums.iter_mut().enumerate() {
            let place = lanes.first() + lane;
            if self.tree.levels > 0 {
                for node in 0..NODES {
                    *sum += self.at_points.at(place * NODES + node) * self.nodes.at(node, item);
                }
            }
            finite &= sum.is_finite();
            if first + place <= last {
                self.cross_sections.set(0, first + place, *sum * self.unscale);
            }
        }
        if finite { Status::OK } else { Status::NOT_FINITE }
    }
}
