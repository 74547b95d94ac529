//! The way of an item through its cells: load, attempt a step with all lanes, judge it, hand back what is done.

use isobar_core::{Real, Status};

use crate::physics::control::Rates;
use crate::physics::index::Index;
use crate::physics::method::Coefficients;
use crate::physics::outcome;
use crate::physics::walk::{Choice, Seen, Walk};
use crate::physics::{acceptance, dense, error_norm, extents, stages};
use crate::schedule::active_cells::{ActiveCells, DECOMPOSITIONS, FUNCTIONS, JACOBIANS, STEPS};
use crate::schedule::arguments::Arguments;
use crate::schedule::blocks::{Attempt, Blocks};
use crate::schedule::numbers::{Block, Numbers};
use crate::schedule::queue::NONE;
use crate::schedule::supply::Supply;
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
pub(crate) fn queue<R: Real, I: Index, const RATES: bool, const V: usize, const F: usize, C, W>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    mut queue: impl Supply,
    (walk, team): (&W, C),
    (workspace, rate_constants): (C::Numbers, Block<R, V>),
) -> Status
where
    C: Team<R, V> + Owner<V, F>,
    W: Walk<R, V, C>,
{
    let mut cells = [NONE; V];
    let mut active = ActiveCells::<F>::new();
    let mut worst = Status::OK;
    let blocks = Blocks::new(&kernel.layout, workspace, rate_constants);
    loop {
        let finished = team.all_flags(active.finished());
        let (began, succeeded) = match W::REDUCES {
            true => (team.all_flags(active.began()), team.all_flags(active.succeeded())),
            false => ([0; V], [0; V]),
        };
        for lane in 0..V {
            if finished[lane] != 0 {
                if W::REDUCES {
                    walk.end(kernel, &blocks, (lane, cells[lane]), (began[lane] != 0, succeeded[lane] != 0));
                }
                worst = worst.or(write_back(kernel, team, &blocks, &mut active, (lane, cells[lane])));
                cells[lane] = NONE;
            }
        }
        if !queue.is_empty() {
            let taken = queue.take(team, &flags!(cells, == NONE));
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
        let value = kernel.part(|k| &k.cells.concentration).get(i, cell);
        finite += 0.0 * value.value();
        blocks.state.set_lane(i, lane, value);
    });
    if team.worker() == 0 {
        blocks.state.set_lane(species, lane, R::ONE);
    }
    if !RATES || control.rates == Rates::Frozen as u32 {
        shared!(team: C, i < kernel.mechanism.sizes.reactions as usize => {
            let value = kernel.part(|k| &k.cells.rate_constant).get(i, cell);
            finite += 0.0 * value.value();
            blocks.rate_constants.set_lane(i, lane, value);
        });
    }
    if RATES {
        extents::begin(kernel, blocks, lane);
    }
    // A NaN stays one, and infinity becomes one.
    let mut wrong = [0; V];
    wrong[lane] = u32::from(finite != 0.0);
    let wrong = team.any(wrong)[lane] != 0;
    for own in 0..F {
        if team.owned(own) == lane {
            active.begin(own, control, kernel.cells.first_step_s.at(cell).value());
            if wrong {
                active.fail(own, outcome::NOT_FINITE);
            } else {
                acceptance::at_end(control, active, own, !kernel.wanted_times_s.is_empty());
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
    let ends = kernel.part(|k| &k.ends);
    let mut status = Status::OK;
    shared!(team: C, i < kernel.mechanism.species() => {
        ends.part(|e| &e.concentration).put(i, cell, blocks.state.lane(i, lane));
    });
    if RATES {
        extents::write_back(kernel, blocks, (lane, cell));
    }
    for own in 0..F {
        if team.owned(own) != lane {
            continue;
        }
        active.idle[own] = 1;
        status = Status(active.status[own]);
        if team.writes() {
            for (i, counter) in active.counters.iter().enumerate() {
                ends.part(|e| &e.counters).put(i, cell, counter[own]);
            }
            // The last step may have been cut short; what was wanted then is still good.
            let first_step = active.next_step[own].max(active.wanted_step[own]);
            ends.part(|e| &e.first_step_s).put(0, cell, R::from_f64(first_step));
            ends.part(|e| &e.time_reached_s).put(0, cell, R::from_f64(kernel.control.start_s + active.time[own]));
            ends.part(|e| &e.last_step_s).put(0, cell, R::from_f64(active.last_step[own]));
            ends.part(|e| &e.next_step_s).put(0, cell, R::from_f64(active.next_step[own]));
            ends.part(|e| &e.status).put(0, cell, active.status[own]);
        }
    }
    status
}

/// Attempts a step with all lanes. A lane whose last attempt failed computes function and Jacobian again, to the same
/// bits: it would have to wait for the others.
#[inline(always)]
fn attempt<R: Real, I: Index, const RATES: bool, const V: usize, const F: usize, C, W>(
    kernel: Arguments<'_, '_, R, I, RATES>,
    (walk, team): (&W, C),
    blocks: &Blocks<R, V, C::Numbers>,
    active: &mut ActiveCells<F>,
    cells: [usize; V],
) where
    C: Team<R, V> + Owner<V, F>,
    W: Walk<R, V, C>,
{
    acceptance::begin(&kernel.control, active);
    let mut time = if RATES { team.all(active.time) } else { [0.0; V] };
    for lane in 0..V {
        time[lane] += kernel.control.start_s;
    }
    let attempt = Attempt { cells, time, step: team.all(active.step) };
    if W::REDUCES {
        let (mut begins, mut goes_on) = ([0; F], [0; F]);
        for own in 0..F {
            let fresh = u32::from(active.steps(own)) & active.fresh[own];
            let first = u32::from(active.counters[JACOBIANS][own] == 0);
            (begins[own], goes_on[own]) = (fresh & first, fresh & (1 - first));
        }
        let choice = Choice { begins: team.all_flags(begins), goes_on: team.all_flags(goes_on) };
        walk.choose(kernel, team, blocks, &attempt, &choice);
    }
    if RATES && kernel.control.non_autonomous != 0 {
        stages::slope(kernel, (walk, team), blocks, &attempt);
    }
    stages::rate_constants(kernel, blocks, &attempt, time, blocks.state, kernel.program.instructions.len());
    let mut shift = [R::ZERO; V];
    for lane in 0..V {
        shift[lane] = R::from_f64(-1.0 / (attempt.step[lane] * kernel.coefficients.gamma(0)));
    }
    let singular = walk.factor(team, shift, blocks.state, blocks.rate_constants, blocks.derivatives, blocks.factors);
    if !W::REDUCES {
        walk.function(team, blocks.state, blocks.rate_constants, blocks.rates, blocks.function);
    }
    if RATES && kernel.control.non_autonomous != 0 {
        stages::finish_slope(kernel, team, blocks, &attempt);
    }
    // Workers of a warp are not asked for wanted times.
    if C::WORKERS == 1 && !kernel.wanted_times_s.is_empty() {
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
    let (mut accepted, mut attempted, began) = ([0; F], [0; F], active.time);
    for own in 0..F {
        if !active.steps(own) {
            continue;
        }
        attempted[own] = 1;
        active.counters[DECOMPOSITIONS][own] += 1;
        if team.of_own(&singular, own) != 0 {
            acceptance::singular(active, own);
            continue;
        }
        count(&kernel.coefficients, active, own);
        let of_own = (team.of_own(&judged.error, own), team.of_own(&judged.negative, own));
        if acceptance::judge(&kernel.control, kernel.coefficients.order, active, own, of_own) {
            accepted[own] = 1;
            acceptance::at_end(&kernel.control, active, own, !kernel.wanted_times_s.is_empty());
        }
    }
    let accepted = team.all_flags(accepted);
    if W::SEES {
        let (attempted, time) = (team.all_flags(attempted), team.all(began));
        walk.see(blocks, &attempt, &judged, &Seen { attempted, accepted, singular, time });
    }
    for lane in 0..V {
        if accepted[lane] != 0 {
            error_norm::accept(kernel, team, blocks, lane);
            if RATES {
                extents::accept(kernel, blocks, lane);
            }
        }
    }
}

#[inline(always)]
fn count<const V: usize>(coefficients: &Coefficients<'_>, active: &mut ActiveCells<V>, lane: usize) {
    active.counters[FUNCTIONS][lane] += coefficients.calls.count_ones() - 1;
    active.counters[STEPS][lane] += 1;
    active.counters[crate::schedule::active_cells::SOLUTIONS][lane] += coefficients.stages;
}
