//! Turbulent energy, twice, at the lower interfaces of layers: what makes it, what limits its mixing length, and how it
//! dissipates. All gradients are those before the step.

use isobar_core::{Real, per_lane};

use crate::physics::layer::Layer;
use crate::physics::mixed_layer::Diffusivity;
use crate::physics::mixing::Mixing;
use crate::physics::shin_hong::scaled::Scaled;
use crate::shin_hong_constants::equilibrium::{
    A_HEAT, A_SHEAR, B_HEAT, B_SHEAR, LEAST_GRADIENT, LEAST_QUOTIENT, LEAST_RATIO, LEAST_SHEAR, STABLE_A_HEAT,
    STABLE_A_SHEAR, STABLE_B_HEAT, STABLE_B_SHEAR, STABLE_C,
};
use crate::shin_hong_constants::{
    DISSIPATION_LENGTH, GRAVITY, LEAST_DISSIPATION_LENGTH, LEAST_DOUBLE_ENERGY, LEAST_DOUBLE_ENERGY_OF_LENGTHS,
    LEAST_LENGTH, SURFACE_ENERGY,
};
use crate::version::Parameters;

per_lane! {
    /// What the sweep upward knows of an interface.
    pub(crate) struct Source {
        /// The largest mixing length \[m\].
        limit,
        /// The squared frequency of buoyancy \[1/s^2\].
        stability,
        /// Production by shear less that by buoyancy \[m^2/s^3\].
        production,
        /// Height of the interface \[m\].
        height,
    }
}

per_lane! {
    /// What is carried through an interface against gradients, over the diffusivities: of heat \[K/m\], vapour \[1/m\]
    /// and wind \[1/s\].
    pub(crate) struct Against { heat, vapour, u, v }
}

impl<R: Real> Against<R> {
    /// Of an interface below the top, to which a share of the entrainment fluxes reaches down; `nonlocal` is the heat
    /// flux of thermals.
    #[inline(always)]
    pub(crate) fn new(
        mixing: &Mixing<R>,
        scaled: &Scaled<R>,
        diffusivity: &Diffusivity<R>,
        entrained: R,
        nonlocal: R,
    ) -> Self {
        let Diffusivity { momentum, heat, moisture } = *diffusivity;
        // One division for all three.
        let per_all = R::ONE.plain_quotient(momentum * heat * moisture);
        let per_momentum = entrained * (per_all * heat * moisture);
        Self {
            heat: nonlocal * (per_all * momentum * moisture),
            vapour: scaled.counter_vapour + mixing.flux_vapour * entrained * (per_all * momentum * heat),
            u: mixing.counter_u + mixing.flux_u * per_momentum,
            v: mixing.counter_v + mixing.flux_v * per_momentum,
        }
    }
}

/// Energy, twice, for lengths.
#[inline(always)]
pub(crate) fn doubled<R: Real>(energy: R) -> R {
    (energy + energy).at_least(R::from_f64(LEAST_DOUBLE_ENERGY_OF_LENGTHS))
}

impl<R: Real> Source<R> {
    /// Of the interface between two layers; potential temperatures are less `reference`.
    #[inline(always)]
    pub(crate) fn new(
        [lower, upper]: [&Layer<R>; 2],
        reference: R,
        diffusivity: &Diffusivity<R>,
        against: &Against<R>,
        double_energy: R,
        parameters: &Parameters<R>,
    ) -> Self {
        let (physical, number, half) = (&parameters.physical, R::from_f64, R::from_f64(0.5));
        let per_distance = upper.per_distance;
        let (du, dv) = ((upper.u - lower.u) * per_distance, (upper.v - lower.v) * per_distance);
        let shear = (du - against.u) * du + (dv - against.v) * dv;
        let limited_shear = shear.at_least(number(LEAST_SHEAR));

        // Lengths see liquid water, energy does not.
        let theta = reference + half * (upper.theta + lower.theta);
        let per_theta = R::ONE.plain_quotient(theta);
        let share = physical.virtual_share;
        let by_vapour = theta * share;
        let (water, drops) = (upper.vapour - lower.vapour, upper.cloud_water - lower.cloud_water);
        let sum = upper.vapour + lower.vapour + upper.cloud_water + lower.cloud_water;
        let temperature = half * (upper.temperature + lower.temperature);
        let condensation = physical.condensate.plain_quotient(temperature) - R::ONE - share;
        let gradient = ((upper.theta - lower.theta) * (sum * (half * share) + R::ONE)
            + (water + drops) * by_vapour
            + drops * (condensation * theta))
            * per_distance;
        let gradient = gradient - against.heat - against.vapour * by_vapour;
        let least = number(LEAST_GRADIENT);
        let gradient = if gradient.abs() <= least { least } else { gradient };

        let virtual_gradient = (upper.virtual_theta - lower.virtual_theta) * per_distance;
        let virtual_mean = reference + half * (upper.virtual_theta + lower.virtual_theta);
        let buoyancy = (virtual_gradient - against.heat - against.vapour * by_vapour)
            * number(GRAVITY).plain_quotient(virtual_mean);
        Self {
            limit: limit(limited_shear, gradient, double_energy),
            stability: gradient * number(GRAVITY) * per_theta,
            production: diffusivity.momentum * shear - diffusivity.heat * buoyancy,
            height: lower.top,
        }
    }
}

/// The largest mixing length for a squared shear and a gradient of potential temperature (Janjic 2001): where there is
/// no turbulence in equilibrium, the least.
#[inline(always)]
fn limit<R: Real>(shear: R, gradient: R, double_energy: R) -> R {
    let number = R::from_f64;
    let stable = gradient >= number(LEAST_GRADIENT);
    let choice = |of_stable: f64, of_unstable: f64| if stable { number(of_stable) } else { number(of_unstable) };
    let a = (choice(STABLE_A_SHEAR, A_SHEAR) * shear + choice(STABLE_A_HEAT, A_HEAT) * gradient) * gradient;
    let b = number(0.5) * (choice(STABLE_B_SHEAR, B_SHEAR) * shear + choice(STABLE_B_HEAT, B_HEAT) * gradient);
    let root = (b * b - a * choice(STABLE_C, 1.0)).max(R::ZERO).sqrt();
    let quotient = (root - b) * choice(1.0 / STABLE_C, 1.0) + choice(0.0, LEAST_QUOTIENT);
    let least = number(LEAST_LENGTH);
    let length = (double_energy / quotient).sqrt();
    let length = if length > least { length } else { least };
    if stable & (shear <= number(LEAST_RATIO) * gradient) { least } else { length }
}

/// The energy, twice, after production and dissipation over a mixing length.
#[inline(always)]
pub(crate) fn produced<R: Real>(double_energy: R, source: &Source<R>, length: R, distance: R, step: R) -> R {
    let least = R::from_f64(LEAST_DOUBLE_ENERGY);
    let before = double_energy.at_least(least);
    let length = (R::from_f64(DISSIPATION_LENGTH) * length).at_most(distance);
    let length = length.at_least(R::from_f64(LEAST_DISSIPATION_LENGTH));
    let dissipated = (before * before.plain_sqrt()).plain_quotient(length);
    // The step is twice the model's.
    (before + (source.production - dissipated) * step).at_least(least)
}

/// The energy, twice, at the surface.
#[inline(always)]
pub(crate) fn at_surface<R: Real>(friction: R) -> R {
    (R::from_f64(SURFACE_ENERGY) * friction * friction).at_least(R::from_f64(LEAST_DOUBLE_ENERGY))
}
