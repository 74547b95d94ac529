//! Mixing from cloud tops downward, which radiative cooling drives (Wilson and Fovell 2018).

use isobar_core::Real;

use crate::constants::{
    CLOUD_EFFICIENCY, CLOUDY, COUNTER_GRADIENT, EVAPORATION_FACTOR, FREEZING_POINT, FREEZING_POINT_OF_GUESS,
    GAS_CONSTANT, GAS_RATIO, GRAVITY, HEAT_CAPACITY, LATENT_HEAT, LEAST_CLOUD_JUMP, POISSON, REFERENCE_PRESSURE,
    SATURATION_POLE, SATURATION_PRESSURE, SATURATION_SLOPE, SHEAR_ENTRAINMENT, VIRTUAL,
};
use crate::physics::entrainment::{Entrainment, velocity as entrainment_velocity};
use crate::physics::height::Height;
use crate::physics::layer::{Heights, Stored};
use crate::physics::per_lane::per_lane;
use crate::physics::potential_temperature::liquid_deviation;
use crate::physics::richardson::bulk;
use crate::physics::sample::Sample;
use crate::physics::scales::{
    CounterGradient, Scales, counter_gradient, heat_excess, squared_velocity_of_cube, velocity,
};
use crate::physics::surface::{Ground, Lowest};

per_lane! {
    /// What the scan reads of a layer.
    struct Scanned from Stored { temperature, exner, cloud_water, cloud_ice, thickness, u, v }
}

/// The scan upward for the last layer, but for the uppermost, that is buoyant without its condensate.
pub(crate) struct Scan<R, const W: usize> {
    /// The layer in which the boundary layer ended before.
    from: [u32; W],
    buoyant_below: [u32; W],
    heights: Heights<[R; W]>,
}

impl<R: Real, const W: usize> Scan<R, W> {
    #[inline(always)]
    pub(crate) fn start(found: &Height<R, W>) -> Self {
        Self { from: found.layer, buoyant_below: [0; W], heights: Heights::ZEROS }
    }

    /// Looks at a layer, counted from 1, and lifts the top to it if that below was buoyant.
    #[inline(always)]
    pub(crate) fn rise(
        &mut self,
        air: &Scanned<[R; W]>,
        layer: u32,
        lowest: &Lowest<[R; W]>,
        parcel: &[R; W],
        found: &mut Height<R, W>,
    ) {
        for lane in 0..W {
            let below = self.heights.lane(lane);
            let here = below.next(air.thickness[lane]);
            self.heights.set(lane, here);
            let (reference, air) = (lowest.reference[lane], air.lane(lane));
            let theta = liquid_deviation(air.temperature, air.cloud_water, air.cloud_ice, air.exner, reference);
            let number = bulk(theta - parcel[lane], lowest.lane(lane).liquid_theta(), here.centre, air.u, air.v);
            let reached = layer >= self.from[lane];
            let lifted = reached & (self.buoyant_below[lane] != 0);
            let buoyant = reached & (number < R::ZERO);
            let crossing = &mut found.crossing;
            found.layer[lane] = if lifted { layer } else { found.layer[lane] };
            crossing.above[lane] = if lifted { number } else { crossing.above[lane] };
            crossing.centre_below[lane] = if lifted { below.centre } else { crossing.centre_below[lane] };
            crossing.centre[lane] = if lifted { here.centre } else { crossing.centre[lane] };
            crossing.below[lane] = if buoyant { number } else { crossing.below[lane] };
            found.mixed[lane] = if buoyant { 1 } else { found.mixed[lane] };
            self.buoyant_below[lane] = u32::from(buoyant);
        }
    }
}

/// The layers around the cloud's top: the last of the boundary layer, the next one, and the one above it.
pub(crate) struct CloudTop<R, const W: usize> {
    pub(crate) below: Sample<[R; W]>,
    pub(crate) above: Sample<[R; W]>,
    pub(crate) farther: Sample<[R; W]>,
    /// Pressure between the first two \[Pa\].
    pub(crate) pressure: [R; W],
    /// Radiative cooling of the boundary layer \[W/m^2\].
    pub(crate) cooling: [R; W],
}

/// Is there cloud below the top of the lanes' mixed layers?
#[inline(always)]
pub(crate) fn cloudy<R: Real, const W: usize>(below: &Sample<[R; W]>, mixed: &[u32; W]) -> [u32; W] {
    let mut cloudy = [0; W];
    for lane in 0..W {
        let condensate = below.cloud_water[lane] + below.cloud_ice[lane];
        cloudy[lane] = if (mixed[lane] != 0) & (condensate > R::from_f64(CLOUDY)) { 1 } else { 0 };
    }
    cloudy
}

