//! Reflection, transmission and emission of a layer.

use core::f64::consts::SQRT_2;

use isobar_core::{Real, out_of_line};

use crate::physics::azimuth::impedance::Impedance;
use crate::physics::azimuth::operator::{Directions, Operator, Order};

/// What a homogeneous layer makes of the light that enters, the same from both sides, and what it emits.
#[derive(Clone, Copy, Debug)]
pub struct Layer<R, const N: usize> {
    /// Back to where it came from.
    pub reflection: Operator<R, N>,
    /// To the other side, unscattered light included.
    pub transmission: Operator<R, N>,
    /// Upward at the top.
    pub up: Directions<R, N>,
    /// Downward at the bottom.
    pub down: Directions<R, N>,
}

impl<R: Real, const N: usize> Layer<R, N> {
    /// Of a layer with Planck's radiance `planck` in its middle and `more` at its bottom than at its top, linear in
    /// optical depth in between.
    ///
    /// Even light leaves as `(1 - Z)(1 + Z)^-1`, odd light as `(1 - W)(1 + W)^-1`:
    ///
    /// ```text
    /// R = (1 + W)^-1 W - (1 + Z)^-1 Z,   T = (1 + W)^-1 - (1 + Z)^-1 Z
    /// ```
    ///
    /// A layer in equilibrium with isotropic light `f` changes nothing, so that it emits what it takes away, `(1 - R -
    /// T) f = 2 (1 + Z)^-1 Z f` times Planck's radiance. Where that is linear, `f (b + b' t) -+ b' A^-1 f` is a
    /// solution; less what the layer would make of it at its edges, `-+ h b' (1 + W)^-1 (1 - phi(A B h^2/4)) f` is
    /// left. Where there is emission views are as in [`super::medium::Medium::of`].
    #[inline(always)]
    pub fn of(
        impedance: &Impedance<R, N>,
        isotropic: Option<&Directions<R, N>>,
        planck: R,
        more: R,
        order: Order,
    ) -> Self {
        out_of_line(Self::of_impedance, (impedance, isotropic, [planck, more], order))
    }

    #[inline(always)]
    fn of_impedance(
        (impedance, isotropic, [planck, more], order): (&Impedance<R, N>, Option<&Directions<R, N>>, [R; 2], Order),
    ) -> Self {
        let [_, kept] = impedance.even.shares(order);
        let [mut transmission, mut reflection] = impedance.odd.shares(order);
        let tilted = transmission.apply(&impedance.curvature, order);
        reflection.add(-R::ONE, &kept, order);
        transmission.add(-R::ONE, &kept, order);
        let (mut up, mut down) = (Directions::ZERO, Directions::ZERO);
        if let Some(isotropic) = isotropic {
            let emitted = kept.apply(isotropic, order);
            let mean = R::from_f64(2.0) * planck;
            up = emitted.combine(mean, -more, &tilted);
            down = emitted.combine(mean, more, &tilted);
            // Back to views as they are.
            let share = -R::from_f64(SQRT_2);
            reflection.relative_views(share, order);
            transmission.relative_views(share, order);
            up.relative_views(share);
            down.relative_views(share);
        }
        Self { reflection, transmission, up, down }
    }
}
