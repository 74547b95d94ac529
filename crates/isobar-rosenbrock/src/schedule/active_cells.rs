//! The active cells: where each one stands.

use crate::physics::control::Control;
use crate::physics::limits::{LEAST_FIRST_STEP_S, NO_STEP_S};

/// What is known of the cells that a worker watches, besides their blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActiveCells<const V: usize> {
    /// Is there no cell?
    pub(crate) idle: [u32; V],
    /// Has it come to its end?
    pub(crate) done: [u32; V],
    /// Is only dense output of its last step missing?
    pub(crate) closing: [u32; V],
    /// Does a new step begin, and not another attempt?
    pub(crate) fresh: [u32; V],
    /// The time since the start of the interval: steps do not depend on when that is.
    pub(crate) time: [f64; V],
    /// The step that is attempted.
    pub(crate) step: [f64; V],
    /// What it would be if the interval did not end.
    pub(crate) wanted_step: [f64; V],
    /// The last accepted step.
    pub(crate) last_step: [f64; V],
    /// The next step as the last accepted one proposes it.
    pub(crate) next_step: [f64; V],
    /// What the digital filter keeps of the attempts before: 1 over the roots of their last error and factor.
    pub(crate) filter: [f64; V],
    /// How many of the last two attempts in a row were rejected.
    pub(crate) rejected: [u32; V],
    /// How many matrices in a row were singular.
    pub(crate) singular: [u32; V],
    /// Was the last attempt not finite?
    pub(crate) not_finite: [u32; V],
    /// The next wanted time.
    pub(crate) wanted_time: [u32; V],
    pub(crate) status: [u32; V],
    pub(crate) counters: [[u32; V]; 8],
}

pub(crate) const FUNCTIONS: usize = 0;
pub(crate) const JACOBIANS: usize = 1;
pub(crate) const STEPS: usize = 2;
pub(crate) const ACCEPTED: usize = 3;
pub(crate) const REJECTED: usize = 4;
pub(crate) const DECOMPOSITIONS: usize = 5;
pub(crate) const SOLUTIONS: usize = 6;
pub(crate) const SINGULAR: usize = 7;

impl<const V: usize> ActiveCells<V> {
    /// No lane has a cell.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            idle: [1; V],
            done: [0; V],
            closing: [0; V],
            fresh: [0; V],
            time: [0.0; V],
            step: [1.0; V],
            wanted_step: [1.0; V],
            last_step: [0.0; V],
            next_step: [0.0; V],
            filter: [1.0; V],
            rejected: [0; V],
            singular: [0; V],
            not_finite: [0; V],
            wanted_time: [0; V],
            status: [0; V],
            counters: [[0; V]; 8],
        }
    }

    /// Is the lane on its way?
    #[inline(always)]
    pub(crate) fn is_active(&self, lane: usize) -> bool {
        self.idle[lane] == 0 && self.done[lane] == 0
    }

    /// Is the lane on its way, and attempts a step?
    #[inline(always)]
    pub(crate) fn steps(&self, lane: usize) -> bool {
        self.is_active(lane) && self.closing[lane] == 0
    }

    /// 1 for each lane whose cell has come to its end.
    #[inline(always)]
    pub(crate) fn finished(&self) -> [u32; V] {
        let mut finished = [0; V];
        for lane in 0..V {
            finished[lane] = u32::from(self.idle[lane] == 0 && self.done[lane] != 0);
        }
        finished
    }

    /// 1 for each lane whose cell has attempted a step.
    #[inline(always)]
    pub(crate) fn began(&self) -> [u32; V] {
        let mut began = [0; V];
        for lane in 0..V {
            began[lane] = u32::from(self.counters[JACOBIANS][lane] != 0);
        }
        began
    }

    /// 1 for each lane whose cell has not failed.
    #[inline(always)]
    pub(crate) fn succeeded(&self) -> [u32; V] {
        let mut succeeded = [0; V];
        for lane in 0..V {
            succeeded[lane] = u32::from(self.status[lane] == 0);
        }
        succeeded
    }

    /// A cell begins; a first step that is not positive stands for the one of all.
    #[inline(always)]
    pub(crate) fn begin(&mut self, lane: usize, control: &Control, first_step: f64) {
        let wanted = if first_step > 0.0 { first_step } else { control.first_step_s };
        let step = wanted.max(control.min_step_s).min(control.max_step_s);
        self.idle[lane] = 0;
        self.done[lane] = 0;
        self.closing[lane] = 0;
        self.fresh[lane] = 1;
        self.time[lane] = 0.0;
        self.step[lane] = if step <= NO_STEP_S { LEAST_FIRST_STEP_S } else { step };
        self.wanted_step[lane] = self.step[lane];
        self.last_step[lane] = 0.0;
        self.next_step[lane] = self.step[lane];
        self.filter[lane] = 1.0;
        self.rejected[lane] = 0;
        self.singular[lane] = 0;
        self.not_finite[lane] = 0;
        self.wanted_time[lane] = 0;
        self.status[lane] = 0;
        for counter in &mut self.counters {
            counter[lane] = 0;
        }
    }

    /// Ends a lane's cell with a failure.
    #[inline(always)]
    pub(crate) fn fail(&mut self, lane: usize, status: isobar_core::Status) {
        self.status[lane] = status.0;
        self.done[lane] = 1;
    }
}
