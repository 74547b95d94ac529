//! The emissivity growth approximation (Weinreb and Neuendorffer, 1973; Gordley and Russell, 1981) in one
//! channel for one gas.
//!
//! Along a path the gas has absorbed the fraction `A` so far. On the curve of the local pressure and
//! temperature that corresponds to a column density `u*`; the segment adds its own, and the curve at `u* + u` gives
//! the new absorbed fraction. The four curves around the local state are followed and interpolated.
//!
//! Two things make this exact and cheap. What is interpolated is the increment on each curve, not its emissivity, so
//! that a thin segment keeps all its digits where JURASSIC subtracts two numbers near one. And as long as the absorbed
//! fraction stays on one straight piece of a curve, the increment is the slope of that piece times the
//! segment's column density: each curve remembers its piece, and most segments need no look-up at all.

use isobar_core::Real;

use crate::curve::{CurveHead, CurveView, floor_f32};
use crate::limits::{MANY_PIECES, OPAQUE_TRANSMITTANCE};
use crate::physics::rule::{MOST_MEMORY, Rule, Segment, one_by_one};
use crate::tables::{TableHead, Tables};

/// The growth of one gas in one channel along a path.
#[derive(Clone, Copy, Debug)]
pub struct Growth<R> {
    absorbed: R,
    pieces: [Piece<R>; 4],
}

/// The straight piece of a curve on which the absorbed fraction lies.
#[derive(Clone, Copy, Debug)]
struct Piece<R> {
    /// The grid node of the curve.
    node: u32,
    /// The node where the piece begins, in the numbering of the column pool, so that it is a good guess on a
    /// neighbouring curve as well; -1 at the origin.
    pool_node: i32,
    low: f32,
    high: f32,
    slope: R,
}

impl<R: Real> Rule<R> for Growth<R> {
    one_by_one!();

    const NAME: &'static str = "grow_ega";
    const JACOBIAN: &'static str = "jacobian_grow_ega";
    const JURASSIC: bool = false;
    const LOGARITHMIC: bool = false;
    const MEMORY: usize = 1;

    #[inline(always)]
    fn start() -> Self {
        let nowhere = Piece { node: u32::MAX, pool_node: -1, low: 0.0, high: 0.0, slope: R::ZERO };
        Self { absorbed: R::ZERO, pieces: [nowhere; 4] }
    }

    #[inline(always)]
    fn memory(&self) -> [R::Wide; MOST_MEMORY] {
        let zero = <R::Wide as Real>::ZERO;
        [self.absorbed.wide(), zero, zero, zero]
    }

    #[inline(always)]
    fn remember(&mut self, [absorbed, ..]: [R::Wide; MOST_MEMORY]) {
        self.absorbed = R::from_wide(absorbed);
    }

    #[inline(always)]
    fn add(&mut self, tables: &Tables<'_>, table: &TableHead, segment: &Segment<R>) -> R {
        let left = R::ONE - self.absorbed;
        if left < R::from_f64(OPAQUE_TRANSMITTANCE) {
            return R::ONE;
        }
        // Written out, so that a GPU keeps all four pieces in registers.
        let increments = [
            self.corner::<0>(tables, table, segment),
            self.corner::<1>(tables, table, segment),
            self.corner::<2>(tables, table, segment),
            self.corner::<3>(tables, table, segment),
        ];
        let increment = segment.cell.interpolate(increments).clamp(-self.absorbed, left);
        self.absorbed += increment;
        increment / left
    }
}

impl<R: Real> Growth<R> {
    /// What the segment adds on the curve of one corner of the cell.
    #[inline(always)]
    fn corner<const CORNER: usize>(&mut self, tables: &Tables<'_>, table: &TableHead, segment: &Segment<R>) -> R {
        let (piece, node) = (&mut self.pieces[CORNER], segment.cell.nodes[CORNER]);
        let column_per_cm2 = R::from_wide(segment.column_per_cm2);
        let rounded = floor_f32(self.absorbed);
        let moved = piece.node != node || rounded < piece.low || rounded >= piece.high;
        let straight = piece.slope * column_per_cm2;
        if !moved && self.absorbed + straight < R::from_f32(piece.high) {
            return straight;
        }
        let (head, curve) = tables.curve(table, node);
        piece.node = node;
        piece.follow(&head, &curve, moved, self.absorbed, column_per_cm2)
    }
}

impl<R: Real> Piece<R> {
    /// The increment of a segment that begins on another piece of the curve (`moved`) or leaves this one. The piece
    /// where it ends is kept.
    #[inline(always)]
    fn follow(&mut self, head: &CurveHead, curve: &CurveView, moved: bool, absorbed: R, column_per_cm2: R) -> R {
        let mut node = if self.pool_node < 0 { -1 } else { self.pool_node.wrapping_sub(head.column as i32) };
        if moved {
            (node, self.low, self.high) = curve.find_piece(floor_f32(absorbed), node);
            if node < 0 {
                self.low = 0.0;
            }
            self.slope = curve.slope(node, self.low, self.high);
        }
        let mut increment = R::ZERO;
        let mut column = column_per_cm2; // what is left of the segment
        let mut pieces = 0;
        let increment = loop {
            if node == curve.last() {
                let left = R::ONE - (absorbed + increment);
                break increment - left * (curve.saturation_rate::<R>() * column).exp_m1();
            }
            let (here, high) = (absorbed + increment, R::from_f32(self.high));
            let straight = self.slope * column;
            if here + straight < high {
                break increment + straight;
            }
            // To the end of this piece, and on with what is left.
            column -= (high - here) / self.slope;
            increment = high - absorbed;
            node += 1;
            pieces += 1;
            if pieces == MANY_PIECES {
                let reached = R::from_f32(curve.column(node)) + column;
                node = curve.index_column(reached, node);
                column = reached - R::from_f32(curve.column(node));
                increment = R::from_f32(curve.emissivity(node)) - absorbed;
            }
            self.low = if pieces == MANY_PIECES { curve.emissivity(node) } else { self.high };
            self.high = curve.emissivity(node + 1);
            self.slope = curve.slope(node, self.low, self.high);
        };
        self.pool_node = if node < 0 { -1 } else { node + head.column as i32 };
        increment
    }
}