impl<R: Real, const W: usize> CloudTop<R, W> {
    /// What the cloud adds to entrainment and counter-gradient terms of a lane's column.
    #[inline(always)]
    pub(crate) fn drive(
        &self,
        lane: usize,
        ground: &Ground<R>,
        lowest: &Lowest<R>,
        scales: &Scales<R>,
        height: R,
    ) -> (Entrainment<R>, CounterGradient<R>) {
        let (below, above, farther) = (self.below.lane(lane), self.above.lane(lane), self.farther.lane(lane));
        let efficiency = efficiency(&below, &farther, self.pressure[lane], lowest.reference);
        let virtual_temperature = below.temperature * (R::ONE + R::from_f64(VIRTUAL) * below.vapour);
        let density = below.pressure / (R::from_f64(GAS_CONSTANT) * virtual_temperature);
        let jump = above.virtual_deviation(lowest.reference) - below.virtual_deviation(lowest.reference);

        let by_shear = R::from_f64(SHEAR_ENTRAINMENT) * scales.shear_cubed;
        let cubed = lowest.buoyancy * lowest.virtual_flux.max(R::ZERO) * height + by_shear;
        let squared = squared_velocity_of_cube(cubed);
        let by_surface = entrainment_velocity(cubed, squared, lowest.virtual_theta(), height, jump);
        let flux = (self.cooling[lane] / (density * R::from_f64(HEAT_CAPACITY))).max(R::ZERO);
        let cloud_cubed =
            R::from_f64(GRAVITY) / (lowest.reference + below.virtual_deviation(lowest.reference)) * flux * height;
        let cloud_squared = squared_velocity_of_cube(cloud_cubed);
        let by_cloud = (-efficiency * flux / jump.max(R::from_f64(LEAST_CLOUD_JUMP))).max(-cloud_squared.sqrt());

        let both = scales.convective_cubed + cloud_cubed;
        let velocity = velocity(ground.friction_velocity, scales.shear_cubed, both);
        let rate = |density: R| R::from_f64(COUNTER_GRADIENT) / (density * velocity);
        let heat = heat_excess(rate(lowest.density), ground.sensible_heat_flux).max(R::ZERO)
            + heat_excess(rate(density), self.cooling[lane]).max(R::ZERO);
        let entrainment =
            Entrainment { velocity: by_surface + by_cloud, scale_squared: squared + cloud_squared, cloud_cubed };
        (entrainment, counter_gradient(ground, lowest, heat, both, velocity))
    }
}

/// The efficiency of entrainment, which evaporation at the top enhances.
#[inline(always)]
fn efficiency<R: Real>(below: &Sample<R>, farther: &Sample<R>, pressure: R, reference: R) -> R {
    let latent = R::from_f64(LATENT_HEAT / HEAT_CAPACITY);
    // Saturation mixing ratio by Bolton 1980, Eq. 10; the freezing point of the first guess is not that of the second.
    let saturation = |temperature: R, freezing: f64| {
        let exponent = R::from_f64(SATURATION_SLOPE) * (temperature - R::from_f64(freezing))
            / (temperature - R::from_f64(SATURATION_POLE));
        R::from_f64(SATURATION_PRESSURE) * exponent.exp() * R::from_f64(GAS_RATIO) / pressure
    };
    let total = below.vapour + below.cloud_water;
    let liquid = (reference + below.liquid_deviation(reference))
        * (pressure / R::from_f64(REFERENCE_PRESSURE)).powf(R::from_f64(POISSON));
    let first = saturation(liquid, FREEZING_POINT_OF_GUESS);
    let slope = R::from_f64(GAS_RATIO * LATENT_HEAT / GAS_CONSTANT) * first / (liquid * liquid);
    let temperature = liquid + (total - first) / (R::from_f64(HEAT_CAPACITY / LATENT_HEAT) + slope);
    let water = (total - saturation(temperature, FREEZING_POINT)).max(R::ZERO);
    let buoyant = |air: &Sample<R>| {
        let theta = reference + air.deviation(reference);
        air.liquid_deviation(reference) + theta * R::from_f64(VIRTUAL) * (air.vapour + air.cloud_water)
    };
    let jump = (buoyant(farther) - buoyant(below)).max(R::from_f64(LEAST_CLOUD_JUMP));
    R::from_f64(CLOUD_EFFICIENCY * EVAPORATION_FACTOR) * (latent * water / (below.exner * jump))
        + R::from_f64(CLOUD_EFFICIENCY)
}

/// The layer, counted from 1, below which all lanes' boundary layers end.
#[inline(always)]
pub(crate) fn highest<const W: usize>(layer: &[u32; W]) -> u32 {
    let mut top = 0;
    for lane in 0..W {
        top = if layer[lane] > top { layer[lane] } else { top };
    }
    top
}

per_lane! {
    /// What cooling needs of a layer: radiative heating, Exner's function, the pressures of both interfaces.
    struct Cooled { heating, exner, below, above }
}

/// Adds the radiative cooling of a layer, counted from 1, if it cools and is one of the boundary layer \[W/m^2\].
#[inline(always)]
pub(crate) fn add_cooling<R: Real, const W: usize>(
    sum: &mut [R; W],
    air: &Cooled<[R; W]>,
    number: u32,
    layer: &[u32; W],
) {
    for lane in 0..W {
        let mass = air.below[lane] - air.above[lane];
        let watts = -air.heating[lane] * air.exner[lane] * R::from_f64(HEAT_CAPACITY / GRAVITY) * mass;
        let inside = number < layer[lane];
        sum[lane] += if inside { watts.max(R::ZERO) } else { R::ZERO };
    }
}
