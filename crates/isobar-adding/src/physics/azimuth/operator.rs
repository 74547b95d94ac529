//! What a layer does to light in its nodes, in viewing directions and in the Sun's.

use isobar_core::Real;

use crate::physics::azimuth::square::{Square, add_scaled, dot, inverse, row_times, times_column};

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
/// A GPU has matrices in local memory and calls what works on them: inlined it would be a megabyte of code a kernel. On
/// a CPU it is inlined, for the caller's vectors.
#[derive(Clone, Copy, Debug)]
pub struct Operator<R, const N: usize> {
    /// From node (column) to node (row).
    pub core: Square<R, N>,
    /// From node to view: a row a view.
    pub view: [[R; N]; VIEWS],
    /// From sun (column) to node (row).
    pub sun: [[R; SUNS]; N],
    /// From sun to view.
    pub corner: [[R; SUNS]; VIEWS],
    /// From each view to itself.
    pub view_diagonal: [R; VIEWS],
    /// From each sun to itself.
    pub sun_diagonal: [R; SUNS],
}

/// An element for each node and view; a source has none for suns.
#[derive(Clone, Copy, Debug)]
pub struct Directions<R, const N: usize> {
    /// At nodes.
    pub node: [R; N],
    /// At views.
    pub view: [R; VIEWS],
}

impl<R: Real, const N: usize> Operator<R, N> {
    /// Nothing.
    pub const ZERO: Self = Self {
        core: [[R::ZERO; N]; N],
        view: [[R::ZERO; N]; VIEWS],
        sun: [[R::ZERO; SUNS]; N],
        corner: [[R::ZERO; SUNS]; VIEWS],
        view_diagonal: [R::ZERO; VIEWS],
        sun_diagonal: [R::ZERO; SUNS],
    };

    /// The product.
    #[cfg_attr(target_arch = "nvptx64", inline(never))]
    #[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
    pub fn times(&self, right: &Self, order: Order) -> Self {
        let mut result = Self::ZERO;
        for i in 0..order.nodes {
            result.core[i] = row_times(&self.core[i], &right.core, order.nodes);
            result.sun[i] = row_times(&self.core[i], &right.sun, order.nodes);
            multiply_add(&mut result.sun[i], &self.sun[i], &right.sun_diagonal);
        }
        for v in 0..order.views {
            let diagonal = self.view_diagonal[v];
            result.view[v] = row_times(&self.view[v], &right.core, order.nodes);
            add_scaled(&mut result.view[v], diagonal, &right.view[v]);
            result.corner[v] = row_times(&self.view[v], &right.sun, order.nodes);
            add_scaled(&mut result.corner[v], diagonal, &right.corner[v]);
            multiply_add(&mut result.corner[v], &self.corner[v], &right.sun_diagonal);
            result.view_diagonal[v] = diagonal * right.view_diagonal[v];
        }
        multiply_add(&mut result.sun_diagonal, &self.sun_diagonal, &right.sun_diagonal);
        result
    }

    /// Adds 1.
    #[inline(always)]
    pub fn add_one(&mut self, order: Order) {
        self.add_number(R::ONE, order);
    }

    #[inline(always)]
    fn add_number(&mut self, number: R, order: Order) {
        for i in 0..order.nodes {
            self.core[i][i] += number;
        }
        for v in 0..VIEWS {
            self.view_diagonal[v] += number;
        }
        for s in 0..SUNS {
            self.sun_diagonal[s] += number;
        }
    }

    /// Multiplies each element by a factor.
    #[cfg_attr(target_arch = "nvptx64", inline(never))]
    #[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
    pub fn scale(&mut self, factor: R, order: Order) {
        for i in 0..order.nodes {
            scale(&mut self.core[i], factor);
            scale(&mut self.sun[i], factor);
        }
        for v in 0..order.views {
            scale(&mut self.view[v], factor);
            scale(&mut self.corner[v], factor);
        }
        scale(&mut self.view_diagonal, factor);
        scale(&mut self.sun_diagonal, factor);
    }

    /// Becomes `number + factor * self`.
    #[inline(always)]
    pub fn line(&mut self, number: R, factor: R, order: Order) {
        self.scale(factor, order);
        self.add_number(number, order);
    }

    /// Adds `factor * other`.
    #[cfg_attr(target_arch = "nvptx64", inline(never))]
    #[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
    pub fn add(&mut self, factor: R, other: &Self, order: Order) {
        for i in 0..order.nodes {
            add_scaled(&mut self.core[i], factor, &other.core[i]);
            add_scaled(&mut self.sun[i], factor, &other.sun[i]);
        }
        for v in 0..order.views {
            add_scaled(&mut self.view[v], factor, &other.view[v]);
            add_scaled(&mut self.corner[v], factor, &other.corner[v]);
        }
        add_scaled(&mut self.view_diagonal, factor, &other.view_diagonal);
        add_scaled(&mut self.sun_diagonal, factor, &other.sun_diagonal);
    }

