//! A mechanism walked through without the species that none of a team's cells solves for.
//!
//! A cell's matrix has zeros in the rows and columns of species that it does not solve for, but on the diagonal, and
//! these have nothing on the right side: so the solution is that of the matrix without them, and 0 for them. Where no
//! cell at hand solves for a species, its rows and columns are passed over, which changes no bit.

use isobar_core::{Real, Trusted};

use crate::physics::index::Index;
use crate::physics::kinetics::Kinetics;
use crate::physics::reduction::{ReductionRules, is_slow, relaxed};
use crate::physics::stages;
use crate::physics::walk::{Choice, Walk};
use crate::schedule::arguments::Arguments;
use crate::schedule::blocks::{Attempt, Blocks};
use crate::schedule::numbers::{Block, Numbers, Reader, add_products};
use crate::schedule::queue::NONE;
use crate::schedule::team::{OneWorker, Team};

/// A mechanism of which cells solve for some species.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reduced<'k, 'a, R, I, const V: usize> {
    pub(crate) kinetics: Kinetics<'k, 'a, I>,
    pub(crate) rules: Trusted<'k, ReductionRules<'a>>,
    /// The cells' numbers from the layout's `reduction` on.
    pub(crate) numbers: Block<R, V>,
}

impl<R: Real, I: Index, const V: usize> Reduced<'_, '_, R, I, V> {
    #[inline(always)]
    fn variable(&self) -> usize {
        self.kinetics.mechanism.sizes.variable as usize
    }

    /// Not 0 where a cell solves for a row. Rows of sums always are solved for.
    #[inline(always)]
    fn solves(&self, row: usize) -> [R; V] {
        if row < self.variable() { self.numbers.get(row) } else { [R::ONE; V] }
    }

    /// How many cells of the team solve for a row: none, some or all, which is 0, 1 or 2.
    #[inline(always)]
    fn how_many(&self, row: usize) -> f64 {
        // Side by side, for it is asked of each entry of the matrix.
        if row < self.variable() { self.numbers.lane(self.variable() + row / V, row % V).value() } else { 2.0 }
    }

    #[inline(always)]
    fn production(&self) -> Block<R, V> {
        self.numbers.from(2 * self.variable())
    }

    #[inline(always)]
    fn frequency(&self) -> Block<R, V> {
        self.numbers.from(3 * self.variable())
    }

    #[inline(always)]
    fn threshold(&self) -> Block<R, V> {
        self.numbers.from(4 * self.variable())
    }

    /// The loss of each species by all reactions that it goes into, from the rates.
    #[inline(always)]
    fn losses(&self, rates: Block<R, V>, losses: Block<R, V>) {
        let mut table = Reader::new(self.kinetics.mechanism.part(|m| &m.loss));
        for species in 0..self.variable() {
            let mut sum = [R::ZERO; V];
            add_products!(sum, table.next(), ([R::ONE; V], rates.get(table.next())));
            losses.set(species, sum);
        }
    }

    /// The thresholds of cells that begin.
    #[inline(always)]
    fn set_thresholds<J: Index, const RATES: bool>(
        &self,
        kernel: Arguments<'_, '_, R, J, RATES>,
        cells: [usize; V],
        begins: [u32; V],
        (function, losses): (Block<R, V>, Block<R, V>),
    ) {
        for lane in 0..V {
            if begins[lane] == 0 {
                continue;
            }
            let of_cell =
                |all: &isobar_core::Column<'_, R>| if all.is_empty() { 0.0 } else { all.at(cells[lane]).value() };
            let own = of_cell(&kernel.cells.reduction_threshold);
            let targets = self.rules.targets.len();
            let threshold = if own > 0.0 {
                own
            } else if targets > 0 {
                let number = (of_cell(&kernel.cells.reduction_target) as usize).min(targets - 1);
                let species = self.rules.targets.at(number) as usize;
                let loss = losses.lane(species, lane).value();
                let production = function.lane(species, lane).value() + loss;
                self.rules.ratios.at(number) * Real::max(Real::abs(loss), Real::abs(production))
            } else {
                self.rules.threshold
            };
            self.threshold().set_lane(0, lane, R::from_f64(threshold));
        }
    }
}

