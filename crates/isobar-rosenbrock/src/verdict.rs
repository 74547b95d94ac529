//! Step control: whether a step is attempted, whether it is accepted, and how long the next one is. KPP's rules, but
//! for what is not finite.

use isobar_core::Real;

use crate::control::{Control, LEAST_ERROR, MOST_SINGULAR, Negative, ROUND_OFF};
use crate::flight::{ACCEPTED, Flight, REJECTED, SINGULAR, STEPS};
use crate::outcome;

/// Ends lanes that may not attempt a step, and ends steps with the interval.
#[inline(always)]
pub(crate) fn begin<const V: usize>(control: &Control, flight: &mut Flight<V>) {
    for lane in 0..V {
        if !flight.steps(lane) {
            continue;
        }
        let (time, step) = (flight.time[lane], flight.step[lane]);
        if flight.fresh[lane] != 0 && flight.counters[STEPS][lane] > control.max_steps {
            flight.fail(lane, outcome::TOO_MANY_STEPS);
        } else if time + 0.1 * step == time || step <= ROUND_OFF {
            let why = if flight.not_finite[lane] != 0 { outcome::NOT_FINITE } else { outcome::STEP_TOO_SMALL };
            flight.fail(lane, why);
        } else if flight.fresh[lane] != 0 {
            flight.wanted_step[lane] = step;
            flight.step[lane] = step.min(Real::abs(control.end - time));
        }
    }
}

/// Halves the step of a lane whose matrix is singular.
#[inline(always)]
pub(crate) fn singular<const V: usize>(flight: &mut Flight<V>, lane: usize) {
    flight.counters[SINGULAR][lane] += 1;
    flight.singular[lane] += 1;
    flight.fresh[lane] = 0;
    flight.step[lane] *= 0.5;
    if flight.singular[lane] > MOST_SINGULAR {
        flight.fail(lane, outcome::SINGULAR);
    }
}

/// Is a lane's step accepted, with its error in units of the tolerance and a flag for concentrations below minus
/// theirs? Sets the next one.
#[inline(always)]
pub(crate) fn judge<const V: usize>(
    control: &Control,
    order: f64,
    flight: &mut Flight<V>,
    lane: usize,
    (error, negative): (f64, u32),
) -> bool {
    let step = flight.step[lane];
    let finite = error.is_finite();
    let sound = finite && (control.negative != Negative::Reject as u32 || negative == 0);
    let error = if finite { error.max(LEAST_ERROR) } else { f64::MAX };
    let factor = control.safety / Real::powf(error, 1.0 / order);
    let factor = if sound { factor.max(control.least_factor).min(control.most_factor) } else { control.least_factor };
    let next = step * factor;
    flight.singular[lane] = 0;
    flight.not_finite[lane] = u32::from(!finite);
    if sound && (error <= 1.0 || step <= control.min_step) {
        let next = next.min(control.max_step).max(control.min_step);
        let next = if flight.rejected[lane] != 0 { next.min(step) } else { next };
        flight.counters[ACCEPTED][lane] += 1;
        flight.time[lane] += step;
        flight.last_step[lane] = step;
        flight.next_step[lane] = next;
        flight.step[lane] = next;
        flight.rejected[lane] = 0;
        flight.fresh[lane] = 1;
        return true;
    }
    // The third in a row is not led by its error any more.
    let next = if flight.rejected[lane] >= 2 { step * control.rejected_factor } else { next };
    flight.rejected[lane] = (flight.rejected[lane] + 1).min(2);
    flight.counters[REJECTED][lane] += u32::from(flight.counters[ACCEPTED][lane] >= 1);
    flight.next_step[lane] = next;
    flight.step[lane] = next;
    flight.fresh[lane] = 0;
    false
}

/// Ends a lane that has come to the end of the interval; with dense output, when that is written.
#[inline(always)]
pub(crate) fn at_end<const V: usize>(control: &Control, flight: &mut Flight<V>, lane: usize, dense: bool) {
    if (flight.time[lane] - control.end) + ROUND_OFF > 0.0 {
        if dense {
            flight.closing[lane] = 1;
        } else {
            flight.done[lane] = 1;
        }
    }
}
