//! Local diffusivities above the boundary layer, by the gradient Richardson number (Louis 1979, Hong 2006).

use isobar_core::Real;

use crate::constants::{CLOUDY, GAS_CONSTANT, GRAVITY, HEAT_CAPACITY, KARMAN, LATENT_HEAT, VAPOUR_GAS_CONSTANT};
use crate::layer::Layer;
use crate::mixed_layer::Diffusivity;

/// The squared shear between two layers \[1/s^2\].
#[inline(always)]
pub(crate) fn squared_shear<R: Real>(below: &Layer<R>, above: &Layer<R>, per_distance: R) -> R {
    let (du, dv) = ((above.u - below.u) * per_distance, (above.v - below.v) * per_distance);
    du.mul_add(du, dv.mul_add(dv, R::from_f64(1e-9)))
}

/// The gradient Richardson number of air that is not cloudy; potential temperatures are less `reference`.
#[inline(always)]
pub(crate) fn richardson<R: Real>(below: &Layer<R>, above: &Layer<R>, distance: R, shear: R, reference: R) -> R {
    let mean = R::from_f64(0.5).mul_add(above.virtual_theta + below.virtual_theta, reference);
    (R::from_f64(GRAVITY) * (above.virtual_theta - below.virtual_theta)).plain_quotient(mean * (shear * distance))
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
    let slope = R::from_f64(LATENT_HEAT / GAS_CONSTANT) * vapour / temperature;
    let heating = R::from_f64(LATENT_HEAT * LATENT_HEAT / (HEAT_CAPACITY * VAPOUR_GAS_CONSTANT)) * vapour
        / (temperature * temperature);
    let excess = R::from_f64(GRAVITY * GRAVITY / HEAT_CAPACITY) / (shear * temperature)
        * ((heating - slope) / (R::ONE + heating));
    (R::ONE + slope) * (dry - excess)
}

/// The mixing length of free air \[m\].
#[inline(always)]
pub(crate) fn asymptotic_length<R: Real>(distance: R) -> R {
    (R::from_f64(0.1) * distance).clamp(R::from_f64(30.0), R::from_f64(300.0)).min(distance)
}

/// Blackadar's length at height `z`.
#[inline(always)]
pub(crate) fn mixing_length<R: Real>(z: R, asymptotic: R) -> R {
    let near = R::from_f64(KARMAN) * z;
    (near * asymptotic).plain_quotient(asymptotic + near)
}

/// Local diffusivities at height `z`, without background.
#[inline(always)]
pub(crate) fn local<R: Real>(z: R, distance: R, shear: R, richardson: R) -> Diffusivity<R> {
    let length = mixing_length(z, asymptotic_length(distance));
    let neutral = length * length * shear.plain_sqrt();
    let unstable = richardson < R::ZERO;
    let buoyant = (-richardson).max(R::ZERO).min(R::from_f64(100.0));
    let root = buoyant.plain_sqrt();
    let rise = R::from_f64(8.0) * buoyant;
    let stable = richardson.max(R::ZERO);
    let damping = R::from_f64(5.0).mul_add(stable, R::ONE);
    // One division for both signs.
    let numerator = if unstable { rise } else { R::ONE };
    let denominator = if unstable { R::from_f64(1.286).mul_add(root, R::ONE) } else { damping * damping };
    let quotient = numerator.plain_quotient(denominator);
    let heat = neutral * if unstable { R::ONE + quotient } else { quotient };
    let momentum_unstable = neutral * (R::ONE + rise.plain_quotient(R::from_f64(1.746).mul_add(root, R::ONE)));
    let momentum_stable = heat * R::from_f64(2.1).mul_add(stable, R::ONE).min(R::from_f64(4.0));
    let momentum = if unstable { momentum_unstable } else { momentum_stable };
    Diffusivity { momentum, heat, moisture: heat }
}
