//! One step: rate constants, stages, result and error.

use isobar_core::Real;

use crate::arguments::Rosenbrock;
use crate::block::Numbers;
use crate::control::{Negative, ROUND_OFF, Rates};
use crate::crew::{Crew, shared};
use crate::index::Index;
use crate::integrate::{Attempt, Blocks};
use crate::method::{Coefficients, Pairs};
use crate::walk::Walk;

/// Rate constants at times and a state, if they change.
#[inline(always)]
pub(crate) unsafe fn rate_constants<R: Real, I: Index, const RATES: bool, const V: usize, N: Numbers<R, V>>(
    kernel: &Rosenbrock<'_, R, I, RATES>,
    blocks: &Blocks<R, V, N>,
    attempt: &Attempt<V>,
    time: [f64; V],
    state: N,
) {
    if RATES && kernel.control.rates != Rates::Frozen as u32 {
        let inputs = &kernel.start.inputs;
        // SAFETY: the program belongs to the mechanism.
        unsafe {
            kernel.program.run(time, attempt.cells_or_any(), inputs, state, blocks.registers, blocks.rate_constants);
        }
    }
}

/// How far ahead df/dt looks.
#[inline(always)]
fn ahead(time: f64) -> f64 {
    Real::sqrt(ROUND_OFF) * Real::abs(time).max(1e-6)
}

/// The function a little later, on the way to df/dt.
#[inline(always)]
pub(crate) unsafe fn slope<R: Real, I: Index, const RATES: bool, const V: usize, C: Crew<R, V>>(
    kernel: &Rosenbrock<'_, R, I, RATES>,
    (walk, crew): (&impl Walk<R, V, C>, C),
    blocks: &Blocks<R, V, C::Numbers>,
    attempt: &Attempt<V>,
) {
    let mut later = attempt.time;
    for lane in 0..V {
        later[lane] += ahead(attempt.time[lane]);
    }
    // SAFETY: the blocks have room for it.
    unsafe {
        rate_constants(kernel, blocks, attempt, later, blocks.state);
        walk.function(crew, blocks.state, blocks.rate_constants, blocks.rates, blocks.slope);
    }
}

/// df/dt from the function now and a little later.
#[inline(always)]
pub(crate) unsafe fn finish_slope<R: Real, I: Index, const RATES: bool, const V: usize, C: Crew<R, V>>(
    kernel: &Rosenbrock<'_, R, I, RATES>,
    crew: C,
    blocks: &Blocks<R, V, C::Numbers>,
    attempt: &Attempt<V>,
) {
    shared!(crew: C, i < kernel.mechanism.sizes.variable as usize => {
        // SAFETY: the blocks have room for it.
        unsafe {
            let (now, mut slope) = (blocks.function.get(i), blocks.slope.get(i));
            for lane in 0..V {
                slope[lane] = (slope[lane] - now[lane]) * R::from_f64(1.0 / ahead(attempt.time[lane]));
            }
            blocks.slope.set(i, slope);
        }
    });
}

/// All stages.
#[inline(always)]
pub(crate) unsafe fn stages<R: Real, I: Index, const RATES: bool, const V: usize, C: Crew<R, V>, W: Walk<R, V, C>>(
    kernel: &Rosenbrock<'_, R, I, RATES>,
    (walk, crew): (&W, C),
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
        // SAFETY: the blocks have room for it, and earlier stages are there.
        unsafe {
            if stage > 0 && coefficients.calls & (1 << stage) != 0 {
                // Fixed species, and the number 1, are what they were.
                shared!(crew: C, i < kernel.mechanism.species() + 1 => {
                    let mut state = blocks.state.get(i);
                    if i < variable {
                        state = add_stages(state, (coefficients, Pairs::A), stage, i, variable, blocks.stages);
                    }
                    blocks.stage_state.set(i, state);
                });
                crew.wait();
                let mut time = attempt.time;
                for lane in 0..V {
                    time[lane] += coefficients.alpha(stage) * attempt.step[lane];
                }
                if kernel.control.rates == Rates::Stage as u32 {
                    rate_constants(kernel, blocks, attempt, time, blocks.stage_state);
                }
                walk.function(crew, blocks.stage_state, blocks.rate_constants, blocks.rates, blocks.function);
            }
            let own = blocks.stages.from(stage * variable);
            let solution = if W::IN_ONE_PLACE { blocks.stages.from(last * variable) } else { own };
            shared!(crew: C, i < variable => {
                let mut right = add_stages([R::ZERO; V], (coefficients, Pairs::C), stage, i, variable, blocks.stages);
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
                solution.set(i, right);
            });
            crew.wait();
            walk.solve(crew, blocks.factors, solution);
            if W::IN_ONE_PLACE && stage < last {
                shared!(crew: C, i < variable => {
                    own.set(i, solution.get(i));
                });
            }
        }
    }
}

