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
use crate::physics::rule::{MOST_MEMORY, Rule, Segment, SideBySide};
use crate::tables::{Cell, NO_GRID, TableHead, Tables};

/// The growth of one gas in one channel along a path.
///
/// The pieces of the four curves on which the absorbed fraction lies are kept value by value, for a CPU's vectors.
#[derive(Clone, Copy, Debug)]
pub struct LogGrowth<R> {
    absorbed: R,
    /// The grid nodes of the curves.
    nodes: [u32; 4],
    /// The nodes where the pieces begin, in the numbering of the column pool, so that they are good guesses on
    /// neighbouring curves as well; -1 below the first node.
    pool_nodes: [i32; 4],
    /// Logarithms of the emissivity where the pieces begin and end, infinite where they do not.
    low: [f32; 4],
    high: [f32; 4],
    /// `d ln eps / d ln u`; below the first node `eps / u`; beyond the last the rate of the exponential.
    slope: [R; 4],
    /// One over `slope`; below the first node the emissivity there, beyond the last anything finite.
    inverse: [R; 4],
    /// One over the column density where a piece begins \[cm^2/molecule\]; below the first node that of this.
    inverse_column_cm2: [R; 4],
    /// Logarithm of the column density where a piece ends over that where it begins.
    width: [R; 4],
}

impl<R: Real> Rule<R> for LogGrowth<R> {
    const NAME: &'static str = "grow_ega_log";
    const JACOBIAN: &'static str = "jacobian_grow_ega_log";
    const JURASSIC: bool = false;
    const LOGARITHMIC: bool = true;
    const MEMORY: usize = 1;

    #[inline(always)]
    fn start() -> Self {
        let none = [R::ZERO; 4];
        Self {
            absorbed: R::ZERO,
            nodes: [u32::MAX; 4],
            pool_nodes: [-1; 4],
            low: [0.0; 4],
            high: [0.0; 4],
            slope: none,
            inverse: none,
            inverse_column_cm2: none,
            width: none,
        }
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
        let mut rules = [*self];
        let [emissivity] = grow(&mut rules, tables, &[*table], &[segment.cell], R::from_wide(segment.column_per_cm2));
        [*self] = rules;
        emissivity
    }

    #[inline(always)]
    fn add_all<const W: usize>(
        rules: &mut [Self; W],
        channels: &SideBySide<'_, R, W>,
        point: usize,
        segment: Segment<R>,
    ) -> [R; W] {
        let mut cells = [Cell::default(); W];
        for (lane, cell) in cells.iter_mut().enumerate() {
            if lane < channels.here && channels.heads[lane].grid != NO_GRID {
                *cell = channels.cells[lane].at(point);
            }
        }
        let mut heads = channels.heads;
        for head in heads.iter_mut().skip(channels.here) {
            head.grid = NO_GRID;
        }
        grow(rules, &channels.tables, &heads, &cells, R::from_wide(segment.column_per_cm2))
    }
}

/// From the logarithm of the column density at the begin of a segment over that at the begin of its piece, and the
/// segment's over the latter, the logarithm of the column density at its end over that at its begin.
#[inline(always)]
fn lengthened<R: Real, const N: usize>(above: &[R; N], column: &[R; N]) -> [R; N] {
    let mut numbers = [R::ZERO; N];
    for i in 0..N {
        numbers[i] = decay(-above[i]);
    }
    let begin = R::exp2_m1_products(numbers, log2_e());
    for i in 0..N {
        numbers[i] = column[i] * (R::ONE + begin[i]);
    }
    R::plain_ln_1p(numbers)
}

/// What [`End`]s stand for.
#[inline(always)]
fn increments<R: Real, const N: usize>(factor: &[R; N], exponent: &[R; N], rest: &[R; N]) -> [R; N] {
    let mut numbers = [R::ZERO; N];
    for i in 0..N {
        numbers[i] = decay(exponent[i]);
    }
    let grown = R::exp2_m1_products(numbers, log2_e());
    for i in 0..N {
        numbers[i] = factor[i] * grown[i] + rest[i];
    }
    numbers
}

