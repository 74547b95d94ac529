//! Multi-layer urban canopies (BEP and BEP+BEM; Martilli et al. 2002, doi:10.1023/A:1016099921195): buildings take and
//! give heat, moisture and momentum in each layer, and leave less room for what turbulence carries.
//!
//! What they take of a quantity is proportional to the new one, so that it belongs to the systems
//! ([`crate::physics::implicit`]): vapour then has one of its own, and northward wind other pivots than eastward wind.

use isobar_core::{Real, per_lane};

use crate::constants::URBAN_THETA;
use crate::physics::implicit::{Carried, Row, Upward};
use crate::physics::layer::Layer;
use crate::physics::mixed_layer::Diffusivity;

per_lane! {
    /// What buildings do to a layer.
    pub(crate) struct Urban {
        /// Rates of change, at most 0 \[1/s\].
        u_rate, v_rate, theta_rate, vapour_rate,
        /// What is added a second.
        u_source, v_source, theta_source, vapour_source,
        /// The open shares of the upper face and of the volume.
        faces, volume,
    }
}

per_lane! {
    /// What urban layers leave of vapour for the next row, besides [`Carried`]: the pivot without the interface above.
    pub(crate) struct CarriedVapour { mass }
}

impl<R: Real> Urban<R> {
    /// Diffusivities as the systems see them.
    #[inline(always)]
    pub(crate) fn narrowed(&self, free: &Diffusivity<R>) -> Diffusivity<R> {
        let share = self.faces / self.volume;
        Diffusivity { momentum: free.momentum * share, heat: free.heat * share, moisture: free.moisture * share }
    }

    /// What thermals and entrainment carry: through open faces only.
    #[inline(always)]
    pub(crate) fn narrowed_upward(&self, free: &Upward<R>) -> Upward<R> {
        let Upward { theta, vapour, u, v } = *free;
        Upward { theta: theta * self.faces, vapour: vapour * self.faces, u: u * self.faces, v: v * self.faces }
    }

    /// Adds what buildings take and give in a layer to its row: rates to the pivots, and what they make of the old
    /// values to the right-hand sides.
    #[inline(always)]
    pub(crate) fn add(
        &self,
        layer: &Layer<R>,
        reference: R,
        step: R,
        carried: Carried<R>,
        vapour: CarriedVapour<R>,
    ) -> (Carried<R>, CarriedVapour<R>) {
        let mass = layer.mass;
        let pivot = |before: R, rate: R| before - step * rate * mass;
        let gain = |source: R, rate: R, value: R| mass * (source + rate * value);
        let theta = (reference - R::from_f64(URBAN_THETA)) + layer.theta;
        let next = Carried {
            mass_heat: pivot(carried.mass_heat, self.theta_rate),
            mass_momentum: pivot(carried.mass_momentum, self.u_rate),
            theta: carried.theta + gain(self.theta_source, self.theta_rate, theta),
            vapour: carried.vapour + gain(self.vapour_source, self.vapour_rate, layer.vapour),
            u: carried.u + gain(self.u_source, self.u_rate, layer.u),
            v: carried.v + gain(self.v_source, self.v_rate, layer.v),
            ..carried
        };
        (next, CarriedVapour { mass: pivot(vapour.mass, self.vapour_rate) })
    }

    /// Puts vapour and northward wind right in an eliminated row: `before` is what [`Urban::add`] left for it, and the
    /// diffusivities and fluxes are narrowed. The last number is the row's factor of vapour.
    ///
    /// Northward wind has factors of the system of eastward wind, as in WRF: where buildings take both at other rates,
    /// its system is not quite the one that is meant.
    #[inline(always)]
    pub(crate) fn correct(
        &self,
        (before, vapour): (Carried<R>, CarriedVapour<R>),
        (next, row): (Carried<R>, Row<R>),
        [lower, upper]: [&Layer<R>; 2],
        diffusivity: &Diffusivity<R>,
        upward: &Upward<R>,
        step: R,
    ) -> (Carried<R>, CarriedVapour<R>, Row<R>, R) {
        let conductance = (lower.pressure - upper.pressure) * upper.per_distance * upper.per_distance;
        let exchange = conductance * diffusivity.moisture;
        let flux = exchange * (upper.vapour - lower.vapour) - upward.vapour;
        let per_pivot = R::ONE / (vapour.mass + step * exchange);
        let factor = step * exchange * per_pivot;
        let of_vapour = (before.vapour + flux) * per_pivot;

        let by_momentum = conductance * diffusivity.momentum;
        let in_step = step * by_momentum;
        let flux_v = by_momentum * (upper.v - lower.v) - upward.v;
        let pivot_u = before.mass_momentum + in_step;
        let excess = step * (self.u_rate - self.v_rate) * lower.mass;
        let astray = by_momentum * excess / pivot_u * upper.v;
        let of_v = (before.v + flux_v + astray) / (pivot_u + excess);
        let next = Carried { vapour: step * exchange * of_vapour - flux, v: in_step * of_v - flux_v, ..next };
        let after = CarriedVapour { mass: factor * vapour.mass + upper.mass };
        (next, after, Row { vapour: of_vapour, v: of_v, ..row }, factor)
    }

    /// Puts them right in the uppermost row.
    #[inline(always)]
    pub(crate) fn correct_top(
        &self,
        (before, vapour): (Carried<R>, CarriedVapour<R>),
        row: Row<R>,
        layer: &Layer<R>,
        step: R,
    ) -> Row<R> {
        let pivot_v = before.mass_momentum + step * (self.u_rate - self.v_rate) * layer.mass;
        Row { vapour: before.vapour / vapour.mass, v: before.v / pivot_v, ..row }
    }
}
