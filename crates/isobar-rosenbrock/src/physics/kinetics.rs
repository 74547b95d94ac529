//! Rates of reactions and their derivatives, and dc/dt, by the law of mass action:
//!
//! ```text
//! w_r = k_r prod_s c_s^(m_rs),    dc_s/dt = sum_r n_rs w_r,    dw_r/dc_s = m_rs w_r / c_s
//! ```
//!
//! with concentrations `c` \[molecules/cm^3\], rates `w` \[molecules/(cm^3 s)\], and rate constants `k` in the units
//! that follow from the order of their reaction, s^-1 for the first.

use isobar_core::{Column, Real, Trusted};

use crate::physics::index::Index;
use crate::physics::mechanism::Mechanism;
use crate::schedule::numbers::{Block, Numbers, Reader, add_products};
use crate::schedule::team::{Team, ahead};

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
            pair = self.mechanism.part(|m| &m.derivatives).get(number),
            constant = rate_constants.get(pair[0].place()) => {
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
