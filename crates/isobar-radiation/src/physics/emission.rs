//! A layer that absorbs and emits along a slant path, with a source linear in optical depth (Clough et al. 1992,
//! doi:10.1029/92JD01419, Eq. 13).

use isobar_core::Real;

use super::absorbed::absorbed;
use crate::constants::roots_of_epsilon;

/// What a layer does to radiation along a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer<R, const W: usize> {
    /// The part that is absorbed.
    pub(crate) absorptance: [R; W],
    /// What leaves through the lower boundary.
    pub(crate) down: [R; W],
    /// What leaves through the upper boundary.
    pub(crate) up: [R; W],
}

/// Emission of black bodies of the layer's temperatures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<R, const W: usize> {
    pub(crate) middle: [R; W],
    pub(crate) below: [R; W],
    pub(crate) above: [R; W],
}

/// A layer of these optical depths along the path.
#[inline(always)]
pub(crate) fn layer<R: Real, const W: usize>(depth: &[R; W], source: &Source<R, W>) -> Layer<R, W> {
    let mut layer = Layer { absorptance: [R::ZERO; W], down: [R::ZERO; W], up: [R::ZERO; W] };
    // Where the series is as exact as the quotient: the fourth root of the distance of two numbers.
    let [_, thin] = roots_of_epsilon::<R>();
    let absorbed = absorbed(depth);
    for lane in 0..W {
        let (x, absorptance) = (depth[lane], absorbed[lane]);
        // Twice this is the weight of the middle against the boundary: 1/x - 1/(exp(x) - 1), times the absorptance.
        // Where it counts, the divisor is the optical depth, or nothing is left.
        let divisor = x.at_least(thin).at_most(R::from_f64(1e18));
        let quotient = absorptance.plain_quotient(divisor) - (R::ONE - absorptance);
        let series = x * (R::from_f64(0.5) + x * (R::from_f64(-1.0 / 3.0) + x * R::from_f64(0.125)));
        let shape = if x > thin { quotient } else { series };
        let (shape, middle) = (R::from_f64(2.0) * shape, source.middle[lane]);
        let (below, above) = (source.below[lane], source.above[lane]);
        layer.absorptance[lane] = absorptance;
        layer.down[lane] = absorptance * below + shape * (middle - below);
        layer.up[lane] = absorptance * above + shape * (middle - above);
    }
    layer
}

/// A layer that sends some of what comes into it back, as the absorption approximation has it after scaling (Tang et
/// al. 2018, doi:10.1175/JAS-D-18-0014.1, Eq. 14).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rescaled<R, const W: usize> {
    /// What leaves through the upper boundary, with what is sent back of the radiation that comes down into it.
    pub(crate) up: [R; W],
    /// What leaves through the lower boundary, without what is sent back of the radiation that leaves upward.
    pub(crate) down: [R; W],
    /// The part of the latter that is.
    pub(crate) back: [R; W],
}

impl<R: Real, const W: usize> Layer<R, W> {
    /// With optical depths of absorption and of what is scattered times 1 less its asymmetry, half of which the layer's
    /// own depth has, under downward radiation.
    #[inline(always)]
    pub(crate) fn rescaled(&self, absorption: &[R; W], back: &[R; W], into: &[R; W]) -> Rescaled<R, W> {
        let mut rescaled = Rescaled { up: self.up, down: self.down, back: *back };
        for lane in 0..W {
            let half = R::from_f64(0.5) * back[lane];
            // The coefficient of their Eq. 21, with 0.4 for 0.5 as they advise (page 2222).
            let part = R::from_f64(0.4) * half / (absorption[lane] + half).at_least(R::MIN_POSITIVE);
            let (absorptance, up, down) = (self.absorptance[lane], self.up[lane], self.down[lane]);
            let through = R::ONE - absorptance;
            // 1 less the square of what gets through.
            let lost = absorptance * (R::ONE + through);
            // Their Eq. 20 and Eq. 21, for a source that is linear in optical depth.
            rescaled.up[lane] += part * (lost * into[lane] - through * down - up);
            rescaled.down[lane] -= part * (through * up + down);
            rescaled.back[lane] = part * lost;
        }
        rescaled
    }
}
