//! The diffusivities at the interface between two layers: of the mixed layer below the top, local ones above.

use isobar_core::{Real, per_lane};

use crate::constants::LARGEST_DIFFUSIVITY;
use crate::physical::Physical;
use crate::physics::free_atmosphere::{both_cloudy, richardson_and_length, squared_shear};
use crate::physics::implicit::Upward;
use crate::physics::layer::Layer;
use crate::physics::mixed_layer::{Diffusivity, by_prandtl, shape, velocity_scale};
use crate::physics::mixing::Mixing;
use crate::version::Parameters;

/// With background, and limited.
#[inline(always)]
pub(crate) fn limited<R: Real>(raw: &Diffusivity<R>, parameters: &Parameters<R>) -> Diffusivity<R> {
    let largest = R::from_f64(LARGEST_DIFFUSIVITY);
    Diffusivity {
        momentum: (raw.momentum + parameters.background_momentum).at_most(largest),
        heat: (raw.heat + parameters.background_heat).at_most(largest),
        moisture: (raw.moisture + parameters.background_heat).at_most(largest),
    }
}

/// The least diffusivities of momentum and heat between layers at a distance.
#[inline(always)]
pub(crate) fn least<R: Real>(parameters: &Parameters<R>, distance: R) -> (R, R) {
    let by_distance = parameters.least_per_thickness * distance;
    (parameters.background_momentum + by_distance, parameters.background_heat + by_distance)
}

/// Raised to the least ones.
#[inline(always)]
pub(crate) fn raised<R: Real>(raw: &Diffusivity<R>, (momentum, heat): (R, R)) -> Diffusivity<R> {
    Diffusivity {
        momentum: raw.momentum.at_least(momentum),
        heat: raw.heat.at_least(heat),
        moisture: raw.moisture.at_least(heat),
    }
}

/// Those of the mixed layer at height `z`, to which a cloud's top adds `from_cloud` of momentum's or which it closes,
/// and the share of the entrainment fluxes that reaches down to `z`.
#[inline(always)]
pub(crate) fn mixed<R: Real>(
    z: R,
    mixing: &Mixing<R>,
    from_cloud: R,
    closed: bool,
    parameters: &Parameters<R>,
) -> (Diffusivity<R>, R) {
    let (over, entrained) = shape(z, mixing);
    let momentum =
        velocity_scale(z, over, mixing, &parameters.physical) * parameters.physical.karman * z * (over * over);
    let momentum = if parameters.top_down != 0 { momentum + from_cloud } else { momentum };
    let momentum = if closed { R::ZERO } else { momentum };
    (limited(&by_prandtl(z, momentum, mixing), parameters), entrained)
}

/// What is carried upward through the interface besides, where there are explicit fluxes.
#[inline(always)]
pub(crate) fn carried<R: Real>(
    [lower, upper]: [&Layer<R>; 2],
    mixing: &Mixing<R>,
    diffusivity: &Diffusivity<R>,
    entrained: R,
    explicit: bool,
) -> Upward<R> {
    let mass = (lower.pressure - upper.pressure) * upper.per_distance;
    let mass = if explicit { mass } else { R::ZERO };
    let carried = |diffusivity: R, counter: R, flux: R| mass * diffusivity.mul_add(counter, entrained * flux);
    Upward {
        theta: carried(diffusivity.heat, mixing.counter_heat, mixing.flux_heat),
        vapour: mass * (entrained * mixing.flux_vapour),
        u: carried(diffusivity.momentum, mixing.counter_u, mixing.flux_u),
        v: carried(diffusivity.momentum, mixing.counter_v, mixing.flux_v),
    }
}

per_lane! {
    /// The air between two layers.
    pub(crate) struct Between<T, N> {
        /// Squared shear \[1/s^2\].
        shear: T,
        /// The gradient Richardson number, as if it were not cloudy.
        richardson: T,
        /// Blackadar's length \[m\].
        length: T,
        /// Is it cloudy? 0 or 1.
        cloudy: N,
    }
}

/// The air between two layers; potential temperatures are less `reference`.
#[inline(always)]
pub(crate) fn between<R: Real>(
    lower: &Layer<R>,
    upper: &Layer<R>,
    reference: R,
    physical: &Physical<R>,
) -> Between<R, u32> {
    let shear = squared_shear(lower, upper);
    let (richardson, length) = richardson_and_length(lower, upper, shear, reference, physical);
    Between { shear, richardson, length, cloudy: u32::from(both_cloudy(lower, upper)) }
}
