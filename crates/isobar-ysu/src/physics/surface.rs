//! The surface and the lowest layer.

use isobar_core::{Real, per_lane};

use crate::constants::BETWEEN_LAND_AND_WATER;
use crate::physical::Physical;
use crate::physics::layer::Stored;
use crate::physics::potential_temperature::{deviation, liquid_deviation, reference, virtual_deviation};

per_lane! {
    /// The surface of a column: see [`crate::Surface`].
    pub(crate) struct Ground {
        pressure,
        roughness,
        friction_velocity,
        profile_momentum,
        profile_heat,
        land_or_water,
        sensible_heat_flux,
        moisture_flux,
        wind_speed,
        richardson,
        u_10m,
        v_10m,
        u_current,
        v_current,
        /// Pressure at the lowest interface.
        interface_pressure,
    }
}

per_lane! {
    /// The lowest layer, and what it takes from the surface.
    pub(crate) struct Lowest {
        u,
        v,
        theta,
        /// What potential temperatures are less.
        reference,
        /// Virtual potential temperature, less `reference`.
        virtual_deviation,
        /// Potential temperature without condensate, less `reference`.
        liquid_deviation,
        centre,
        top,
        /// Density at the surface \[kg/m^3\].
        density,
        /// Upward flux of virtual potential temperature \[K m/s\].
        virtual_flux,
        /// `g / theta` \[m/(s^2 K)\].
        buoyancy,
    }
}

impl<R: Real> Ground<R> {
    /// Is the surface layer unstable?
    #[inline(always)]
    pub(crate) fn unstable(&self) -> bool {
        self.richardson <= R::ZERO
    }

    #[inline(always)]
    pub(crate) fn is_land(&self) -> bool {
        self.land_or_water < R::from_f64(BETWEEN_LAND_AND_WATER)
    }
}

impl<R: Real> Lowest<R> {
    #[inline(always)]
    pub(crate) fn virtual_theta(&self) -> R {
        self.reference + self.virtual_deviation
    }

    #[inline(always)]
    pub(crate) fn liquid_theta(&self) -> R {
        self.reference + self.liquid_deviation
    }

    #[inline(always)]
    pub(crate) fn new(layer: &Stored<R>, ground: &Ground<R>, physical: &Physical<R>) -> Self {
        let Stored { temperature, exner, vapour, cloud_water: water, cloud_ice: ice, thickness, .. } = *layer;
        let theta = temperature.plain_quotient(exner);
        let virtual_temperature = temperature * (R::ONE + physical.virtual_share * vapour);
        let density = ground.pressure.plain_quotient(physical.gas_constant * virtual_temperature);
        let heat = ground.sensible_heat_flux / (density * physical.heat_capacity);
        let moisture = ground.moisture_flux / density;
        let reference = reference(theta);
        let warmth = deviation(temperature, exner, reference);
        Self {
            u: layer.u,
            v: layer.v,
            theta,
            reference,
            virtual_deviation: virtual_deviation(warmth, vapour, reference, physical),
            liquid_deviation: liquid_deviation(temperature, [water, ice], exner, reference, physical),
            centre: R::from_f64(0.5) * thickness,
            top: thickness,
            density,
            virtual_flux: heat + moisture * physical.virtual_share * theta,
            buoyancy: physical.gravity.plain_quotient(theta),
        }
    }
}
