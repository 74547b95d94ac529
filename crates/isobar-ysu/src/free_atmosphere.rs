//! Local diffusivities above the boundary layer, by the gradient Richardson number (Louis 1979, Hong 2006).

use isobar_core::Real;

use crate::constants::{CLOUDY, GAS_CONSTANT, GRAVITY, HEAT_CAPACITY, KARMAN, LATENT_HEAT, VAPOUR_GAS_CONSTANT};
use crate::layer::Layer;
use crate::mixed_layer::Diffusivity;

/// The squared shear between two layers \[1/s^2\].
#[inline(always)]
pub(crate) fn squared_shear<R: Real>(below: &Layer<R>, above: &Layer<R>) -> R {
    let (du, dv) = ((above.u - below.u) * above.per_distance, (above.v - below.v) * above.per_distance);
    du.mul_add(du, dv.mul_add(dv, R::from_f64(1e-9)))
}

/// The gradient Richardson number of air that is not cloudy, and Blackadar's length between the layers; potential
/// temperatures are less `reference`.
#[inline(always)]
pub(crate) fn richardson_and_length<R: Real>(below: &Layer<R>, above: &Layer<R>, shear: R, reference: R) -> (R, R) {
    let mean = R::from_f64(0.5).mul_add(above.virtual_theta + below.virtual_theta, reference);
    let buoyancy = R::from_f64(GRAVITY) * (above.virtual_theta - below.virtual_theta);
    let inertia = mean * (shear * above.distance);
    let (near, far) = (R::from_f64(KARMAN) * below.top, asymptotic_length(above.distance));
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

/// The Richardson number of cloudy air (Durran and Klemp 1982).
#[inline(always)]
pub(crate) fn moist_richardson<R: Real>(below: &Layer<R>, above: &Layer<R>, shear: R, dry: R) -> R {
    let half = R::from_f64(0.5);
    let vapour = half * (above.vapour + below.vapour);
    let temperature = half * (above.temperature + below.temperature);
    let per_temperature = R::ONE.plain_quotient(temperature);
    let relative = vapour * per_temperature;
    let slope = R::from_f64(LATENT_HEAT / GAS_CONSTANT) * relative;
    let heating =
        R::from_f64(LATENT_HEAT * LATENT_HEAT / (HEAT_CAPACITY * VAPOUR_GAS_CONSTANT)) * relative * per_temperature;
    // Not even of negative vapour a number near 0.
    let weight = (R::ONE + heating).at_least(R::from_f64(1e-3));
    let excess = (R::from_f64(GRAVITY * GRAVITY / HEAT_CAPACITY) * (heating - slope))
        .plain_quotient(shear * temperature * weight);
    (R::ONE + slope) * (dry - excess)
}

/// The mixing length of free air \[m\].
#[inline(always)]
pub(crate) fn asymptotic_length<R: Real>(distance: R) -> R {
    (R::from_f64(0.1) * distance).at_least(R::from_f64(30.0)).at_most(R::from_f64(300.0)).at_most(distance)
}

/// Blackadar's length at height `z`.
#[inline(always)]
pub(crate) fn mixing_length<R: Real>(z: R, asymptotic: R) -> R {
    let near = R::from_f64(KARMAN) * z;
    (near * asymptotic).plain_quotient(asymptotic + near)
}

/// Local diffusivities by Blackadar's length, without background.
#[inline(always)]
pub(crate) fn local<R: Real>(length: R, shear: R, richardson: R) -> Diffusivity<R> {
    let neutral = length * length * shear.plain_sqrt();
    // Either the number is not stable, or it is as good as not buoyant: each sign's functions are 1 for the other one,
    // and nothing is chosen.
    let stable = richardson.at_least(R::ZERO);
    let buoyant = (-richardson).at_least(R::from_f64(1e-30)).at_most(R::from_f64(100.0));
    let root = buoyant.plain_sqrt();
    let rise = R::from_f64(8.0) * buoyant;
    let damping = R::from_f64(5.0).mul_add(stable, R::ONE);
    let prandtl = R::from_f64(2.1).mul_add(stable, R::ONE).at_most(R::from_f64(4.0));
    let of_heat = R::from_f64(1.286).mul_add(root, R::ONE);
    let of_momentum = R::from_f64(1.746).mul_add(root, R::ONE);
    // One division for all.
    let shared = neutral.plain_quotient(of_heat * of_momentum * (damping * damping));
    let heat = shared * ((of_heat + rise) * of_momentum);
    let momentum = shared * prandtl * ((of_momentum + rise) * of_heat);
    Diffusivity { momentum, heat, moisture: heat }
}
