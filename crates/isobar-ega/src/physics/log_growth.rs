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

use crate::curve::{CurveHead, CurveView};
use crate::limits::{LEAST_LOGARITHM, OPAQUE_TRANSMITTANCE};
use crate::physics::law::tail_rate;
use crate::physics::rule::{MOST_MEMORY, Rule, Segment, SideBySide};
use crate::tables::{Cell, NO_GRID, TableHead, Tables};

/// The growth of one gas in one channel along a path.
#[derive(Clone, Copy, Debug)]
pub struct LogGrowth<R>(LogGrowths<R, 1>);

/// The growth of one gas in channels side by side: the pieces of the four curves on which the absorbed fractions lie,
/// value by value, for a CPU's vectors.
#[derive(Clone, Copy, Debug)]
pub struct LogGrowths<R, const W: usize> {
    absorbed: [R; W],
    /// The grid nodes of the curves.
    nodes: [[u32; 4]; W],
    /// The nodes where the pieces begin, in the numbering of the column pool, so that they are good guesses on
    /// neighbouring curves as well; -1 below the first node.
    pool_nodes: [[i32; 4]; W],
    /// Logarithms of the emissivity where the pieces begin and end, infinite where they do not.
    low: [[f32; 4]; W],
    high: [[f32; 4]; W],
    /// `d ln eps / d ln u`; below the first node `eps / u`; beyond the last the rate of the exponential.
    slope: [[R; 4]; W],
    /// One over `slope`; below the first node the emissivity there, beyond the last anything finite.
    inverse: [[R; 4]; W],
    /// One over the column density where a piece begins \[cm^2/molecule\]; below the first node that of this.
    inverse_column_cm2: [[R; 4]; W],
    /// Logarithm of the column density where a piece ends over that where it begins.
    width: [[R; 4]; W],
}

impl<R: Real> Rule<R> for LogGrowth<R> {
    const NAME: &'static str = "grow_ega_log";
    const JACOBIAN: &'static str = "jacobian_grow_ega_log";
    const JURASSIC: bool = false;
    const LOGARITHMIC: bool = true;
    const MEMORY: usize = 1;

    #[inline(always)]
    fn start() -> Self {
        Self(LogGrowths::start())
    }

    #[inline(always)]
    fn memory(&self) -> [R::Wide; MOST_MEMORY] {
        let zero = <R::Wide as Real>::ZERO;
        [self.0.absorbed[0].wide(), zero, zero, zero]
    }

    #[inline(always)]
    fn remember(&mut self, [absorbed, ..]: [R::Wide; MOST_MEMORY]) {
        self.0.absorbed = [R::from_wide(absorbed)];
    }

    #[inline(always)]
    fn add(&mut self, tables: &Tables<'_>, table: &TableHead, segment: &Segment<R>) -> R {
        let [emissivity] = self.0.add(tables, &[*table], &[segment.cell], R::from_wide(segment.column_per_cm2));
        emissivity
    }

    type Several<const W: usize> = LogGrowths<R, W>;

    #[inline(always)]
    fn start_all<const W: usize>() -> LogGrowths<R, W> {
        LogGrowths::start()
    }

    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "several arrays go along")]
    fn add_all<const W: usize>(
        several: &mut LogGrowths<R, W>,
        channels: &SideBySide<'_, W>,
        cell: impl Fn(usize) -> Cell<R>,
        segment: Segment<R>,
    ) -> [R; W] {
        let (mut cells, mut heads) = ([Cell::default(); W], channels.heads);
        for lane in 0..W {
            if lane >= channels.here {
                heads[lane].grid = NO_GRID;
            } else if heads[lane].grid != NO_GRID {
                cells[lane] = cell(lane);
            }
        }
        several.add(&channels.tables, &heads, &cells, R::from_wide(segment.column_per_cm2))
    }
}

/// An increment as `factor (exp(exponent) - 1) + rest`.
#[derive(Clone, Copy)]
struct End<R> {
    factor: R,
    exponent: R,
    rest: R,
}

/// Those of all curves.
struct Ends<R, const W: usize> {
    factor: [[R; 4]; W],
    exponent: [[R; 4]; W],
    rest: [[R; 4]; W],
    /// Logarithm of the column density at the end of the segment over that at the begin of the piece.
    reached: [[R; 4]; W],
    /// Not 0 where that lies beyond the piece.
    crosses: [[u32; 4]; W],
}

/// Runs a body for each curve: written out for one channel, so that a GPU keeps arrays in registers; a loop for more.
macro_rules! each {
    ($i:ident => $work:expr) => {
        if W == 1 {
            each!(@one $i 0 $work);
            each!(@one $i 1 $work);
            each!(@one $i 2 $work);
            each!(@one $i 3 $work);
        } else {
            for $i in 0..4 * W {
                $work;
            }
        }
    };
    (@one $i:ident $number:literal $work:expr) => {{
        let $i = $number;
        $work;
    }};
}

