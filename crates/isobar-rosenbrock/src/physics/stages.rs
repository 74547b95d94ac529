//! The stages of a step (Hairer and Wanner 1996, chapter IV, Eq. 7.25, as [`crate::physics::method`] has it), with the
//! rate constants and df/dt that they need.

use isobar_core::Real;

use crate::physics::control::Rates;
use crate::physics::extents;
use crate::physics::index::Index;
use crate::physics::limits::ahead;
use crate::physics::method::{Coefficients, Pairs};
use crate::physics::program;
use crate::physics::walk::Walk;
use crate::schedule::arguments::Arguments;
use crate::schedule::blocks::{Attempt, Blocks};
use crate::schedule::numbers::Numbers;
use crate::schedule::team::{Team, shared};

/// Rate constants at times and a state, if they change: all instructions also give their derivatives.
#[inline(always)]
pub(crate) fn rate_constants<R: Real, I: Index, const RATES: bool, const V: usize, N: Numbers<R, V>>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    blocks: &Blocks<R, V, N>,
    attempt: &Attempt<V>,
    time: [f64; V],
    state: N,
    instructions: usize,
) {
    if RATES && kernel.control.rates != Rates::Frozen as u32 {
        let inputs = kernel.part(|k| &k.cells.rate_input);
        program::run(
            (kernel.part(|k| &k.program), instructions),
            time,
            attempt.cells_or_any(),
            inputs,
            state,
            blocks.registers,
            blocks.rate_constants,
        );
    }
}

/// The function a little later, on the way to df/dt.
#[inline(always)]
pub(crate) fn slope<R: Real, I: Index, const RATES: bool, const V: usize, C: Team<R, V>>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    (walk, team): (&impl Walk<R, V, C>, C),
    blocks: &Blocks<R, V, C::Numbers>,
    attempt: &Attempt<V>,
) {
    let mut later = attempt.time;
    for lane in 0..V {
        later[lane] += ahead(attempt.time[lane]);
    }
    rate_constants(kernel, blocks, attempt, later, blocks.state, kernel.program.rates as usize);
    walk.function(team, blocks.state, blocks.rate_constants, blocks.rates, blocks.slope);
    if C::WORKERS == 1 && kernel.layout.counted > 0 {
        extents::later(kernel, blocks);
    }
}

/// df/dt from the function now and a little later.
#[inline(always)]
pub(crate) fn finish_slope<R: Real, I: Index, const RATES: bool, const V: usize, C: Team<R, V>>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    team: C,
    blocks: &Blocks<R, V, C::Numbers>,
    attempt: &Attempt<V>,
) {
    shared!(team: C, i < kernel.mechanism.sizes.variable as usize => {
        let (now, mut slope) = (blocks.function.get(i), blocks.slope.get(i));
        for lane in 0..V {
            slope[lane] = (slope[lane] - now[lane]) * R::from_f64(1.0 / ahead(attempt.time[lane]));
        }
        blocks.slope.set(i, slope);
    });
    if C::WORKERS == 1 && kernel.layout.counted > 0 {
        extents::finish_slopes(kernel, blocks, attempt);
    }
}

/// All stages.
#[inline(always)]
pub(crate) fn stages<R: Real, I: Index, const RATES: bool, const V: usize, C: Team<R, V>, W: Walk<R, V, C>>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    (walk, team): (&W, C),
    blocks: &Blocks<R, V, C::Numbers>,
    attempt: &Attempt<V>,
) {
    let coefficients = &kernel.coefficients;
    let variable = kernel.mechanism.sizes.variable as usize;
    let mut inverse = [0.0; V];
    for lane in 0..V {
        inverse[lane] = 1.0 / attempt.step[lane];
    }
    let last = coefficients.stages as usize - 1;
    for stage in 0..=last {
        if stage > 0 && coefficients.calls & (1 << stage) != 0 {
            // Fixed species, and the number 1, are what they were.
            shared!(team: C, i < kernel.mechanism.species() + 1 => {
                let mut state = blocks.state.get(i);
                if i < variable {
                    state = add_stages(state, (coefficients, Pairs::A), stage, i, variable, blocks.stages);
                }
                blocks.stage_state.set(i, state);
            });
            team.wait();
            let mut time = attempt.time;
            for lane in 0..V {
                time[lane] += coefficients.alpha(stage) * attempt.step[lane];
            }
            if kernel.control.rates == Rates::Stage as u32 {
                let instructions = kernel.program.rates as usize;
                rate_constants(kernel, blocks, attempt, time, blocks.stage_state, instructions);
            }
            walk.function(team, blocks.stage_state, blocks.rate_constants, blocks.rates, blocks.function);
        }
        let own = blocks.stages.from(stage * variable);
        let solution = if W::IN_ONE_PLACE { blocks.stages.from(last * variable) } else { own };
        shared!(team: C, i < variable + kernel.mechanism.sizes.sums as usize => {
            // Sums change with what they are of, and by nothing else.
            let mut right = [R::ZERO; V];
            if i < variable {
                right = add_stages(right, (coefficients, Pairs::C), stage, i, variable, blocks.stages);
                let function = blocks.function.get(i);
                for lane in 0..V {
                    right[lane] = Real::mul_add(right[lane], R::from_f64(inverse[lane]), function[lane]);
                }
                if RATES && kernel.control.non_autonomous != 0 {
                    let slope = blocks.slope.get(i);
                    for lane in 0..V {
                        let weight = coefficients.gamma(stage) * attempt.step[lane];
                        right[lane] = Real::mul_add(R::from_f64(weight), slope[lane], right[lane]);
                    }
                }
            }
            solution.set(i, if W::REDUCES { walk.right_side(i, right) } else { right });
        });
        team.wait();
        walk.solve(team, blocks.factors, solution);
        if RATES && C::WORKERS == 1 && kernel.layout.counted > 0 {
            extents::add_stage::<R, I, RATES, V, C>(kernel, blocks, attempt, stage, solution);
        }
        if W::IN_ONE_PLACE && stage < last {
            shared!(team: C, i < variable => {
                own.set(i, solution.get(i));
            });
        }
    }
}

/// The weighted stages before `stage`, added up in their order from `sum` on; weights of 0 are left out.
#[inline(always)]
pub(crate) fn add_stages<R: Real, const V: usize, N: Numbers<R, V>>(
    mut sum: [R; V],
    (coefficients, which): (&Coefficients<'_>, Pairs),
    stage: usize,
    i: usize,
    variable: usize,
    stages: N,
) -> [R; V] {
    for j in 0..stage {
        let weight = coefficients.of_pair(which, stage, j);
        if weight != 0.0 {
            let value = stages.get(j * variable + i);
            for lane in 0..V {
                sum[lane] = Real::mul_add(R::from_f64(weight), value[lane], sum[lane]);
            }
        }
    }
    sum
}