/// Replaces the first of some arrays by what a function makes of all: eight numbers at a time, as many as a CPU's
/// vectors hold; four where there is one channel.
macro_rules! replace {
    ($function:ident: $first:ident $(, $other:ident)*) => {
        if W % 2 == 0 {
            $(let $other = $other.as_flattened().as_chunks::<8>().0;)*
            for (i, eight) in $first.as_flattened_mut().as_chunks_mut::<8>().0.iter_mut().enumerate() {
                *eight = $function(eight $(, &$other[i])*);
            }
        } else {
            for (i, four) in $first.iter_mut().enumerate() {
                *four = $function(four $(, &$other[i])*);
            }
        }
    };
}

/// The next segment in channels side by side, step by step for all of them: loops and no functions of closures, which a
/// CPU would compile without its vectors.
#[inline(always)]
fn grow<R: Real, const W: usize>(
    rules: &mut [LogGrowth<R>; W],
    tables: &Tables<'_>,
    heads: &[TableHead; W],
    cells: &[Cell<R>; W],
    column: R,
) -> [R; W] {
    let none = [[R::ZERO; 4]; W];
    let (mut emissivities, mut ln_absorbed, mut follows) = ([R::ZERO; W], [R::ZERO; W], [false; W]);
    for lane in 0..W {
        let absorbed = rules[lane].absorbed;
        ln_absorbed[lane] = if absorbed >= R::MIN_POSITIVE { absorbed } else { R::MIN_POSITIVE };
    }
    for logarithm in &mut ln_absorbed {
        *logarithm = logarithm.plain_ln();
    }
    let (mut above, mut columns) = (none, none);
    for lane in 0..W {
        let rule = &mut rules[lane];
        let absorbed = rule.absorbed;
        if heads[lane].grid == NO_GRID {
            continue;
        }
        if R::ONE - absorbed < R::from_f64(OPAQUE_TRANSMITTANCE) {
            emissivities[lane] = R::ONE;
            continue;
        }
        follows[lane] = true;
        if absorbed < R::MIN_POSITIVE {
            ln_absorbed[lane] = -R::INFINITY;
        }
        let mut elsewhere = false;
        for i in 0..4 {
            let (low, high) = (R::from_f32(rule.low[i]), R::from_f32(rule.high[i]));
            elsewhere |= rule.nodes[i] != cells[lane].nodes[i];
            elsewhere |= ln_absorbed[lane] < low || ln_absorbed[lane] >= high;
        }
        if elsewhere {
            rule.turn(&cells[lane].nodes);
            // Written out, so that a GPU keeps all four pieces in registers.
            rule.arrive::<0>(tables, &heads[lane], &cells[lane], ln_absorbed[lane]);
            rule.arrive::<1>(tables, &heads[lane], &cells[lane], ln_absorbed[lane]);
            rule.arrive::<2>(tables, &heads[lane], &cells[lane], ln_absorbed[lane]);
            rule.arrive::<3>(tables, &heads[lane], &cells[lane], ln_absorbed[lane]);
        }
        for i in 0..4 {
            let height = (ln_absorbed[lane] - R::from_f32(rule.low[i])) * rule.inverse[i];
            let between = rule.low[i] > f32::NEG_INFINITY && rule.high[i] < f32::INFINITY;
            above[lane][i] = if between { height } else { R::ZERO };
            columns[lane][i] = column * rule.inverse_column_cm2[i];
        }
    }
    let mut longer = above;
    replace!(lengthened: longer, columns);
    let (mut factor, mut exponent, mut rest) = (none, none, none);
    for lane in 0..W {
        if !follows[lane] {
            continue;
        }
        let rule = &mut rules[lane];
        let absorbed = rule.absorbed;
        let (mut crosses, mut some_cross) = ([false; 4], false);
        for i in 0..4 {
            let tail = rule.high[i] == f32::INFINITY;
            let straight = rule.low[i] == f32::NEG_INFINITY;
            let line = rule.slope[i] * column;
            let power = rule.slope[i] * longer[lane][i];
            let (reached, end) = if straight {
                (absorbed + line, rule.inverse[i])
            } else {
                (above[lane][i] + longer[lane][i], rule.width[i])
            };
            crosses[i] = !tail && reached >= end;
            some_cross |= crosses[i];
            factor[lane][i] = if straight {
                R::ZERO
            } else if tail {
                absorbed - R::ONE
            } else {
                absorbed
            };
            exponent[lane][i] = if straight {
                R::ZERO
            } else if tail {
                line
            } else {
                power
            };
            rest[lane][i] = if straight { line } else { R::ZERO };
        }
        macro_rules! cross {
            ($($corner:literal)*) => {$(
                if crosses[$corner] {
                    let end = rule.cross::<$corner>(tables, &heads[lane], &cells[lane], column, ln_absorbed[lane],
                        above[lane][$corner] + longer[lane][$corner]);
                    factor[lane][$corner] = end.factor;
                    exponent[lane][$corner] = end.exponent;
                    rest[lane][$corner] = end.rest;
                }
            )*};
        }
        if some_cross {
            cross!(0 1 2 3);
        }
    }
    replace!(increments: factor, exponent, rest);
    for lane in 0..W {
        if follows[lane] {
            let absorbed = rules[lane].absorbed;
            let left = R::ONE - absorbed;
            let increment = cells[lane].interpolate(factor[lane]).clamp(-absorbed, left);
            rules[lane].absorbed += increment;
            emissivities[lane] = increment / left;
        }
    }
    emissivities
}

