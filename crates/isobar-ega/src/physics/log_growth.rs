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
use crate::physics::law::tail_rate;
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
    /// One over the column density where it begins \[cm^2/molecule\]; below the first node that of this.
    inverse_column_cm2: R,
    /// Logarithm of the column density where it ends over that where it begins.
    width: R,
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
            width: R::ZERO,
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
        let (absorbed, column) = (self.absorbed, R::from_wide(segment.column_per_cm2));
        let ln_absorbed = if absorbed > R::ZERO { absorbed.ln() } else { -R::INFINITY };
        // Written out, so that a GPU keeps all four pieces in registers; functions of all four at once, so that a CPU
        // takes its vectors.
        self.arrive::<0>(tables, table, segment, ln_absorbed);
        self.arrive::<1>(tables, table, segment, ln_absorbed);
        self.arrive::<2>(tables, table, segment, ln_absorbed);
        self.arrive::<3>(tables, table, segment, ln_absorbed);
        // Of pieces between nodes alone. Loops and no functions of closures, which a
        // CPU would compile without its vectors.
        let (mut above, mut begin, mut longer) = ([R::ZERO; 4], [R::ZERO; 4], [R::ZERO; 4]);
        for (above, piece) in above.iter_mut().zip(&self.pieces) {
            if piece.low > f32::NEG_INFINITY && piece.high < f32::INFINITY {
                *above = (ln_absorbed - R::from_f32(piece.low)) * piece.inverse;
            }
        }
        for i in 0..4 {
            begin[i] = R::ONE + growth_of(-above[i]);
        }
        for i in 0..4 {
            longer[i] = log_of(column * self.pieces[i].inverse_column_cm2 * begin[i]);
        }
        let ends = [
            self.leave::<0>(tables, table, segment, ln_absorbed, [above[0], longer[0]]),
            self.leave::<1>(tables, table, segment, ln_absorbed, [above[1], longer[1]]),
            self.leave::<2>(tables, table, segment, ln_absorbed, [above[2], longer[2]]),
            self.leave::<3>(tables, table, segment, ln_absorbed, [above[3], longer[3]]),
        ];
        let (mut grown, mut increments) = ([R::ZERO; 4], [R::ZERO; 4]);
        for i in 0..4 {
            grown[i] = growth_of(ends[i].exponent);
        }
        for i in 0..4 {
            increments[i] = ends[i].factor * grown[i] + ends[i].rest;
        }
        let increment = segment.cell.interpolate(increments).clamp(-self.absorbed, left);
        self.absorbed += increment;
        increment / left
    }
}

/// The largest argument of the series below.
const SMALL: f64 = 0.25;

/// Four terms of a polynomial, from a power of `x` on, whose square is given: sums of few steps one after the other.
#[inline(always)]
fn four<R: Real>([a, b, c, d]: [f64; 4], x: R, square: R) -> R {
    let coefficient = R::from_f64;
    (coefficient(a) + coefficient(b) * x) + (coefficient(c) + coefficient(d) * x) * square
}

/// `exp(x) - 1`: most pieces and segments are so short that a sum of the first terms, `x + x^2 / 2 + ... + x^13 / 13!`, has
/// all digits of a double, and takes a fraction of the time.
#[inline(always)]
fn growth_of<R: Real>(x: R) -> R {
    if x.abs() > R::from_f64(SMALL) {
        return x.exp_m1();
    }
    let square = x * x;
    let fourth = square * square;
    let first = four([1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0], x, square);
    let next = four([1.0 / 120.0, 1.0 / 720.0, 1.0 / 5_040.0, 1.0 / 40_320.0], x, square);
    let last = four([1.0 / 362_880.0, 1.0 / 3_628_800.0, 1.0 / 39_916_800.0, 1.0 / 479_001_600.0], x, square);
    x * (first + fourth * (next + fourth * (last + fourth * R::from_f64(1.0 / 6_227_020_800.0))))
}

/// `ln(1 + x) = 2 artanh(z)` with `z = x / (2 + x)`, of which `z + z^3 / 3 + ... + z^17 / 17` has all digits likewise.
#[inline(always)]
fn log_of<R: Real>(x: R) -> R {
    if x.abs() > R::from_f64(SMALL) {
        return x.ln_1p();
    }
    let z = x / (R::from_f64(2.0) + x);
    let y = z * z;
    let square = y * y;
    let fourth = square * square;
    let first = four([1.0, 1.0 / 3.0, 1.0 / 5.0, 1.0 / 7.0], y, square);
    let next = four([1.0 / 9.0, 1.0 / 11.0, 1.0 / 13.0, 1.0 / 15.0], y, square);
    (z + z) * (first + fourth * (next + fourth * R::from_f64(1.0 / 17.0)))
}

/// An increment as `factor (exp(exponent) - 1) + rest`.
#[derive(Clone, Copy)]
struct End<R> {
    factor: R,
    exponent: R,
    rest: R,
}

