//! The coefficients of a layer's equation of transfer, for one component in azimuth.

use core::f64::consts::SQRT_2;

use isobar_core::{Column, Field, Real, Row};

use crate::physics::azimuth::operator::{Operator, Order, SUNS, VIEWS};
use crate::physics::azimuth::spherical::{Recurrence, Spherical};
use crate::physics::azimuth::square::for_rows;

/// The nodes of a hemisphere, the steepest first, in the directions that light is counted in.
///
/// Radiances are counted times `sqrt(w mu)`: then reflection and transmission are symmetric, and the sum of their
/// squares over the nodes is what a layer cannot increase. For the component 0 the nodes are turned (Householder's
/// reflection) so that the first of the directions is the flux, `f = sqrt(w mu)`: what conserves energy are then zeros
/// in the first row and column of [`Medium::b`], which nothing rounds.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Nodes<'a, R> {
    /// `sqrt(w/mu) Y_l^m` at `(m * terms + l, node)`; turned for `m = 0`.
    pub functions: Field<'a, R>,
    /// `1/mu` as a matrix, `(row, column)`, turned.
    pub turned_secant: Field<'a, R>,
    /// `1/mu` of each node.
    pub secant: Column<'a, R>,
    /// `sqrt(w mu)` of each node.
    pub flux: Column<'a, R>,
    /// `sqrt(w/mu)`, turned: makes of a vector the mean radiance of a hemisphere.
    pub mean: Column<'a, R>,
    /// `v` of Householder's reflection `1 - v v`, which turns; of the length `sqrt 2`.
    pub axis: Column<'a, R>,
    /// What [`Spherical`] needs.
    pub recurrence: Recurrence<'a, R>,
}

/// The directions beside the nodes, and how many there are of each kind.
#[derive(Clone, Copy, Debug)]
pub struct Beams<R> {
    /// Cosines of views; 1 where there is none.
    pub view: [R; VIEWS],
    /// Cosines of suns, likewise.
    pub sun: [R; SUNS],
    /// How many.
    pub order: Order,
}

/// `du/dtau = -a v`, `dv/dtau = -b u` of the sum `u` and the difference `v` of light down and up.
#[derive(Clone, Copy, Debug)]
pub struct Medium<R, const N: usize> {
    /// `1/mu - omega sum_l (2 l + 1) chi_l y_l y_l` over odd `l - m`.
    pub a: Operator<R, N>,
    /// The same over even `l - m`.
    pub b: Operator<R, N>,
}

impl<R: Real, const N: usize> Medium<R, N> {
    /// Of the component `m`, with `strength(l) = omega (2 l + 1) chi_l` and `absorption = 1 - omega`.
    ///
    /// A view's row has no weight, `Y/mu`; a sun's column the beam of unit irradiance, `(2 - delta_m0)/(2 pi) Y`.
    #[inline(always)]
    pub fn of(nodes: &Nodes<'_, R>, beams: &Beams<R>, m: usize, strength: impl Fn(usize) -> R, absorption: R) -> Self {
        let order = beams.order;
        let (n, terms) = (order.nodes, 2 * order.nodes);
        let mut this = Self { a: Operator::ZERO, b: Operator::ZERO };
        for_rows!(i < n, N => {
            let columns = if i < n { n } else { 0 };
            this.a.core[i] = if m == 0 {
                Row::of_first(columns, |j| nodes.turned_secant.at(i, j))
            } else {
                Row::of_first(columns, |j| if i == j { nodes.secant.at(i) } else { R::ZERO })
            };
        });
        this.b.core = this.a.core;
        let secant = beams.view.map(|cosine| R::ONE / cosine);
        this.a.view_diagonal = secant;
        this.b.view_diagonal = secant;
        this.a.sun_diagonal = Row::of(|s| R::ONE / beams.sun[s]);
        this.b.sun_diagonal = this.a.sun_diagonal;
        let recurrence = &nodes.recurrence;
        let mut views = beams.view.map(|cosine| Spherical::start(recurrence, m, cosine));
        let mut suns = beams.sun.map(|cosine| Spherical::start(recurrence, m, cosine));
        let mut function = |l: usize| {
            if l > m {
                for_rows!(v < order.views, VIEWS => {
                    views[v].advance(recurrence, m, terms, l);
                });
                for_rows!(s < order.suns, SUNS => {
                    suns[s].advance(recurrence, m, terms, l);
                });
            }
            let mut view = secant;
            for v in 0..VIEWS {
                view[v] *= views[v].value();
            }
            let node = Row::of_first(n, |j| nodes.functions.at(m * terms + l, j));
            Function { node, view, sun: Row::of(|s| suns[s].value()) }
        };
        // Even l - m, and the odd one that follows.
        let mut l = m;
        while l < terms {
            this.b.scatter(strength(l), &function(l), m, order);
            if l + 1 < terms {
                this.a.scatter(strength(l + 1), &function(l + 1), m, order);
            }
            l += 2;
        }
        if m == 0 {
            this.conserve(nodes, absorption, order);
        }
        this
    }

    /// Writes what conserves energy as numbers of its own: where nothing is absorbed, isotropic light changes nothing.
    /// Views count what they have beyond isotropic light, `I - sqrt(2) J_0`.
    #[inline(always)]
    fn conserve(&mut self, nodes: &Nodes<'_, R>, absorption: R, order: Order) {
        let (n, isotropic) = (order.nodes, R::from_f64(SQRT_2));
        for_rows!(i < n, N => {
            let turned = if i < n { nodes.turned_secant.at(i, 0) } else { R::ZERO };
            self.b.core[i].set(0, absorption * turned);
        });
        self.b.core[0] = Row::of_first(n, |j| absorption * nodes.turned_secant.at(0, j));
        self.a.relative_views(isotropic, order);
        self.b.relative_views(isotropic, order);
        for_rows!(v < order.views, VIEWS => {
            let beyond = self.b.view_diagonal[v] - nodes.turned_secant.at(0, 0);
            self.b.view[v].set(0, absorption * isotropic * beyond);
        });
    }
}

/// A function of the zenith angle.
struct Function<R, const N: usize> {
    /// `sqrt(w/mu) Y` at the nodes.
    node: Row<R, N>,
    /// `Y/mu` at views.
    view: [R; VIEWS],
    /// `Y` at suns.
    sun: Row<R, SUNS>,
}

impl<R: Real, const N: usize> Operator<R, N> {
    /// Subtracts light that is scattered from all directions into all as a function of the component `m`.
    #[inline(always)]
    fn scatter(&mut self, strength: R, function: &Function<R, N>, m: usize, order: Order) {
        let share = R::from_f64(if m == 0 { 0.5 } else { 1.0 } * core::f64::consts::FRAC_1_PI);
        for_rows!(i < order.nodes, N => {
            let factor = -strength * function.node.element(i);
            self.core[i].add_scaled(factor, &function.node);
            self.sun[i].add_scaled(factor * share, &function.sun);
        });
        for_rows!(v < order.views, VIEWS => {
            let factor = -strength * function.view[v];
            self.view[v].add_scaled(factor, &function.node);
            self.corner[v].add_scaled(factor * share, &function.sun);
        });
    }
}
