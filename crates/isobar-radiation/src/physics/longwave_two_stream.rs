//! A layer that scatters, absorbs and emits long-wave radiation: two streams of one secant (Fu et al. 1997,
//! doi:10.1175/1520-0469(1997)054<2799:MSPITI>2.0.CO;2), with a source linear in optical depth.

use isobar_core::Real;

use super::absorbed::{absorbed, divisor};

/// What a layer does to radiation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer<R, const W: usize> {
    /// The part that is reflected.
    pub(crate) reflectance: [R; W],
    /// The part that gets through.
    pub(crate) transmittance: [R; W],
    /// The part that is absorbed.
    pub(crate) absorptance: [R; W],
    /// What leaves through the upper boundary of its own.
    pub(crate) up: [R; W],
    /// What leaves through the lower boundary of its own.
    pub(crate) down: [R; W],
}

/// A layer between black bodies above and below, with optical depths of absorption and of what is scattered times 1
/// less its asymmetry.
///
/// With `p = D (1 - w) tau` and `s = D w (1 - g) tau / 2` the two streams' coefficients times `tau` are `p + s` (Fu et
/// al. 1997, Eq. 2.9) and `s` (Eq. 2.10), and `k tau` is the root of `p (p + 2 s)` (Meador and Weaver 1980, Eq. 18).
/// Nothing below is a difference of near numbers: a thin layer, and one that hardly absorbs, have all digits of what
/// they absorb and emit.
#[inline(always)]
pub(crate) fn layer<R: Real, const W: usize>(
    [absorption, back]: [&[R; W]; 2],
    secant: R,
    [above, below]: [&[R; W]; 2],
) -> Layer<R, W> {
    let (one, two) = (R::ONE, R::from_f64(2.0));
    let zeros = [R::ZERO; W];
    let mut layer = Layer { reflectance: zeros, transmittance: zeros, absorptance: zeros, up: zeros, down: zeros };
    let mut depth = zeros;
    for lane in 0..W {
        let p = secant * absorption[lane];
        depth[lane] = divisor((p * (p + secant * back[lane])).sqrt());
    }
    let absorbed = absorbed(&depth);
    for lane in 0..W {
        let p = secant * absorption[lane];
        let s = R::from_f64(0.5) * secant * back[lane];
        let q = p + two * s;
        let (k, lost) = (depth[lane], absorbed[lane]);
        let decay = one - lost;
        // The mean of exp(-x) from 0 to k: 1 where nothing is absorbed.
        let mean = lost.plain_quotient(k);
        let sum = one + decay;
        let factor = mean / (one + decay * decay + (p + s) * mean * sum);
        let absorptance = factor * p * (q * mean + sum);
        // 2 exp(-k) (sinh(k) - k) / lost, by its series where it is a difference of near numbers.
        let square = p * q;
        let mut series = one;
        for over in [110.0, 72.0, 42.0, 20.0] {
            series = one + series * square * R::from_f64(1.0 / over);
        }
        let bent = if k < R::from_f64(0.25) {
            decay * square * series / (R::from_f64(3.0) * mean)
        } else {
            sum - two * decay / mean
        };
        // The weight of the other boundary's source against that of the near one.
        let slant = factor * (p * mean + bent) * (below[lane] - above[lane]);
        // Meador and Weaver 1980, Eq. 25 and Eq. 26.
        layer.reflectance[lane] = factor * s * sum;
        layer.transmittance[lane] = two * factor * decay / mean;
        layer.absorptance[lane] = absorptance;
        layer.up[lane] = absorptance * above[lane] + slant;
        layer.down[lane] = absorptance * below[lane] - slant;
    }
    layer
}