impl<R: Real> LogGrowth<R> {
    /// Makes the piece of a corner the one on which the segment begins.
    #[inline(always)]
    fn arrive<const CORNER: usize>(
        &mut self,
        tables: &Tables<'_>,
        table: &TableHead,
        segment: &Segment<R>,
        ln_absorbed: R,
    ) {
        let (piece, node) = (&mut self.pieces[CORNER], segment.cell.nodes[CORNER]);
        let (low, high) = (R::from_f32(piece.low), R::from_f32(piece.high));
        if piece.node != node || ln_absorbed < low || ln_absorbed >= high {
            let (head, curve) = tables.curve(table, node);
            piece.node = node;
            let guess = if piece.pool_node < 0 { -1 } else { piece.pool_node.wrapping_sub(head.column as i32) };
            piece.take(&head, &curve, curve.find_emissivity(ln_absorbed, guess));
        }
    }

    /// What the segment adds on the curve of a corner, whose piece becomes the one where it ends: `above` is the
    /// logarithm of the column density at its begin over that at the begin of the piece, `longer` that of its end over
    /// its begin.
    #[inline(always)]
    fn leave<const CORNER: usize>(
        &mut self,
        tables: &Tables<'_>,
        table: &TableHead,
        segment: &Segment<R>,
        ln_absorbed: R,
        [above, longer]: [R; 2],
    ) -> End<R> {
        let (piece, node) = (&mut self.pieces[CORNER], segment.cell.nodes[CORNER]);
        let (absorbed, column) = (self.absorbed, R::from_wide(segment.column_per_cm2));
        if piece.high == f32::INFINITY {
            return End { factor: absorbed - R::ONE, exponent: piece.slope * column, rest: R::ZERO };
        }
        if piece.low == f32::NEG_INFINITY {
            let (straight, first) = (piece.slope * column, piece.inverse);
            if absorbed + straight < first {
                return End { factor: R::ZERO, exponent: R::ZERO, rest: straight };
            }
            let (head, curve) = tables.curve(table, node);
            let reached = (absorbed / piece.slope + column) * piece.inverse_column_cm2;
            let low = R::from_f32(piece.high);
            return match piece.reach(&head, &curve, 0, reached.ln()) {
                Reached::Piece(ln_emissivity) => {
                    End { factor: first, exponent: ln_emissivity - low, rest: first - absorbed }
                }
                Reached::Tail(exponent) => End { factor: -R::ONE, exponent, rest: -absorbed },
            };
        }
        if above + longer < piece.width {
            return End { factor: absorbed, exponent: piece.slope * longer, rest: R::ZERO };
        }
        let (head, curve) = tables.curve(table, node);
        let here = piece.pool_node.wrapping_sub(head.column as i32);
        match piece.reach(&head, &curve, here, above + longer) {
            Reached::Piece(ln_emissivity) => {
                End { factor: absorbed, exponent: ln_emissivity - ln_absorbed, rest: R::ZERO }
            }
            Reached::Tail(exponent) => End { factor: -R::ONE, exponent, rest: -absorbed },
        }
    }
}

/// Where a segment ends.
enum Reached<R> {
    /// On a piece in logarithms: the logarithm of the emissivity.
    Piece(R),
    /// Beyond the last node: that of the transmittance.
    Tail(R),
}

impl<R: Real> Piece<R> {
    /// Makes this the piece where the column density is `exp(above)` times that of a node.
    #[inline(always)]
    fn reach(&mut self, head: &CurveHead, curve: &CurveView, node: i32, above: R) -> Reached<R> {
        let from = R::from_f32(curve.column(node));
        let reached = curve.find_column(from + above, node).max(node);
        let above = above - (R::from_f32(curve.column(reached)) - from);
        self.take(head, curve, reached);
        if reached == curve.last() {
            return Reached::Tail(self.slope * above.exp() / self.inverse_column_cm2);
        }
        Reached::Piece(R::from_f32(self.low) + self.slope * above)
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
            self.width = R::from_f32(curve.column(node + 1)) - R::from_f32(curve.column(node));
            let rise = R::from_f32(self.high) - R::from_f32(self.low);
            (self.slope, self.inverse) = (rise / self.width, self.width / rise);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_have_all_digits() {
        // Rounding of a dozen terms, each less than a quarter of that before it.
        let near = |got: f64, want: f64| assert!((got - want).abs() <= 1e-15 * want.abs(), "{got:e} is not {want:e}");
        for i in -250..=250 {
            let x = 0.001 * f64::from(i);
            near(growth_of(x), Real::exp_m1(x));
            near(log_of(x.abs()), Real::ln_1p(x.abs()));
        }
        near(growth_of(1e-12), Real::exp_m1(1e-12));
        near(log_of(1e-30), 1e-30);
        near(growth_of(3.0), Real::exp_m1(3.0));
        near(log_of(3.0), Real::ln_1p(3.0));
    }
}
