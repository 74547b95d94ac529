//! A layer that scatters sunlight: the two-stream method in Zdunkowski's practical improved flux form (Zdunkowski et
//! al. 1980; Meador and Weaver 1980, doi:10.1175/1520-0469(1980)037<0630:TSATRT>2.0.CO;2), as RTE has it. Equations are
//! those of Meador and Weaver.
//!
//! Coefficients are those of the papers times the albedo where the asymmetry stands beside it, which then needs no
//! division. What conservative scattering leaves, `gamma1 - gamma2` and `1 - exp(-2 k tau)`, is computed without
//! differences of near numbers, so that single precision serves, too.

use isobar_core::{Real, per_lane};

use super::absorbed::divisor;
use super::particles::Depths;
use crate::constants::roots_of_epsilon;

/// The least `k^2` (Eq. 18), RTE's in double precision: what a layer does that only scatters is a quotient of two
/// numbers that go as `k`.
const LEAST_SQUARED_K: f64 = 1e-12;

per_lane! {
    /// What a layer does to light.
    pub struct Layer {
        /// The part of diffuse light that is reflected.
        reflectance,
        /// The part that gets through.
        transmittance,
        /// The part of the sun's beam that is taken from it.
        extinct,
        /// The part that leaves upward as diffuse light.
        up,
        /// The part that leaves downward as diffuse light.
        down,
        /// The part of diffuse light that is absorbed.
        absorptance,
    }
}

per_lane! {
    /// How light decays in a layer, and what the coefficients of the two streams are made of.
    pub struct Decay {
        /// The single-scattering albedo.
        albedo,
        /// That times the asymmetry.
        ahead,
        /// `gamma1 - gamma2`, twice the co-albedo.
        difference,
        /// How fast diffuse light decays with the optical depth.
        k,
        /// `k tau`, by which diffuse light decays.
        exponent,
        /// `tau` over the cosine of the zenith angle, by which the beam does.
        slant,
    }
}

/// The sun above the horizon: the cosine of its zenith angle. So near to 0, the equations for the beam are 0/0.
#[inline(always)]
fn not_level<R: Real>(cosine_zenith: R) -> R {
    let [resonance, _] = roots_of_epsilon::<R>();
    cosine_zenith.at_least(resonance)
}

/// A layer under a sun of this zenith angle, which is above the horizon.
#[inline(always)]
pub fn decay<R: Real>(depths: Depths<R>, cosine_zenith: R) -> Decay<R> {
    let (half, one, two) = (R::from_f64(0.5), R::ONE, R::from_f64(2.0));
    let [resonance, _] = roots_of_epsilon::<R>();
    let cosine = not_level(cosine_zenith);
    let inverse_cosine = one / cosine;
    let depth = depths.absorption + depths.scattering;
    let inverse = one.plain_quotient(divisor(depth));
    let albedo = depths.scattering * inverse;
    let ahead = depths.forward * inverse;
    // Eq. 18, (gamma1 - gamma2) (gamma1 + gamma2), with the difference as it is.
    let difference = two * depths.absorption * inverse;
    let sum = two - half * albedo - R::from_f64(1.5) * ahead;
    let root = (difference * sum).at_least(R::from_f64(LEAST_SQUARED_K)).sqrt();
    // Where `k` times the cosine is 1, the equations for the beam are 0/0.
    let near = root * cosine - one;
    let k = if near.abs() < resonance { (one - resonance) * inverse_cosine } else { root };
    Decay { albedo, ahead, difference, k, exponent: k * depth, slant: depth * inverse_cosine }
}

/// The layer, from the parts `lost` of diffuse light, `1 - exp(-k tau)`, and `extinct` of the beam.
#[inline(always)]
pub fn layer<R: Real>(decay: Decay<R>, cosine_zenith: R, [lost, extinct]: [R; 2]) -> Layer<R> {
    let (zero, one, two) = (R::ZERO, R::ONE, R::from_f64(2.0));
    let Decay { albedo, ahead, difference, k, .. } = decay;
    let cosine = not_level(cosine_zenith);
    let gamma1 = two - R::from_f64(1.25) * albedo - R::from_f64(0.75) * ahead;
    let gamma2 = R::from_f64(0.75) * (albedo - ahead);
    let decay = one - lost;
    let lost_twice = lost * (one + decay);
    let beam = one - extinct;
    let x = k * cosine;
    // One division for both.
    let (diffuse, direct) = (k * (one + decay * decay) + gamma1 * lost_twice, one - x * x);
    let of_beam = one.plain_quotient(diffuse * direct);
    let factor = of_beam * direct;

    // What the beam loses is scattered backward and forward in these parts, times the albedo.
    let gamma3 = R::from_f64(0.25) * (two * albedo - R::from_f64(3.0) * cosine * ahead);
    let gamma4 = albedo - gamma3;
    // Eq. 16, Eq. 17.
    let (alpha1, alpha2) = (gamma1 * gamma4 + gamma2 * gamma3, gamma1 * gamma3 + gamma2 * gamma4);
    let (k_gamma3, k_gamma4) = (k * gamma3, k * gamma4);
    // The brackets of Eq. 14 and Eq. 15, whose terms of order 1 cancel, in terms that are small with `k`.
    let both = lost + extinct - lost * extinct;
    let up = of_beam * (two * (k_gamma3 - alpha2 * x) * both + (one + x) * (alpha2 - k_gamma3) * lost_twice);
    let down = of_beam
        * (two * (k_gamma4 + alpha1 * x) * (extinct - lost) - (one - x) * (alpha1 - k_gamma4) * lost_twice * beam);
    // No more than the beam loses.
    let up = up.at_least(zero).min(extinct);
    Layer {
        // Eq. 25, Eq. 26, and what they leave of 1.
        reflectance: factor * gamma2 * lost_twice,
        transmittance: two * factor * k * decay,
        absorptance: factor * lost * (k * lost + difference * (one + decay)),
        extinct,
        up,
        down: down.at_least(zero).min(extinct - up),
    }
}
