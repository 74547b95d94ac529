//! Stability functions and velocity scales of the surface layer, and the powers that they take.

use isobar_core::{Real, per_lane};

use crate::constants::{
    COUNTER_GRADIENT, COUNTER_GRADIENT_MOMENTUM, LARGEST_HEAT_EXCESS, LARGEST_MOISTURE_EXCESS, LARGEST_STABILITY,
    LARGEST_VELOCITY_RATIO, LEAST_STABILITY, LEAST_VELOCITY_RATIO, SURFACE_LAYER, UNSTABLE_SLOPE,
};
use crate::physical::Physical;
use crate::physics::potential_temperature::is_single;
use crate::physics::surface::{Ground, Lowest};

per_lane! {
    /// Scales at the first guess of the height, which they keep.
    pub(crate) struct Scales {
        /// Height of the lowest layer over Obukhov's length; below zero if and only if the surface is unstable.
        stability,
        /// The stability function of heat over that of momentum, at the top of the surface layer.
        phi_ratio,
        /// The top of the surface layer over Obukhov's length.
        at_surface_layer,
        /// Friction velocity to the third power.
        shear_cubed,
        /// w* to the third power.
        convective_cubed,
        /// w* \[m/s\].
        convective,
        /// Velocity scale of the mixed layer \[m/s\].
        velocity,
    }
}

per_lane! {
    /// Differences over the depth of the mixed layer that thermals, not gradients, carry: \[K\], \[kg/kg\] and \[m/s\].
    pub(crate) struct CounterGradient { heat, vapour, u, v }
}

/// `x^0.33333335` for x of at least 0, in Shin-Hong `x^0.333333`: the exponents of WRF's source.
///
/// `x^(1/3) x^e`, the second factor by its series; in single precision it is 1 within rounding.
#[inline(always)]
pub(crate) fn third_power<R: Real>(x: R, physical: &Physical<R>) -> R {
    with_rest(x, x.cbrt(), physical.third_rest)
}

/// A velocity from its third power, as [`third_power`]; below 1e-10 m/s, which moves nothing, another one as small.
#[inline(always)]
pub(crate) fn velocity_of_cube<R: Real>(cubed: R, physical: &Physical<R>) -> R {
    with_rest(cubed, cubed.plain_cbrt(), physical.third_rest)
}

/// Its square: `x^0.6666667`, in Shin-Hong `x^0.666666`.
#[inline(always)]
pub(crate) fn squared_velocity_of_cube<R: Real>(cubed: R, physical: &Physical<R>) -> R {
    let root = cubed.plain_cbrt();
    with_rest(cubed, root * root, physical.two_thirds_rest)
}

#[inline(always)]
pub(crate) fn with_rest<R: Real>(x: R, power: R, rest: R) -> R {
    if is_single::<R>() {
        return power;
    }
    // Of the rest 8 digits are enough; zero stays zero.
    let rest = rest * x.coarse_ln();
    let square = R::from_f64(0.5) * rest * rest;
    power.mul_add(rest + square, power)
}

/// The scales of a column whose boundary layer has this height.
#[inline(always)]
pub(crate) fn scales<R: Real>(ground: &Ground<R>, lowest: &Lowest<R>, height: R, physical: &Physical<R>) -> Scales<R> {
    let unstable = ground.unstable();
    let least = R::from_f64(LEAST_STABILITY);
    let obukhov = ground.richardson * (ground.profile_momentum * ground.profile_momentum) / ground.profile_heat;
    let obukhov = obukhov.max(R::from_f64(-LARGEST_STABILITY));
    let stability = if unstable { obukhov.min(-least) } else { obukhov.max(least) };
    let at_surface_layer = R::from_f64(SURFACE_LAYER) * (stability * height / lowest.centre);
    // The functions of Dyer (1974): unstable, that of heat is the square of the other; stable, they are the same.
    let root = (R::from_f64(-UNSTABLE_SLOPE).mul_add(at_surface_layer.min(R::ZERO), R::ONE)).plain_sqrt();
    let phi_ratio = if unstable { R::ONE.plain_quotient(root.plain_sqrt()) } else { R::ONE };
    let flux = if unstable { lowest.virtual_flux.max(R::ZERO) } else { R::ZERO };
    let convective_cubed = lowest.buoyancy * flux * height;
    let friction = ground.friction_velocity;
    let shear_cubed = friction * friction * friction;
    Scales {
        stability,
        phi_ratio,
        at_surface_layer,
        shear_cubed,
        convective_cubed,
        convective: third_power(convective_cubed, physical),
        velocity: velocity(friction, shear_cubed, convective_cubed, physical),
    }
}

/// The velocity scale at half the height.
#[inline(always)]
pub(crate) fn velocity<R: Real>(friction: R, shear_cubed: R, convective_cubed: R, physical: &Physical<R>) -> R {
    let mean = shear_cubed + physical.convective_mean * convective_cubed;
    let (least, largest) = (R::from_f64(LEAST_VELOCITY_RATIO), R::from_f64(LARGEST_VELOCITY_RATIO));
    velocity_of_cube(mean, physical).min(largest * friction).max(least * friction)
}

/// The excess temperature of thermals \[K\] and the counter-gradient terms; all zero without a buoyant unstable
/// surface.
#[inline(always)]
pub(crate) fn thermals<R: Real>(
    ground: &Ground<R>,
    lowest: &Lowest<R>,
    scales: &Scales<R>,
    height: R,
    physical: &Physical<R>,
) -> (R, CounterGradient<R>) {
    let buoyant = ground.unstable() & (lowest.virtual_flux > R::ZERO);
    let rate = R::from_f64(COUNTER_GRADIENT) / (lowest.density * scales.velocity);
    let heat = heat_excess(rate, ground.sensible_heat_flux, physical);
    let moisture = moisture_excess(rate, ground.moisture_flux);
    let excess = heat + physical.virtual_share * lowest.theta * moisture;
    let share = (lowest.centre / (R::from_f64(SURFACE_LAYER) * height)).min(R::ONE);
    let excess = excess.max(R::ZERO) * share;
    let counter = counter_gradient(
        ground,
        lowest,
        [heat, moisture].map(|excess| excess.max(R::ZERO)),
        scales.convective_cubed,
        scales.velocity,
    );
    if buoyant { (excess, counter) } else { (R::ZERO, CounterGradient::default()) }
}

/// What thermals are warmer by, at most [`LARGEST_HEAT_EXCESS`].
#[inline(always)]
pub(crate) fn heat_excess<R: Real>(rate: R, flux: R, physical: &Physical<R>) -> R {
    (rate * flux * physical.per_heat_capacity).min(R::from_f64(LARGEST_HEAT_EXCESS))
}

/// What they are moister by, at most [`LARGEST_MOISTURE_EXCESS`].
#[inline(always)]
pub(crate) fn moisture_excess<R: Real>(rate: R, flux: R) -> R {
    (rate * flux).min(R::from_f64(LARGEST_MOISTURE_EXCESS))
}

/// The terms of momentum for those of heat and moisture.
#[inline(always)]
pub(crate) fn counter_gradient<R: Real>(
    ground: &Ground<R>,
    lowest: &Lowest<R>,
    [heat, vapour]: [R; 2],
    convective_cubed: R,
    velocity: R,
) -> CounterGradient<R> {
    let friction = ground.friction_velocity;
    let squared = velocity * velocity;
    let momentum = R::from_f64(-COUNTER_GRADIENT_MOMENTUM) * friction * friction / ground.wind_speed * convective_cubed
        / (squared * squared);
    CounterGradient { heat, vapour, u: momentum * lowest.u, v: momentum * lowest.v }
}
