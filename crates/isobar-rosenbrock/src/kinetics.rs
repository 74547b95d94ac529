//! Rates of reactions and their derivatives, and dc/dt.

use isobar_core::{Column, Real};

use crate::block::{Block, Numbers, Reader, add_products};
use crate::crew::Crew;
use crate::index::Index;
use crate::mechanism::Mechanism;

/// A loop that the workers share, over what a table says (`$first`) and what is read by that (`$second`). The workers
/// of a warp read both some rounds before they need them, for they come from far away; one worker reads them where they
/// are needed.
macro_rules! ahead {
    ($crew:ident: $type:ident, $i:ident < $count:expr, $first:ident = $table:expr, $second:ident = $value:expr => $body:block) => {
        let count = $count;
        let mut next = $crew.worker();
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

impl<I: Index> Mechanism<'_, I> {
    /// The rate of each reaction. The workers have to wait for each other before they read it.
    ///
    /// # Safety
    /// The blocks have room for a state, all rate constants and all rates.
    #[inline(always)]
    pub(crate) unsafe fn rates<R: Real, const V: usize, C: Crew<R, V>>(
        &self,
        crew: C,
        state: C::Numbers,
        rate_constants: Block<R, V>,
        rates: C::Numbers,
    ) {
        // SAFETY: the tables hold places within these blocks.
        unsafe {
            ahead!(crew: C, reaction < self.sizes.reactions as usize,
                factors = self.reactants.get(reaction), constant = rate_constants.get(reaction) => {
                let [first, second] = [state.get(factors[0].place()), state.get(factors[1].place())];
                let mut rate = constant;
                for lane in 0..V {
                    rate[lane] = rate[lane] * first[lane] * second[lane];
                }
                rates.set(reaction, rate);
            });
            multiply(crew, rates, state, &self.more_reactants);
        }
    }

    /// The derivative of each rate by each of its variable reactants, without the power. The workers have to wait for
    /// each other before they read it.
    ///
    /// # Safety
    /// The blocks have room for a state, all rate constants and all derivatives.
    #[inline(always)]
    pub(crate) unsafe fn derivatives<R: Real, const V: usize, C: Crew<R, V>>(
        &self,
        crew: C,
        state: C::Numbers,
        rate_constants: Block<R, V>,
        derivatives: C::Numbers,
    ) {
        // SAFETY: the tables hold places within these blocks.
        unsafe {
            ahead!(crew: C, number < self.sizes.derivatives as usize,
                pair = self.derivatives.get(number), constant = rate_constants.get(pair[0].place()) => {
                let factor = state.get(pair[1].place());
                let mut derivative = constant;
                for lane in 0..V {
                    derivative[lane] *= factor[lane];
                }
                derivatives.set(number, derivative);
            });
            multiply(crew, derivatives, state, &self.more_derivatives);
        }
    }

    /// dc/dt from the rates. Sums run over reactions in their order, in parts.
    ///
    /// # Safety
    /// The blocks have room for all rates and all variable species.
    #[inline(always)]
    pub(crate) unsafe fn sum_rates<R: Real, const V: usize>(&self, rates: Block<R, V>, function: Block<R, V>) {
        let mut table = Reader::new(self.function.as_ptr());
        for species in 0..self.sizes.variable as usize {
            let mut sum = [R::ZERO; V];
            // SAFETY: the table holds places within these blocks.
            unsafe {
                add_products!(sum, table.next(), {
                    let rate = rates.get(table.next());
                    ([R::from_f64(self.coefficients.get(table.next())); V], rate)
                });
                function.set(species, sum);
            }
        }
    }
}

/// Multiplies products by the further factors that reactions of third order and up have: few, and in order, so that the
/// first worker has them all.
///
/// # Safety
/// The table holds places within the blocks.
#[inline(always)]
unsafe fn multiply<R: Real, I: Index, const V: usize, C: Crew<R, V>>(
    crew: C,
    products: C::Numbers,
    state: C::Numbers,
    more: &Column<'_, [I; 2]>,
) {
    if more.is_empty() {
        return;
    }
    crew.wait();
    if crew.worker() != 0 {
        return;
    }
    for i in 0..more.len() {
        // SAFETY: the caller vouches for the table.
        unsafe {
            let [product, factor] = more.get(i);
            let factor = state.get(factor.place());
            let mut value = products.get(product.place());
            for lane in 0..V {
                value[lane] *= factor[lane];
            }
            products.set(product.place(), value);
        }
    }
}
