//! Step control: whether a step is attempted, whether it is accepted, and how long the next one is. KPP's rules, but
//! for what is not finite.

use isobar_core::Real;

use crate::physics::control::{Control, LEAST_ERROR, MOST_SINGULAR, Negative, ROUND_OFF};
use crate::physics::outcome;
use crate::schedule::active_cells::{ACCEPTED, ActiveCells, REJECTED, SINGULAR, STEPS};

/// Ends lanes that may not attempt a step, and ends steps with the interval.
#[inline(always)]
pub(crate) fn begin<const V: usize>(control: &Control, active: &mut ActiveCells<V>) {
    for lane in 0..V {
        if !active.steps(lane) {
            continue;
        }
        let (time, step) = (active.time[lane], active.step[lane]);
        if active.fresh[lane] != 0 && active.counters[STEPS][lane] > control.max_steps {
            active.fail(lane, outcome::TOO_MANY_STEPS);
        } else if time + 0.1 * step == time || step <= ROUND_OFF {
            let why = if active.not_finite[lane] != 0 { outcome::NOT_FINITE } else { outcome::STEP_TOO_SMALL };
            active.fail(lane, why);
        } else if active.fresh[lane] != 0 {
            active.wanted_step[lane] = step;
            active.step[lane] = step.min(Real::abs(control.length_s - time));
        }
    }
}

/// Halves the step of a lane whose matrix is singular.
#[inline(always)]
pub(crate) fn singular<const V: usize>(active: &mut ActiveCells<V>, lane: usize) {
    active.counters[SINGULAR][lane] += 1;
    active.singular[lane] += 1;
    active.fresh[lane] = 0;
    active.step[lane] *= 0.5;
    if active.singular[lane] > MOST_SINGULAR {
        active.fail(lane, outcome::SINGULAR);
    }
}

/// Is a lane's step accepted, with its error in units of the tolerance and a flag for concentrations below minus
/// theirs? Sets the next one.
#[inline(always)]
pub(crate) fn judge<const V: usize>(
    control: &Control,
    order: f64,
    active: &mut ActiveCells<V>,
    lane: usize,
    (error, negative): (f64, u32),
) -> bool {
    let step = active.step[lane];
    let finite = error.is_finite();
    let sound = finite && (control.negative != Negative::Reject as u32 || negative == 0);
    let error = if finite { error.max(LEAST_ERROR) } else { f64::MAX };
    let factor = control.safety / Real::powf(error, 1.0 / order);
    let factor = if sound { factor.max(control.least_factor).min(control.most_factor) } else { control.least_factor };
    let next = step * factor;
    active.singular[lane] = 0;
    active.not_finite[lane] = u32::from(!finite);
    if sound && (error <= 1.0 || step <= control.min_step_s) {
        let next = next.min(control.max_step_s).max(control.min_step_s);
        let next = if active.rejected[lane] != 0 { next.min(step) } else { next };
        active.counters[ACCEPTED][lane] += 1;
        active.time[lane] += step;
        active.last_step[lane] = step;
        active.next_step[lane] = next;
        active.step[lane] = next;
        active.rejected[lane] = 0;
        active.fresh[lane] = 1;
        return true;
    }
    // The third in a row is not led by its error any more.
    let next = if active.rejected[lane] >= 2 { step * control.rejected_factor } else { next };
    active.rejected[lane] = (active.rejected[lane] + 1).min(2);
    active.counters[REJECTED][lane] += u32::from(active.counters[ACCEPTED][lane] >= 1);
    active.next_step[lane] = next;
    active.step[lane] = next;
    active.fresh[lane] = 0;
    false
}

/// Ends a lane that has come to the end of the interval; with dense output, when that is written.
#[inline(always)]
pub(crate) fn at_end<const V: usize>(control: &Control, active: &mut ActiveCells<V>, lane: usize, dense: bool) {
    if (active.time[lane] - control.length_s) + ROUND_OFF > 0.0 {
        if dense {
            active.closing[lane] = 1;
        } else {
            active.done[lane] = 1;
        }
    }
}
