//! Friction, values of a screen, coefficients and fluxes.

use isobar_core::{Real, per_lane};

use crate::constants::{LEAST_FRICTION, LEAST_WARMER};
use crate::options::{Fluxes, Parameters};
use crate::physics::form_drag::form_drag;
use crate::physics::lowest::Lowest;
use crate::physics::point::Point;
use crate::physics::profiles::Profiles;
use crate::physics::richardson::Flow;
use crate::physics::water_roughness::water_roughness;

per_lane! {
    /// What is written: see [`crate::Results`].
    pub(crate) struct Written {
        roughness,
        friction,
        friction_of_wind,
        stability,
        temperature_scale,
        inverse_length,
        heat_flux,
        moisture_flux,
        latent_heat,
        surface_vapour,
        saturation,
        logarithm,
        wind,
        richardson,
        correction_momentum,
        correction_heat,
        profile_momentum,
        profile_heat,
        capacity,
        exchange,
        exchange_heat_2m,
        exchange_moisture_2m,
        heat_per_kelvin,
        moisture_per_unit,
        u_10m,
        v_10m,
        theta_2m,
        temperature_2m,
        vapour_2m,
        enthalpy_10m,
        enthalpy,
        drag_10m,
        drag,
    }
}

/// The results of a column.
#[inline(always)]
pub(crate) fn written<R: Real>(
    parameters: &Parameters<R>,
    point: &Point<R>,
    (air, flow): (&Lowest<R>, &Flow<R>),
    stability: R,
    profiles: &Profiles<R>,
) -> Written<R> {
    let (karman, land) = (parameters.karman, point.is_land());
    let hills = form_drag(parameters, point, air.height, flow.richardson);
    let (friction, friction_of_wind) = frictions(karman, point, flow, profiles.momentum, hills);
    let temperature_scale = karman * air.warmer / profiles.heat;
    let theta_2m = air.surface_theta + air.warmer * (profiles.heat_2m / profiles.heat);
    let wetter = point.vapour - air.surface_vapour;
    let towards_10m = profiles.momentum_10m / profiles.momentum;
    let square = |x: R| x * x;
    let without_fluxes = Written {
        roughness: point.roughness,
        friction,
        friction_of_wind,
        stability,
        temperature_scale,
        inverse_length: stability / air.height,
        surface_vapour: air.surface_vapour,
        saturation: air.saturation,
        logarithm: air.logarithm,
        wind: flow.wind,
        richardson: flow.richardson,
        correction_momentum: profiles.correction_momentum,
        correction_heat: profiles.correction_heat,
        profile_momentum: profiles.momentum,
        profile_heat: profiles.heat,
        capacity: air.capacity,
        u_10m: point.u * towards_10m,
        v_10m: point.v * towards_10m,
        theta_2m,
        temperature_2m: theta_2m / air.theta_per_temperature,
        vapour_2m: air.surface_vapour + wetter * (profiles.moisture_2m / profiles.moisture),
        enthalpy_10m: square(karman) / (profiles.momentum_10m * profiles.moisture_10m),
        enthalpy: square(karman) / (profiles.momentum * profiles.enthalpy),
        drag_10m: square(karman / profiles.momentum_10m) + hills,
        drag: square(karman / profiles.momentum) + hills,
        ..Written::default()
    };
    if parameters.is(Fluxes::Zero) {
        return without_fluxes;
    }
    let exchange = karman * friction / profiles.moisture;
    let moisture_per_unit = air.density * point.availability * exchange;
    let exchanged = air.warmer.abs() > R::from_f64(LEAST_WARMER);
    let heat_per_kelvin = air.capacity * air.density * friction * (karman / profiles.heat);
    let heat_per_kelvin = if exchanged { heat_per_kelvin } else { R::ZERO };
    let given = parameters.is(Fluxes::Given);
    let heat_flux = if given { point.heat_flux } else { -heat_per_kelvin * air.warmer };
    let moisture_flux = if given { point.moisture_flux } else { -moisture_per_unit * wetter };
    Written {
        roughness: if land { point.roughness } else { water_roughness(parameters, friction, point.depth) },
        heat_flux,
        moisture_flux,
        latent_heat: parameters.xlv * moisture_flux,
        exchange,
        exchange_heat_2m: karman * friction / profiles.heat_2m,
        exchange_moisture_2m: karman * friction / profiles.moisture_2m,
        heat_per_kelvin,
        moisture_per_unit,
        ..without_fluxes
    }
}

/// Friction velocities with and without gusts \[m/s\]: means of the new ones and those of the step before. Hills count
/// in the first.
#[inline(always)]
fn frictions<R: Real>(karman: R, point: &Point<R>, flow: &Flow<R>, momentum: R, hills: R) -> (R, R) {
    let half = R::from_f64(0.5);
    let per_wind = karman / momentum;
    let friction = half * (point.friction + (per_wind + hills.sqrt()) * flow.wind);
    let of_wind = half * (point.friction_of_wind + per_wind * flow.mean);
    let least = if point.is_land() { R::from_f64(LEAST_FRICTION) } else { R::ZERO };
    (friction.at_least(least), of_wind)
}

/// 1 for stable, 3 for neutral, 4 for unstable air.
#[inline(always)]
pub(crate) fn regime<R: Real>(richardson: R) -> u32 {
    if richardson > R::ZERO {
        1
    } else if richardson < R::ZERO {
        4
    } else {
        3
    }
}
