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

use crate::constants::OPAQUE_TRANSMITTANCE;
use crate::curve::{CurveHead, CurveView};
use crate::rule::{Rule, Segment};
use crate::tables::{Cell, TableHead, Tables};

/// The growth of one gas in one channel along a path.
#[derive(Clone, Copy, Debug)]
pub struct Growth<R> {
    absorbed: R,
    pieces: [Piece<R>; 4],
    nodes: [u32; 4],
}

/// The straight piece of a curve on which the absorbed fraction lies.
#[derive(Clone, Copy, Debug)]
struct Piece<R> {
    /// The node where the piece begins, in the numbering of the column pool, so that it is a good guess on a
    /// neighbouring curve as well; -1 at the origin.
    place: i32,
    low: f32,
    high: f32,
    slope: R,
}

impl<R: Real> Rule<R> for Growth<R> {
    const NAME: &'static str = "grow_ega";
    const JURASSIC: bool = false;

    #[inline(always)]
    fn start() -> Self {
        let piece = Piece { place: -1, low: 0.0, high: 0.0, slope: R::ZERO };
        Self { absorbed: R::ZERO, pieces: [piece; 4], nodes: [u32::MAX; 4] }
    }

    #[inline(always)]
    fn add(&mut self, tables: &Tables<'_>, table: &TableHead, segment: &Segment<R>) -> R {
        let (cell, column_per_cm2) = (&segment.cell, R::from_f64(segment.column_per_cm2));
        let left = R::ONE - self.absorbed;
        if left < R::from_f64(OPAQUE_TRANSMITTANCE) {
            return R::ONE;
        }
        let increments = [
            self.corner::<0>(tables, table, cell, column_per_cm2),
            self.corner::<1>(tables, table, cell, column_per_cm2),
            self.corner::<2>(tables, table, cell, column_per_cm2),
            self.corner::<3>(tables, table, cell, column_per_cm2),
        ];
        let increment = cell.interpolate(increments).clamp(-self.absorbed, left);
        self.absorbed += increment;
        increment / left
    }
}

impl<R: Real> Growth<R> {
    /// What the segment adds on the curve of one corner of the cell. The corner is a constant, so that a GPU keeps
    /// all four pieces in registers.
    #[inline(always)]
    fn corner<const CORNER: usize>(
        &mut self,
        tables: &Tables<'_>,
        table: &TableHead,
        cell: &Cell<R>,
        column_per_cm2: R,
    ) -> R {
        let (node, absorbed) = (cell.nodes[CORNER], self.absorbed);
        let piece = &mut self.pieces[CORNER];
        let holds = R::from_f32(piece.low) <= absorbed && absorbed < R::from_f32(piece.high);
        if self.nodes[CORNER] != node || !holds {
            let (head, curve) = tables.curve(table, node);
            piece.settle(&head, &curve, absorbed);
            self.nodes[CORNER] = node;
        }
        let straight = piece.slope * column_per_cm2;
        if absorbed + straight < R::from_f32(piece.high) {
            return straight;
        }
        let (head, curve) = tables.curve(table, node);
        piece.advance(&head, &curve, absorbed, column_per_cm2)
    }
}

impl<R: Real> Piece<R> {
    /// Finds the piece of `curve` that holds `absorbed`.
    #[inline(always)]
    fn settle(&mut self, head: &CurveHead, curve: &CurveView, absorbed: R) {
        let guess = if self.place < 0 { -1 } else { self.place.wrapping_sub(head.column as i32) };
        let node = curve.find_emissivity(absorbed, guess);
        self.take(head, curve, node);
    }

    #[inline(always)]
    fn take(&mut self, head: &CurveHead, curve: &CurveView, node: i32) {
        self.place = if node < 0 { -1 } else { node + head.column as i32 };
        self.low = curve.emissivity(node);
        self.high = curve.emissivity(node + 1);
        self.slope = if curve.last() < 0 {
            R::ZERO // no curve: no absorption
        } else if node == curve.last() {
            R::INFINITY // no straight piece: `advance` takes the exponential
        } else {
            let rise = R::from_f32(self.high) - R::from_f32(self.low);
            rise / (R::from_f32(curve.column(node + 1)) - R::from_f32(curve.column(node)))
        };
    }

    /// The increment of a segment that leaves the piece, which becomes the one where the segment ends.
    #[inline(always)]
    fn advance(&mut self, head: &CurveHead, curve: &CurveView, absorbed: R, column_per_cm2: R) -> R {
        let last = curve.last();
        if last < 0 {
            return R::ZERO;
        }
        let node = if self.place < 0 { -1 } else { self.place - head.column as i32 };
        if node == last {
            let rate = curve.saturation_rate::<R>();
            return (absorbed - R::ONE) * (rate * column_per_cm2).exp_m1();
        }
        let reached =
            R::from_f32(curve.column(node)) + (absorbed - R::from_f32(self.low)) / self.slope + column_per_cm2;
        let end = curve.find_column(reached, node);
        self.take(head, curve, end);
        if end == last {
            return (R::ONE - absorbed) - (curve.saturation_rate::<R>() * reached).exp();
        }
        let straight = self.slope * (reached - R::from_f32(curve.column(end)));
        R::from_f32(self.low) + straight - absorbed
    }
}
