//! Concentrations at wanted times: the cubic through the values and slopes at both ends of a step, of order 3 (Hermite;
//! Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, 1993, section II.6).

use isobar_core::Real;

use crate::physics::index::Index;
use crate::schedule::active_cells::ActiveCells;
use crate::schedule::arguments::Arguments;
use crate::schedule::blocks::Blocks;
use crate::schedule::numbers::Numbers;
use crate::schedule::team::{Owner, Team, shared};

/// Writes what is wanted of the last accepted step, now that its end has a slope; keeps the slope for the next one.
#[inline(always)]
pub(crate) fn write<R: Real, I: Index, const RATES: bool, const V: usize, const F: usize, C>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    team: C,
    blocks: &Blocks<R, V, C::Numbers>,
    active: &mut ActiveCells<F>,
    cells: &[usize; V],
) where
    C: Team<R, V> + Owner<V, F>,
{
    let variable = kernel.mechanism.sizes.variable as usize;
    let times = &kernel.wanted_times_s;
    for own in 0..F {
        if !active.is_active(own) || active.fresh[own] == 0 {
            continue;
        }
        let lane = team.owned(own);
        let (now, step) = (active.time[own], active.last_step[own]);
        let closing = active.closing[own] != 0;
        while (active.wanted_time[own] as usize) < times.len() {
            let number = active.wanted_time[own] as usize;
            let wanted = times.at(number) - kernel.control.start_s;
            // The end of the last step differs from that of the interval by a rounding.
            if wanted > now && !closing {
                break;
            }
            let x = if step > 0.0 { ((wanted - (now - step)) / step).min(1.0) } else { 1.0 };
            shared!(team: C, i < variable => {
                let value = cubic(
                    x,
                    step,
                    [blocks.before.lane(i, lane), blocks.state.lane(i, lane)],
                    [blocks.before.lane(variable + i, lane), blocks.function.lane(i, lane)],
                );
                let value = if x < 1.0 { value } else { blocks.state.lane(i, lane) };
                kernel.part(|k| &k.ends.wanted_concentration).put(number * variable + i, cells[lane], value);
            });
            active.wanted_time[own] += 1;
        }
        shared!(team: C, i < variable => {
            blocks.before.set_lane(variable + i, lane, blocks.function.lane(i, lane));
        });
        if closing {
            active.done[own] = 1;
        }
    }
}

/// The value at a part `x` of a step, from the values and slopes at its ends.
#[inline(always)]
fn cubic<R: Real>(x: f64, step: f64, values: [R; 2], slopes: [R; 2]) -> R {
    let rest = 1.0 - x;
    let straight = R::from_f64(rest) * values[0] + R::from_f64(x) * values[1];
    let rise = values[1] - values[0];
    let bend =
        R::from_f64(1.0 - 2.0 * x) * rise - R::from_f64(rest * step) * slopes[0] + R::from_f64(x * step) * slopes[1];
    // The ends and their slopes are met: the bend has the factor x (1 - x).
    Real::mul_add(R::from_f64(-x * rest), bend, straight)
}

#[cfg(test)]
mod tests {
    use super::cubic;

    #[test]
    fn a_cubic_is_met() {
        let f = |t: f64| 2.0 - t + 3.0 * t * t - 0.5 * t * t * t;
        let slope = |t: f64| -1.0 + 6.0 * t - 1.5 * t * t;
        let (a, h) = (0.75, 0.5);
        for x in [0.0, 0.3, 0.5, 0.9, 1.0] {
            let value = cubic(x, h, [f(a), f(a + h)], [slope(a), slope(a + h)]);
            assert!((value - f(a + x * h)).abs() < 1e-14, "{x}: {value}");
        }
    }
}
