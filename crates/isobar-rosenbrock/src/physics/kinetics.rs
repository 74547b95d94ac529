//! Rates of reactions and their derivatives, and dc/dt.

use isobar_core::{Column, Real, Trusted};

use crate::physics::index::Index;
use crate::physics::mechanism::Mechanism;
use crate::schedule::numbers::{Block, Numbers, Reader, add_products};
use crate::schedule::team::Team;

/// A loop that the workers share, over what a table says (`$first`) and what is read by that (`$second`). The workers
/// of a warp read both some rounds before they need them, for they come from far away; one worker reads them where they
/// are needed.
macro_rules! ahead {
    ($team:ident: $type:ident, $i:ident < $count:expr, $first:ident = $table:expr, $second:ident = $value:expr => $body:block) => {
        let count = $count;
        let mut next = $team.worker();
        if $type::WORKERS == 1 {
            while next < count {
                let $i = next;
                let $first = $table;
                let $second = $value;
                $body
                next += 1;
            }
        } else if count > 0 {
            macro_rules! table {
                ($by:expr) => {{
                    // Beyond the last one it is read again.
                    let $i = (next + $by * $type::WORKERS).min(count - 1);
                    $table
                }};
            }
            macro_rules! value {
                ($first_of:expr, $by:expr) => {{
                    let $i = (next + $by * $type::WORKERS).min(count - 1);
                    let $first = $first_of;
                    let _ = ($i, $first);
                    $value
                }};
            }
            let mut tables = [table!(0), table!(1), table!(2), table!(3)];
            let mut values = [value!(tables[0], 0), value!(tables[1], 1)];
            while next < count {
                let ($first, $second) = (tables[0], values[0]);
                tables = [tables[1], tables[2], tables[3], table!(4)];
                values = [values[1], value!(tables[1], 2)];
                let $i = next;
                $body
                next += $type::WORKERS;
            }
        }
    };
}

/// A mechanism that computes: its tables hold entries of the blocks that it is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kinetics<'k, 'a, I> {
    pub(crate) mechanism: Trusted<'k, Mechanism<'a, I>>,
}

impl<'k, 'a, I: Index> Kinetics<'k, 'a, I> {
    /// The mechanism's arithmetic.
    #[inline(always)]
    pub(crate) fn new(mechanism: Trusted<'k, Mechanism<'a, I>>) -> Self {
        Self { mechanism }
    }

    /// The rate of each reaction. The workers have to wait for each other before they read it.
    #[inline(always)]
    pub(crate) fn rates<R: Real, const V: usize, C: Team<R, V>>(
        &self,
        team: C,
        state: C::Numbers,
        rate_constants: Block<R, V>,
        rates: C::Numbers,
    ) {
        ahead!(team: C, reaction < self.mechanism.sizes.reactions as usize,
            factors = self.mechanism.part(|m| &m.reactants).get(reaction), constant = rate_constants.get(reaction) => {
            let [first, second] = [state.get(factors[0].place()), state.get(factors[1].place())];
            let mut rate = constant;
            for lane in 0..V {
                rate[lane] = rate[lane] * first[lane] * second[lane];
            }
            rates.set(reaction, rate);
        });
        multiply(team, rates, state, self.mechanism.part(|m| &m.more_reactants));
    }

    /// The derivative of each rate by each of its variable reactants, without the power. The workers have to wait for
    /// each other before they read it.
    #[inline(always)]
    pub(crate) fn derivatives<R: Real, const V: usize, C: Team<R, V>>(
        &self,
        team: C,
        state: C::Numbers,
        rate_constants: Block<R, V>,
        derivatives: C::Numbers,
    ) {
        ahead!(team: C, number < self.mechanism.sizes.derivatives as usize,
            pair = self.mechanism.part(|m| &m.derivatives).get(number), constant = rate_constants.get(pair[0].place()) => {
            let factor = state.get(pair[1].place());
            let mut derivative = constant;
            for lane in 0..V {
                derivative[lane] *= factor[lane];
            }
            derivatives.set(number, derivative);
        });
        multiply(team, derivatives, state, self.mechanism.part(|m| &m.more_derivatives));
    }

    /// dc/dt from the rates. Sums run over reactions in their order, in parts.
    #[inline(always)]
    pub(crate) fn sum_rates<R: Real, const V: usize>(&self, rates: Block<R, V>, function: Block<R, V>) {
        let mut table = Reader::new(self.mechanism.part(|m| &m.function));
        for species in 0..self.mechanism.sizes.variable as usize {
            let mut sum = [R::ZERO; V];
            add_products!(sum, table.next(), {
                let rate = rates.get(table.next());
                ([R::from_f64(self.mechanism.part(|m| &m.coefficients).get(table.next())); V], rate)
            });
            function.set(species, sum);
        }
    }
}

/// Multiplies products by the further factors that reactions of third order and up have: few, and in order, so that the
/// first worker has them all.
#[inline(always)]
fn multiply<R: Real, I: Index, const V: usize, C: Team<R, V>>(
    team: C,
    products: C::Numbers,
    state: C::Numbers,
    more: Trusted<'_, Column<'_, [I; 2]>>,
) {
    if more.is_empty() {
        return;
    }
    team.wait();
    if team.worker() != 0 {
        return;
    }
    for i in 0..more.len() {
        let [product, factor] = more.get(i);
        let factor = state.get(factor.place());
        let mut value = products.get(product.place());
        for lane in 0..V {
            value[lane] *= factor[lane];
        }
        products.set(product.place(), value);
    }
}
