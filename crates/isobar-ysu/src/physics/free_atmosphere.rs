//! Local diffusivities above the boundary layer, by the gradient Richardson number (Louis 1979, Hong 2006).

use isobar_core::Real;

use crate::constants::{
    CLOUDY, LARGEST_BUOYANCY, LARGEST_LENGTH, LARGEST_PRANDTL, LEAST_BUOYANCY, LEAST_LENGTH, LEAST_MOIST_WEIGHT,
    LEAST_SQUARED_SHEAR, LENGTH_OF_DISTANCE, STABLE_DAMPING, STABLE_PRANDTL, UNSTABLE_HEAT, UNSTABLE_MOMENTUM,
    UNSTABLE_RISE,
};
use crate::physical::Physical;
use crate::physics::layer::Layer;
use crate::physics::mixed_layer::Diffusivity;

/// The squared shear between two layers \[1/s^2\].
#[inline(always)]
pub(crate) fn squared_shear<R: Real>(below: &Layer<R>, above: &Layer<R>) -> R {
    let (du, dv) = ((above.u - below.u) * above.per_distance, (above.v - below.v) * above.per_distance);
    du.mul_add(du, dv.mul_add(dv, R::from_f64(LEAST_SQUARED_SHEAR)))
}

/// The gradient Richardson number of air that is not cloudy, and Blackadar's length between the layers; potential
/// temperatures are less `reference`.
#[inline(always)]
pub(crate) fn richardson_and_length<R: Real>(
    below: &Layer<R>,
    above: &Layer<R>,
    shear: R,
    reference: R,
    physical: &Physical<R>,
) -> (R, R) {
    let mean = R::from_f64(0.5).mul_add(above.virtual_theta + below.virtual_theta, reference);
    let buoyancy = physical.gravity * (above.virtual_theta - below.virtual_theta);
    let inertia = mean * (shear * above.distance);
    let (near, far) = (physical.karman * below.top, asymptotic_length(above.distance));
    // One division for both.
    let sum = far + near;
    let per_both = R::ONE.plain_quotient(inertia * sum);
    (buoyancy * (sum * per_both), near * far * (inertia * per_both))
}

/// Is the air on both sides cloudy?
#[inline(always)]
pub(crate) fn both_cloudy<R: Real>(below: &Layer<R>, above: &Layer<R>) -> bool {
    let cloudy = R::from_f64(CLOUDY);
    (below.cloud_water + below.cloud_ice > cloudy) & (above.cloud_water + above.cloud_ice > cloudy)
}

/// The Richardson number of cloudy air: the frequency of Durran and Klemp 1982,
/// doi:10.1175/1520-0469(1982)039<2152:OTEOMO>2.0.CO;2, Eq. 36, but for the weight of the water, where vapour is
/// saturated and pressure hydrostatic.
#[inline(always)]
pub(crate) fn moist_richardson<R: Real>(
    below: &Layer<R>,
    above: &Layer<R>,
    shear: R,
    dry: R,
    physical: &Physical<R>,
) -> R {
    let half = R::from_f64(0.5);
    let vapour = half * (above.vapour + below.vapour);
    let temperature = half * (above.temperature + below.temperature);
    let per_temperature = R::ONE.plain_quotient(temperature);
    let relative = vapour * per_temperature;
    let slope = physical.latent_per_gas * relative;
    let heating = physical.moist_heating * relative * per_temperature;
    let weight = (R::ONE + heating).at_least(R::from_f64(LEAST_MOIST_WEIGHT));
    let excess = (physical.lapse * (heating - slope)).plain_quotient(shear * temperature * weight);
    (R::ONE + slope) * (dry - excess)
}

/// The mixing length of free air \[m\].
#[inline(always)]
pub(crate) fn asymptotic_length<R: Real>(distance: R) -> R {
    let length = R::from_f64(LENGTH_OF_DISTANCE) * distance;
    length.at_least(R::from_f64(LEAST_LENGTH)).at_most(R::from_f64(LARGEST_LENGTH)).at_most(distance)
}

/// Blackadar's length at height `z`.
#[inline(always)]
pub(crate) fn mixing_length<R: Real>(z: R, asymptotic: R, physical: &Physical<R>) -> R {
    let near = physical.karman * z;
    (near * asymptotic).plain_quotient(asymptotic + near)
}

/// Local diffusivities by Blackadar's length, without background.
#[inline(always)]
pub(crate) fn local<R: Real>(length: R, shear: R, richardson: R) -> Diffusivity<R> {
    let neutral = length * length * shear.plain_sqrt();
    // Either the number is not stable, or it is as good as not buoyant: each sign's functions are 1 for the other one,
    // and nothing is chosen.
    let stable = richardson.at_least(R::ZERO);
    let buoyant = (-richardson).at_least(R::from_f64(LEAST_BUOYANCY)).at_most(R::from_f64(LARGEST_BUOYANCY));
    let root = buoyant.plain_sqrt();
    let rise = R::from_f64(UNSTABLE_RISE) * buoyant;
    let damping = R::from_f64(STABLE_DAMPING).mul_add(stable, R::ONE);
    let prandtl = R::from_f64(STABLE_PRANDTL).mul_add(stable, R::ONE).at_most(R::from_f64(LARGEST_PRANDTL));
    let of_heat = R::from_f64(UNSTABLE_HEAT).mul_add(root, R::ONE);
    let of_momentum = R::from_f64(UNSTABLE_MOMENTUM).mul_add(root, R::ONE);
    // One division for all.
    let shared = neutral.plain_quotient(of_heat * of_momentum * (damping * damping));
    let heat = shared * ((of_heat + rise) * of_momentum);
    let momentum = shared * prandtl * ((of_momentum + rise) * of_heat);
    Diffusivity { momentum, heat, moisture: heat }
}