#[inline(always)]
fn turned<T: Copy>([a, b, c, d]: [T; 4]) -> [T; 4] {
    [c, d, a, b]
}

/// Of exponents: nothing is left of what decays so far.
#[inline(always)]
fn decay<R: Real>(exponent: R) -> R {
    let least = R::from_f64(-80.0);
    if exponent > least { exponent } else { least }
}

#[inline(always)]
fn log2_e<R: Real>() -> R {
    R::from_f64(core::f64::consts::LOG2_E)
}

/// An increment as `factor (exp(exponent) - 1) + rest`.
#[derive(Clone, Copy)]
struct End<R> {
    factor: R,
    exponent: R,
    rest: R,
}

impl<R: Real> LogGrowth<R> {
    /// Where the cell has gone to the next pressure, two of its curves are known: their pieces change places.
    #[inline(always)]
    fn turn(&mut self, nodes: &[u32; 4]) {
        let up = nodes[0] == self.nodes[2] && nodes[1] == self.nodes[3];
        let down = nodes[2] == self.nodes[0] && nodes[3] == self.nodes[1];
        if up || down {
            self.nodes = turned(self.nodes);
            self.pool_nodes = turned(self.pool_nodes);
            self.low = turned(self.low);
            self.high = turned(self.high);
            self.slope = turned(self.slope);
            self.inverse = turned(self.inverse);
            self.inverse_column_cm2 = turned(self.inverse_column_cm2);
            self.width = turned(self.width);
        }
    }

    /// Makes the piece of a corner the one on which the segment begins.
    #[inline(always)]
    fn arrive<const CORNER: usize>(&mut self, tables: &Tables<'_>, table: &TableHead, cell: &Cell<R>, ln_absorbed: R) {
        let node = cell.nodes[CORNER];
        let (low, high) = (R::from_f32(self.low[CORNER]), R::from_f32(self.high[CORNER]));
        if self.nodes[CORNER] != node || ln_absorbed < low || ln_absorbed >= high {
            let (head, curve) = tables.curve(table, node);
            self.nodes[CORNER] = node;
            let guess = self.pool_nodes[CORNER];
            let guess = if guess < 0 { -1 } else { guess.wrapping_sub(head.column as i32) };
            self.take::<CORNER>(&head, &curve, curve.find_emissivity(ln_absorbed, guess));
        }
    }

