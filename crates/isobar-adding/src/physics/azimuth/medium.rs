//! The coefficients of a layer's equation of transfer, for one component in azimuth.

use core::f64::consts::SQRT_2;

use isobar_core::{Column, Field, Real};

use crate::physics::azimuth::operator::{Operator, Order, SUNS, VIEWS};
use crate::physics::azimuth::spherical::{Recurrence, Spherical};

/// The nodes of a hemisphere, in the directions that light is counted in.
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
        for i in 0..n {
            for j in 0..n {
                let secant = if m == 0 {
                    nodes.turned_secant.at(i, j)
                } else if i == j {
                    nodes.secant.at(i)
                } else {
                    R::ZERO
                };
                this.a.core[i][j] = secant;
            }
        }
        this.b.core = this.a.core;
        let secant = beams.view.map(|cosine| R::ONE / cosine);
        this.a.view_diagonal = secant;
        this.b.view_diagonal = secant;
        this.a.sun_diagonal = beams.sun.map(|cosine| R::ONE / cosine);
        this.b.sun_diagonal = this.a.sun_diagonal;
        let share = R::from_f64(if m == 0 { 0.5 } else { 1.0 } * core::f64::consts::FRAC_1_PI);
        let recurrence = &nodes.recurrence;
        let mut views = beams.view.map(|cosine| Spherical::start(recurrence, m, cosine));
        let mut suns = beams.sun.map(|cosine| Spherical::start(recurrence, m, cosine));
        for l in m..terms {
            if l > m {
                for view in views.iter_mut().take(order.views) {
                    view.advance(recurrence, m, terms, l);
                }
                for sun in suns.iter_mut().take(order.suns) {
                    sun.advance(recurrence, m, terms, l);
                }
            }
            let strength = strength(l);
            let mut sun = [R::ZERO; SUNS];
            for s in 0..SUNS {
                sun[s] = suns[s].value();
            }
            let target = if (l - m).is_multiple_of(2) { &mut this.b } else { &mut this.a };
            let mut own = [R::ZERO; N];
            for j in 0..n {
                own[j] = nodes.functions.at(m * terms + l, j);
            }
            for i in 0..n {
                let factor = -strength * own[i];
                for j in 0..N {
                    target.core[i][j] = factor.mul_add(own[j], target.core[i][j]);
                }
                let from_sun = factor * share;
                for s in 0..SUNS {
                    target.sun[i][s] = from_sun.mul_add(sun[s], target.sun[i][s]);
                }
            }
            for v in 0..order.views {
                let factor = -strength * views[v].value() * secant[v];
                for j in 0..N {
                    target.view[v][j] = factor.mul_add(own[j], target.view[v][j]);
                }
                let from_sun = factor * share;
                for s in 0..SUNS {
                    target.corner[v][s] = from_sun.mul_add(sun[s], target.corner[v][s]);
                }
            }
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
        for j in 0..n {
            self.b.core[0][j] = absorption * nodes.turned_secant.at(0, j);
            self.b.core[j][0] = absorption * nodes.turned_secant.at(j, 0);
        }
        self.a.relative_views(isotropic, order);
        self.b.relative_views(isotropic, order);
        for v in 0..order.views {
            self.b.view[v][0] = absorption * isotropic * (self.b.view_diagonal[v] - nodes.turned_secant.at(0, 0));
        }
    }
}
