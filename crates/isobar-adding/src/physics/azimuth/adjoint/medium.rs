//! The adjoint of the coefficients of a layer's equation of transfer.

use core::f64::consts::{FRAC_1_PI, SQRT_2};

use isobar_core::{Real, Row};

use crate::physics::azimuth::medium::{Beams, Medium, Nodes};
use crate::physics::azimuth::operator::SUNS;
use crate::physics::azimuth::spherical::Spherical;

impl<R: Real, const N: usize> Medium<R, N> {
    /// The adjoint of [`Medium::of`], where `self` are derivatives by its coefficients: gives `strength_bar` the
    /// derivative by the strength of each term, and returns that by the absorption.
    ///
    /// Each term is `-strength y y^T`, so that `strength_bar = -y^T a_bar y`, or `b_bar` for even `l - m`.
    #[inline(always)]
    pub fn adjoint(
        mut self,
        nodes: &Nodes<'_, R>,
        beams: &Beams<R>,
        m: usize,
        mut strength_bar: impl FnMut(usize, R),
    ) -> R {
        let order = beams.order;
        let (n, terms) = (order.nodes, 2 * order.nodes);
        let secant = beams.view.map(|cosine| R::ONE / cosine);
        let absorption_bar = if m == 0 { self.conserve_adjoint(nodes, &secant, beams) } else { R::ZERO };
        let share = R::from_f64(if m == 0 { 0.5 } else { 1.0 } * FRAC_1_PI);
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
            let mut sun = Row::<R, SUNS>::ZERO;
            for s in 0..order.suns {
                sun[s] = share * suns[s].value();
            }
            let mut own = Row::<R, N>::ZERO;
            for j in 0..n {
                own[j] = nodes.functions.at(m * terms + l, j);
            }
            let bar = if (l - m).is_multiple_of(2) { &self.b } else { &self.a };
            let mut sum = R::ZERO;
            for i in 0..n {
                sum = own[i].mul_add(bar.core[i].dot(&own) + bar.sun[i].dot(&sun), sum);
            }
            for v in 0..order.views {
                let factor = views[v].value() * secant[v];
                sum = factor.mul_add(bar.view[v].dot(&own) + bar.corner[v].dot(&sun), sum);
            }
            strength_bar(l, -sum);
        }
        absorption_bar
    }

    /// Of the coefficients that conserve energy; what they stand in the place of has no derivatives.
    #[inline(always)]
    fn conserve_adjoint(&mut self, nodes: &Nodes<'_, R>, secant: &[R], beams: &Beams<R>) -> R {
        let (order, isotropic) = (beams.order, R::from_f64(SQRT_2));
        let mut absorption_bar = R::ZERO;
        for v in 0..order.views {
            let factor = isotropic * (secant[v] - nodes.turned_secant.at(0, 0));
            absorption_bar = factor.mul_add(self.b.view[v][0], absorption_bar);
            self.b.view[v][0] = R::ZERO;
        }
        self.a.relative_views_adjoint(isotropic, order);
        self.b.relative_views_adjoint(isotropic, order);
        for j in 0..order.nodes {
            absorption_bar = nodes.turned_secant.at(0, j).mul_add(self.b.core[0][j], absorption_bar);
            self.b.core[0][j] = R::ZERO;
            if j > 0 {
                absorption_bar = nodes.turned_secant.at(j, 0).mul_add(self.b.core[j][0], absorption_bar);
                self.b.core[j][0] = R::ZERO;
            }
        }
        absorption_bar
    }
}
