//! Mixing from cloud tops downward, which radiative cooling drives (Wilson and Fovell 2018).

use isobar_core::{Real, per_lane};

use crate::constants::{
    CLOUD_EFFICIENCY, CLOUDY, COUNTER_GRADIENT, EVAPORATION_FACTOR, FREEZING_POINT, FREEZING_POINT_OF_GUESS,
    LEAST_CLOUD_JUMP, REFERENCE_PRESSURE, SATURATION_POLE, SATURATION_PRESSURE, SATURATION_SLOPE, SHEAR_ENTRAINMENT,
};
use crate::physical::Physical;
use crate::physics::entrainment::{Entrainment, velocity as entrainment_velocity, virtual_jump};
use crate::physics::height::Height;
use crate::physics::layer::{Heights, Stored};
use crate::physics::potential_temperature::liquid_deviation;
use crate::physics::richardson::{Crossing, bulk};
use crate::physics::sample::Sample;
use crate::physics::scales::{
    CounterGradient, Scales, counter_gradient, heat_excess, moisture_excess, squared_velocity_of_cube, velocity,
};
use crate::physics::surface::{Ground, Lowest};
use crate::version::Parameters;

per_lane! {
    /// What the scan reads of a layer.
    pub(crate) struct Scanned from Stored { temperature, exner, cloud_water, cloud_ice, thickness, u, v }
}

per_lane! {
    /// The scan upward for the last layer, but for the uppermost, that is buoyant without its condensate.
    pub(crate) struct Scan<T, N> {
        /// The layer in which the boundary layer ended before.
        from: N,
        buoyant_below: N,
        heights: Heights<T>,
    }
}

impl<R: Real> Scan<R, u32> {
    /// Looks at a layer, counted from 1, and lifts the top to it if that below was buoyant.
    #[inline(always)]
    pub(crate) fn rise(
        self,
        air: &Scanned<R>,
        layer: u32,
        lowest: &Lowest<R>,
        parcel: R,
        found: Height<R, u32>,
        physical: &Physical<R>,
    ) -> (Self, Height<R, u32>) {
        let (below, reference, last) = (self.heights, lowest.reference, found.crossing);
        let here = below.next(air.thickness);
        let theta = liquid_deviation(air.temperature, [air.cloud_water, air.cloud_ice], air.exner, reference, physical);
        let number = bulk(theta - parcel, lowest.liquid_theta(), here.centre, [air.u, air.v], physical);
        let reached = layer >= self.from;
        let lifted = reached & (self.buoyant_below != 0);
        let buoyant = reached & (number < R::ZERO);
        let crossing = Crossing {
            below: if buoyant { number } else { last.below },
            above: if lifted { number } else { last.above },
            centre_below: if lifted { below.centre } else { last.centre_below },
            centre: if lifted { here.centre } else { last.centre },
        };
        let layer = if lifted { layer } else { found.layer };
        let mixed = if buoyant { 1 } else { found.mixed };
        let scan = Self { buoyant_below: u32::from(buoyant), heights: here, ..self };
        (scan, Height { layer, mixed, crossing, ..found })
    }
}

per_lane! {
    /// The layers around the cloud's top: the last of the boundary layer, the next one, and the one above it.
    pub(crate) struct CloudTop<T> {
        below: Sample<T>,
        above: Sample<T>,
        farther: Sample<T>,
        /// Pressure between the first two \[Pa\].
        pressure: T,
        /// Radiative cooling of the boundary layer \[W/m^2\].
        cooling: T,
    }
}

/// Is there cloud below the top of a mixed layer?
#[inline(always)]
pub(crate) fn is_cloudy<R: Real>(below: &Sample<R>, mixed: bool) -> bool {
    mixed & (below.cloud_water + below.cloud_ice > R::from_f64(CLOUDY))
}

