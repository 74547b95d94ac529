//! The air of the lowest layer and at the surface.
//!
//! The difference of potential temperatures is formed of small numbers, not of large ones that nearly cancel: in single
//! precision it keeps its digits.

use isobar_core::{Real, per_lane};

use crate::constants::{MOST_VAPOUR, PA_PER_KPA, SALT, SCREEN, TEN_METRES, VAPOUR_CAPACITY};
use crate::options::Parameters;
use crate::physics::point::Point;
use crate::physics::power::exponential;

per_lane! {
    /// The air, and the surface under it.
    pub(crate) struct Lowest {
        /// Height of the middle of the layer \[m\].
        height,
        /// Potential over absolute temperature at the surface.
        theta_per_temperature,
        /// Potential temperature of the layer \[K\].
        theta,
        /// Potential temperature of the surface \[K\].
        surface_theta,
        /// The first less the second \[K\].
        warmer,
        /// The same of virtual potential temperatures \[K\].
        lighter,
        /// Virtual potential temperature of the surface \[K\].
        surface_virtual,
        /// Mixing ratio of vapour at the surface \[kg/kg\].
        surface_vapour,
        /// Mixing ratio of saturated air in the layer \[kg/kg\].
        saturation,
        /// Specific heat of moist air \[J/(kg K)\].
        capacity,
        /// Density \[kg/m^3\].
        density,
        /// `ln((z + z0) / z0)` of the middle ...
        logarithm,
        /// ... of 2 m ...
        logarithm_2m,
        /// ... and of 10 m.
        logarithm_10m,
    }
}

/// The air of a column.
#[inline(always)]
pub(crate) fn lowest<R: Real>(parameters: &Parameters<R>, point: &Point<R>) -> Lowest<R> {
    let (one, surface_pressure) = (R::ONE, point.surface_pressure);
    let height = R::from_f64(0.5) * point.thickness;
    let theta_per_temperature = exponential(parameters.rovcp * (parameters.p1000mb / surface_pressure).plain_ln());
    // theta - theta_s = (p0/ps)^k (T - Ts + T ((ps/p)^k - 1)).
    let thinner = ((surface_pressure - point.pressure) / point.pressure).ln_1p();
    let expansion = point.temperature * (parameters.rovcp * thinner).exp_m1();
    let warmer = theta_per_temperature * ((point.temperature - point.surface_temperature) + expansion);
    let surface_theta = theta_per_temperature * point.surface_temperature;
    let theta = theta_per_temperature * (point.temperature + expansion);
    let surface_vapour = surface_vapour(parameters, point);
    let moist = one + parameters.ep1 * point.vapour;
    Lowest {
        height,
        theta_per_temperature,
        theta,
        surface_theta,
        warmer,
        lighter: warmer + parameters.ep1 * (theta * point.vapour - surface_theta * surface_vapour),
        surface_virtual: surface_theta * (one + parameters.ep1 * surface_vapour),
        surface_vapour,
        saturation: mixing_ratio(
            parameters,
            saturation_pressure(parameters, point.temperature),
            point.pressure * R::from_f64(1.0 / PA_PER_KPA),
        ),
        capacity: parameters.cp * (one + R::from_f64(VAPOUR_CAPACITY) * point.vapour),
        density: surface_pressure / (parameters.rd * point.temperature * moist),
        logarithm: logarithm(height, point.roughness),
        logarithm_2m: logarithm(R::from_f64(SCREEN), point.roughness),
        logarithm_10m: logarithm(R::from_f64(TEN_METRES), point.roughness),
    }
}

/// Over water that of saturated air, less over salt; over land what came in, or that of saturated air where nothing
/// did.
#[inline(always)]
fn surface_vapour<R: Real>(parameters: &Parameters<R>, point: &Point<R>) -> R {
    let water = !point.is_land();
    let fresh = saturation_pressure(parameters, point.surface_temperature);
    let salty = water & (point.lake == R::ZERO);
    let pressure = fresh * if salty { R::from_f64(SALT) } else { R::ONE };
    let saturated = mixing_ratio(parameters, pressure, point.surface_pressure * R::from_f64(1.0 / PA_PER_KPA));
    if water | (point.surface_vapour <= R::ZERO) { saturated } else { point.surface_vapour }
}

/// The pressure of saturated vapour \[kPa\] (Bolton 1980, Eq. 10).
#[inline(always)]
pub(crate) fn saturation_pressure<R: Real>(parameters: &Parameters<R>, temperature: R) -> R {
    let warmer = temperature - parameters.svpt0;
    parameters.svp1 * exponential(parameters.svp2 * warmer / (temperature - parameters.svp3))
}

/// The mixing ratio of vapour of a pressure in air of a pressure \[kPa\]. Where water boils, which is not accepted, it
/// is that of the most vapour that is: a column model's ground that gets so hot has numbers for its next step.
#[inline(always)]
fn mixing_ratio<R: Real>(parameters: &Parameters<R>, vapour: R, air: R) -> R {
    let vapour = vapour.at_most(R::from_f64(MOST_VAPOUR) * air);
    parameters.ep2 * vapour / (air - vapour)
}

/// `ln((z + z0) / z0)`.
#[inline(always)]
fn logarithm<R: Real>(height: R, roughness: R) -> R {
    ((height + roughness) / roughness).plain_ln()
}
