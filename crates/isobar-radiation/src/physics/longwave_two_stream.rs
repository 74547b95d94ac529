//! A layer that scatters, absorbs and emits long-wave radiation: two streams of one secant (Fu et al. 1997,
//! doi:10.1175/1520-0469(1997)054<2799:MSPITI>2.0.CO;2), with a source linear in optical depth.
//!
//! With `p = D (1 - w) tau` and `s = D w (1 - g) tau / 2` the two streams' coefficients times `tau` are `p + s` (Fu et
//! al. 1997, Eq. 2.9) and `s` (Eq. 2.10), and `k tau` is the root of `p (p + 2 s)` (Meador and Weaver 1980, Eq. 18).
//! Nothing below is a difference of near numbers: a thin layer, and one that hardly absorbs, have all digits of what
//! they absorb and emit.

use isobar_core::{Real, per_lane};

use super::absorbed::divisor;

per_lane! {
    /// What a layer does to radiation.
    pub(crate) struct Layer {
        /// The part that is reflected.
        reflectance,
        /// The part that gets through.
        transmittance,
        /// The part that is absorbed.
        absorptance,
        /// What leaves through the upper boundary of its own.
        up,
        /// What leaves through the lower boundary of its own.
        down,
    }
}

/// `k tau` of a layer with optical depths of absorption and of what is scattered times 1 less its asymmetry.
#[inline(always)]
pub(crate) fn exponent<R: Real>(absorption: R, back: R, secant: R) -> R {
    let p = secant * absorption;
    divisor((p * (p + secant * back)).sqrt())
}

/// The layer between black bodies above and below, from its [`exponent`] and `lost`, `1 - exp(-k tau)`.
#[inline(always)]
pub(crate) fn layer<R: Real>(
    [absorption, back]: [R; 2],
    secant: R,
    [exponent, lost]: [R; 2],
    [above, below]: [R; 2],
) -> Layer<R> {
    let (one, two) = (R::ONE, R::from_f64(2.0));
    let p = secant * absorption;
    let s = R::from_f64(0.5) * secant * back;
    let q = p + two * s;
    let decay = one - lost;
    // The mean of exp(-x) from 0 to k tau: 1 where nothing is absorbed.
    let mean = lost.plain_quotient(exponent);
    let both = one + decay;
    let factor = mean / (one + decay * decay + (p + s) * mean * both);
    let absorptance = factor * p * (q * mean + both);
    // 2 exp(-k tau) (sinh(k tau) - k tau) / lost, by its series where it is a difference of near numbers.
    let square = p * q;
    let mut series = one;
    for over in [110.0, 72.0, 42.0, 20.0] {
        series = one + series * square * R::from_f64(1.0 / over);
    }
    let bent = if exponent < R::from_f64(0.25) {
        decay * square * series / (R::from_f64(3.0) * mean)
    } else {
        both - two * decay / mean
    };
    // The weight of the other boundary's source against that of the near one.
    let slant = factor * (p * mean + bent) * (below - above);
    // Meador and Weaver 1980, Eq. 25 and Eq. 26.
    Layer {
        reflectance: factor * s * both,
        transmittance: two * factor * decay / mean,
        absorptance,
        up: absorptance * above + slant,
        down: absorptance * below - slant,
    }
}