    /// What a segment adds that ends beyond the piece of a corner, which becomes the one where it ends: `reached` is the
    /// logarithm of the column density at its end over that at the begin of the piece.
    #[inline(always)]
    fn cross<const CORNER: usize>(
        &mut self,
        tables: &Tables<'_>,
        table: &TableHead,
        cell: &Cell<R>,
        column: R,
        ln_absorbed: R,
        reached: R,
    ) -> End<R> {
        let absorbed = self.absorbed;
        let (head, curve) = tables.curve(table, cell.nodes[CORNER]);
        if self.low[CORNER] == f32::NEG_INFINITY {
            let first = self.inverse[CORNER];
            let reached = (absorbed / self.slope[CORNER] + column) * self.inverse_column_cm2[CORNER];
            let low = R::from_f32(self.high[CORNER]);
            return match self.reach::<CORNER>(&head, &curve, 0, reached.plain_ln()) {
                Reached::Piece(ln_emissivity) => {
                    End { factor: first, exponent: ln_emissivity - low, rest: first - absorbed }
                }
                Reached::Tail(exponent) => End { factor: -R::ONE, exponent, rest: -absorbed },
            };
        }
        let here = self.pool_nodes[CORNER].wrapping_sub(head.column as i32);
        match self.reach::<CORNER>(&head, &curve, here, reached) {
            Reached::Piece(ln_emissivity) => {
                End { factor: absorbed, exponent: ln_emissivity - ln_absorbed, rest: R::ZERO }
            }
            Reached::Tail(exponent) => End { factor: -R::ONE, exponent, rest: -absorbed },
        }
    }

    /// Makes the piece of a corner the one where the column density is `exp(above)` times that of a node.
    #[inline(always)]
    fn reach<const CORNER: usize>(&mut self, head: &CurveHead, curve: &CurveView, node: i32, above: R) -> Reached<R> {
        let from = R::from_f32(curve.column(node));
        let reached = curve.find_column(from + above, node).max(node);
        let above = above - (R::from_f32(curve.column(reached)) - from);
        self.take::<CORNER>(head, curve, reached);
        if reached == curve.last() {
            return Reached::Tail(self.slope[CORNER] * above.exp() / self.inverse_column_cm2[CORNER]);
        }
        Reached::Piece(R::from_f32(self.low[CORNER]) + self.slope[CORNER] * above)
    }

    /// Makes the piece of a corner that from `node` on.
    #[inline(always)]
    fn take<const CORNER: usize>(&mut self, head: &CurveHead, curve: &CurveView, node: i32) {
        self.pool_nodes[CORNER] = if node < 0 { -1 } else { node + head.column as i32 };
        let last = curve.last();
        let (mut low, mut high) = (f32::NEG_INFINITY, f32::INFINITY);
        if node >= 0 {
            low = curve.emissivity(node);
        }
        if node < last {
            high = curve.emissivity(node + 1);
        }
        (self.low[CORNER], self.high[CORNER]) = (low, high);
        let inverse_column = curve.inverse_column(node.max(0));
        self.inverse_column_cm2[CORNER] = inverse_column;
        if node < 0 {
            let first = R::from_f32(high).exp();
            (self.slope[CORNER], self.inverse[CORNER]) = (first * inverse_column, first);
        } else if node == last {
            self.slope[CORNER] = tail_rate(curve);
        } else {
            let width = R::from_f32(curve.column(node + 1)) - R::from_f32(curve.column(node));
            let rise = R::from_f32(high) - R::from_f32(low);
            (self.slope[CORNER], self.inverse[CORNER]) = (rise / width, width / rise);
            self.width[CORNER] = width;
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
