//! Implicit diffusion between layers (Hong, Noh and Dudhia 2006, Eq. 4): Thomas elimination of the systems of heat,
//! moisture and momentum, for the tendency itself.
//!
//! With the mass `m` of a layer, the conductance `e` of the interface above it and the flux `F` through it at the old
//! profile, row k is `(m_k + e_(k-1) + e_k) x_k - e_(k-1) x_(k-1) - e_k x_(k+1) = F_k - F_(k-1)`. Elimination keeps
//! `s = m_k + e_(k-1) (1 - c_(k-1))`, which is a sum of positive numbers: nothing cancels.

use isobar_core::{Real, per_lane};

use crate::physical::Physical;
use crate::physics::drag::Drag;
use crate::physics::layer::Layer;
use crate::physics::mixed_layer::Diffusivity;
use crate::physics::potential_temperature::is_single;
use crate::physics::surface::Ground;
use crate::version::Parameters;

per_lane! {
    /// What the elimination of the layers below leaves for the next row.
    pub(crate) struct Carried {
        /// Pivots without the interface above.
        mass_heat, mass_moisture, mass_momentum,
        /// Right-hand sides without the flux above.
        theta, vapour, cloud_water, cloud_ice, u, v,
    }
}

per_lane! {
    /// An eliminated row: `x_k = value + factor x_(k+1)`.
    pub(crate) struct Row {
        factor_heat, factor_moisture, factor_momentum,
        theta, vapour, cloud_water, cloud_ice, u, v,
    }
}

per_lane! {
    /// The system of moisture at an interface, for tracers: flux for a difference, reciprocal of the pivot.
    pub(crate) struct Coupling { exchange, reciprocal }
}

per_lane! {
    /// What thermals carry upward through an interface against the gradient, and entrainment: fluxes.
    pub(crate) struct Upward { theta, vapour, u, v }
}

/// The reciprocals of three pivots.
#[inline(always)]
fn reciprocals<R: Real>([a, b, c]: [R; 3]) -> [R; 3] {
    let one = |x: R| R::ONE.plain_quotient(x);
    if is_single::<R>() {
        return [one(a), one(b), one(c)];
    }
    // In double precision the product of any three is a plain number, and a division takes as long as eight products.
    let product = a * b;
    let per_all = one(product * c);
    let rest = c * per_all;
    [b * rest, a * rest, product * per_all]
}

impl<R: Real> Carried<R> {
    /// For the lowest layer: its mass, and the fluxes and the drag of the surface.
    #[inline(always)]
    pub(crate) fn from_surface(
        mass: R,
        ground: &Ground<R>,
        drag: &Drag<R>,
        in_town: bool,
        parameters: &Parameters<R>,
    ) -> Self {
        // A town's sources have the ground's fluxes in them.
        let from_ground = |flux: R| if in_town { R::ZERO } else { flux };
        Self {
            mass_heat: mass,
            mass_moisture: mass,
            mass_momentum: mass + parameters.step * drag.rate,
            theta: parameters.physical.heating * from_ground(ground.sensible_heat_flux),
            vapour: parameters.physical.gravity * from_ground(ground.moisture_flux),
            cloud_water: R::ZERO,
            cloud_ice: R::ZERO,
            u: drag.u,
            v: drag.v,
        }
    }

    /// Eliminates the row of `lower`, from which `upward` is carried besides what gradients drive.
    #[inline(always)]
    pub(crate) fn eliminate(
        self,
        lower: &Layer<R>,
        upper: &Layer<R>,
        diffusivity: &Diffusivity<R>,
        upward: &Upward<R>,
        step: R,
    ) -> (Self, Row<R>, Coupling<R>) {
        // The downward flux for a difference and a unit of diffusivity, and the same in a step.
        let conductance = (lower.pressure - upper.pressure) * upper.per_distance * upper.per_distance;
        let in_step = step * conductance;
        let exchange = conductance * diffusivity.moisture;
        let flux = |exchange: R, upper: R, lower: R, upward: R| exchange.mul_add(upper - lower, -upward);
        let theta = flux(conductance * diffusivity.heat, upper.theta, lower.theta, upward.theta);
        let vapour = flux(exchange, upper.vapour, lower.vapour, upward.vapour);
        let water = exchange * (upper.cloud_water - lower.cloud_water);
        let ice = exchange * (upper.cloud_ice - lower.cloud_ice);
        let by_momentum = conductance * diffusivity.momentum;
        let u = flux(by_momentum, upper.u, lower.u, upward.u);
        let v = flux(by_momentum, upper.v, lower.v, upward.v);

        let (heat, moisture, momentum) = (in_step * diffusivity.heat, step * exchange, in_step * diffusivity.momentum);
        let [per_heat, per_moisture, per_momentum] =
            reciprocals([self.mass_heat + heat, self.mass_moisture + moisture, self.mass_momentum + momentum]);
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
            ..Row::default()
        };
        (row, Coupling { exchange: R::ZERO, reciprocal: per_moisture })
    }
}

impl<T: Copy> Row<T> {
    /// The values that [`Integrals`] do not have.
    #[inline(always)]
    pub(crate) fn not_integrated(&self) -> [T; 2] {
        [self.cloud_water, self.cloud_ice]
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

per_lane! {
    /// Column integrals of the tendencies times gravity, as the systems have them.
    pub(crate) struct Integrals { theta, vapour, u, v }
}

impl<R: Real> Integrals<R> {
    #[inline(always)]
    pub(crate) fn add(self, row: &Row<R>, mass: R) -> Self {
        Self {
            theta: row.theta.mul_add(mass, self.theta),
            vapour: row.vapour.mul_add(mass, self.vapour),
            u: row.u.mul_add(mass, self.u),
            v: row.v.mul_add(mass, self.v),
        }
    }

    /// In N/m^2 and W/m^2.
    #[inline(always)]
    pub(crate) fn in_units(self, physical: &Physical<R>) -> Self {
        Self {
            theta: self.theta * physical.per_heating,
            vapour: self.vapour * physical.moistening,
            u: self.u * physical.per_gravity,
            v: self.v * physical.per_gravity,
        }
    }
}
