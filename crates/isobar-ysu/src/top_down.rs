//! Mixing from cloud tops downward, which radiative cooling drives (Wilson and Fovell 2018).

use isobar_core::Real;

use crate::batch::YsuArgs;
use crate::coming::Coming;
use crate::constants::{
    CLOUDY, COUNTER_GRADIENT, GAS_CONSTANT, GAS_RATIO, GRAVITY, HEAT_CAPACITY, LATENT_HEAT, VIRTUAL,
};
use crate::entrainment::{Entrainment, velocity as entrainment_velocity};
use crate::height::Height;
use crate::layer::Heights;
use crate::potential_temperature::liquid_deviation;
use crate::richardson::bulk;
use crate::sample::Sample;
use crate::scales::{CounterGradient, Scales, counter_gradient, heat_excess, squared_velocity_of_cube, velocity};
use crate::surface::{Ground, Lowest};
use crate::tile::Tile;

/// Lifts the top to the layer above the last one, but for the uppermost, that is buoyant without its condensate.
#[inline(always)]
pub(crate) fn scan<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    lowest: &Lowest<[R; W]>,
    parcel: &[R; W],
    found: &mut Height<R, W>,
) {
    let air = &batch.air;
    let from = found.layer;
    let mut buoyant_below = [0; W];
    let mut heights = Heights::<[R; W]>::ZEROS;
    for level in 0..batch.layers() - 1 {
        let row = tile.row(level, air.temperature.strides());
        // SAFETY: the level is one of the batch, all of whose fields have the temperature's layout.
        let (temperature, exner, water, ice, thickness) = unsafe {
            (
                tile.read(&air.temperature, row),
                tile.read(&air.exner, row),
                tile.read(&air.cloud_water, row),
                tile.read(&air.cloud_ice, row),
                tile.read(&air.thickness, row),
            )
        };
        // SAFETY: as above.
        let (u, v) = unsafe { (tile.read(&air.u, row), tile.read(&air.v, row)) };
        for lane in 0..W {
            let below = heights.lane(lane);
            let here = below.next(thickness[lane]);
            heights.set(lane, here);
            let reference = lowest.reference[lane];
            let theta = liquid_deviation(temperature[lane], water[lane], ice[lane], exner[lane], reference);
            let number = bulk(theta - parcel[lane], lowest.lane(lane).liquid_theta(), here.centre, u[lane], v[lane]);
            let layer = level as u32 + 1;
            let reached = layer >= from[lane];
            let lifted = reached & (buoyant_below[lane] != 0);
            let buoyant = reached & (number < R::ZERO);
            let crossing = &mut found.crossing;
            found.layer[lane] = if lifted { layer } else { found.layer[lane] };
            crossing.above[lane] = if lifted { number } else { crossing.above[lane] };
            crossing.centre_below[lane] = if lifted { below.centre } else { crossing.centre_below[lane] };
            crossing.centre[lane] = if lifted { here.centre } else { crossing.centre[lane] };
            crossing.below[lane] = if buoyant { number } else { crossing.below[lane] };
            found.mixed[lane] = if buoyant { 1 } else { found.mixed[lane] };
            buoyant_below[lane] = u32::from(buoyant);
        }
    }
}

/// The layers around the cloud's top: the last of the boundary layer, the next one, and the one above it.
pub(crate) struct CloudTop<R, const W: usize> {
    pub(crate) below: Sample<[R; W]>,
    pub(crate) above: Sample<[R; W]>,
    pub(crate) farther: Sample<[R; W]>,
    /// Pressure between the first two \[Pa\].
    pressure: [R; W],
    /// Radiative cooling of the boundary layer \[W/m^2\].
    cooling: [R; W],
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
    #[inline(always)]
    pub(crate) fn read(
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W>,
        coming: &Coming<R>,
        layer: &[u32; W],
        below: &Sample<[R; W]>,
        above: &Sample<[R; W]>,
    ) -> Self {
        let mut pressure = [R::ZERO; W];
        for lane in 0..W {
            pressure[lane] = batch.interface_pressure.at(layer[lane].max(1) as usize - 1, tile.column(lane));
        }
        let farther = Sample::read(batch, tile, coming, layer);
        Self { below: *below, above: *above, farther, pressure, cooling: cooling(batch, tile, layer) }
    }

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

