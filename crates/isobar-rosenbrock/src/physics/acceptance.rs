//! Step control: whether a step is attempted, whether it is accepted, and how long the next one is. The next step
//! follows Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, 1993, chapter II, Eq. 4.13, or the
//! digital filter H211b (Söderlind 2003, doi:10.1145/641876.641877); around it are KPP's rules, but for what is
//! not finite.

use isobar_core::Real;

use crate::physics::control::{Control, Negative};
use crate::physics::limits::{LEAST_ERROR, LEAST_RETRY_S, MOST_SINGULAR, PART_OF_STEP, ROUND_OFF, SINGULAR_FACTOR};
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
        // As in KPP, what is rejected for its error alone shrinks on, for the next step to be too small.
        let shrinks =
            active.fresh[lane] == 0 && active.not_finite[lane] == 0 && control.negative != Negative::Reject as u32;
        let too_small =
            if shrinks { step <= LEAST_RETRY_S } else { time + PART_OF_STEP * step == time || step <= ROUND_OFF };
        if active.fresh[lane] != 0 && active.counters[STEPS][lane] > control.max_steps {
            active.fail(lane, outcome::TOO_MANY_STEPS);
        } else if too_small {
            let why = if active.not_finite[lane] != 0 { outcome::NOT_FINITE } else { outcome::STEP_TOO_SMALL };
            active.fail(lane, why);
        } else if active.fresh[lane] != 0 {
            active.wanted_step[lane] = step;
            active.step[lane] = step.min(Real::abs(control.length_s - time));
        }
    }
}

/// Shortens the step of a lane whose matrix is singular.
#[inline(always)]
pub(crate) fn singular<const V: usize>(active: &mut ActiveCells<V>, lane: usize) {
    active.counters[SINGULAR][lane] += 1;
    active.singular[lane] += 1;
    active.fresh[lane] = 0;
    active.step[lane] *= SINGULAR_FACTOR;
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
    let filters = control.filter_root > 0.0;
    let root = Real::powf(error, if filters { control.filter_root } else { 1.0 / order });
    let factor = if !sound {
        control.least_factor
    } else if filters {
        // H211b, without bounds: the roots of this error, of the one before, and of the factor before.
        let factor = active.filter[lane] / root;
        active.filter[lane] = 1.0 / (root * Real::powf(factor, control.filter_memory));
        factor
    } else {
        // Eq. 4.13: safety err^(-1/order), within bounds.
        (control.safety / root).max(control.least_factor).min(control.most_factor)
    };
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
