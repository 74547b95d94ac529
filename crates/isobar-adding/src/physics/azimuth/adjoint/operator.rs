//! Products with transposed operators.
//!
//! Of `Z = X Y` the adjoint is `X_bar = Z_bar Y^T` and `Y_bar = X^T Z_bar`, of `Z = X^-1` it is
//! `X_bar = -Z^T Z_bar Z^T`, in the blocks that an [`Operator`] has: the others are zero whatever goes in.

use isobar_core::{Real, Row, out_of_line};

use crate::physics::azimuth::operator::{Directions, Operator, Order, SUNS, VIEWS};
use crate::physics::azimuth::square::row_times;

/// The transposed of the first `rows` rows.
#[inline(always)]
fn transposed<R: Real, const A: usize, const B: usize>(matrix: &[Row<R, B>; A], rows: usize) -> [Row<R, A>; B] {
    let mut result = [Row::ZERO; B];
    for i in 0..rows {
        for j in 0..B {
            result[j][i] = matrix[i][j];
        }
    }
    result
}

impl<R: Real, const N: usize> Operator<R, N> {
    /// `self right^T`.
    #[inline(always)]
    pub fn times_transposed(&self, right: &Self, order: Order) -> Self {
        out_of_line(times_transposed, (self, right, order))
    }

    /// `self^T right`.
    #[inline(always)]
    pub fn transposed_times(&self, right: &Self, order: Order) -> Self {
        out_of_line(transposed_times, (self, right, order))
    }

    /// `self^T middle self^T`: with the opposite sign the adjoint of the inverse `self`.
    #[inline(always)]
    pub fn transposed_around(&self, middle: &Self, order: Order) -> Self {
        self.transposed_times(&middle.times_transposed(self, order), order)
    }

    /// The sum of the products of all elements.
    #[inline(always)]
    pub fn inner(&self, other: &Self, order: Order) -> R {
        let mut sum = Row::from(self.view_diagonal).dot(&Row::from(other.view_diagonal))
            + self.sun_diagonal.dot(&other.sun_diagonal);
        for i in 0..order.nodes {
            sum += self.core[i].dot(&other.core[i]) + self.sun[i].dot(&other.sun[i]);
        }
        for v in 0..order.views {
            sum += self.view[v].dot(&other.view[v]) + self.corner[v].dot(&other.corner[v]);
        }
        sum
    }

    /// The adjoint of [`Operator::apply`] by its matrix: adds `bar source^T`.
    #[inline(always)]
    pub fn add_outer(&mut self, bar: &Directions<R, N>, source: &Directions<R, N>, order: Order) {
        for i in 0..order.nodes {
            self.core[i].add_scaled(bar.node[i], &source.node);
        }
        for v in 0..order.views {
            self.view[v].add_scaled(bar.view[v], &source.node);
            self.view_diagonal[v] = bar.view[v].mul_add(source.view[v], self.view_diagonal[v]);
        }
    }

    /// `self^T bar`: the adjoint of [`Operator::apply`] by its source.
    #[inline(always)]
    pub fn apply_transposed(&self, bar: &Directions<R, N>, order: Order) -> Directions<R, N> {
        let mut result = Directions { node: row_times(&bar.node, &self.core, order.nodes), view: [R::ZERO; VIEWS] };
        for v in 0..order.views {
            result.node.add_scaled(bar.view[v], &self.view[v]);
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
            self.core[0].add_scaled(-share, &view);
            self.sun[0].add_scaled(-share, &corner);
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
        self.node.dot(&other.node) + Row::from(self.view).dot(&Row::from(other.view))
    }
}

#[inline(always)]
fn times_transposed<R: Real, const N: usize>(
    (left, right, order): (&Operator<R, N>, &Operator<R, N>, Order),
) -> Operator<R, N> {
    let mut result = Operator::ZERO;
    let core = transposed(&right.core, order.nodes);
    let sun: [Row<R, N>; SUNS] = transposed(&right.sun, order.nodes);
    for i in 0..order.nodes {
        result.core[i] = row_times(&left.core[i], &core, order.nodes);
        for s in 0..order.suns {
            result.core[i].add_scaled(left.sun[i][s], &sun[s]);
            result.sun[i][s] = left.sun[i][s] * right.sun_diagonal[s];
        }
    }
    for v in 0..order.views {
        result.view[v] = row_times(&left.view[v], &core, order.nodes);
        for s in 0..order.suns {
            result.view[v].add_scaled(left.corner[v][s], &sun[s]);
            result.corner[v][s] = left.corner[v][s] * right.sun_diagonal[s];
        }
        let others = left.view[v].dot(&right.view[v]) + left.corner[v].dot(&right.corner[v]);
        result.view_diagonal[v] = left.view_diagonal[v].mul_add(right.view_diagonal[v], others);
    }
    for s in 0..order.suns {
        result.sun_diagonal[s] = left.sun_diagonal[s] * right.sun_diagonal[s];
    }
    result
}

#[inline(always)]
fn transposed_times<R: Real, const N: usize>(
    (left, right, order): (&Operator<R, N>, &Operator<R, N>, Order),
) -> Operator<R, N> {
    let mut result = Operator::ZERO;
    let core = transposed(&left.core, order.nodes);
    for i in 0..order.nodes {
        result.core[i] = row_times(&core[i], &right.core, order.nodes);
        result.sun[i] = row_times(&core[i], &right.sun, order.nodes);
        for v in 0..order.views {
            result.core[i].add_scaled(left.view[v][i], &right.view[v]);
            result.sun[i].add_scaled(left.view[v][i], &right.corner[v]);
        }
    }
    for v in 0..order.views {
        let diagonal = left.view_diagonal[v];
        result.view[v].add_scaled(diagonal, &right.view[v]);
        result.corner[v].add_scaled(diagonal, &right.corner[v]);
        result.view_diagonal[v] = diagonal * right.view_diagonal[v];
    }
    for s in 0..order.suns {
        let mut sum = left.sun_diagonal[s] * right.sun_diagonal[s];
        for i in 0..order.nodes {
            sum = left.sun[i][s].mul_add(right.sun[i][s], sum);
        }
        for v in 0..order.views {
            sum = left.corner[v][s].mul_add(right.corner[v][s], sum);
        }
        result.sun_diagonal[s] = sum;
    }
    result
}