        let cubed = lowest.buoyancy * lowest.virtual_flux.max(R::ZERO) * height + R::from_f64(5.0) * scales.shear_cubed;
        let squared = squared_velocity_of_cube(cubed);
        let by_surface = entrainment_velocity(cubed, squared, lowest.virtual_theta(), height, jump);
        let flux = (self.cooling[lane] / (density * R::from_f64(HEAT_CAPACITY))).max(R::ZERO);
        let cloud_cubed =
            R::from_f64(GRAVITY) / (lowest.reference + below.virtual_deviation(lowest.reference)) * flux * height;
        let cloud_squared = squared_velocity_of_cube(cloud_cubed);
        let by_cloud = (-efficiency * flux / jump.max(R::from_f64(0.1))).max(-cloud_squared.sqrt());

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
    // Saturation mixing ratio by Bolton; the freezing point of the first guess is not that of the second.
    let saturation = |temperature: R, freezing: f64| {
        let exponent = R::from_f64(17.67) * (temperature - R::from_f64(freezing)) / (temperature - R::from_f64(29.65));
        R::from_f64(611.2) * exponent.exp() * R::from_f64(GAS_RATIO) / pressure
    };
    let total = below.vapour + below.cloud_water;
    let liquid =
        (reference + below.liquid_deviation(reference)) * (pressure / R::from_f64(1e5)).powf(R::from_f64(2.0 / 7.0));
    let first = saturation(liquid, 273.16);
    let slope = R::from_f64(GAS_RATIO * LATENT_HEAT / GAS_CONSTANT) * first / (liquid * liquid);
    let temperature = liquid + (total - first) / (R::from_f64(HEAT_CAPACITY / LATENT_HEAT) + slope);
    let water = (total - saturation(temperature, 273.15)).max(R::ZERO);
    let buoyant = |air: &Sample<R>| {
        let theta = reference + air.deviation(reference);
        air.liquid_deviation(reference) + theta * R::from_f64(VIRTUAL) * (air.vapour + air.cloud_water)
    };
    let jump = (buoyant(farther) - buoyant(below)).max(R::from_f64(0.1));
    R::from_f64(0.2 * 8.0) * (latent * water / (below.exner * jump)) + R::from_f64(0.2)
}

/// Radiative cooling, summed over the layers of the boundary layer that cool \[W/m^2\].
#[inline(always)]
fn cooling<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, layer: &[u32; W]) -> [R; W] {
    let air = &batch.air;
    let mut sum = [R::ZERO; W];
    let mut top = 0;
    for lane in 0..W {
        top = if layer[lane] > top { layer[lane] } else { top };
    }
    for level in 0..top.saturating_sub(1) as usize {
        let row = tile.row(level, air.temperature.strides());
        let strides = batch.interface_pressure.strides();
        let (below, above) = (tile.row(level, strides), tile.row(level + 1, strides));
        // SAFETY: the level is one of the batch, all of whose fields have the temperature's layout.
        let (heating, exner, below, above) = unsafe {
            (
                tile.read(&air.radiative_heating, row),
                tile.read(&air.exner, row),
                tile.read(&batch.interface_pressure, below),
                tile.read(&batch.interface_pressure, above),
            )
        };
        for lane in 0..W {
            let mass = below[lane] - above[lane];
            let watts = -heating[lane] * exner[lane] * R::from_f64(HEAT_CAPACITY / GRAVITY) * mass;
            let inside = (level as u32 + 1) < layer[lane];
            sum[lane] += if inside { watts.max(R::ZERO) } else { R::ZERO };
        }
    }
    sum
}
