//! The matrix `J - 1/(gamma H)`, built and factored in one pass, and the two triangular solves, by one worker.
//!
//! Without pivoting, row by row: every entry is finished when it is written, from
//! `shift + sum of derivatives + sum of l u`, the products in the order of the pivots. Long sums are formed in parts. L
//! has ones on its diagonal, and its other entries are kept with the other sign; so is the diagonal of U, inverted. So
//! everything is added, and what comes out is the solution with `1/(gamma H) - J`.

use isobar_core::Real;

use crate::physics::index::Index;
use crate::physics::kinetics::Kinetics;
use crate::physics::walk::Walk;
use crate::schedule::numbers::{Block, Numbers, Reader, add_products};
use crate::schedule::team::OneWorker;

impl<R: Real, I: Index, const V: usize> Walk<R, V, OneWorker<V>> for Kinetics<'_, '_, I> {
    const IN_ONE_PLACE: bool = false;

    #[inline(always)]
    fn function(
        &self,
        team: OneWorker<V>,
        state: Block<R, V>,
        rate_constants: Block<R, V>,
        rates: Block<R, V>,
        function: Block<R, V>,
    ) {
        self.rates(team, state, rate_constants, rates);
        self.sum_rates(rates, function);
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
        self.derivatives(team, state, rate_constants, derivatives);
        self.build_and_factor(shift, derivatives, factors)
    }

    #[inline(always)]
    fn solve(&self, _: OneWorker<V>, factors: Block<R, V>, solution: Block<R, V>) {
        self.forward(factors, solution, |_| true);
        self.back(factors, solution, |_| true);
    }
}

impl<I: Index> Kinetics<'_, '_, I> {
    /// See [`Walk::factor`].
    #[inline(always)]
    fn build_and_factor<R: Real, const V: usize>(
        &self,
        shift: [R; V],
        derivatives: Block<R, V>,
        factors: Block<R, V>,
    ) -> [u32; V] {
        let mut singular = [0; V];
        let mut table = Reader::new(self.mechanism.part(|m| &m.factor));
        let mut place = 0;
        for row in 0..self.mechanism.sizes.rows() {
            // The row of a sum says that it is the sum: no time is in it.
            let is_sum = row >= self.mechanism.sizes.variable as usize;
            let shift = if is_sum { [-R::ONE; V] } else { shift };
            let (left, right) = (table.next(), table.next());
            for _ in 0..left {
                let pivot = table.next();
                let (count, products) = (table.next(), table.next());
                let mut value = self.jacobian(&mut table, count, [R::ZERO; V], derivatives);
                add(&mut table, products, &mut value, factors);
                let pivot = factors.get(pivot);
                for lane in 0..V {
                    value[lane] *= pivot[lane];
                }
                factors.set(place, value);
                place += 1;
            }
            let (count, products) = (table.next(), table.next());
            let mut value = self.jacobian(&mut table, count, shift, derivatives);
            for lane in 0..V {
                singular[lane] |= u32::from(Real::abs(value[lane]) < R::MIN_POSITIVE);
            }
            add(&mut table, products, &mut value, factors);
            for lane in 0..V {
                value[lane] = -(R::ONE / value[lane]);
            }
            factors.set(place, value);
            place += 1;
            for _ in 0..right {
                let (count, products) = (table.next(), table.next());
                let mut value = self.jacobian(&mut table, count, [R::ZERO; V], derivatives);
                add(&mut table, products, &mut value, factors);
                factors.set(place, value);
                place += 1;
            }
        }
        singular
    }

    /// An entry of the Jacobian, added to what is there.
    #[inline(always)]
    pub(crate) fn jacobian<R: Real, const V: usize>(
        &self,
        table: &mut Reader<I>,
        count: usize,
        mut sum: [R; V],
        derivatives: Block<R, V>,
    ) -> [R; V] {
        add_products!(sum, count, {
            let derivative = derivatives.get(table.next());
            ([R::from_f64(self.mechanism.part(|m| &m.coefficients).get(table.next())); V], derivative)
        });
        sum
    }

    /// Forward through L, row by row, in place. Rows that are not solved for have nothing on the right side and are
    /// passed over.
    #[inline(always)]
    pub(crate) fn forward<R: Real, const V: usize>(
        &self,
        factors: Block<R, V>,
        solution: Block<R, V>,
        solves: impl Fn(usize) -> bool,
    ) {
        let mut place = 0;
        for row in 0..self.mechanism.sizes.rows() {
            let [left, right] = self.mechanism.part(|m| &m.rows).get(row);
            if !solves(row) {
                place += left.place() + 1 + right.place();
                continue;
            }
            let mut value = solution.get(row);
            let end = place + left.place();
            let mut entry = place;
            add_products!(value, left.place(), {
                let product =
                    (factors.get(entry), solution.get(self.mechanism.part(|m| &m.columns).get(entry).place()));
                entry += 1;
                product
            });
            solution.set(row, value);
            place = end + 1 + right.place();
        }
    }

    /// Backward through U, in place: row by row from the last, each from its last entry.
    #[inline(always)]
    pub(crate) fn back<R: Real, const V: usize>(
        &self,
        factors: Block<R, V>,
        solution: Block<R, V>,
        solves: impl Fn(usize) -> bool,
    ) {
        let mut place = self.mechanism.sizes.entries as usize;
        for row in (0..self.mechanism.sizes.rows()).rev() {
            let [left, right] = self.mechanism.part(|m| &m.rows).get(row);
            if !solves(row) {
                place -= left.place() + 1 + right.place();
                continue;
            }
            let mut value = solution.get(row);
            let diagonal = place - right.place() - 1;
            let mut entry = place;
            add_products!(value, right.place(), {
                entry -= 1;
                (factors.get(entry), solution.get(self.mechanism.part(|m| &m.columns).get(entry).place()))
            });
            let pivot = factors.get(diagonal);
            for lane in 0..V {
                value[lane] *= pivot[lane];
            }
            solution.set(row, value);
            place = diagonal - left.place();
        }
    }
}

/// Adds products of entries of L and of U to an entry.
#[inline(always)]
fn add<R: Real, I: Index, const V: usize>(
    table: &mut Reader<I>,
    products: usize,
    value: &mut [R; V],
    factors: Block<R, V>,
) {
    let mut sum = *value;
    add_products!(sum, products, (factors.get(table.next()), factors.get(table.next())));
    *value = sum;
}
