//! The surface and the lowest layer.

use isobar_core::Real;

use crate::constants::{BETWEEN_LAND_AND_WATER, GAS_CONSTANT, GRAVITY, HEAT_CAPACITY, VIRTUAL};
use crate::physics::layer::Stored;
use crate::physics::per_lane::per_lane;
use crate::physics::potential_temperature::{deviation, liquid_deviation, reference, virtual_deviation};

per_lane! {
    /// The surface of a column: see [`crate::Surface`].
    struct Ground {
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
    struct Lowest {
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
}

impl<R: Real, const W: usize> Lowest<[R; W]> {
    #[inline(always)]
    pub(crate) fn new(layer: &Stored<[R; W]>, ground: &Ground<[R; W]>) -> Self {
        let Stored { temperature, exner, vapour, cloud_water: water, cloud_ice: ice, thickness, .. } = *layer;
        let mut lowest = Self { u: layer.u, v: layer.v, ..Self::ZEROS };
        for lane in 0..W {
            let ground = ground.lane(lane);
            let theta = temperature[lane].plain_quotient(exner[lane]);
            let virtual_temperature = temperature[lane] * (R::ONE + R::from_f64(VIRTUAL) * vapour[lane]);
            let density = ground.pressure.plain_quotient(R::from_f64(GAS_CONSTANT) * virtual_temperature);
            let heat = ground.sensible_heat_flux / (density * R::from_f64(HEAT_CAPACITY));
            let moisture = ground.moisture_flux / density;
            let reference = reference(theta);
            lowest.theta[lane] = theta;
            lowest.reference[lane] = reference;
            lowest.virtual_deviation[lane] =
                virtual_deviation(deviation(temperature[lane], exner[lane], reference), vapour[lane], reference);
            lowest.liquid_deviation[lane] =
                liquid_deviation(temperature[lane], water[lane], ice[lane], exner[lane], reference);
            lowest.centre[lane] = R::from_f64(0.5) * thickness[lane];
            lowest.top[lane] = thickness[lane];
            lowest.density[lane] = density;
            lowest.virtual_flux[lane] = heat + moisture * R::from_f64(VIRTUAL) * theta;
            lowest.buoyancy[lane] = R::from_f64(GRAVITY).plain_quotient(theta);
        }
        lowest
    }
}
