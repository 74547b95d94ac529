//! The way of an item through its cells: load, attempt a step with all lanes, judge it, hand back what is done.

use isobar_core::{Real, Status};

use crate::arguments::Rosenbrock;
use crate::block::{Block, Numbers};
use crate::control::{LEAST_FIRST_STEP, ROUND_OFF, Rates};
use crate::crew::{Crew, shared};
use crate::flight::{DECOMPOSITIONS, FUNCTIONS, Flight, JACOBIANS, STEPS};
use crate::index::Index;
use crate::method::Coefficients;
use crate::outcome;
use crate::queue::{NONE, Queue};
use crate::room::Room;
use crate::walk::Walk;
use crate::{dense, step, verdict};

/// The blocks of the cells in flight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocks<R, const V: usize, N> {
    pub(crate) state: N,
    pub(crate) stage_state: N,
    /// Not among the others on a GPU: they are read seldom.
    pub(crate) rate_constants: Block<R, V>,
    pub(crate) rates: N,
    pub(crate) factors: N,
    pub(crate) function: N,
    pub(crate) stages: N,
    pub(crate) slope: N,
    pub(crate) registers: N,
    pub(crate) before: N,
}

/// Integrates the cells of an item, whose numbers are in `room` and `rate_constants`.
///
/// # Safety
/// The views are valid on this device, `index` is below the number of items, and the blocks are the item's own, for all entries and rate constants.
#[inline(always)]
pub(crate) unsafe fn queue<R: Real, I: Index, const RATES: bool, const V: usize, C: Crew<R, V>>(
    kernel: &Rosenbrock<'_, R, I, RATES>,
    index: usize,
    (walk, crew): (&impl Walk<R, V, C>, C),
    (room, rate_constants): (C::Numbers, Block<R, V>),
) -> Status {
    let first = index * kernel.cells_per_item;
    let mut queue = Queue::new(first, (first + kernel.cells_per_item).min(kernel.cells()));
    let mut flight = Flight::<V>::new();
    let mut worst = Status::OK;
    let blocks = blocks(&kernel.room, room, rate_constants);
    // SAFETY: the room has all entries.
    unsafe {
        loop {
            for lane in 0..V {
                if flight.cell[lane] != NONE && flight.done[lane] != 0 {
                    worst = worst.or(Status(flight.status[lane]));
                    hand_back(kernel, crew, &blocks, &mut flight, lane);
                }
            }
            if !queue.is_empty() {
                let cells = crew.take(&mut queue, &flight.idle());
                for lane in 0..V {
                    if cells[lane] != NONE {
                        load(kernel, crew, &blocks, &mut flight, lane, cells[lane]);
                    }
                }
            }
            let mut flying = [0; V];
            for lane in 0..V {
                flying[lane] = u32::from(flight.cell[lane] != NONE);
            }
            if !crew.any_cell(&flying) {
                return worst;
            }
            crew.wait();
            attempt(kernel, (walk, crew), &blocks, &mut flight);
        }
    }
}

#[inline(always)]
fn blocks<R: Real, const V: usize, N: Numbers<R, V>>(
    room: &Room,
    all: N,
    rate_constants: Block<R, V>,
) -> Blocks<R, V, N> {
    Blocks {
        state: all.from(room.state as usize),
        stage_state: all.from(room.stage_state as usize),
        rate_constants,
        rates: all.from(room.rates as usize),
        factors: all.from(room.factors as usize),
        function: all.from(room.function as usize),
        stages: all.from(room.stages as usize),
        slope: all.from(room.slope as usize),
        registers: all.from(room.registers as usize),
        before: all.from(room.before as usize),
    }
}

/// Gives a lane a cell.
#[inline(always)]
unsafe fn load<R: Real, I: Index, const RATES: bool, const V: usize, C: Crew<R, V>>(
    kernel: &Rosenbrock<'_, R, I, RATES>,
    crew: C,
    blocks: &Blocks<R, V, C::Numbers>,
    flight: &mut Flight<V>,
    lane: usize,
    cell: usize,
) {
    let control = &kernel.control;
    let species = kernel.mechanism.species();
    let mut finite = 0.0;
    // SAFETY: the cell is within the views, and the blocks have room for a cell.
    unsafe {
        shared!(crew: C, i < species => {
            let value = kernel.end.concentrations.get(i, cell);
            finite += 0.0 * value.value();
            blocks.state.set_lane(i, lane, value);
        });
        if crew.worker() == 0 {
            blocks.state.set_lane(species, lane, R::ONE);
        }
        if !RATES || control.rates == Rates::Frozen as u32 {
            shared!(crew: C, i < kernel.mechanism.sizes.reactions as usize => {
                let value = kernel.start.rate_constants.get(i, cell);
                finite += 0.0 * value.value();
                blocks.rate_constants.set_lane(i, lane, value);
            });
        }
    }
    let own = if kernel.start.first_step.is_empty() { 0.0 } else { kernel.start.first_step.at(cell) };
    let wanted = if own > 0.0 { own } else { control.first_step };
    let step = wanted.max(control.min_step).min(control.max_step);
    flight.cell[lane] = cell;
    flight.fresh[lane] = 1;
    flight.time[lane] = control.start;
    flight.step[lane] = if step <= 10.0 * ROUND_OFF { LEAST_FIRST_STEP } else { step };
    flight.wanted_step[lane] = flight.step[lane];
    flight.last_step[lane] = 0.0;
    flight.next_step[lane] = flight.step[lane];
    flight.rejected[lane] = 0;
    flight.singular[lane] = 0;
    flight.not_finite[lane] = 0;
    flight.wanted_time[lane] = 0;
    flight.status[lane] = 0;
    for counter in &mut flight.counters {
        counter[lane] = 0;
    }
    flight.done[lane] = 0;
    flight.closing[lane] = 0;
    // A NaN stays one, and infinity becomes one.
    let mut wrong = [0; V];
    wrong[lane] = u32::from(finite != 0.0);
    if crew.any(wrong)[lane] != 0 {
        flight.fail(lane, outcome::NOT_FINITE);
    } else {
        verdict::at_end(control, flight, lane, !kernel.dense_times.is_empty());
    }
}

