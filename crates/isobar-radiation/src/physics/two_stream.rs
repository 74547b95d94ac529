//! A layer that scatters sunlight: the two-stream method in Zdunkowski's practical improved flux form (Zdunkowski et
//! al. 1980; Meador and Weaver 1980, doi:10.1175/1520-0469(1980)037<0630:TSATRT>2.0.CO;2), as RTE has it.

use isobar_core::Real;

use super::absorbed::{absorbed, divisor};
use crate::constants::roots_of_epsilon;

/// Optical depths of a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depths<R, const W: usize> {
    /// Of absorption.
    pub(crate) absorption: [R; W],
    /// Of scattering.
    pub(crate) scattering: [R; W],
    /// Of scattering times its asymmetry.
    pub(crate) forward: [R; W],
}

impl<R: Real, const W: usize> Depths<R, W> {
    /// Nothing.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self { absorption: [R::ZERO; W], scattering: [R::ZERO; W], forward: [R::ZERO; W] }
    }

    /// With so much of others.
    #[inline(always)]
    pub(crate) fn with(&self, others: &Self, factor: R) -> Self {
        let mut all = *self;
        for lane in 0..W {
            all.absorption[lane] += factor * others.absorption[lane];
            all.scattering[lane] += factor * others.scattering[lane];
            all.forward[lane] += factor * others.forward[lane];
        }
        all
    }
}

/// What a layer does to light.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer<R, const W: usize> {
    /// The part of diffuse light that is reflected.
    pub(crate) reflectance: [R; W],
    /// The part that gets through.
    pub(crate) transmittance: [R; W],
    /// The part of the sun's beam that is taken from it.
    pub(crate) extinct: [R; W],
    /// The part that leaves upward as diffuse light.
    pub(crate) up: [R; W],
    /// The part that leaves downward as diffuse light.
    pub(crate) down: [R; W],
}

/// A layer under a sun of this zenith angle, which is above the horizon.
///
/// Coefficients are those of the papers times the albedo where the asymmetry stands beside it, which then needs no
/// division. What conservative scattering leaves, `g1 - g2` and `1 - exp(-2 k tau)`, is computed without differences of
/// near numbers, so that single precision serves, too.
#[inline(always)]
pub(crate) fn layer<R: Real, const W: usize>(depths: &Depths<R, W>, cosine_zenith: R) -> Layer<R, W> {
    let (zero, half, one, two) = (R::ZERO, R::from_f64(0.5), R::ONE, R::from_f64(2.0));
    // So near to it, the equations for the beam are 0/0.
    let [resonance, _] = roots_of_epsilon::<R>();
    let cosine = cosine_zenith.at_least(resonance);
    let inverse_cosine = one / cosine;
    let mut layer =
        Layer { reflectance: [zero; W], transmittance: [zero; W], extinct: [zero; W], up: [zero; W], down: [zero; W] };
    // Of the single-scattering albedo, and of it times the asymmetry.
    let (mut albedo, mut ahead) = ([zero; W], [zero; W]);
    let (mut exponent, mut slant) = ([zero; W], [zero; W]);
    let mut k = [zero; W];
    for lane in 0..W {
        let (absorption, scattering) = (depths.absorption[lane], depths.scattering[lane]);
        let depth = absorption + scattering;
        let inverse = one.plain_quotient(divisor(depth));
        albedo[lane] = scattering * inverse;
        ahead[lane] = depths.forward[lane] * inverse;
        let sum = two - half * albedo[lane] - R::from_f64(1.5) * ahead[lane];
        // Meador and Weaver's Eq. 18, (g1 - g2) (g1 + g2), with the first difference as it is.
        let root = (two * absorption * inverse * sum).at_least(R::from_f64(1e-12)).sqrt();
        let near = root * cosine - one;
        k[lane] = if near.abs() < resonance { (one - resonance) * inverse_cosine } else { root };
        exponent[lane] = k[lane] * depth;
        slant[lane] = depth * inverse_cosine;
    }
    let (lost, extinct) = (absorbed(&exponent), absorbed(&slant));
    for lane in 0..W {
        let (albedo, ahead, k) = (albedo[lane], ahead[lane], k[lane]);
        let (lost, extinct) = (lost[lane], extinct[lane]);
        let same = two - R::from_f64(1.25) * albedo - R::from_f64(0.75) * ahead;
        let other = R::from_f64(0.75) * (albedo - ahead);
        let decay = one - lost;
        let lost_twice = lost * (one + decay);
        let beam = one - extinct;
        let x = k * cosine;
        // One division for both.
        let (diffuse, direct) = (k * (one + decay * decay) + same * lost_twice, one - x * x);
        let of_beam = one.plain_quotient(diffuse * direct);
        let factor = of_beam * direct;
        // Eq. 25.
        layer.reflectance[lane] = factor * other * lost_twice;
        // Eq. 26.
        layer.transmittance[lane] = two * factor * k * decay;

        // What the beam loses goes back and forth in these parts, times the albedo.
        let back = R::from_f64(0.25) * (two * albedo - R::from_f64(3.0) * cosine * ahead);
        let forth = albedo - back;
        // Eq. 16, Eq. 17.
        let (a1, a2) = (same * forth + other * back, same * back + other * forth);
        let (kb, kf) = (k * back, k * forth);
        // The brackets of Eq. 14 and Eq. 15, whose terms of order 1 cancel, in terms that are small with `k`.
        let both = lost + extinct - lost * extinct;
        let up = of_beam * (two * (kb - a2 * x) * both + (one + x) * (a2 - kb) * lost_twice);
        let down = of_beam * (two * (kf + a1 * x) * (extinct - lost) - (one - x) * (a1 - kf) * lost_twice * beam);
        // No more than the beam loses.
        let up = up.at_least(zero).min(extinct);
        layer.extinct[lane] = extinct;
        layer.up[lane] = up;
        layer.down[lane] = down.at_least(zero).min(extinct - up);
    }
    layer
}

/// Scales the forward peak away (Joseph et al. 1976): scattering, and that times the asymmetry, of particles.
#[inline(always)]
pub(crate) fn delta_scaled<R: Real>(scattering: R, forward: R) -> (R, R) {
    let asymmetry = forward / scattering.at_least(R::MIN_POSITIVE);
    let peak = asymmetry * asymmetry;
    (scattering * (R::ONE - peak), scattering * (asymmetry - peak))
}