impl<R: Real, I: Index, const V: usize> Walk<R, V, OneWorker<V>> for Reduced<'_, '_, R, I, V> {
    const IN_ONE_PLACE: bool = false;
    const REDUCES: bool = true;

    fn choose<J: Index, const RATES: bool>(
        &self,
        kernel: Arguments<'_, '_, R, J, RATES>,
        team: OneWorker<V>,
        blocks: &Blocks<R, V, Block<R, V>>,
        attempt: &Attempt<V>,
        choice: &Choice<V>,
    ) {
        let mut chooses = [0; V];
        for lane in 0..V {
            chooses[lane] = choice.begins[lane] | (choice.goes_on[lane] & u32::from(self.rules.append != 0));
        }
        let rates = kernel.program.rates as usize;
        stages::rate_constants(kernel, blocks, attempt, attempt.time, blocks.state, rates);
        if !Team::<R, V>::any_cell(&team, &chooses) {
            self.function(team, blocks.state, blocks.rate_constants, blocks.rates, blocks.function);
            return;
        }
        self.kinetics.function(team, blocks.state, blocks.rate_constants, blocks.rates, blocks.function);
        let (function, losses) = (blocks.function, blocks.stages);
        self.losses(blocks.rates, losses);
        self.set_thresholds(kernel, attempt.cells, choice.begins, (function, losses));
        let threshold = self.threshold().get(0);
        for species in 0..self.variable() {
            let (state, net, loss) = (blocks.state.get(species), function.get(species), losses.get(species));
            let mut kept = self.numbers.get(species);
            let (mut production, mut frequency) = (self.production().get(species), self.frequency().get(species));
            let always = self.rules.keep.at(species) != 0;
            let (mut any, mut not_all) = ([0; V], [0; V]);
            for lane in 0..V {
                let made = net[lane] + loss[lane];
                let fast = !is_slow(made.value(), loss[lane].value(), threshold[lane].value());
                if choice.begins[lane] != 0 {
                    kept[lane] = if always || fast { R::ONE } else { R::ZERO };
                    production[lane] = made;
                    frequency[lane] = loss[lane] / state[lane];
                } else if chooses[lane] != 0 && fast {
                    kept[lane] = R::ONE;
                }
                let has_cell = attempt.cells[lane] != NONE;
                any[lane] = u32::from(has_cell && kept[lane].value() != 0.0);
                not_all[lane] = u32::from(!has_cell || kept[lane].value() == 0.0);
            }
            self.numbers.set(species, kept);
            self.production().set(species, production);
            self.frequency().set(species, frequency);
            let (any, not_all) = (Team::<R, V>::any_cell(&team, &any), Team::<R, V>::any_cell(&team, &not_all));
            let how_many = u32::from(any) + u32::from(!not_all);
            let place = self.variable() + species / V;
            self.numbers.set_lane(place, species % V, R::from_f64(f64::from(how_many)));
        }
    }

    #[inline(always)]
    fn right_side(&self, row: usize, mut right: [R; V]) -> [R; V] {
        let solves = self.solves(row);
        for lane in 0..V {
            right[lane] = if solves[lane].value() != 0.0 { right[lane] } else { R::ZERO };
        }
        right
    }

    fn end<J: Index, const RATES: bool>(
        &self,
        kernel: Arguments<'_, '_, R, J, RATES>,
        blocks: &Blocks<R, V, Block<R, V>>,
        (lane, cell): (usize, usize),
        (began, succeeded): (bool, bool),
    ) {
        let ends = kernel.part(|k| &k.ends);
        for species in 0..self.variable() {
            let kept = !began || self.numbers.lane(species, lane).value() != 0.0;
            ends.part(|e| &e.kept).put(species, cell, u32::from(kept));
            if !kept && succeeded {
                let (production, frequency) =
                    (self.production().lane(species, lane), self.frequency().lane(species, lane));
                let start = blocks.state.lane(species, lane);
                blocks.state.set_lane(species, lane, relaxed(start, production, frequency, kernel.control.length_s));
            }
        }
        let threshold = if began { self.threshold().lane(0, lane) } else { R::ZERO };
        ends.part(|e| &e.threshold).put(0, cell, threshold);
    }

