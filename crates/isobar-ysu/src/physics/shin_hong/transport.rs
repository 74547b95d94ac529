//! Vertical transport of turbulent energy: implicit, from the top down and up again, with a flux of thermals and one
//! that entrainment makes.

use isobar_core::{Real, per_lane};

use crate::physics::mixing::Mixing;
use crate::shin_hong_constants::{ENERGY_FLUX, LARGEST_ENERGY_FLUX, LEAST_DOUBLE_ENERGY};
use crate::version::Parameters;

per_lane! {
    /// What the rows above leave: how much is exchanged with them, the reciprocal of their pivot, their right-hand
    /// side, and what couples them to the row below.
    pub(crate) struct Above { exchange, per_pivot, right, coupling }
}

per_lane! {
    /// An eliminated row: `x_k = value + factor x_(k-1)`.
    pub(crate) struct Row { value, factor }
}

per_lane! {
    /// Fluxes that gradients do not drive, at the upper and lower end of a row's two layers.
    pub(crate) struct Driven { above, below }
}

/// Eliminates the row of an interface with energy `double_energy`, twice, between layers that are `both` thick.
#[inline(always)]
pub(crate) fn eliminate<R: Real>(
    above: &Above<R>,
    exchange: R,
    driven: &Driven<R>,
    double_energy: R,
    per_both: R,
    parameters: &Parameters<R>,
) -> (Above<R>, Row<R>) {
    // Twice the model's step over both layers.
    let rate = parameters.step * per_both;
    let factor = rate * above.exchange * above.per_pivot;
    let pivot = above.coupling.mul_add(factor, (above.exchange + exchange) * rate) + R::ONE;
    let right = above.right.mul_add(factor, double_energy) - rate * (driven.above - driven.below);
    let per_pivot = R::ONE.plain_quotient(pivot);
    let coupling = -rate * exchange;
    let row = Row { value: right * per_pivot, factor: -coupling * per_pivot };
    (Above { exchange, per_pivot, right, coupling }, row)
}

/// What thermals carry of energy in a layer, over the height \[m^2/s^2 / m\]: by the fluxes of buoyancy at both ends of
/// it and the energies, twice, there.
#[inline(always)]
pub(crate) fn countergradient<R: Real>(
    mixing: &Mixing<R>,
    convective_velocity: R,
    virtual_theta: R,
    [below, above]: [R; 2],
    [energy_below, energy_above]: [R; 2],
    parameters: &Parameters<R>,
) -> R {
    let number = R::from_f64;
    let mean = (number(0.25) * (energy_below + energy_above)).at_least(number(LEAST_DOUBLE_ENERGY));
    let rate = number(ENERGY_FLUX) * parameters.physical.gravity * convective_velocity;
    let rate = rate.plain_quotient(virtual_theta * mean).at_most(number(LARGEST_ENERGY_FLUX));
    // `hgame`, times 2 / h.
    (rate * number(0.5) * (below + above) * mixing.height).at_least(R::ZERO) * (number(2.0) * mixing.per_height)
}

/// The share of the entrained energy that reaches down to the middle of a layer.
#[inline(always)]
pub(crate) fn entrained<R: Real>(centre: R, mixing: &Mixing<R>) -> R {
    let fraction = centre * mixing.per_height;
    fraction * fraction * fraction
}
