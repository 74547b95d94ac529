//! Implicit diffusion between layers: Thomas elimination of the systems of heat, moisture and momentum, for the tendency itself.
//!
//! With the mass `m` of a layer, the conductance `e` of the interface above it and the flux `F` through it at the old profile, row k is
//! `(m_k + e_(k-1) + e_k) x_k - e_(k-1) x_(k-1) - e_k x_(k+1) = F_k - F_(k-1)`. Elimination keeps `s = m_k + e_(k-1) (1 - c_(k-1))`, which is a
//! sum of positive numbers: nothing cancels.

use isobar_core::Real;

use crate::boundary_layer::Mixing;
use crate::constants::{GRAVITY, HEAT_CAPACITY};
use crate::drag::Drag;
use crate::layer::Layer;
use crate::mixed_layer::Diffusivity;
use crate::surface::Ground;
use crate::tile::per_lane;

per_lane! {
    /// What the elimination of the layers below leaves for the next row.
    struct Carried {
        /// Pivots without the interface above.
        mass_heat, mass_moisture, mass_momentum,
        /// Right-hand sides without the flux above.
        theta, vapour, cloud_water, cloud_ice, u, v,
    }
}

per_lane! {
    /// An eliminated row: `x_k = value + factor x_(k+1)`.
    struct Row {
        factor_heat, factor_moisture, factor_momentum,
        theta, vapour, cloud_water, cloud_ice, u, v,
    }
}

per_lane! {
    /// The system of moisture at an interface, for tracers: flux for a difference, reciprocal of the pivot.
    struct Coupling { exchange, reciprocal }
}

impl<R: Real> Carried<R> {
    /// For the lowest layer: its mass, and the fluxes and the drag of the surface.
    #[inline(always)]
    pub(crate) fn from_surface(mass: R, ground: &Ground<R>, drag: &Drag<R>, step: R) -> Self {
        Self {
            mass_heat: mass,
            mass_moisture: mass,
            mass_momentum: mass + step * drag.rate,
            theta: R::from_f64(GRAVITY / HEAT_CAPACITY) * ground.sensible_heat_flux,
            vapour: R::from_f64(GRAVITY) * ground.moisture_flux,
            cloud_water: R::ZERO,
            cloud_ice: R::ZERO,
            u: drag.u,
            v: drag.v,
        }
    }

    /// Eliminates the row of `lower`; `explicit` says whether entrainment and counter-gradient terms count.
    #[inline(always)]
    pub(crate) fn eliminate(
        self,
        lower: &Layer<R>,
        upper: &Layer<R>,
        diffusivity: &Diffusivity<R>,
        mixing: &Mixing<R>,
        explicit: bool,
        entrained: R,
        step: R,
    ) -> (Self, Row<R>, Coupling<R>) {
        let per_distance = R::ONE.plain_quotient(upper.centre - lower.centre);
        let mass = (lower.pressure - upper.pressure) * per_distance;
        let only = |x: R| if explicit { x } else { R::ZERO };
        let entrained = mass * only(entrained);
        // The downward flux for a difference, less what thermals carry upward, less entrainment.
        let heat = mass * diffusivity.heat;
        let moisture = mass * diffusivity.moisture * per_distance;
        let momentum = mass * diffusivity.momentum;
        let gradient = |upper: R, lower: R, counter: R| (upper - lower).mul_add(per_distance, -only(counter));
        let flux = |exchange: R, difference: R, at_top: R| exchange.mul_add(difference, -(entrained * at_top));
        let theta = flux(heat, gradient(upper.theta, lower.theta, mixing.counter_heat), mixing.flux_heat);
        let vapour = flux(moisture, upper.vapour - lower.vapour, mixing.flux_vapour);
        let water = moisture * (upper.cloud_water - lower.cloud_water);
        let ice = moisture * (upper.cloud_ice - lower.cloud_ice);
        let u = flux(momentum, gradient(upper.u, lower.u, mixing.counter_u), mixing.flux_u);
        let v = flux(momentum, gradient(upper.v, lower.v, mixing.counter_v), mixing.flux_v);

        let exchange = moisture;
        let (heat, moisture, momentum) = (step * heat * per_distance, step * exchange, step * momentum * per_distance);
        let per_heat = R::ONE.plain_quotient(self.mass_heat + heat);
        let per_moisture = R::ONE.plain_quotient(self.mass_moisture + moisture);
        let per_momentum = R::ONE.plain_quotient(self.mass_momentum + momentum);
        let row = Row {
            factor_heat: heat * per_heat,
            factor_moisture: moisture * per_moisture,
            factor_momentum: momentum * per_momentum,
            theta: (self.theta + theta) * per_heat,
            vapour: (self.vapour + vapour) * per_moisture,
            cloud_water: (self.cloud_water + water) * per_moisture,
            cloud_ice: (self.cloud_ice + ice) * per_moisture,
            u: (self.u + u) * per_momentum,
            v: (self.v + v) * per_momentum,
        };
        let next = Self {
            mass_heat: row.factor_heat.mul_add(self.mass_heat, upper.mass),
            mass_moisture: row.factor_moisture.mul_add(self.mass_moisture, upper.mass),
            mass_momentum: row.factor_momentum.mul_add(self.mass_momentum, upper.mass),
            theta: heat.mul_add(row.theta, -theta),
            vapour: moisture.mul_add(row.vapour, -vapour),
            cloud_water: moisture.mul_add(row.cloud_water, -water),
            cloud_ice: moisture.mul_add(row.cloud_ice, -ice),
            u: momentum.mul_add(row.u, -u),
            v: momentum.mul_add(row.v, -v),
        };
        (next, row, Coupling { exchange, reciprocal: per_moisture })
    }

    /// The solution of the uppermost row, above which nothing is exchanged.
    #[inline(always)]
    pub(crate) fn top(self) -> (Row<R>, Coupling<R>) {
        let (per_heat, per_moisture) = (R::ONE / self.mass_heat, R::ONE / self.mass_moisture);
        let per_momentum = R::ONE / self.mass_momentum;
        let row = Row {
            theta: self.theta * per_heat,
            vapour: self.vapour * per_moisture,
            cloud_water: self.cloud_water * per_moisture,
            cloud_ice: self.cloud_ice * per_moisture,
            u: self.u * per_momentum,
            v: self.v * per_momentum,
            ..Row::ZERO
        };
        (row, Coupling { exchange: R::ZERO, reciprocal: per_moisture })
    }
}

impl<R: Real> Row<R> {
    /// The solution of this row, from that of the row above.
    #[inline(always)]
    pub(crate) fn below(self, above: &Self) -> Self {
        Self {
            theta: self.factor_heat.mul_add(above.theta, self.theta),
            vapour: self.factor_moisture.mul_add(above.vapour, self.vapour),
            cloud_water: self.factor_moisture.mul_add(above.cloud_water, self.cloud_water),
            cloud_ice: self.factor_moisture.mul_add(above.cloud_ice, self.cloud_ice),
            u: self.factor_momentum.mul_add(above.u, self.u),
            v: self.factor_momentum.mul_add(above.v, self.v),
            ..self
        }
    }
}
