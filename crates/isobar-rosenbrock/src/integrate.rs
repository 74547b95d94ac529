//! The way of an item through its cells: load, attempt a step with all lanes, judge it, hand back what is done.

use isobar_core::{Real, Status};

use crate::arguments::Rosenbrock;
use crate::block::{Block, Numbers};
use crate::control::Rates;
use crate::crew::{Crew, Watch, shared};
use crate::flight::{DECOMPOSITIONS, FUNCTIONS, Flight, JACOBIANS, STEPS};
use crate::index::Index;
use crate::method::Coefficients;
use crate::outcome;
use crate::queue::{NONE, Queue};
use crate::room::Room;
use crate::walk::Walk;
use crate::{dense, step, verdict};

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

/// What all workers know of the cells that they attempt steps with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt<const V: usize> {
    /// The cells; [`NONE`] in a lane without one.
    pub(crate) cells: [usize; V],
    /// The times at which the steps begin, where rate constants may depend on them.
    pub(crate) time: [f64; V],
    /// The steps.
    pub(crate) step: [f64; V],
}

impl<const V: usize> Attempt<V> {
    /// The cell of each lane, or any other.
    #[inline(always)]
    pub(crate) fn cells_or_any(&self) -> [usize; V] {
        let mut cells = [0; V];
        for lane in 0..V {
            cells[lane] = if self.cells[lane] == NONE { 0 } else { self.cells[lane] };
        }
        cells
    }
}