impl<R: Real> CloudTop<R> {
    /// What the cloud adds to entrainment and counter-gradient terms.
    #[inline(always)]
    pub(crate) fn drive(
        &self,
        ground: &Ground<R>,
        lowest: &Lowest<R>,
        scales: &Scales<R>,
        height: R,
        parameters: &Parameters<R>,
    ) -> (Entrainment<R>, CounterGradient<R>) {
        let Self { below, above, farther, pressure, cooling } = self;
        let (physical, reference) = (&parameters.physical, lowest.reference);
        let efficiency = efficiency(below, farther, *pressure, reference, parameters);
        let virtual_temperature = below.temperature * (R::ONE + physical.virtual_share * below.vapour);
        let density = below.pressure / (physical.gas_constant * virtual_temperature);
        let jump = virtual_jump(below, above, lowest, physical);

        let by_shear = R::from_f64(SHEAR_ENTRAINMENT) * scales.shear_cubed;
        let cubed = lowest.buoyancy * lowest.virtual_flux.max(R::ZERO) * height + by_shear;
        let squared = squared_velocity_of_cube(cubed, physical);
        let by_surface = entrainment_velocity([cubed, squared], lowest.virtual_theta(), height, jump, physical);
        let flux = (*cooling / (density * physical.heat_capacity)).max(R::ZERO);
        let cloud_cubed = physical.gravity / (reference + below.virtual_deviation(reference, physical)) * flux * height;
        let cloud_squared = squared_velocity_of_cube(cloud_cubed, physical);
        let by_cloud = (-efficiency * flux / jump.max(R::from_f64(LEAST_CLOUD_JUMP))).max(-cloud_squared.sqrt());

        let both = scales.convective_cubed + cloud_cubed;
        let velocity = velocity(ground.friction_velocity, scales.shear_cubed, both, physical);
        let rate = |density: R| R::from_f64(COUNTER_GRADIENT) / (density * velocity);
        let heat = heat_excess(rate(lowest.density), ground.sensible_heat_flux, physical).max(R::ZERO)
            + heat_excess(rate(density), *cooling, physical).max(R::ZERO);
        let moisture = moisture_excess(rate(lowest.density), ground.moisture_flux);
        let entrainment = Entrainment {
            velocity: by_surface + by_cloud,
            cubed: cloud_cubed,
            scale_squared: squared + cloud_squared,
            cloud_cubed,
        };
        (entrainment, counter_gradient(ground, lowest, [heat, moisture], both, velocity))
    }
}

/// The efficiency of entrainment, which evaporation at the top enhances.
#[inline(always)]
fn efficiency<R: Real>(
    below: &Sample<R>,
    farther: &Sample<R>,
    pressure: R,
    reference: R,
    parameters: &Parameters<R>,
) -> R {
    let physical = &parameters.physical;
    // Saturation mixing ratio by Bolton 1980, Eq. 10; the freezing point of the first guess is not that of the second.
    let saturation = |temperature: R, freezing: f64| {
        let exponent = R::from_f64(SATURATION_SLOPE) * (temperature - R::from_f64(freezing))
            / (temperature - R::from_f64(SATURATION_POLE));
        R::from_f64(SATURATION_PRESSURE) * exponent.exp() * physical.gas_ratio / pressure
    };
    let total = below.vapour + below.cloud_water;
    let liquid = (reference + below.liquid_deviation(reference, physical))
        * (pressure / R::from_f64(REFERENCE_PRESSURE)).powf(physical.poisson);
    let first = saturation(liquid, FREEZING_POINT_OF_GUESS);
    let slope = physical.saturation_rise * first / (liquid * liquid);
    let temperature = liquid + (total - first) / (physical.per_latent + slope);
    let water = (total - saturation(temperature, FREEZING_POINT)).max(R::ZERO);
    let buoyant = |air: &Sample<R>| {
        let theta = reference + air.deviation(reference);
        air.liquid_deviation(reference, physical) + theta * physical.virtual_share * (air.vapour + air.cloud_water)
    };
    let jump = (buoyant(farther) - buoyant(below)).max(R::from_f64(LEAST_CLOUD_JUMP));
    let evaporation = physical.latent * water / (below.exner * jump);
    let efficiency = R::from_f64(CLOUD_EFFICIENCY * EVAPORATION_FACTOR) * evaporation + parameters.least_efficiency;
    efficiency.min(parameters.largest_efficiency)
}

per_lane! {
    /// What cooling needs of a layer: radiative heating, Exner's function, the pressures of both interfaces.
    pub(crate) struct Cooled { heating, exner, below, above }
}

/// The radiative cooling of a layer, if it cools \[W/m^2\].
#[inline(always)]
pub(crate) fn cooling<R: Real>(air: &Cooled<R>, physical: &Physical<R>) -> R {
    let mass = air.below - air.above;
    let watts = -air.heating * air.exner * physical.per_heating * mass;
    watts.max(R::ZERO)
}
