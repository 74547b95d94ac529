//! What goes into a column's computation.

use isobar_core::{Real, per_lane};

use crate::constants::{LAND, WATER};

per_lane! {
    /// What is read: see [`crate::Columns`].
    pub(crate) struct Point {
        u,
        v,
        temperature,
        vapour,
        pressure,
        thickness,
        surface_pressure,
        boundary_layer_height,
        availability,
        land_or_water,
        surface_temperature,
        grid_length,
        lake,
        depth,
        deviation,
        roughness,
        friction,
        friction_of_wind,
        temperature_scale,
        heat_flux,
        moisture_flux,
        surface_vapour,
    }
}

impl<R: Real> Point<R> {
    #[inline(always)]
    pub(crate) fn is_land(&self) -> bool {
        self.land_or_water < R::from_f64(0.5 * (LAND + WATER))
    }
}