/// Integrates the cells of an item, whose numbers are in `room` and `rate_constants`.
///
/// # Safety
/// The views are valid on this device, `index` is below the number of items, and the blocks are the item's own, for all
/// entries and rate constants.
#[inline(always)]
pub(crate) unsafe fn queue<R: Real, I: Index, const RATES: bool, const V: usize, const F: usize, C>(
    kernel: &Rosenbrock<'_, R, I, RATES>,
    index: usize,
    (walk, crew): (&impl Walk<R, V, C>, C),
    (room, rate_constants): (C::Numbers, Block<R, V>),
) -> Status
where
    C: Crew<R, V> + Watch<V, F>,
{
    let first = index * kernel.cells_per_item;
    let mut queue = Queue::new(first, (first + kernel.cells_per_item).min(kernel.cells()));
    let mut cells = [NONE; V];
    let mut flight = Flight::<F>::new();
    let mut worst = Status::OK;
    let blocks = blocks(&kernel.room, room, rate_constants);
    // SAFETY: the room has all entries.
    unsafe {
        loop {
            let landed = crew.all_flags(flight.landed());
            for lane in 0..V {
                if landed[lane] != 0 {
                    worst = worst.or(hand_back(kernel, crew, &blocks, &mut flight, (lane, cells[lane])));
                    cells[lane] = NONE;
                }
            }
            if !queue.is_empty() {
                let taken = crew.take(&mut queue, &flags!(cells, == NONE));
                for lane in 0..V {
                    if taken[lane] != NONE {
                        cells[lane] = taken[lane];
                        load(kernel, crew, &blocks, &mut flight, (lane, cells[lane]));
                    }
                }
            }
            if !crew.any_cell(&flags!(cells, != NONE)) {
                return worst;
            }
            crew.wait();
            attempt(kernel, (walk, crew), &blocks, &mut flight, cells);
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
unsafe fn load<R: Real, I: Index, const RATES: bool, const V: usize, const F: usize, C: Crew<R, V> + Watch<V, F>>(
    kernel: &Rosenbrock<'_, R, I, RATES>,
    crew: C,
    blocks: &Blocks<R, V, C::Numbers>,
    flight: &mut Flight<F>,
    (lane, cell): (usize, usize),
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
    // A NaN stays one, and infinity becomes one.
    let mut wrong = [0; V];
    wrong[lane] = u32::from(finite != 0.0);
    let wrong = crew.any(wrong)[lane] != 0;
    for own in 0..F {
        if crew.watched(own) == lane {
            let first = if kernel.start.first_step.is_empty() { 0.0 } else { kernel.start.first_step.at(cell) };
            flight.begin(own, control, first);
            if wrong {
                flight.fail(own, outcome::NOT_FINITE);
            } else {
                verdict::at_end(control, flight, own, !kernel.dense_times.is_empty());
            }
        }
    }
}

/// Writes what a lane's cell ended with, and makes the lane free.
#[inline(always)]
unsafe fn hand_back<
    R: Real,
    I: Index,
    const RATES: bool,
    const V: usize,
    const F: usize,
    C: Crew<R, V> + Watch<V, F>,
>(
    kernel: &Rosenbrock<'_, R, I, RATES>,
    crew: C,
    blocks: &Blocks<R, V, C::Numbers>,
    flight: &mut Flight<F>,
    (lane, cell): (usize, usize),
) -> Status {
    let end = &kernel.end;
    let mut status = Status::OK;
    // SAFETY: the cell is within the views.
    unsafe {
        shared!(crew: C, i < kernel.mechanism.sizes.variable as usize => {
            end.concentrations.put(i, cell, blocks.state.lane(i, lane));
        });
        for own in 0..F {
            if crew.watched(own) != lane {
                continue;
            }
            flight.idle[own] = 1;
            status = Status(flight.status[own]);
            if crew.writes() {
                for (i, counter) in flight.counters.iter().enumerate() {
                    end.counters.put(i, cell, counter[own]);
                }
                end.times.put(0, cell, flight.time[own]);
                end.times.put(1, cell, flight.last_step[own]);
                end.times.put(2, cell, flight.next_step[own]);
                // The last step may have been cut short; what was wanted then is still good.
                end.next_step.put(0, cell, flight.next_step[own].max(flight.wanted_step[own]));
                end.status.put(0, cell, flight.status[own]);
            }
        }
    }
    status
}

/// Attempts a step with all lanes. A lane whose last attempt failed computes function and Jacobian again, to the same
/// bits: it would have to wait for the others.
#[inline(always)]
unsafe fn attempt<R: Real, I: Index, const RATES: bool, const V: usize, const F: usize, C: Crew<R, V> + Watch<V, F>>(
    kernel: &Rosenbrock<'_, R, I, RATES>,
    (walk, crew): (&impl Walk<R, V, C>, C),
    blocks: &Blocks<R, V, C::Numbers>,
    flight: &mut Flight<F>,
    cells: [usize; V],
) {
    verdict::begin(&kernel.control, flight);
    let time = if RATES { crew.all(flight.time) } else { [0.0; V] };
    let attempt = Attempt { cells, time, step: crew.all(flight.step) };
    // SAFETY: the blocks have room for all of it.
    unsafe {
        if RATES && kernel.control.non_autonomous != 0 {
            step::slope(kernel, (walk, crew), blocks, &attempt);
        }
        step::rate_constants(kernel, blocks, &attempt, time, blocks.state);
        let mut shift = [R::ZERO; V];
        for lane in 0..V {
            shift[lane] = R::from_f64(-1.0 / (attempt.step[lane] * kernel.coefficients.gamma(0)));
        }
        let singular = walk.factor(crew, shift, blocks.state, blocks.rate_constants, blocks.rates, blocks.factors);
        walk.function(crew, blocks.state, blocks.rate_constants, blocks.rates, blocks.function);
        if RATES && kernel.control.non_autonomous != 0 {
            step::finish_slope(kernel, crew, blocks, &attempt);
        }
        // Workers of a warp are not asked for wanted times.
        if C::WORKERS == 1 && !kernel.dense_times.is_empty() {
            dense::write(kernel, crew, blocks, flight, &cells);
        }
        for own in 0..F {
            let fresh = u32::from(flight.steps(own)) & flight.fresh[own];
            let calls = if kernel.control.non_autonomous != 0 { 2 } else { 1 };
            flight.counters[FUNCTIONS][own] += calls * fresh;
            flight.counters[JACOBIANS][own] += fresh;
        }
        step::stages(kernel, (walk, crew), blocks, &attempt);
        let judged = step::error(kernel, crew, blocks);
        let mut accepted = [0; F];
        for own in 0..F {
            if !flight.steps(own) {
                continue;
            }
            flight.counters[DECOMPOSITIONS][own] += 1;
            if crew.of_own(&singular, own) != 0 {
                verdict::singular(flight, own);
                continue;
            }
            count(&kernel.coefficients, flight, own);
            let judged = (crew.of_own(&judged.error, own), crew.of_own(&judged.negative, own));
            if verdict::judge(&kernel.control, kernel.coefficients.order, flight, own, judged) {
                accepted[own] = 1;
                verdict::at_end(&kernel.control, flight, own, !kernel.dense_times.is_empty());
            }
        }
        let accepted = crew.all_flags(accepted);
        for lane in 0..V {
            if accepted[lane] != 0 {
                step::accept(kernel, crew, blocks, lane);
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
