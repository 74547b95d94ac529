//! Layers of a tile: what is read, and what follows from it at once.

use isobar_core::{Real, per_lane};

use crate::physical::Physical;
use crate::physics::potential_temperature::{deviation, virtual_deviation};

per_lane! {
    /// A layer, and the interface above it.
    pub(crate) struct Layer {
        u,
        v,
        temperature,
        /// Potential temperature less the reference.
        theta,
        /// Virtual potential temperature less the same.
        virtual_theta,
        vapour,
        cloud_water,
        cloud_ice,
        pressure,
        /// Height of its middle above the surface \[m\].
        centre,
        /// Height of its upper interface \[m\].
        top,
        /// Distance of its middle from that of the layer below \[m\], and the reciprocal.
        distance,
        per_distance,
        /// Pressure at the upper interface.
        top_pressure,
        /// Difference of pressure between its interfaces \[Pa\]: its mass, times gravity.
        mass,
    }
}

per_lane! {
    /// The heights of the middle and the upper interface of a layer \[m\].
    pub(crate) struct Heights { centre, top }
}

impl<R: Real> Heights<R> {
    /// Those of the next layer. Every sweep adds the thicknesses in this order.
    #[inline(always)]
    pub(crate) fn next(self, thickness: R) -> Self {
        let top = self.top + thickness;
        Self { centre: R::from_f64(0.5) * (self.top + top), top }
    }
}

per_lane! {
    /// What memory has of a layer.
    pub(crate) struct Stored {
        u,
        v,
        temperature,
        vapour,
        cloud_water,
        cloud_ice,
        pressure,
        exner,
        thickness,
        /// Pressure at its upper interface.
        top_pressure,
    }
}

impl<R: Real> Layer<R> {
    /// Potential temperatures are less `reference`. The layer is that above `below`, or the lowest one over an
    /// interface at height 0 with the surface's pressure.
    #[inline(always)]
    pub(crate) fn new(stored: &Stored<R>, below: &Self, reference: R, physical: &Physical<R>) -> Self {
        let heights = Heights { centre: below.centre, top: below.top }.next(stored.thickness);
        let distance = heights.centre - below.centre;
        let theta = deviation(stored.temperature, stored.exner, reference);
        Self {
            u: stored.u,
            v: stored.v,
            temperature: stored.temperature,
            theta,
            virtual_theta: virtual_deviation(theta, stored.vapour, reference, physical),
            vapour: stored.vapour,
            cloud_water: stored.cloud_water,
            cloud_ice: stored.cloud_ice,
            pressure: stored.pressure,
            centre: heights.centre,
            top: heights.top,
            distance,
            per_distance: R::ONE.plain_quotient(distance),
            top_pressure: stored.top_pressure,
            mass: below.top_pressure - stored.top_pressure,
        }
    }

    /// What is below the lowest layer, from the pressure at the lowest interface.
    #[inline(always)]
    pub(crate) fn below_lowest(interface_pressure: R) -> Self {
        Self { top_pressure: interface_pressure, ..Self::default() }
    }
}