    /// Takes views as what they have beyond `share` of the first direction: `P x P^-1` with `P = 1 - share` in their
    /// first column. With the opposite share, back.
    #[inline(always)]
    pub fn relative_views(&mut self, share: R, order: Order) {
        for v in 0..order.views {
            self.view[v][0] += share * self.view_diagonal[v];
            add_scaled(&mut self.view[v], -share, &self.core[0]);
            add_scaled(&mut self.corner[v], -share, &self.sun[0]);
        }
    }

    /// `(1 + self)^-1` and `(1 + self)^-1 self`, in which blocks off the diagonal are the same but for the sign.
    #[cfg_attr(target_arch = "nvptx64", inline(never))]
    #[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
    pub fn shares(&self, order: Order) -> [Self; 2] {
        let mut more = *self;
        more.add_number(R::ONE, order);
        let inverse = more.inverse(order);
        let mut share = inverse;
        share.scale(-R::ONE, order);
        for i in 0..order.nodes {
            share.core[i] = row_times(&inverse.core[i], &self.core, order.nodes);
        }
        for v in 0..VIEWS {
            share.view_diagonal[v] = inverse.view_diagonal[v] * self.view_diagonal[v];
        }
        for s in 0..SUNS {
            share.sun_diagonal[s] = inverse.sun_diagonal[s] * self.sun_diagonal[s];
        }
        [inverse, share]
    }

    /// What comes of a source at nodes and views.
    #[cfg_attr(target_arch = "nvptx64", inline(never))]
    #[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
    pub fn apply(&self, source: &Directions<R, N>, order: Order) -> Directions<R, N> {
        let mut result =
            Directions { node: times_column(&self.core, &source.node, order.nodes), view: [R::ZERO; VIEWS] };
        for v in 0..order.views {
            result.view[v] = dot(&self.view[v], &source.node) + self.view_diagonal[v] * source.view[v];
        }
        result
    }

    /// The inverse.
    #[cfg_attr(target_arch = "nvptx64", inline(never))]
    #[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
    pub fn inverse(&self, order: Order) -> Self {
        let n = order.nodes;
        let mut result = Self::ZERO;
        result.core = inverse(&self.core, n);
        for s in 0..SUNS {
            result.sun_diagonal[s] = R::ONE / self.sun_diagonal[s];
        }
        for i in 0..n {
            let light = row_times(&result.core[i], &self.sun, order.nodes);
            for s in 0..SUNS {
                result.sun[i][s] = -light[s] * result.sun_diagonal[s];
            }
        }
        for v in 0..order.views {
            let own = R::ONE / self.view_diagonal[v];
            result.view_diagonal[v] = own;
            let (nodes, mut suns) = (
                row_times(&self.view[v], &result.core, order.nodes),
                row_times(&self.view[v], &result.sun, order.nodes),
            );
            add_scaled(&mut result.view[v], -own, &nodes);
            multiply_add(&mut suns, &self.corner[v], &result.sun_diagonal);
            add_scaled(&mut result.corner[v], -own, &suns);
        }
        result
    }
}

/// Multiplies all by a factor.
#[inline(always)]
fn scale<R: Real, const M: usize>(values: &mut [R; M], factor: R) {
    for value in values {
        *value *= factor;
    }
}

/// Adds the products of neighbours.
#[inline(always)]
fn multiply_add<R: Real, const M: usize>(sum: &mut [R; M], left: &[R; M], right: &[R; M]) {
    for s in 0..M {
        sum[s] = left[s].mul_add(right[s], sum[s]);
    }
}

impl<R: Real, const N: usize> Directions<R, N> {
    /// As [`Operator::relative_views`].
    #[inline(always)]
    pub fn relative_views(&mut self, share: R) {
        for v in 0..VIEWS {
            self.view[v] -= share * self.node[0];
        }
    }

    /// Nothing.
    pub const ZERO: Self = Self { node: [R::ZERO; N], view: [R::ZERO; VIEWS] };

    /// `self * factor + addend * other`.
    #[inline(always)]
    pub fn combine(&self, factor: R, addend: R, other: &Self) -> Self {
        let both = |x: R, y: R| factor.mul_add(x, addend * y);
        Self {
            node: core::array::from_fn(|i| both(self.node[i], other.node[i])),
            view: core::array::from_fn(|v| both(self.view[v], other.view[v])),
        }
    }
}