    #[inline(always)]
    fn function(
        &self,
        team: OneWorker<V>,
        state: Block<R, V>,
        rate_constants: Block<R, V>,
        rates: Block<R, V>,
        function: Block<R, V>,
    ) {
        self.kinetics.rates(team, state, rate_constants, rates);
        let mut table = Reader::new(self.kinetics.mechanism.part(|m| &m.function));
        for species in 0..self.variable() {
            let count = table.next();
            let mut sum = [R::ZERO; V];
            if self.how_many(species) != 0.0 {
                add_products!(sum, count, {
                    let rate = rates.get(table.next());
                    ([R::from_f64(self.kinetics.mechanism.part(|m| &m.coefficients).get(table.next())); V], rate)
                });
            } else {
                table.skip(2 * count);
            }
            function.set(species, sum);
        }
    }

    #[inline(always)]
    fn factor(
        &self,
        team: OneWorker<V>,
        shift: [R; V],
        state: Block<R, V>,
        rate_constants: Block<R, V>,
        derivatives: Block<R, V>,
        factors: Block<R, V>,
    ) -> [u32; V] {
        self.kinetics.derivatives(team, state, rate_constants, derivatives);
        let mut singular = [0; V];
        let mut table = Reader::new(self.kinetics.mechanism.part(|m| &m.factor));
        let columns = self.kinetics.mechanism.part(|m| &m.columns);
        let mut place = 0;
        for row in 0..self.kinetics.mechanism.sizes.rows() {
            let of_row = if row < self.variable() { shift } else { [-R::ONE; V] };
            let (solves, of_row_many) = (self.solves(row), self.how_many(row));
            let (left, right) = (table.next(), table.next());
            for entry in 0..left + 1 + right {
                let pivot = if entry < left { table.next() } else { 0 };
                let (count, products) = (table.next(), table.next());
                let column = columns.get(place).place();
                let is_diagonal = entry == left;
                // What a cell does not solve for has this.
                let nothing = if is_diagonal { of_row } else { [R::ZERO; V] };
                let mut value = nothing;
                let of_both = of_row_many * self.how_many(column);
                if of_both == 0.0 {
                    table.skip(2 * (count + products));
                    if !is_diagonal {
                        factors.set(place, value);
                        place += 1;
                        continue;
                    }
                } else {
                    value = self.kinetics.jacobian(&mut table, count, value, derivatives);
                    if is_diagonal {
                        for lane in 0..V {
                            let vanishes = Real::abs(value[lane]) < R::MIN_POSITIVE;
                            singular[lane] |= u32::from(solves[lane].value() != 0.0 && vanishes);
                        }
                    }
                    add_products!(value, products, (factors.get(table.next()), factors.get(table.next())));
                    // Where all cells solve for both, there is nothing to choose.
                    if of_both < 4.0 {
                        let of_column = self.solves(column);
                        for lane in 0..V {
                            let both = solves[lane].value() * of_column[lane].value() != 0.0;
                            value[lane] = if both { value[lane] } else { nothing[lane] };
                        }
                    }
                }
                if entry < left {
                    let pivot = factors.get(pivot);
                    for lane in 0..V {
                        value[lane] *= pivot[lane];
                    }
                } else if is_diagonal {
                    for lane in 0..V {
                        value[lane] = -(R::ONE / value[lane]);
                    }
                }
                factors.set(place, value);
                place += 1;
            }
        }
        singular
    }

    #[inline(always)]
    fn solve(&self, _: OneWorker<V>, factors: Block<R, V>, solution: Block<R, V>) {
        let solved = |row| self.how_many(row) != 0.0;
        self.kinetics.forward(factors, solution, solved);
        self.kinetics.back(factors, solution, solved);
    }
}
