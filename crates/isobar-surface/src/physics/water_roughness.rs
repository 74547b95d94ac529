//! Roughness of water for momentum: that of the waves which the wind makes.

use isobar_core::Real;

use crate::constants::{
    CHARNOCK, DEEPEST, DEPTH_DIVISOR, DEPTH_SCALE, LARGEST_SHALLOW_ROUGHNESS, LARGEST_WATER_ROUGHNESS,
    LEAST_SMOOTH_FRICTION, LEAST_WATER_ROUGHNESS, SHALLOW, SHALLOWEST, SMOOTH, SMOOTH_VISCOSITY, STRONG_EXPONENT,
    STRONG_FACTOR, STRONG_FRICTION, STRONG_POWER, STRONG_SLOPE, TINY, WEAK_CHARNOCK, WEAK_REST,
};
use crate::options::{Parameters, WaterRoughness};
use crate::physics::power::{exponential, negative_power, power};

/// The roughness length \[m\] for a friction velocity.
#[inline(always)]
pub(crate) fn water_roughness<R: Real>(parameters: &Parameters<R>, friction: R, depth: R) -> R {
    if !parameters.has_water(WaterRoughness::Coare) {
        of_strong_winds(friction, parameters.g)
    } else if parameters.shallow_water() {
        of_shallow_water(friction, depth)
    } else {
        of_sea(friction, parameters.g)
    }
}

/// Charnock's relation, and a smooth surface in weak winds.
#[inline(always)]
fn of_sea<R: Real>(friction: R, gravity: R) -> R {
    let waves = R::from_f64(CHARNOCK) * friction * friction / gravity;
    let smooth = R::from_f64(SMOOTH * SMOOTH_VISCOSITY) / friction.at_least(R::from_f64(TINY));
    (waves + smooth).at_most(R::from_f64(LARGEST_WATER_ROUGHNESS))
}

/// By depth.
#[inline(always)]
fn of_shallow_water<R: Real>(friction: R, depth: R) -> R {
    let [slope, offset, rest] = SHALLOW.map(R::from_f64);
    let depth = depth.clamp(R::from_f64(SHALLOWEST), R::from_f64(DEEPEST));
    let b = (R::from_f64(DEPTH_SCALE) / depth).plain_ln() * R::from_f64(1.0 / DEPTH_DIVISOR);
    let exponent = (slope * friction - offset / b) / (friction + rest / b);
    exponential(exponent).at_most(R::from_f64(LARGEST_SHALLOW_ROUGHNESS))
}

/// Between a law for weak winds and one that levels off in strong ones.
#[inline(always)]
fn of_strong_winds<R: Real>(friction: R, gravity: R) -> R {
    let strong = power(friction * R::from_f64(1.0 / STRONG_FRICTION), STRONG_EXPONENT).at_most(R::ONE);
    let of_weak = R::from_f64(WEAK_CHARNOCK) * friction * friction / gravity + R::from_f64(WEAK_REST);
    let smooth = R::from_f64(SMOOTH * SMOOTH_VISCOSITY) / friction.at_least(R::from_f64(LEAST_SMOOTH_FRICTION));
    let spray = exponential(R::from_f64(STRONG_SLOPE) * negative_power(friction, STRONG_POWER));
    let of_strong = R::from_f64(STRONG_FACTOR) * spray + smooth;
    let roughness = (R::ONE - strong) * of_weak + strong * of_strong;
    roughness.clamp(R::from_f64(LEAST_WATER_ROUGHNESS), R::from_f64(LARGEST_WATER_ROUGHNESS))
}
