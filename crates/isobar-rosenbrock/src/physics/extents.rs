//! Extents of reactions: rates `w_r`, integrated over the accepted steps by the method itself, as variables
//! `dB_r/dt = w_r(t, c)` that nothing depends on. Their rows of the matrix have the derivatives of `w_r` and the
//! diagonal alone, so that a stage of theirs needs no solution, and the step adds
//!
//! ```text
//! H sum_i b_i (w_r(t_i, c_i) + sum_s dw_r/dc_s K_is + gamma_i H dw_r/dt)
//! ```
//!
//! with the weights `b` of [`Tableau::weights`](crate::Tableau::weights), concentrations `c_i` and solutions `K_i` of
//! the stages. What a species changes by is the sum of these extents times its coefficients, for both are linear in the
//! rates: budgets close to round-off, whatever the tolerances.
//!
//! Units: `w_r` \[molecules/(cm^3 s)\], `B_r` \[molecules/cm^3\], or what else cells are given in.

use isobar_core::Real;

use crate::physics::index::Index;
use crate::physics::limits::ahead;
use crate::schedule::arguments::Arguments;
use crate::schedule::blocks::{Attempt, Blocks};
use crate::schedule::numbers::{Numbers, Reader, fused};
use crate::schedule::team::Team;

/// Nothing has happened yet in a lane's new cell.
#[inline(always)]
pub(crate) fn begin<R: Real, I: Index, const RATES: bool, const V: usize, N: Numbers<R, V>>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    blocks: &Blocks<R, V, N>,
    lane: usize,
) {
    for i in 0..kernel.layout.counted as usize {
        blocks.extents.set_lane(i, lane, R::ZERO);
    }
}

/// Keeps the rates of a little later, on the way to their derivatives by time.
#[inline(always)]
pub(crate) fn later<R: Real, I: Index, const RATES: bool, const V: usize, N: Numbers<R, V>>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    blocks: &Blocks<R, V, N>,
) {
    let mut table = Reader::new(kernel.part(|k| &k.counted));
    for i in 0..kernel.layout.counted as usize {
        let (reaction, derivatives) = (table.next(), table.next());
        blocks.rate_slopes.set(i, blocks.rates.get(reaction));
        table.skip(3 * derivatives);
    }
}

/// Derivatives of rates by time, from the rates now and a little later.
#[inline(always)]
pub(crate) fn finish_slopes<R: Real, I: Index, const RATES: bool, const V: usize, N: Numbers<R, V>>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    blocks: &Blocks<R, V, N>,
    attempt: &Attempt<V>,
) {
    let mut table = Reader::new(kernel.part(|k| &k.counted));
    for i in 0..kernel.layout.counted as usize {
        let (reaction, derivatives) = (table.next(), table.next());
        let (now, mut slope) = (blocks.rates.get(reaction), blocks.rate_slopes.get(i));
        for lane in 0..V {
            slope[lane] = (slope[lane] - now[lane]) * R::from_f64(1.0 / ahead(attempt.time[lane]));
        }
        blocks.rate_slopes.set(i, slope);
        table.skip(3 * derivatives);
    }
}

/// Adds a stage, whose rates and solution are there, to what the step may come to.
#[inline(always)]
pub(crate) fn add_stage<R: Real, I: Index, const RATES: bool, const V: usize, C: Team<R, V>>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    blocks: &Blocks<R, V, C::Numbers>,
    attempt: &Attempt<V>,
    stage: usize,
    solution: C::Numbers,
) {
    let (weight, gamma) = (kernel.coefficients.weight(stage), kernel.coefficients.gamma(stage));
    let mut of_step = [R::ZERO; V];
    for lane in 0..V {
        of_step[lane] = R::from_f64(weight * attempt.step[lane]);
    }
    let mut table = Reader::new(kernel.part(|k| &k.counted));
    for i in 0..kernel.layout.counted as usize {
        let (reaction, derivatives) = (table.next(), table.next());
        let mut rate = blocks.rates.get(reaction);
        for _ in 0..derivatives {
            let mut derivative = blocks.derivatives.get(table.next());
            let change = solution.get(table.next());
            let power = R::from_f64(table.next() as f64);
            for lane in 0..V {
                derivative[lane] *= power;
            }
            fused!(rate, derivative, change);
        }
        if kernel.control.non_autonomous != 0 {
            let slope = blocks.rate_slopes.get(i);
            for lane in 0..V {
                rate[lane] = Real::mul_add(R::from_f64(gamma * attempt.step[lane]), slope[lane], rate[lane]);
            }
        }
        let mut gain = if stage == 0 { [R::ZERO; V] } else { blocks.gains.get(i) };
        fused!(gain, of_step, rate);
        blocks.gains.set(i, gain);
    }
}

/// A lane's step is accepted.
#[inline(always)]
pub(crate) fn accept<R: Real, I: Index, const RATES: bool, const V: usize, N: Numbers<R, V>>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    blocks: &Blocks<R, V, N>,
    lane: usize,
) {
    for i in 0..kernel.layout.counted as usize {
        blocks.extents.set_lane(i, lane, blocks.extents.lane(i, lane) + blocks.gains.lane(i, lane));
    }
}

/// Writes what a lane's cell has come to.
#[inline(always)]
pub(crate) fn write_back<R: Real, I: Index, const RATES: bool, const V: usize, N: Numbers<R, V>>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    blocks: &Blocks<R, V, N>,
    (lane, cell): (usize, usize),
) {
    for i in 0..kernel.layout.counted as usize {
        kernel.part(|k| &k.ends.extent_of_reaction).put(i, cell, blocks.extents.lane(i, lane));
    }
}
