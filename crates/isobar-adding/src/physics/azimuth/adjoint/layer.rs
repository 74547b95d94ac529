//! The adjoint of a layer's reflection, transmission and emission.

use core::f64::consts::SQRT_2;

use isobar_core::{Real, out_of_line};

use crate::physics::azimuth::impedance::Impedance;
use crate::physics::azimuth::layer::Layer;
use crate::physics::azimuth::operator::{Directions, Operator, Order};

/// Derivatives by what [`Layer::of`] takes.
#[derive(Clone, Copy, Debug)]
pub struct Sources<R, const N: usize> {
    /// By the impedances.
    pub impedance: Impedance<R, N>,
    /// By Planck's radiance in the middle.
    pub planck: R,
    /// By its difference between bottom and top.
    pub more: R,
}

impl<R: Real, const N: usize> Layer<R, N> {
    /// The adjoint of [`Layer::of`], of the derivatives `bar` by what it gives.
    ///
    /// With `S = (1 + Z)^-1`, `V = (1 + W)^-1` and `K = 1 - S` the layer is `R = 1 - V - K`, `T = V - K`,
    ///
    /// ```text
    /// up, down = 2 B K f -+ B' V c,
    /// Z_bar = S^T K_bar S^T,   W_bar = -V^T V_bar V^T .
    /// ```
    #[inline(always)]
    pub fn adjoint(
        impedance: &Impedance<R, N>,
        isotropic: Option<&Directions<R, N>>,
        planck: R,
        more: R,
        bar: &Self,
        order: Order,
    ) -> Sources<R, N> {
        out_of_line(adjoint, (impedance, isotropic, [planck, more], bar, order))
    }
}

/// What [`Layer::adjoint`] takes.
type Given<'a, R, const N: usize> = (&'a Impedance<R, N>, Option<&'a Directions<R, N>>, [R; 2], &'a Layer<R, N>, Order);

#[inline(always)]
fn adjoint<R: Real, const N: usize>(
    (impedance, isotropic, [planck, more], bar, order): Given<'_, R, N>,
) -> Sources<R, N> {
    let Layer { mut reflection, mut transmission, mut up, mut down } = *bar;
    let mut inverses = [impedance.even, impedance.odd];
    for inverse in &mut inverses {
        inverse.add_one(order);
        *inverse = inverse.inverse(order);
    }
    let [even, odd] = &inverses;
    if isotropic.is_some() {
        let share = -R::from_f64(SQRT_2);
        reflection.relative_views_adjoint(share, order);
        transmission.relative_views_adjoint(share, order);
        up.relative_views_adjoint(share);
        down.relative_views_adjoint(share);
    }
    let mut kept_bar = Operator::ZERO;
    kept_bar.add(-R::ONE, &reflection, order);
    kept_bar.add(-R::ONE, &transmission, order);
    let mut odd_bar = transmission;
    odd_bar.add(-R::ONE, &reflection, order);
    let mut curvature = Directions::ZERO;
    let (mut planck_bar, mut more_bar) = (R::ZERO, R::ZERO);
    if let Some(isotropic) = isotropic {
        let (both, difference) = (up.combine(R::ONE, R::ONE, &down), down.combine(R::ONE, -R::ONE, &up));
        // `K f = f - S f` would lose digits where little is absorbed.
        let emitted = even.apply(&impedance.even.apply(isotropic, order), order);
        planck_bar = R::from_f64(2.0) * both.inner(&emitted);
        more_bar = difference.inner(&odd.apply(&impedance.curvature, order));
        kept_bar.add_outer(&both.combine(R::from_f64(2.0) * planck, R::ZERO, &both), isotropic, order);
        let tilted_bar = difference.combine(more, R::ZERO, &difference);
        odd_bar.add_outer(&tilted_bar, &impedance.curvature, order);
        curvature = odd.apply_transposed(&tilted_bar, order);
    }
    let even_bar = even.transposed_around(&kept_bar, order);
    let mut odd_bar = odd.transposed_around(&odd_bar, order);
    odd_bar.scale(-R::ONE, order);
    let impedance = Impedance { even: even_bar, odd: odd_bar, curvature };
    Sources { impedance, planck: planck_bar, more: more_bar }
}
