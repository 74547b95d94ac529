//! The tangent of a step: how its result changes with concentrations and rate constants, its length held.
//!
//! Differentiating the stages of [`crate::physics::method`], `A k_i = f(Y_i) + sum (c_ij/h) k_j` with
//! `A = 1/(gamma h) - J(y)` and `Y_i = y + sum a_ij k_j`, gives
//!
//! ```text
//! A dk_i = J(Y_i) dY_i + f_k(Y_i) dk + sum (c_ij/h) dk_j + dJ k_i,    dy_1 = dy + sum m_i dk_i
//! ```
//!
//! with the matrix of the step itself and `dJ k_i = (H(y) dy) k_i + J_k(y) dk k_i`: the discrete tangent linear model
//! of Sandu, Daescu and Carmichael 2003 (Atmos. Environ. 37, 5083, doi:10.1016/j.atmosenv.2003.08.019). A result below
//! 0 that becomes 0 has no derivative.

use isobar_core::Real;

use crate::physics::control::Negative;
use crate::physics::hessian::Point;
use crate::physics::index::Index;
use crate::physics::kinetics::Kinetics;
use crate::physics::method::Pairs;
use crate::physics::stages::add_stages;
use crate::physics::walk::Walk;
use crate::schedule::arguments::Arguments;
use crate::schedule::blocks::Blocks;
use crate::schedule::numbers::{Block, Numbers};
use crate::schedule::team::OneWorker;

/// The numbers of a tangent.
#[derive(Clone, Copy)]
pub(crate) struct TangentBlocks<R, const V: usize> {
    /// The change of all concentrations, and 0 for the number 1.
    pub(crate) state: Block<R, V>,
    /// That of the rate constants.
    pub(crate) rate_constants: Block<R, V>,
    /// The argument of a stage, and its change.
    pub(crate) at: Block<R, V>,
    pub(crate) at_along: Block<R, V>,
    /// Changes of rates: of the function, and of the whole right side.
    pub(crate) of_function: Block<R, V>,
    pub(crate) of_stage: Block<R, V>,
    /// Changes of the stages, and room for the sums of the last solve.
    pub(crate) stages: Block<R, V>,
}

/// The steps that lanes have made, and which of them count: not 0.
#[derive(Clone, Copy)]
pub(crate) struct Made<const V: usize> {
    pub(crate) step: [f64; V],
    pub(crate) counts: [u32; V],
}

/// The argument of a stage that calls the function, from the state and the stages before.
#[inline(always)]
pub(crate) fn argument<R: Real, I: Index, const RATES: bool, const V: usize>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    stage: usize,
    (state, stages): (Block<R, V>, Block<R, V>),
    at: Block<R, V>,
) {
    let variable = kernel.mechanism.sizes.variable as usize;
    for i in 0..kernel.mechanism.species() + 1 {
        let mut value = state.get(i);
        if i < variable {
            value = add_stages(value, (&kernel.coefficients, Pairs::A), stage, i, variable, stages);
        }
        at.set(i, value);
    }
}

/// The result of a step, of stages or of their changes, of one species.
#[inline(always)]
pub(crate) fn result<R: Real, I: Index, const RATES: bool, const V: usize>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    (state, stages): (Block<R, V>, Block<R, V>),
    i: usize,
) -> [R; V] {
    let variable = kernel.mechanism.sizes.variable as usize;
    let mut result = state.get(i);
    for j in 0..kernel.coefficients.stages as usize {
        let value = stages.get(j * variable + i);
        for lane in 0..V {
            result[lane] = Real::mul_add(R::from_f64(kernel.coefficients.m(j)), value[lane], result[lane]);
        }
    }
    result
}

/// Does a lane's result lose its derivative?
#[inline(always)]
pub(crate) fn is_clipped<R: Real, I: Index, const RATES: bool>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    result: R,
) -> bool {
    kernel.control.negative != Negative::Keep as u32 && result.value() < 0.0
}

/// Takes the tangent over the step whose state, stages and factors the blocks have.
#[inline(always)]
pub(crate) fn step<R: Real, I: Index, const RATES: bool, const V: usize>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    (kinetics, team): (&Kinetics<'_, '_, I>, OneWorker<V>),
    blocks: &Blocks<R, V, Block<R, V>>,
    tangent: &TangentBlocks<R, V>,
    made: &Made<V>,
) {
    let (coefficients, variable) = (&kernel.coefficients, kernel.mechanism.sizes.variable as usize);
    let now = Point { state: blocks.state, rate_constants: blocks.rate_constants };
    let along = Point { state: tangent.state, rate_constants: tangent.rate_constants };
    for stage in 0..coefficients.stages as usize {
        if coefficients.calls & (1 << stage) != 0 {
            argument(kernel, stage, (blocks.state, blocks.stages), tangent.at);
            argument(kernel, stage, (tangent.state, tangent.stages), tangent.at_along);
            let (point, along) = (Point { state: tangent.at, ..now }, Point { state: tangent.at_along, ..along });
            kinetics.rates_along(point, along, tangent.of_function);
        }
        let of_stages = (tangent.of_function, tangent.of_stage);
        kinetics.slopes_along(now, along, blocks.stages.from(stage * variable), of_stages);
        let solution = tangent.stages.from(stage * variable);
        for i in 0..variable {
            let pairs = (coefficients, Pairs::C);
            let mut right = add_stages([R::ZERO; V], pairs, stage, i, variable, tangent.stages);
            for lane in 0..V {
                right[lane] *= R::from_f64(1.0 / made.step[lane]);
            }
            solution.set(i, right);
        }
        kinetics.sum_changes(tangent.of_stage, solution);
        kinetics.solve(team, blocks.factors, solution);
    }
    for i in 0..variable {
        let values = result(kernel, (blocks.state, blocks.stages), i);
        let changes = result(kernel, (tangent.state, tangent.stages), i);
        for lane in 0..V {
            if made.counts[lane] != 0 {
                let change = if is_clipped(kernel, values[lane]) { R::ZERO } else { changes[lane] };
                tangent.state.set_lane(i, lane, change);
            }
        }
    }
}
