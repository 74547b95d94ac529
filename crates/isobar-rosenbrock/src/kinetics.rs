//! Rates of reactions, dc/dt, and the derivatives of rates.

use crate::block::{Block, Reader, fused};
use crate::index::Index;
use crate::mechanism::Mechanism;

impl<I: Index> Mechanism<'_, I> {
    /// dc/dt at a state, by way of the rates.
    ///
    /// Sums run over reactions in their order.
    ///
    /// # Safety
    /// The blocks have room for a state, all rate constants, all rates, and all variable species.
    #[inline(always)]
    pub(crate) unsafe fn function<const V: usize>(
        &self,
        state: Block<V>,
        rate_constants: Block<V>,
        rates: Block<V>,
        function: Block<V>,
    ) {
        // SAFETY: the tables hold places within these blocks.
        unsafe {
            for reaction in 0..self.sizes.reactions as usize {
                let [first, second] = self.reactants.get(reaction);
                let (first, second) = (state.get(first.place()), state.get(second.place()));
                let mut rate = rate_constants.get(reaction);
                for lane in 0..V {
                    rate[lane] = rate[lane] * first[lane] * second[lane];
                }
                rates.set(reaction, rate);
            }
            multiply(rates, state, &self.more_reactants);
            let mut table = Reader::new(self.function.as_ptr());
            for species in 0..self.sizes.variable as usize {
                let mut sum = [0.0; V];
                for _ in 0..table.next() {
                    let rate = rates.get(table.next());
                    let coefficient = [self.coefficients.get(table.next()); V];
                    fused!(sum, coefficient, rate);
                }
                function.set(species, sum);
            }
        }
    }

    /// The derivative of each rate by each of its variable reactants, without the power.
    ///
    /// # Safety
    /// The blocks have room for a state, all rate constants and all derivatives.
    #[inline(always)]
    pub(crate) unsafe fn derivatives<const V: usize>(
        &self,
        state: Block<V>,
        rate_constants: Block<V>,
        derivatives: Block<V>,
    ) {
        // SAFETY: the tables hold places within these blocks.
        unsafe {
            for number in 0..self.sizes.derivatives as usize {
                let [reaction, factor] = self.derivatives.get(number);
                let factor = state.get(factor.place());
                let mut derivative = rate_constants.get(reaction.place());
                for lane in 0..V {
                    derivative[lane] *= factor[lane];
                }
                derivatives.set(number, derivative);
            }
            multiply(derivatives, state, &self.more_derivatives);
        }
    }
}

/// Multiplies products by the further factors that reactions of third order and up have.
///
/// # Safety
/// The table holds places within the blocks.
#[inline(always)]
unsafe fn multiply<I: Index, const V: usize>(
    products: Block<V>,
    state: Block<V>,
    more: &isobar_core::Column<'_, [I; 2]>,
) {
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