/// The weighted stages before `stage`, added up in their order from `sum` on; weights of 0 are left out.
#[inline(always)]
unsafe fn add_stages<R: Real, const V: usize, N: Numbers<R, V>>(
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
            // SAFETY: the stages before are there.
            let value = unsafe { stages.get(j * variable + i) };
            for lane in 0..V {
                sum[lane] = Real::mul_add(R::from_f64(weight), value[lane], sum[lane]);
            }
        }
    }
    sum
}

/// What an attempt came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged<const V: usize> {
    /// The mean error, of the tolerance; NaN where anything is not finite.
    pub(crate) error: [f64; V],
    /// Not 0 where a concentration is below minus its tolerance.
    pub(crate) negative: [u32; V],
}

/// The result, into the state of the stages, and its error: the square root of the mean square over variable species of
/// the estimated error in units of `absolute + relative * larger concentration`, summed as [`Crew::sum_of_squares`]
/// does it. dc/dt makes room for the terms.
#[inline(always)]
pub(crate) unsafe fn error<R: Real, I: Index, const RATES: bool, const V: usize, C: Crew<R, V>>(
    kernel: &Rosenbrock<'_, R, I, RATES>,
    crew: C,
    blocks: &Blocks<R, V, C::Numbers>,
) -> Judged<V> {
    let coefficients = &kernel.coefficients;
    let variable = kernel.mechanism.sizes.variable as usize;
    let mut wrong = [0.0; V];
    let mut negative = [0; V];
    let squares;
    // SAFETY: the blocks have room for it, and the tolerances have a value a species.
    unsafe {
        shared!(crew: C, i < variable => {
            let state = blocks.state.get(i);
            let mut result = state;
            let mut error = [R::ZERO; V];
            for j in 0..coefficients.stages as usize {
                let value = blocks.stages.get(j * variable + i);
                let (m, e) = (coefficients.m(j), coefficients.e(j));
                for lane in 0..V {
                    result[lane] = Real::mul_add(R::from_f64(m), value[lane], result[lane]);
                    error[lane] = R::from_f64(Real::mul_add(e, value[lane].value(), error[lane].value()));
                }
            }
            blocks.stage_state.set(i, result);
            let absolute = kernel.start.absolute_tolerance.get(i);
            let relative = kernel.start.relative_tolerance.get(i);
            for lane in 0..V {
                let larger = Real::max(Real::abs(state[lane].value()), Real::abs(result[lane].value()));
                let scale = Real::mul_add(relative, larger, absolute);
                error[lane] = R::from_f64(error[lane].value() / scale);
                wrong[lane] += 0.0 * result[lane].value();
                negative[lane] |= u32::from(result[lane].value() < -scale);
            }
            blocks.function.set(i, error);
        });
        crew.wait();
        squares = crew.sum_of_squares(blocks.function, variable);
    }
    let mut not_finite = [0; V];
    for lane in 0..V {
        // What is not finite has become NaN.
        not_finite[lane] = u32::from(wrong[lane] != 0.0);
    }
    let (not_finite, negative) = (crew.any(not_finite), crew.any(negative));
    let mut error = [0.0; V];
    for lane in 0..V {
        let mean = Real::sqrt(squares[lane] / variable as f64);
        error[lane] = if not_finite[lane] != 0 { f64::NAN } else { mean };
    }
    Judged { error, negative }
}

/// Moves a lane to the result of its step.
#[inline(always)]
pub(crate) unsafe fn accept<R: Real, I: Index, const RATES: bool, const V: usize, C: Crew<R, V>>(
    kernel: &Rosenbrock<'_, R, I, RATES>,
    crew: C,
    blocks: &Blocks<R, V, C::Numbers>,
    lane: usize,
) {
    let clip = kernel.control.negative != Negative::Keep as u32;
    shared!(crew: C, i < kernel.mechanism.sizes.variable as usize => {
        // SAFETY: the blocks have room for it.
        unsafe {
            if !kernel.dense_times.is_empty() {
                blocks.before.set_lane(i, lane, blocks.state.lane(i, lane));
            }
            let result = blocks.stage_state.lane(i, lane);
            blocks.state.set_lane(i, lane, if clip { result.max(R::ZERO) } else { result });
        }
    });
}
