//! Layers of a tile: what is read, and what follows from it at once.

use isobar_core::Real;

use crate::physics::per_lane::per_lane;
use crate::physics::potential_temperature::{deviation, virtual_deviation};

per_lane! {
    /// A layer, and the interface above it.
    struct Layer {
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
    struct Heights { centre, top }
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
    struct Stored {
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

impl<R: Real, const W: usize> Layer<[R; W]> {
    /// Potential temperatures are less `reference`. The layer is that above `below`, or the lowest one over an
    /// interface at height 0 with the surface's pressure.
    #[inline(always)]
    pub(crate) fn new(stored: &Stored<[R; W]>, below: &Self, reference: &[R; W]) -> Self {
        let mut layer = Self {
            u: stored.u,
            v: stored.v,
            temperature: stored.temperature,
            vapour: stored.vapour,
            cloud_water: stored.cloud_water,
            cloud_ice: stored.cloud_ice,
            pressure: stored.pressure,
            top_pressure: stored.top_pressure,
            ..Self::ZEROS
        };
        for lane in 0..W {
            let heights = Heights { centre: below.centre[lane], top: below.top[lane] }.next(stored.thickness[lane]);
            layer.centre[lane] = heights.centre;
            layer.top[lane] = heights.top;
            layer.distance[lane] = heights.centre - below.centre[lane];
            layer.per_distance[lane] = R::ONE.plain_quotient(layer.distance[lane]);
            layer.theta[lane] = deviation(layer.temperature[lane], stored.exner[lane], reference[lane]);
            layer.virtual_theta[lane] = virtual_deviation(layer.theta[lane], layer.vapour[lane], reference[lane]);
            layer.mass[lane] = below.top_pressure[lane] - layer.top_pressure[lane];
        }
        layer
    }

    /// What is below the lowest layer, from the pressure at the lowest interface.
    #[inline(always)]
    pub(crate) fn below_lowest(interface_pressure: [R; W]) -> Self {
        Self { top_pressure: interface_pressure, ..Self::ZEROS }
    }
}
