//! Products with transposed operators.
//!
//! Of `Z = X Y` the adjoint is `X_bar = Z_bar Y^T` and `Y_bar = X^T Z_bar`, of `Z = X^-1` it is
//! `X_bar = -Z^T Z_bar Z^T`, in the blocks that an [`Operator`] has: the others are zero whatever goes in.

use isobar_core::Real;

use crate::physics::azimuth::operator::{Directions, Operator, Order, SUNS, VIEWS};
use crate::physics::azimuth::square::{add_scaled, dot, row_times};

/// The transposed of the first `rows` rows.
#[inline(always)]
fn transposed<R: Real, const A: usize, const B: usize>(matrix: &[[R; B]; A], rows: usize) -> [[R; A]; B] {
    let mut result = [[R::ZERO; A]; B];
    for i in 0..rows {
        for j in 0..B {
            result[j][i] = matrix[i][j];
        }
    }
    result
}

impl<R: Real, const N: usize> Operator<R, N> {
    /// `self right^T`.
    #[cfg_attr(target_arch = "nvptx64", inline(never))]
    #[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
    pub fn times_transposed(&self, right: &Self, order: Order) -> Self {
        let mut result = Self::ZERO;
        let core = transposed(&right.core, order.nodes);
        let sun: [[R; N]; SUNS] = transposed(&right.sun, order.nodes);
        for i in 0..order.nodes {
            result.core[i] = row_times(&self.core[i], &core, order.nodes);
            for s in 0..order.suns {
                add_scaled(&mut result.core[i], self.sun[i][s], &sun[s]);
                result.sun[i][s] = self.sun[i][s] * right.sun_diagonal[s];
            }
        }
        for v in 0..order.views {
            result.view[v] = row_times(&self.view[v], &core, order.nodes);
            for s in 0..order.suns {
                add_scaled(&mut result.view[v], self.corner[v][s], &sun[s]);
                result.corner[v][s] = self.corner[v][s] * right.sun_diagonal[s];
            }
            let others = dot(&self.view[v], &right.view[v]) + dot(&self.corner[v], &right.corner[v]);
            result.view_diagonal[v] = self.view_diagonal[v].mul_add(right.view_diagonal[v], others);
        }
        for s in 0..order.suns {
            result.sun_diagonal[s] = self.sun_diagonal[s] * right.sun_diagonal[s];
        }
        result
    }

    /// `self^T right`.
    #[cfg_attr(target_arch = "nvptx64", inline(never))]
    #[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
    pub fn transposed_times(&self, right: &Self, order: Order) -> Self {
        let mut result = Self::ZERO;
        let core = transposed(&self.core, order.nodes);
        for i in 0..order.nodes {
            result.core[i] = row_times(&core[i], &right.core, order.nodes);
            result.sun[i] = row_times(&core[i], &right.sun, order.nodes);
            for v in 0..order.views {
                add_scaled(&mut result.core[i], self.view[v][i], &right.view[v]);
                add_scaled(&mut result.sun[i], self.view[v][i], &right.corner[v]);
            }
        }
        for v in 0..order.views {
            let diagonal = self.view_diagonal[v];
            add_scaled(&mut result.view[v], diagonal, &right.view[v]);
            add_scaled(&mut result.corner[v], diagonal, &right.corner[v]);
            result.view_diagonal[v] = diagonal * right.view_diagonal[v];
        }
        for s in 0..order.suns {
            let mut sum = self.sun_diagonal[s] * right.sun_diagonal[s];
            for i in 0..order.nodes {
                sum = self.sun[i][s].mul_add(right.sun[i][s], sum);
            }
            for v in 0..order.views {
                sum = self.corner[v][s].mul_add(right.corner[v][s], sum);
            }
            result.sun_diagonal[s] = sum;
        }
        result
    }

    /// `self^T middle self^T`: with the opposite sign the adjoint of the inverse `self`.
    #[inline(always)]
    pub fn transposed_around(&self, middle: &Self, order: Order) -> Self {
        self.transposed_times(&middle.times_transposed(self, order), order)
    }

    /// The sum of the products of all elements.
    #[inline(always)]
    pub fn inner(&self, other: &Self, order: Order) -> R {
        let mut sum = dot(&self.view_diagonal, &other.view_diagonal) + dot(&self.sun_diagonal, &other.sun_diagonal);
        for i in 0..order.nodes {
            sum += dot(&self.core[i], &other.core[i]) + dot(&self.sun[i], &other.sun[i]);
        }
        for v in 0..order.views {
            sum += dot(&self.view[v], &other.view[v]) + dot(&self.corner[v], &other.corner[v]);
        }
        sum
    }

    /// The adjoint of [`Operator::apply`] by its matrix: adds `bar source^T`.
    #[inline(always)]
    pub fn add_outer(&mut self, bar: &Directions<R, N>, source: &Directions<R, N>, order: Order) {
        for i in 0..order.nodes {
            add_scaled(&mut self.core[i], bar.node[i], &source.node);
        }
        for v in 0..order.views {
            add_scaled(&mut self.view[v], bar.view[v], &source.node);
            self.view_diagonal[v] = bar.view[v].mul_add(source.view[v], self.view_diagonal[v]);
        }
    }

    /// `self^T bar`: the adjoint of [`Operator::apply`] by its source.
    #[inline(always)]
    pub fn apply_transposed(&self, bar: &Directions<R, N>, order: Order) -> Directions<R, N> {
        let mut result = Directions { node: row_times(&bar.node, &self.core, order.nodes), view: [R::ZERO; VIEWS] };
        for v in 0..order.views {
            add_scaled(&mut result.node, bar.view[v], &self.view[v]);
            result.view[v] = self.view_diagonal[v] * bar.view[v];
        }
        result
    }

    /// The adjoint of [`Operator::relative_views`] with the same share.
    #[inline(always)]
    pub fn relative_views_adjoint(&mut self, share: R, order: Order) {
        for v in 0..order.views {
            self.view_diagonal[v] = share.mul_add(self.view[v][0], self.view_diagonal[v]);
            let (view, corner) = (self.view[v], self.corner[v]);
            add_scaled(&mut self.core[0], -share, &view);
            add_scaled(&mut self.sun[0], -share, &corner);
        }
    }
}

impl<R: Real, const N: usize> Directions<R, N> {
    /// The adjoint of [`Directions::relative_views`] with the same share.
    #[inline(always)]
    pub fn relative_views_adjoint(&mut self, share: R) {
        for v in 0..VIEWS {
            self.node[0] -= share * self.view[v];
        }
    }

    /// The sum of the products of all elements.
    #[inline(always)]
    pub fn inner(&self, other: &Self) -> R {
        dot(&self.node, &other.node) + dot(&self.view, &other.view)
    }
}
