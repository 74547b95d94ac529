//! What a layer does to light in its nodes, in viewing directions and in the Sun's.

use isobar_core::{Real, Row, out_of_line};

use crate::physics::azimuth::square::{Square, for_rows, inverse, product, products, times_column};

/// The viewing directions that are computed together.
pub const VIEWS: usize = 4;

/// The suns that are computed together.
pub const SUNS: usize = 4;

/// How many directions of each kind there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The nodes of a hemisphere, at most the room for them.
    pub nodes: usize,
    /// Viewing directions, at most [`VIEWS`].
    pub views: usize,
    /// Suns, at most [`SUNS`].
    pub suns: usize,
}

/// A matrix over nodes, viewing directions and suns.
///
/// A viewing direction receives light and gives none, a sun gives light and receives none, so that of the whole matrix
/// these blocks are not zero:
///
/// ```text
///          node    view      sun
/// node  |  core    0         sun
/// view  |  view    diagonal  corner
/// sun   |  0       0         diagonal
/// ```
///
/// Sums, products and inverses have the same blocks. None depends on the columns of views and the rows of suns, so that
/// radiances at nodes have the same bits whatever the views, and those of a view whatever the others.
///
#[derive(Clone, Copy, Debug)]
pub struct Operator<R, const N: usize> {
    /// From node (column) to node (row).
    pub core: Square<R, N>,
    /// From node to view: a row a view.
    pub view: [Row<R, N>; VIEWS],
    /// From sun (column) to node (row).
    pub sun: [Row<R, SUNS>; N],
    /// From sun to view.
    pub corner: [Row<R, SUNS>; VIEWS],
    /// From each view to itself.
    pub view_diagonal: [R; VIEWS],
    /// From each sun to itself.
    pub sun_diagonal: Row<R, SUNS>,
}

/// An element for each node and view; a source has none for suns.
#[derive(Clone, Copy, Debug)]
pub struct Directions<R, const N: usize> {
    /// At nodes.
    pub node: Row<R, N>,
    /// At views.
    pub view: [R; VIEWS],
}

impl<R: Real, const N: usize> Operator<R, N> {
    /// Nothing.
    pub const ZERO: Self = Self {
        core: [Row::ZERO; N],
        view: [Row::ZERO; VIEWS],
        sun: [Row::ZERO; N],
        corner: [Row::ZERO; VIEWS],
        view_diagonal: [R::ZERO; VIEWS],
        sun_diagonal: Row::ZERO,
    };

    /// The product.
    #[inline(always)]
    pub fn times(&self, right: &Self, order: Order) -> Self {
        if const { N <= 4 } { times((self, right, order)) } else { out_of_line(times, (self, right, order)) }
    }

    /// Adds 1.
    #[inline(always)]
    pub fn add_one(&mut self, order: Order) {
        self.add_number(R::ONE, order);
    }

    #[inline(always)]
    fn add_number(&mut self, number: R, order: Order) {
        for_rows!(i < order.nodes, N => {
            let diagonal = self.core[i].element(i);
            self.core[i].set(i, diagonal + number);
        });
        for v in 0..VIEWS {
            self.view_diagonal[v] += number;
        }
        self.sun_diagonal = self.sun_diagonal.map(|x| x + number);
    }

    /// Multiplies each element by a factor.
    #[inline(always)]
    pub fn scale(&mut self, factor: R, order: Order) {
        let times = |x: R| x * factor;
        for_rows!(i < order.nodes, N => {
            self.core[i] = self.core[i].map(times);
            self.sun[i] = self.sun[i].map(times);
        });
        for_rows!(v < order.views, VIEWS => {
            self.view[v] = self.view[v].map(times);
            self.corner[v] = self.corner[v].map(times);
        });
        for v in 0..VIEWS {
            self.view_diagonal[v] *= factor;
        }
        self.sun_diagonal = self.sun_diagonal.map(times);
    }

    /// `number + factor * self + sum_k factor_k other_k`.
    #[inline(always)]
    pub fn sum(&self, number: R, factor: R, others: [(R, &Self); 3], order: Order) -> Self {
        let mut result = Self::ZERO;
        for_rows!(i < order.nodes, N => {
            let mut core = self.core[i].map(|x| x * factor);
            let mut sun = self.sun[i].map(|x| x * factor);
            core.set(i, core.element(i) + number);
            for (factor, other) in others {
                core.add_scaled(factor, &other.core[i]);
                sun.add_scaled(factor, &other.sun[i]);
            }
            (result.core[i], result.sun[i]) = (core, sun);
        });
        for_rows!(v < order.views, VIEWS => {
            let mut view = self.view[v].map(|x| x * factor);
            let mut corner = self.corner[v].map(|x| x * factor);
            let mut diagonal = self.view_diagonal[v] * factor + number;
            for (factor, other) in others {
                view.add_scaled(factor, &other.view[v]);
                corner.add_scaled(factor, &other.corner[v]);
                diagonal = factor.mul_add(other.view_diagonal[v], diagonal);
            }
            (result.view[v], result.corner[v], result.view_diagonal[v]) = (view, corner, diagonal);
        });
        result.sun_diagonal = self.sun_diagonal.map(|x| x * factor + number);
        for (factor, other) in others {
            result.sun_diagonal.add_scaled(factor, &other.sun_diagonal);
        }
        result
    }

