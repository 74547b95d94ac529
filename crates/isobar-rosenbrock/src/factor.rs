//! The matrix `1/(gamma H) - J`, built and factored in one pass, and the two triangular solves.
//!
//! Without pivoting, row by row: every entry is finished when it is written, from `shift - sum of derivatives - sum of l u`, the products in the order
//! of the pivots. L has ones on its diagonal; the diagonal of U is kept inverted.

use isobar_core::Real;

use crate::block::{Block, Reader, fused};
use crate::index::Index;
use crate::mechanism::Mechanism;

impl<I: Index> Mechanism<'_, I> {
    /// Builds and factors the matrix with `shift` = 1/(gamma H). Not 0 for lanes with a diagonal that vanishes before its row is eliminated,
    /// which is the test that KPP makes.
    ///
    /// # Safety
    /// The blocks have room for all derivatives and all entries.
    #[inline(always)]
    pub(crate) unsafe fn factor<const V: usize>(
        &self,
        shift: [f64; V],
        derivatives: Block<V>,
        factors: Block<V>,
    ) -> [u32; V] {
        let mut singular = [0; V];
        let mut table = Reader::new(self.factor.as_ptr());
        let mut place = 0;
        // SAFETY: the table holds places within the blocks.
        unsafe {
            for _ in 0..self.sizes.variable {
                let (left, right) = (table.next(), table.next());
                for _ in 0..left {
                    let pivot = table.next();
                    let (count, products) = (table.next(), table.next());
                    let mut value = self.jacobian(&mut table, count, [0.0; V], derivatives);
                    subtract(&mut table, products, &mut value, factors);
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
                    singular[lane] |= u32::from(Real::abs(value[lane]) < f64::MIN_POSITIVE);
                }
                subtract(&mut table, products, &mut value, factors);
                for lane in 0..V {
                    value[lane] = 1.0 / value[lane];
                }
                factors.set(place, value);
                place += 1;
                for _ in 0..right {
                    let (count, products) = (table.next(), table.next());
                    let mut value = self.jacobian(&mut table, count, [0.0; V], derivatives);
                    subtract(&mut table, products, &mut value, factors);
                    factors.set(place, value);
                    place += 1;
                }
            }
        }
        singular
    }

    /// An entry of the matrix; the coefficients have its sign.
    ///
    /// # Safety
    /// The table stands at the entry, and the block has room for all derivatives.
    #[inline(always)]
    pub(crate) unsafe fn jacobian<const V: usize>(
        &self,
        table: &mut Reader<I>,
        count: usize,
        mut sum: [f64; V],
        derivatives: Block<V>,
    ) -> [f64; V] {
        for _ in 0..count {
            // SAFETY: the table holds places within the blocks.
            unsafe {
                let derivative = derivatives.get(table.next());
                let coefficient = [self.coefficients.get(table.next()); V];
                fused!(sum, coefficient, derivative);
            }
        }
        sum
    }

    /// Backward through U, in place.
    ///
    /// # Safety
    /// The blocks have room for all entries and all variable species.
    #[inline(always)]
    pub(crate) unsafe fn back<const V: usize>(&self, factors: Block<V>, solution: Block<V>) {
        let mut place = self.sizes.entries as usize;
        // SAFETY: the tables hold places within the blocks.
        unsafe {
            for row in (0..self.sizes.variable as usize).rev() {
                let [left, right] = self.rows.get(row);
                let mut value = solution.get(row);
                let first = place - right.place();
                for entry in first..place {
                    take(&mut value, factors.get(entry), solution.get(self.columns.get(entry).place()));
                }
                let pivot = factors.get(first - 1);
                for lane in 0..V {
                    value[lane] *= pivot[lane];
                }
                solution.set(row, value);
                place = first - 1 - left.place();
            }
        }
    }

    /// One row of the way forward through L: what is known of the solution taken off the right-hand side. `place` is that of the row's
    /// first entry, and becomes that of the next row's.
    ///
    /// # Safety
    /// As [`Mechanism::back`].
    #[inline(always)]
    pub(crate) unsafe fn forward<const V: usize>(
        &self,
        row: usize,
        place: &mut usize,
        mut value: [f64; V],
        factors: Block<V>,
        solution: Block<V>,
    ) {
        // SAFETY: the tables hold places within the blocks.
        unsafe {
            let [left, right] = self.rows.get(row);
            let end = *place + left.place();
            for entry in *place..end {
                take(&mut value, factors.get(entry), solution.get(self.columns.get(entry).place()));
            }
            solution.set(row, value);
            *place = end + 1 + right.place();
        }
    }
}

/// `value - l x`.
#[inline(always)]
fn take<const V: usize>(value: &mut [f64; V], l: [f64; V], x: [f64; V]) {
    for lane in 0..V {
        value[lane] = Real::mul_add(-l[lane], x[lane], value[lane]);
    }
}

/// Takes products of entries of L and of U off an entry.
#[inline(always)]
unsafe fn subtract<I: Index, const V: usize>(
    table: &mut Reader<I>,
    products: usize,
    value: &mut [f64; V],
    factors: Block<V>,
) {
    for _ in 0..products {
        // SAFETY: the table holds places within the block.
        let (l, u) = unsafe { (factors.get(table.next()), factors.get(table.next())) };
        take(value, l, u);
    }
}
