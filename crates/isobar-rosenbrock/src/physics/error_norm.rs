//! The result of a step and its error, and the move to it.

use isobar_core::Real;

use crate::physics::control::Negative;
use crate::physics::index::Index;
use crate::schedule::arguments::Arguments;
use crate::schedule::blocks::Blocks;
use crate::schedule::numbers::Numbers;
use crate::schedule::team::{Team, shared};

/// What an attempt came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged<const V: usize> {
    /// The mean error, of the tolerance; NaN where anything is not finite.
    pub(crate) error: [f64; V],
    /// Not 0 where a concentration is below minus its tolerance.
    pub(crate) negative: [u32; V],
}

/// The result, into the state of the stages, and its error: the square root of the mean square over variable species
/// (Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, 1993, chapter II, Eq. 4.11) of the estimated
/// error in units of `absolute + relative * larger concentration` (Eq. 4.10), summed as [`Team::sum_of_squares`] does
/// it. A passive species, whose absolute tolerance is infinite, adds 0, and the mean is that of the others. dc/dt makes
/// room for the terms.
#[inline(always)]
pub(crate) fn error<R: Real, I: Index, const RATES: bool, const V: usize, C: Team<R, V>>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    team: C,
    blocks: &Blocks<R, V, C::Numbers>,
) -> Judged<V> {
    let coefficients = &kernel.coefficients;
    let variable = kernel.mechanism.sizes.variable as usize;
    let mut wrong = [0.0; V];
    let mut negative = [0; V];
    shared!(team: C, i < variable => {
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
        let absolute = kernel.part(|k| &k.absolute_tolerance).get(i);
        let relative = kernel.part(|k| &k.relative_tolerance).get(i);
        for lane in 0..V {
            let larger = Real::max(Real::abs(state[lane].value()), Real::abs(result[lane].value()));
            let scale = Real::mul_add(relative, larger, absolute);
            error[lane] = R::from_f64(error[lane].value() / scale);
            wrong[lane] += 0.0 * result[lane].value();
            negative[lane] |= u32::from(result[lane].value() < -scale);
        }
        blocks.function.set(i, error);
    });
    team.wait();
    let squares = team.sum_of_squares(blocks.function, variable);
    let mut not_finite = [0; V];
    for lane in 0..V {
        // What is not finite has become NaN.
        not_finite[lane] = u32::from(wrong[lane] != 0.0);
    }
    let (not_finite, negative) = (team.any(not_finite), team.any(negative));
    let mut error = [0.0; V];
    for lane in 0..V {
        let mean = Real::sqrt(squares[lane] / (variable as f64 - kernel.control.passive));
        error[lane] = if not_finite[lane] != 0 { f64::NAN } else { mean };
    }
    Judged { error, negative }
}

/// Moves a lane to the result of its step.
#[inline(always)]
pub(crate) fn accept<R: Real, I: Index, const RATES: bool, const V: usize, C: Team<R, V>>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    team: C,
    blocks: &Blocks<R, V, C::Numbers>,
    lane: usize,
) {
    let clip = kernel.control.negative != Negative::Keep as u32;
    shared!(team: C, i < kernel.mechanism.sizes.variable as usize => {
        if !kernel.wanted_times_s.is_empty() {
            blocks.before.set_lane(i, lane, blocks.state.lane(i, lane));
        }
        let result = blocks.stage_state.lane(i, lane);
        blocks.state.set_lane(i, lane, if clip { result.max(R::ZERO) } else { result });
    });
}