/// Writes what a lane's cell ended with, and makes the lane free.
#[inline(always)]
unsafe fn hand_back<R: Real, I: Index, const RATES: bool, const V: usize, C: Crew<R, V>>(
    kernel: &Rosenbrock<'_, R, I, RATES>,
    crew: C,
    blocks: &Blocks<R, V, C::Numbers>,
    flight: &mut Flight<V>,
    lane: usize,
) {
    let (cell, end) = (flight.cell[lane], &kernel.end);
    // SAFETY: the cell is within the views.
    unsafe {
        shared!(crew: C, i < kernel.mechanism.sizes.variable as usize => {
            end.concentrations.put(i, cell, blocks.state.lane(i, lane));
        });
        if crew.worker() == 0 {
            for (i, counter) in flight.counters.iter().enumerate() {
                end.counters.put(i, cell, counter[lane]);
            }
            end.times.put(0, cell, flight.time[lane]);
            end.times.put(1, cell, flight.last_step[lane]);
            end.times.put(2, cell, flight.next_step[lane]);
            // The last step may have been cut short; what was wanted then is still good.
            end.next_step.put(0, cell, flight.next_step[lane].max(flight.wanted_step[lane]));
            end.status.put(0, cell, flight.status[lane]);
        }
    }
    flight.cell[lane] = NONE;
}

/// Attempts a step with all lanes. A lane whose last attempt failed computes function and Jacobian again, to the same bits: it would have to wait for the others.
#[inline(always)]
unsafe fn attempt<R: Real, I: Index, const RATES: bool, const V: usize, C: Crew<R, V>>(
    kernel: &Rosenbrock<'_, R, I, RATES>,
    (walk, crew): (&impl Walk<R, V, C>, C),
    blocks: &Blocks<R, V, C::Numbers>,
    flight: &mut Flight<V>,
) {
    verdict::begin(&kernel.control, flight);
    // SAFETY: the blocks have room for all of it.
    unsafe {
        if RATES && kernel.control.non_autonomous != 0 {
            step::slope(kernel, (walk, crew), blocks, flight);
        }
        let time = flight.time;
        step::rate_constants(kernel, blocks, flight, time, blocks.state);
        let mut shift = [R::ZERO; V];
        for lane in 0..V {
            shift[lane] = R::from_f64(1.0 / (flight.step[lane] * kernel.coefficients.gamma(0)));
        }
        let singular = walk.factor(crew, shift, blocks.state, blocks.rate_constants, blocks.rates, blocks.factors);
        walk.function(crew, blocks.state, blocks.rate_constants, blocks.rates, blocks.function);
        if RATES && kernel.control.non_autonomous != 0 {
            step::finish_slope(kernel, crew, blocks, flight);
        }
        if !kernel.dense_times.is_empty() {
            dense::write(kernel, crew, blocks, flight);
        }
        for lane in 0..V {
            let fresh = u32::from(flight.steps(lane)) & flight.fresh[lane];
            let calls = if kernel.control.non_autonomous != 0 { 2 } else { 1 };
            flight.counters[FUNCTIONS][lane] += calls * fresh;
            flight.counters[JACOBIANS][lane] += fresh;
        }
        step::stages(kernel, (walk, crew), blocks, flight);
        let judged = step::error(kernel, crew, blocks);
        for lane in 0..V {
            if !flight.steps(lane) {
                continue;
            }
            flight.counters[DECOMPOSITIONS][lane] += 1;
            if singular[lane] != 0 {
                verdict::singular(flight, lane);
                continue;
            }
            count(&kernel.coefficients, flight, lane);
            let accepted = verdict::judge(&kernel.control, kernel.coefficients.order, flight, lane, &judged);
            if accepted {
                step::accept(kernel, crew, blocks, lane);
                verdict::at_end(&kernel.control, flight, lane, !kernel.dense_times.is_empty());
            }
        }
    }
}

#[inline(always)]
fn count<const V: usize>(coefficients: &Coefficients<'_>, flight: &mut Flight<V>, lane: usize) {
    flight.counters[FUNCTIONS][lane] += coefficients.calls.count_ones() - 1;
    flight.counters[STEPS][lane] += 1;
    flight.counters[crate::flight::SOLUTIONS][lane] += coefficients.stages;
}
