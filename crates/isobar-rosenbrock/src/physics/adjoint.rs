//! The adjoint of a step: the transpose of its tangent ([`crate::physics::tangent`]), operation by operation.
//!
//! With weights `z` of the result, from the last stage to the first,
//!
//! ```text
//! A^T u_i = m_i z + sum_(j>i) (a_ji J(Y_j)^T u_j + (c_ji/h) u_j)
//! z <- z + sum_i (J(Y_i)^T u_i + (H(y) k_i)^T u_i),    and for the rate constants f_k(Y_i)^T u_i + (J_k(y) k_i)^T u_i
//! ```
//!
//! the discrete adjoint of Daescu, Sandu and Carmichael 2003 (Atmos. Environ. 37, 5097,
//! doi:10.1016/j.atmosenv.2003.08.020), by rate constants as well. A stage that takes the function of the one before
//! gives its weight to that.

use isobar_core::Real;

use crate::physics::hessian::Point;
use crate::physics::index::Index;
use crate::physics::kinetics::Kinetics;
use crate::physics::method::Pairs;
use crate::physics::tangent::{Made, argument, is_clipped, result};
use crate::schedule::arguments::Arguments;
use crate::schedule::blocks::Blocks;
use crate::schedule::numbers::{Block, Numbers};

/// The numbers of an adjoint.
#[derive(Clone, Copy)]
pub(crate) struct AdjointBlocks<R, const V: usize> {
    /// The weight of each concentration, and room behind them for what the number 1 gets.
    pub(crate) state: Block<R, V>,
    /// That of the rate constants.
    pub(crate) rate_constants: Block<R, V>,
    /// What a step adds to both.
    pub(crate) gain: Block<R, V>,
    pub(crate) gain_of_constants: Block<R, V>,
    /// The argument of a stage, and its weight.
    pub(crate) at: Block<R, V>,
    pub(crate) at_weight: Block<R, V>,
    /// The weight of dc/dt, and of the rates.
    pub(crate) function: Block<R, V>,
    pub(crate) rates: Block<R, V>,
    /// Those of the stages.
    pub(crate) stages: Block<R, V>,
}

/// Takes the weights back over the step whose state, stages and factors the blocks have.
#[inline(always)]
pub(crate) fn step<R: Real, I: Index, const RATES: bool, const V: usize>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    kinetics: &Kinetics<'_, '_, I>,
    blocks: &Blocks<R, V, Block<R, V>>,
    adjoint: &AdjointBlocks<R, V>,
    made: &Made<V>,
) {
    let (coefficients, variable) = (&kernel.coefficients, kernel.mechanism.sizes.variable as usize);
    let (species, reactions) = (kernel.mechanism.species(), kernel.mechanism.sizes.reactions as usize);
    let now = Point { state: blocks.state, rate_constants: blocks.rate_constants };
    let gain = Point { state: adjoint.gain, rate_constants: adjoint.gain_of_constants };
    clear(adjoint.gain, species + 1);
    clear(adjoint.gain_of_constants, reactions);
    clear(adjoint.function, variable);
    for i in 0..variable {
        let mut weight = adjoint.state.get(i);
        let values = result(kernel, (blocks.state, blocks.stages), i);
        for lane in 0..V {
            if made.counts[lane] != 0 && is_clipped(kernel, values[lane]) {
                weight[lane] = R::ZERO;
            }
        }
        adjoint.state.set(i, weight);
        for stage in 0..coefficients.stages as usize {
            adjoint.stages.set(stage * variable + i, scaled(weight, coefficients.m(stage)));
        }
    }
    for stage in (0..coefficients.stages as usize).rev() {
        let own = adjoint.stages.from(stage * variable);
        kinetics.solve_transposed(blocks.factors, own);
        kinetics.weights_of_rates(own, adjoint.rates);
        kinetics.add_gradient_of_slopes(now, blocks.stages.from(stage * variable), adjoint.rates, gain);
        for i in 0..variable {
            let weight = own.get(i);
            let mut by_step = weight;
            for lane in 0..V {
                by_step[lane] *= R::from_f64(1.0 / made.step[lane]);
            }
            add_to(adjoint.function, i, 1.0, weight);
            for before in 0..stage {
                let share = coefficients.of_pair(Pairs::C, stage, before);
                add_to(adjoint.stages, before * variable + i, share, by_step);
            }
        }
        if coefficients.calls & (1 << stage) != 0 {
            argument(kernel, stage, (blocks.state, blocks.stages), adjoint.at);
            kinetics.weights_of_rates(adjoint.function, adjoint.rates);
            clear(adjoint.at_weight, species + 1);
            clear(adjoint.function, variable);
            let to = Point { state: adjoint.at_weight, ..gain };
            kinetics.add_gradient(Point { state: adjoint.at, ..now }, adjoint.rates, to);
            for i in 0..species {
                let weight = adjoint.at_weight.get(i);
                add_to(adjoint.gain, i, 1.0, weight);
                for before in 0..if i < variable { stage } else { 0 } {
                    let share = coefficients.of_pair(Pairs::A, stage, before);
                    add_to(adjoint.stages, before * variable + i, share, weight);
                }
            }
        }
    }
    accept(adjoint.state, adjoint.gain, species, made);
    accept(adjoint.rate_constants, adjoint.gain_of_constants, reactions, made);
}

/// Sets entries to 0.
#[inline(always)]
fn clear<R: Real, const V: usize>(block: Block<R, V>, count: usize) {
    for i in 0..count {
        block.set(i, [R::ZERO; V]);
    }
}

#[inline(always)]
fn scaled<R: Real, const V: usize>(mut values: [R; V], by: f64) -> [R; V] {
    for value in &mut values {
        *value *= R::from_f64(by);
    }
    values
}

/// Adds multiples to an entry; none of 0.
#[inline(always)]
fn add_to<R: Real, const V: usize>(sums: Block<R, V>, place: usize, share: f64, values: [R; V]) {
    if share != 0.0 {
        let mut sum = sums.get(place);
        for lane in 0..V {
            sum[lane] = Real::mul_add(R::from_f64(share), values[lane], sum[lane]);
        }
        sums.set(place, sum);
    }
}

/// Adds the gains of lanes whose step counts.
#[inline(always)]
fn accept<R: Real, const V: usize>(sums: Block<R, V>, gains: Block<R, V>, count: usize, made: &Made<V>) {
    for i in 0..count {
        let (mut sum, gain) = (sums.get(i), gains.get(i));
        for lane in 0..V {
            if made.counts[lane] != 0 {
                sum[lane] += gain[lane];
            }
        }
        sums.set(i, sum);
    }
}