    /// Adds `factor * other`.
    #[inline(always)]
    pub fn add(&mut self, factor: R, other: &Self, order: Order) {
        for_rows!(i < order.nodes, N => {
            self.core[i].add_scaled(factor, &other.core[i]);
            self.sun[i].add_scaled(factor, &other.sun[i]);
        });
        for_rows!(v < order.views, VIEWS => {
            self.view[v].add_scaled(factor, &other.view[v]);
            self.corner[v].add_scaled(factor, &other.corner[v]);
        });
        for v in 0..VIEWS {
            self.view_diagonal[v] = factor.mul_add(other.view_diagonal[v], self.view_diagonal[v]);
        }
        self.sun_diagonal.add_scaled(factor, &other.sun_diagonal);
    }

    /// Takes views as what they have beyond `share` of the first direction: `P x P^-1` with `P = 1 - share` in their
    /// first column. With the opposite share, back.
    #[inline(always)]
    pub fn relative_views(&mut self, share: R, order: Order) {
        for_rows!(v < order.views, VIEWS => {
            let first = self.view[v].element(0) + share * self.view_diagonal[v];
            self.view[v].set(0, first);
            self.view[v].add_scaled(-share, &self.core[0]);
            self.corner[v].add_scaled(-share, &self.sun[0]);
        });
    }

    /// `(1 + self)^-1` and `(1 + self)^-1 self`, in which blocks off the diagonal are the same but for the sign.
    #[inline(always)]
    pub fn shares(&self, order: Order) -> [Self; 2] {
        let mut more = *self;
        more.add_number(R::ONE, order);
        let inverse = more.inverse(order);
        let mut share = inverse;
        share.scale(-R::ONE, order);
        share.core = product(&inverse.core, &self.core, order.nodes);
        for v in 0..VIEWS {
            share.view_diagonal[v] = inverse.view_diagonal[v] * self.view_diagonal[v];
        }
        share.sun_diagonal = inverse.sun_diagonal.with(&self.sun_diagonal, |x, y| x * y);
        [inverse, share]
    }

    /// What comes of a source at nodes and views.
    #[inline(always)]
    pub fn apply(&self, source: &Directions<R, N>, order: Order) -> Directions<R, N> {
        let mut result =
            Directions { node: times_column(&self.core, &source.node, order.nodes), view: [R::ZERO; VIEWS] };
        for_rows!(v < order.views, VIEWS => {
            result.view[v] = self.view[v].dot(&source.node) + self.view_diagonal[v] * source.view[v];
        });
        result
    }

    /// The inverse.
    #[inline(always)]
    pub fn inverse(&self, order: Order) -> Self {
        if const { N <= 4 } { inverse_of((self, order)) } else { out_of_line(inverse_of, (self, order)) }
    }
}

impl<R: Real, const N: usize> Directions<R, N> {
    /// As [`Operator::relative_views`].
    #[inline(always)]
    pub fn relative_views(&mut self, share: R) {
        for v in 0..VIEWS {
            self.view[v] -= share * self.node.element(0);
        }
    }

    /// Nothing.
    pub const ZERO: Self = Self { node: Row::ZERO, view: [R::ZERO; VIEWS] };

    /// `self * factor + addend * other`.
    #[inline(always)]
    pub fn combine(&self, factor: R, addend: R, other: &Self) -> Self {
        let both = |x: R, y: R| factor.mul_add(x, addend * y);
        Self {
            node: self.node.with(&other.node, both),
            view: core::array::from_fn(|v| both(self.view[v], other.view[v])),
        }
    }
}

#[inline(always)]
fn times<R: Real, const N: usize>((left, right, order): (&Operator<R, N>, &Operator<R, N>, Order)) -> Operator<R, N> {
    let (nodes, views) = (order.nodes, order.views);
    let (core, sun) = products(&left.core, (&right.core, &right.sun), (nodes, nodes));
    let (view, corner) = products(&left.view, (&right.core, &right.sun), (views, nodes));
    let mut result = Operator { core, sun, view, corner, ..Operator::ZERO };
    for_rows!(i < nodes, N => {
        result.sun[i].add_products(&left.sun[i], &right.sun_diagonal);
    });
    for_rows!(v < views, VIEWS => {
        let diagonal = left.view_diagonal[v];
        result.view[v].add_scaled(diagonal, &right.view[v]);
        result.corner[v].add_scaled(diagonal, &right.corner[v]);
        result.corner[v].add_products(&left.corner[v], &right.sun_diagonal);
        result.view_diagonal[v] = diagonal * right.view_diagonal[v];
    });
    result.sun_diagonal.add_products(&left.sun_diagonal, &right.sun_diagonal);
    result
}

#[inline(always)]
fn inverse_of<R: Real, const N: usize>((matrix, order): (&Operator<R, N>, Order)) -> Operator<R, N> {
    let (nodes, views) = (order.nodes, order.views);
    let core = inverse(&matrix.core, nodes);
    let sun_diagonal = matrix.sun_diagonal.map(|x| R::ONE / x);
    let mut sun = product(&core, &matrix.sun, nodes);
    for_rows!(i < nodes, N => {
        sun[i] = sun[i].with(&sun_diagonal, |x, y| -x * y);
    });
    let (of_nodes, mut of_suns) = products(&matrix.view, (&core, &sun), (views, nodes));
    let mut result = Operator { core, sun, sun_diagonal, ..Operator::ZERO };
    for_rows!(v < views, VIEWS => {
        let own = R::ONE / matrix.view_diagonal[v];
        result.view_diagonal[v] = own;
        result.view[v].add_scaled(-own, &of_nodes[v]);
        of_suns[v].add_products(&matrix.corner[v], &sun_diagonal);
        result.corner[v].add_scaled(-own, &of_suns[v]);
    });
    result
}