impl<R: Real, const W: usize> LogGrowths<R, W> {
    #[inline(always)]
    fn start() -> Self {
        let none = [[R::ZERO; 4]; W];
        Self {
            absorbed: [R::ZERO; W],
            nodes: [[u32::MAX; 4]; W],
            pool_nodes: [[-1; 4]; W],
            low: [[0.0; 4]; W],
            high: [[0.0; 4]; W],
            slope: none,
            inverse: none,
            inverse_column_cm2: none,
            width: none,
        }
    }

    /// The emissivities of the next segment, step by step for all channels: loops over arrays, and no functions of
    /// closures, which a CPU would compile without its vectors.
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "several arrays go along")]
    fn add(&mut self, tables: &Tables<'_>, heads: &[TableHead; W], cells: &[Cell<R>; W], column: R) -> [R; W] {
        let none = [[R::ZERO; 4]; W];
        let (mut emissivities, mut logarithms, mut follows) = ([R::ZERO; W], [R::ZERO; W], [false; W]);
        for lane in 0..W {
            let absorbed = self.absorbed[lane];
            logarithms[lane] = if absorbed >= R::MIN_POSITIVE { absorbed } else { R::MIN_POSITIVE };
        }
        for logarithm in &mut logarithms {
            *logarithm = logarithm.plain_ln();
        }
        // Four times the same, for what is done for all curves.
        let (mut all_absorbed, mut ln_absorbed, mut nodes) = (none, none, [[0; 4]; W]);
        for lane in 0..W {
            let absorbed = self.absorbed[lane];
            let logarithm = if absorbed >= R::MIN_POSITIVE { logarithms[lane] } else { -R::INFINITY };
            all_absorbed[lane] = [absorbed; 4];
            ln_absorbed[lane] = [logarithm; 4];
            nodes[lane] = cells[lane].nodes;
            if heads[lane].grid != NO_GRID {
                follows[lane] = R::ONE - absorbed >= R::from_f64(OPAQUE_TRANSMITTANCE);
                emissivities[lane] = if follows[lane] { R::ZERO } else { R::ONE };
            }
        }
        let elsewhere = self.elsewhere(&nodes, &ln_absorbed);
        for lane in 0..W {
            if follows[lane] && elsewhere[lane] != [0; 4] {
                self.turn(lane, &nodes[lane]);
                // Written out, so that a GPU keeps all four pieces in registers.
                self.arrive::<0>(lane, tables, &heads[lane], &cells[lane], ln_absorbed[lane][0]);
                self.arrive::<1>(lane, tables, &heads[lane], &cells[lane], ln_absorbed[lane][1]);
                self.arrive::<2>(lane, tables, &heads[lane], &cells[lane], ln_absorbed[lane][2]);
                self.arrive::<3>(lane, tables, &heads[lane], &cells[lane], ln_absorbed[lane][3]);
            }
        }
        let mut ends = self.leave(column, &all_absorbed, &ln_absorbed);
        for lane in 0..W {
            macro_rules! cross {
                ($($corner:literal)*) => {$(
                    if ends.crosses[lane][$corner] != 0 {
                        let end = self.cross::<$corner>(lane, tables, &heads[lane], &cells[lane], column,
                            ln_absorbed[lane][$corner], ends.reached[lane][$corner]);
                        ends.factor[lane][$corner] = end.factor;
                        ends.exponent[lane][$corner] = end.exponent;
                        ends.rest[lane][$corner] = end.rest;
                    }
                )*};
            }
            if follows[lane] && ends.crosses[lane] != [0; 4] {
                cross!(0 1 2 3);
            }
        }
        let mut increments = none;
        {
            let (factor, exponent) = (ends.factor.as_flattened(), ends.exponent.as_flattened());
            let (rest, increments) = (ends.rest.as_flattened(), increments.as_flattened_mut());
            each!(i => increments[i] = factor[i] * growth_of(exponent[i]) + rest[i]);
        }
        for lane in 0..W {
            if follows[lane] {
                let absorbed = self.absorbed[lane];
                let left = R::ONE - absorbed;
                let increment = cells[lane].interpolate(increments[lane]).clamp(-absorbed, left);
                self.absorbed[lane] = absorbed + increment;
                emissivities[lane] = increment / left;
            }
        }
        emissivities
    }

    /// Not 0 where the piece is not the one on which the segment begins.
    #[inline(always)]
    fn elsewhere(&self, nodes: &[[u32; 4]; W], ln_absorbed: &[[R; 4]; W]) -> [[u32; 4]; W] {
        let mut elsewhere = [[0; 4]; W];
        let (before, now) = (self.nodes.as_flattened(), nodes.as_flattened());
        let (low, high) = (self.low.as_flattened(), self.high.as_flattened());
        let (ln_absorbed, results) = (ln_absorbed.as_flattened(), elsewhere.as_flattened_mut());
        each!(i => {
            let inside = ln_absorbed[i] >= R::from_f32(low[i]) && ln_absorbed[i] < R::from_f32(high[i]);
            results[i] = (before[i] ^ now[i]) | u32::from(!inside);
        });
        elsewhere
    }

    /// What segments add that end on the piece where they begin, which others leave.
    #[inline(always)]
    fn leave(&self, column: R, absorbed: &[[R; 4]; W], ln_absorbed: &[[R; 4]; W]) -> Ends<R, W> {
        let none = [[R::ZERO; 4]; W];
        let mut ends = Ends { factor: none, exponent: none, rest: none, reached: none, crosses: [[0; 4]; W] };
        let (low, high) = (self.low.as_flattened(), self.high.as_flattened());
        let (slope, inverse) = (self.slope.as_flattened(), self.inverse.as_flattened());
        let (inverse_column, width) = (self.inverse_column_cm2.as_flattened(), self.width.as_flattened());
        let (absorbed, ln_absorbed) = (absorbed.as_flattened(), ln_absorbed.as_flattened());
        let (factor, exponent) = (ends.factor.as_flattened_mut(), ends.exponent.as_flattened_mut());
        let (rest, reached) = (ends.rest.as_flattened_mut(), ends.reached.as_flattened_mut());
        let crosses = ends.crosses.as_flattened_mut();
        each!(i => {
            let (tail, straight) = (high[i] == f32::INFINITY, low[i] == f32::NEG_INFINITY);
            let above = (ln_absorbed[i] - R::from_f32(low[i])) * inverse[i];
            let above = if tail || straight { R::ZERO } else { above };
            let [longer] = R::plain_ln_1p([column * inverse_column[i] * (R::ONE + growth_of(-above))]);
            let line = slope[i] * column;
            let end = if straight { inverse[i] } else { width[i] };
            let at_end = if straight { absorbed[i] + line } else { above + longer };
            let on_piece = if tail { absorbed[i] - R::ONE } else { absorbed[i] };
            let rises = if tail { line } else { slope[i] * longer };
            reached[i] = above + longer;
            crosses[i] = u32::from(!tail && at_end >= end);
            factor[i] = if straight { R::ZERO } else { on_piece };
            exponent[i] = if straight { R::ZERO } else { rises };
            rest[i] = if straight { line } else { R::ZERO };
        });
        ends
    }

    /// Where the cell has gone to the next pressure, two of its curves are known: their pieces change places.
    #[inline(always)]
    fn turn(&mut self, lane: usize, nodes: &[u32; 4]) {
        let before = self.nodes[lane];
        let up = nodes[0] == before[2] && nodes[1] == before[3];
        let down = nodes[2] == before[0] && nodes[3] == before[1];
        if up || down {
            self.nodes[lane] = turned(before);
            self.pool_nodes[lane] = turned(self.pool_nodes[lane]);
            self.low[lane] = turned(self.low[lane]);
            self.high[lane] = turned(self.high[lane]);
            self.slope[lane] = turned(self.slope[lane]);
            self.inverse[lane] = turned(self.inverse[lane]);
            self.inverse_column_cm2[lane] = turned(self.inverse_column_cm2[lane]);
            self.width[lane] = turned(self.width[lane]);
        }
    }

    /// Makes the piece of a corner the one on which the segment begins.
    #[inline(always)]
    fn arrive<const CORNER: usize>(
        &mut self,
        lane: usize,
        tables: &Tables<'_>,
        table: &TableHead,
        cell: &Cell<R>,
        ln_absorbed: R,
    ) {
        let node = cell.nodes[CORNER];
        let (low, high) = (R::from_f32(self.low[lane][CORNER]), R::from_f32(self.high[lane][CORNER]));
        if self.nodes[lane][CORNER] != node || ln_absorbed < low || ln_absorbed >= high {
            let (head, curve) = tables.curve(table, node);
            self.nodes[lane][CORNER] = node;
            let guess = self.pool_nodes[lane][CORNER];
            let guess = if guess < 0 { -1 } else { guess.wrapping_sub(head.column as i32) };
            self.take::<CORNER>(lane, &head, &curve, curve.find_emissivity(ln_absorbed, guess));
        }
    }

    /// What a segment adds that ends beyond the piece of a corner, which becomes the one where it ends: `reached` is
    /// the logarithm of the column density at its end over that at the begin of the piece.
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "a part of `add`")]
    fn cross<const CORNER: usize>(
        &mut self,
        lane: usize,
        tables: &Tables<'_>,
        table: &TableHead,
        cell: &Cell<R>,
        column: R,
        ln_absorbed: R,
        reached: R,
    ) -> End<R> {
        let absorbed = self.absorbed[lane];
        let (head, curve) = tables.curve(table, cell.nodes[CORNER]);
        if self.low[lane][CORNER] == f32::NEG_INFINITY {
            let first = self.inverse[lane][CORNER];
            let reached = (absorbed / self.slope[lane][CORNER] + column) * self.inverse_column_cm2[lane][CORNER];
            let low = R::from_f32(self.high[lane][CORNER]);
            return match self.reach::<CORNER>(lane, &head, &curve, 0, reached.plain_ln()) {
                Reached::Piece(ln_emissivity) => {
                    End { factor: first, exponent: ln_emissivity - low, rest: first - absorbed }
                }
                Reached::Tail(exponent) => End { factor: -R::ONE, exponent, rest: -absorbed },
            };
        }
        let here = self.pool_nodes[lane][CORNER].wrapping_sub(head.column as i32);
        match self.reach::<CORNER>(lane, &head, &curve, here, reached) {
            Reached::Piece(ln_emissivity) => {
                End { factor: absorbed, exponent: ln_emissivity - ln_absorbed, rest: R::ZERO }
            }
            Reached::Tail(exponent) => End { factor: -R::ONE, exponent, rest: -absorbed },
        }
    }

    /// Makes the piece of a corner the one where the column density is `exp(above)` times that of a node.
    #[inline(always)]
    fn reach<const CORNER: usize>(
        &mut self,
        lane: usize,
        head: &CurveHead,
        curve: &CurveView,
        node: i32,
        above: R,
    ) -> Reached<R> {
        let from = R::from_f32(curve.column(node));
        let reached = curve.find_column(from + above, node).max(node);
        let above = above - (R::from_f32(curve.column(reached)) - from);
        self.take::<CORNER>(lane, head, curve, reached);
        let slope = self.slope[lane][CORNER];
        if reached == curve.last() {
            return Reached::Tail(slope * above.exp() / self.inverse_column_cm2[lane][CORNER]);
        }
        Reached::Piece(R::from_f32(self.low[lane][CORNER]) + slope * above)
    }

    /// Makes the piece of a corner that from `node` on.
    #[inline(always)]
    fn take<const CORNER: usize>(&mut self, lane: usize, head: &CurveHead, curve: &CurveView, node: i32) {
        self.pool_nodes[lane][CORNER] = if node < 0 { -1 } else { node + head.column as i32 };
        let last = curve.last();
        let (mut low, mut high) = (f32::NEG_INFINITY, f32::INFINITY);
        if node >= 0 {
            low = curve.emissivity(node);
        }
        if node < last {
            high = curve.emissivity(node + 1);
        }
        (self.low[lane][CORNER], self.high[lane][CORNER]) = (low, high);
        let inverse_column = curve.inverse_column(node.max(0));
        self.inverse_column_cm2[lane][CORNER] = inverse_column;
        if node < 0 {
            let first = R::from_f32(high).exp();
            (self.slope[lane][CORNER], self.inverse[lane][CORNER]) = (first * inverse_column, first);
        } else if node == last {
            self.slope[lane][CORNER] = tail_rate(curve);
        } else {
            // So that quotients have the same bits everywhere.
            let least = R::from_f64(LEAST_LOGARITHM);
            let width = (R::from_f32(curve.column(node + 1)) - R::from_f32(curve.column(node))).at_least(least);
            let rise = (R::from_f32(high) - R::from_f32(low)).at_least(least);
            (self.slope[lane][CORNER], self.inverse[lane][CORNER]) =
                (rise.plain_quotient(width), width.plain_quotient(rise));
            self.width[lane][CORNER] = width;
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

/// `exp(x) - 1`, of less than -80 as of -80: nothing is left of what decays so far.
#[inline(always)]
fn growth_of<R: Real>(exponent: R) -> R {
    let least = R::from_f64(-80.0);
    let exponent = if exponent > least { exponent } else { least };
    let [growth] = R::exp2_m1_products([exponent], R::from_f64(core::f64::consts::LOG2_E));
    growth
}

/// Exchanges two pairs.
#[inline(always)]
fn turned<T: Copy>([a, b, c, d]: [T; 4]) -> [T; 4] {
    [c, d, a, b]
}
