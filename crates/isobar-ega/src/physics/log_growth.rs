//! The emissivity growth approximation with curves that are straight in logarithms, as JURASSIC has them since 2026:
//! see [`crate::physics::growth`] for what it is.
//!
//! Where the gas has absorbed the fraction `A` and the curve has there the column density `u*`, a segment that adds `u`
//! and stays on the piece adds
//!
//! ```text
//! A ((1 + u / u*)^s - 1),    u / u* = (u / u_k) (A / eps_k)^(-1 / s)
//! ```
//!
//! to it: all digits of a thin segment are kept, and neither the inverse of a curve nor the curve itself is looked up.

use isobar_core::Real;

use crate::constants::OPAQUE_TRANSMITTANCE;
use crate::curve::{CurveHead, CurveView};
use crate::physics::law::{ln_emissivity, ln_slope, tail_rate};
use crate::physics::rule::{MOST_MEMORY, Rule, Segment};
use crate::tables::{TableHead, Tables};

/// The growth of one gas in one channel along a path.
#[derive(Clone, Copy, Debug)]
pub struct LogGrowth<R> {
    absorbed: R,
    pieces: [Piece<R>; 4],
}

/// The piece of a curve on which the absorbed fraction lies.
#[derive(Clone, Copy, Debug)]
struct Piece<R> {
    /// The grid node of the curve.
    node: u32,
    /// The node where the piece begins, in the numbering of the column pool, so that it is a good guess on a
    /// neighbouring curve as well; -1 below the first node.
    pool_node: i32,
    /// Logarithms of the emissivity where it begins and ends, infinite where it does not.
    low: f32,
    high: f32,
    /// `d ln eps / d ln u`; below the first node `eps / u`; beyond the last the rate of the exponential.
    slope: R,
    /// One over `slope`; below the first node the emissivity there.
    inverse: R,
    /// One over the column density where it begins \[cm^2/molecule\].
    inverse_column_cm2: R,
}

impl<R: Real> Rule<R> for LogGrowth<R> {
    const NAME: &'static str = "grow_ega_log";
    const JACOBIAN: &'static str = "jacobian_grow_ega_log";
    const JURASSIC: bool = false;
    const LOGARITHMIC: bool = true;
    const MEMORY: usize = 1;

    #[inline(always)]
    fn start() -> Self {
        let nowhere = Piece {
            node: u32::MAX,
            pool_node: -1,
            low: 0.0,
            high: 0.0,
            slope: R::ZERO,
            inverse: R::ZERO,
            inverse_column_cm2: R::ZERO,
        };
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
        let ln_absorbed = if self.absorbed > R::ZERO { self.absorbed.ln() } else { -R::INFINITY };
        // Written out, so that a GPU keeps all four pieces in registers.
        let increments = [
            self.corner::<0>(tables, table, segment, ln_absorbed),
            self.corner::<1>(tables, table, segment, ln_absorbed),
            self.corner::<2>(tables, table, segment, ln_absorbed),
            self.corner::<3>(tables, table, segment, ln_absorbed),
        ];
        let increment = segment.cell.interpolate(increments).clamp(-self.absorbed, left);
        self.absorbed += increment;
        increment / left
    }
}

impl<R: Real> LogGrowth<R> {
    /// What the segment adds on the curve of one corner of the cell.
    #[inline(always)]
    fn corner<const CORNER: usize>(
        &mut self,
        tables: &Tables<'_>,
        table: &TableHead,
        segment: &Segment<R>,
        ln_absorbed: R,
    ) -> R {
        let (piece, node) = (&mut self.pieces[CORNER], segment.cell.nodes[CORNER]);
        let (absorbed, column) = (self.absorbed, R::from_wide(segment.column_per_cm2));
        let (low, high) = (R::from_f32(piece.low), R::from_f32(piece.high));
        if piece.node != node || ln_absorbed < low || ln_absorbed >= high {
            let (head, curve) = tables.curve(table, node);
            piece.node = node;
            let guess = if piece.pool_node < 0 { -1 } else { piece.pool_node.wrapping_sub(head.column as i32) };
            piece.take(&head, &curve, curve.find_emissivity(ln_absorbed, guess));
        }
        if piece.low == f32::NEG_INFINITY {
            let straight = piece.slope * column;
            if absorbed + straight < piece.inverse {
                return straight;
            }
            let (head, curve) = tables.curve(table, node);
            return piece.leap(&head, &curve, absorbed, absorbed / piece.slope + column);
        }
        if piece.high == f32::INFINITY {
            return -(R::ONE - absorbed) * (piece.slope * column).exp_m1();
        }
        let above = (ln_absorbed - R::from_f32(piece.low)) * piece.inverse;
        let growth = piece.slope * (column * piece.inverse_column_cm2 * (-above).exp()).ln_1p();
        if ln_absorbed + growth < R::from_f32(piece.high) {
            return absorbed * growth.exp_m1();
        }
        let (head, curve) = tables.curve(table, node);
        piece.leap(&head, &curve, absorbed, above.exp() / piece.inverse_column_cm2 + column)
    }
}

impl<R: Real> Piece<R> {
    /// The increment of a segment that leaves the piece, from the column density at its end. The piece where that lies
    /// is kept.
    #[inline(always)]
    fn leap(&mut self, head: &CurveHead, curve: &CurveView, absorbed: R, reached_per_cm2: R) -> R {
        let mut near = if self.pool_node < 0 { 0 } else { self.pool_node.wrapping_sub(head.column as i32) + 1 };
        let emissivity = ln_emissivity(curve, reached_per_cm2.ln(), reached_per_cm2, &mut near);
        self.take(head, curve, near);
        emissivity - absorbed
    }

    /// Makes this the piece from `node` on.
    #[inline(always)]
    fn take(&mut self, head: &CurveHead, curve: &CurveView, node: i32) {
        self.pool_node = if node < 0 { -1 } else { node + head.column as i32 };
        let last = curve.last();
        (self.low, self.high) = (f32::NEG_INFINITY, f32::INFINITY);
        if node >= 0 {
            self.low = curve.emissivity(node);
        }
        if node < last {
            self.high = curve.emissivity(node + 1);
        }
        self.inverse_column_cm2 = curve.inverse_column(node.max(0));
        if node < 0 {
            self.inverse = R::from_f32(self.high).exp();
            self.slope = self.inverse * self.inverse_column_cm2;
        } else if node == last {
            self.slope = tail_rate(curve);
        } else {
            self.slope = ln_slope(curve, node);
            self.inverse = R::ONE / self.slope;
        }
    }
}
