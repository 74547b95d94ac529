//! The way of an item through its cells: load, attempt a step with all lanes, judge it, hand back what is done.

use isobar_core::{Real, Status};

use crate::physics::control::Rates;
use crate::physics::index::Index;
use crate::physics::method::Coefficients;
use crate::physics::outcome;
use crate::physics::walk::Walk;
use crate::physics::{acceptance, dense, error_norm, stages};
use crate::schedule::active_cells::{ActiveCells, DECOMPOSITIONS, FUNCTIONS, JACOBIANS, STEPS};
use crate::schedule::arguments::Arguments;
use crate::schedule::blocks::{Attempt, Blocks};
use crate::schedule::numbers::{Block, Numbers};
use crate::schedule::queue::{NONE, Queue};
use crate::schedule::team::{Owner, Team, shared};

/// 1 for each lane of which a comparison holds.
macro_rules! flags {
    ($values:ident, $($holds:tt)*) => {{
        let mut flags = [0; V];
        for lane in 0..V {
            flags[lane] = u32::from($values[lane] $($holds)*);
        }
        flags
    }};
}

/// Integrates the cells of an item, whose numbers are in `workspace` and `rate_constants`.
#[inline(always)]
pub(crate) fn queue<R: Real, I: Index, const RATES: bool, const V: usize, const F: usize, C>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    index: usize,
    (walk, team): (&impl Walk<R, V, C>, C),
    (workspace, rate_constants): (C::Numbers, Block<R, V>),
) -> Status
where
    C: Team<R, V> + Owner<V, F>,
{
    let first = index * kernel.cells_per_item;
    let mut queue = Queue::new(first, (first + kernel.cells_per_item).min(kernel.cells()));
    let mut cells = [NONE; V];
    let mut active = ActiveCells::<F>::new();
    let mut worst = Status::OK;
    let blocks = Blocks::new(&kernel.room, workspace, rate_constants);
    loop {
        let finished = team.all_flags(active.finished());
        for lane in 0..V {
            if finished[lane] != 0 {
                worst = worst.or(write_back(kernel, team, &blocks, &mut active, (lane, cells[lane])));
                cells[lane] = NONE;
            }
        }
        if !queue.is_empty() {
            let taken = team.take(&mut queue, &flags!(cells, == NONE));
            for lane in 0..V {
                if taken[lane] != NONE {
                    cells[lane] = taken[lane];
                    load(kernel, team, &blocks, &mut active, (lane, cells[lane]));
                }
            }
        }
        if !team.any_cell(&flags!(cells, != NONE)) {
            return worst;
        }
        team.wait();
        attempt(kernel, (walk, team), &blocks, &mut active, cells);
    }
}

/// Gives a lane a cell.
#[inline(always)]
fn load<R: Real, I: Index, const RATES: bool, const V: usize, const F: usize, C: Team<R, V> + Owner<V, F>>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    team: C,
    blocks: &Blocks<R, V, C::Numbers>,
    active: &mut ActiveCells<F>,
    (lane, cell): (usize, usize),
) {
    let control = &kernel.control;
    let species = kernel.mechanism.species();
    let mut finite = 0.0;
    shared!(team: C, i < species => {
        let value = kernel.part(|k| &k.end.concentrations).get(i, cell);
        finite += 0.0 * value.value();
        blocks.state.set_lane(i, lane, value);
    });
    if team.worker() == 0 {
        blocks.state.set_lane(species, lane, R::ONE);
    }
    if !RATES || control.rates == Rates::Frozen as u32 {
        shared!(team: C, i < kernel.mechanism.sizes.reactions as usize => {
            let value = kernel.part(|k| &k.start.rate_constants).get(i, cell);
            finite += 0.0 * value.value();
            blocks.rate_constants.set_lane(i, lane, value);
        });
    }
    // A NaN stays one, and infinity becomes one.
    let mut wrong = [0; V];
    wrong[lane] = u32::from(finite != 0.0);
    let wrong = team.any(wrong)[lane] != 0;
    for own in 0..F {
        if team.owned(own) == lane {
            let first = if kernel.start.first_step.is_empty() { 0.0 } else { kernel.start.first_step.at(cell) };
            active.begin(own, control, first);
            if wrong {
                active.fail(own, outcome::NOT_FINITE);
            } else {
                acceptance::at_end(control, active, own, !kernel.dense_times.is_empty());
            }
        }
    }
}

