//! The surface and the lowest layer.

use isobar_core::Real;

use crate::batch::YsuArgs;
use crate::constants::{GAS_CONSTANT, GRAVITY, HEAT_CAPACITY, VIRTUAL};
use crate::layer::Stored;
use crate::potential_temperature::{deviation, liquid_deviation, reference, virtual_deviation};
use crate::tile::{Tile, per_lane};

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
        self.land_or_water < R::from_f64(1.5)
    }
}

impl<R: Real, const W: usize> Ground<[R; W]> {
    #[inline(always)]
    pub(crate) fn read(batch: &YsuArgs<'_, R>, tile: &Tile<W>) -> Self {
        let surface = &batch.surface;
        // SAFETY: the views have the batch's columns, and there is an interface at the surface.
        unsafe {
            Self {
                pressure: tile.read_column(&surface.pressure),
                roughness: tile.read_column(&surface.roughness),
                friction_velocity: tile.read_column(&surface.friction_velocity),
                profile_momentum: tile.read_column(&surface.profile_momentum),
                profile_heat: tile.read_column(&surface.profile_heat),
                land_or_water: tile.read_column(&surface.land_or_water),
                sensible_heat_flux: tile.read_column(&surface.sensible_heat_flux),
                moisture_flux: tile.read_column(&surface.moisture_flux),
                wind_speed: tile.read_column(&surface.wind_speed),
                richardson: tile.read_column(&surface.richardson),
                u_10m: tile.read_column(&surface.u_10m),
                v_10m: tile.read_column(&surface.v_10m),
                u_current: tile.read_column(&surface.u_current),
                v_current: tile.read_column(&surface.v_current),
                interface_pressure: tile
                    .read(&batch.interface_pressure, tile.row(0, batch.interface_pressure.strides())),
            }
        }
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