/// Writes what a lane's cell ended with, and makes the lane free.
#[inline(always)]
fn write_back<R: Real, I: Index, const RATES: bool, const V: usize, const F: usize, C: Team<R, V> + Owner<V, F>>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    team: C,
    blocks: &Blocks<R, V, C::Numbers>,
    active: &mut ActiveCells<F>,
    (lane, cell): (usize, usize),
) -> Status {
    let end = kernel.part(|k| &k.end);
    let mut status = Status::OK;
    shared!(team: C, i < kernel.mechanism.sizes.variable as usize => {
        end.part(|e| &e.concentrations).put(i, cell, blocks.state.lane(i, lane));
    });
    for own in 0..F {
        if team.owned(own) != lane {
            continue;
        }
        active.idle[own] = 1;
        status = Status(active.status[own]);
        if team.writes() {
            for (i, counter) in active.counters.iter().enumerate() {
                end.part(|e| &e.counters).put(i, cell, counter[own]);
            }
            end.part(|e| &e.times).put(0, cell, active.time[own]);
            end.part(|e| &e.times).put(1, cell, active.last_step[own]);
            end.part(|e| &e.times).put(2, cell, active.next_step[own]);
            // The last step may have been cut short; what was wanted then is still good.
            end.part(|e| &e.next_step).put(0, cell, active.next_step[own].max(active.wanted_step[own]));
            end.part(|e| &e.status).put(0, cell, active.status[own]);
        }
    }
    status
}

/// Attempts a step with all lanes. A lane whose last attempt failed computes function and Jacobian again, to the same
/// bits: it would have to wait for the others.
#[inline(always)]
fn attempt<R: Real, I: Index, const RATES: bool, const V: usize, const F: usize, C: Team<R, V> + Owner<V, F>>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    (walk, team): (&impl Walk<R, V, C>, C),
    blocks: &Blocks<R, V, C::Numbers>,
    active: &mut ActiveCells<F>,
    cells: [usize; V],
) {
    acceptance::begin(&kernel.control, active);
    let time = if RATES { team.all(active.time) } else { [0.0; V] };
    let attempt = Attempt { cells, time, step: team.all(active.step) };
    if RATES && kernel.control.non_autonomous != 0 {
        stages::slope(kernel, (walk, team), blocks, &attempt);
    }
    stages::rate_constants(kernel, blocks, &attempt, time, blocks.state);
    let mut shift = [R::ZERO; V];
    for lane in 0..V {
        shift[lane] = R::from_f64(-1.0 / (attempt.step[lane] * kernel.coefficients.gamma(0)));
    }
    let singular = walk.factor(team, shift, blocks.state, blocks.rate_constants, blocks.rates, blocks.factors);
    walk.function(team, blocks.state, blocks.rate_constants, blocks.rates, blocks.function);
    if RATES && kernel.control.non_autonomous != 0 {
        stages::finish_slope(kernel, team, blocks, &attempt);
    }
    // Workers of a warp are not asked for wanted times.
    if C::WORKERS == 1 && !kernel.dense_times.is_empty() {
        dense::write(kernel, team, blocks, active, &cells);
    }
    for own in 0..F {
        let fresh = u32::from(active.steps(own)) & active.fresh[own];
        let calls = if kernel.control.non_autonomous != 0 { 2 } else { 1 };
        active.counters[FUNCTIONS][own] += calls * fresh;
        active.counters[JACOBIANS][own] += fresh;
    }
    stages::stages(kernel, (walk, team), blocks, &attempt);
    let judged = error_norm::error(kernel, team, blocks);
    let mut accepted = [0; F];
    for own in 0..F {
        if !active.steps(own) {
            continue;
        }
        active.counters[DECOMPOSITIONS][own] += 1;
        if team.of_own(&singular, own) != 0 {
            acceptance::singular(active, own);
            continue;
        }
        count(&kernel.coefficients, active, own);
        let judged = (team.of_own(&judged.error, own), team.of_own(&judged.negative, own));
        if acceptance::judge(&kernel.control, kernel.coefficients.order, active, own, judged) {
            accepted[own] = 1;
            acceptance::at_end(&kernel.control, active, own, !kernel.dense_times.is_empty());
        }
    }
    let accepted = team.all_flags(accepted);
    for lane in 0..V {
        if accepted[lane] != 0 {
            error_norm::accept(kernel, team, blocks, lane);
        }
    }
}

#[inline(always)]
fn count<const V: usize>(coefficients: &Coefficients<'_>, active: &mut ActiveCells<V>, lane: usize) {
    active.counters[FUNCTIONS][lane] += coefficients.calls.count_ones() - 1;
    active.counters[STEPS][lane] += 1;
    active.counters[crate::schedule::active_cells::SOLUTIONS][lane] += coefficients.stages;
}
