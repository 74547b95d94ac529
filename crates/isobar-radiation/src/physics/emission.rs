//! A layer that absorbs and emits along a slant path, with a source linear in optical depth (Clough et al. 1992,
//! doi:10.1029/92JD01419, Eq. 13).

use isobar_core::{Real, per_lane};

use crate::constants::roots_of_epsilon;

per_lane! {
    /// What a layer does to radiation along a path.
    pub(crate) struct Layer {
        /// The part that is absorbed.
        absorptance,
        /// What leaves through the lower boundary.
        down,
        /// What leaves through the upper boundary.
        up,
    }
}

per_lane! {
    /// Emission of black bodies of the layer's temperatures.
    pub(crate) struct Source { middle, below, above }
}

/// A layer of this optical depth along the path, which absorbs this part.
#[inline(always)]
pub(crate) fn layer<R: Real>(depth: R, absorptance: R, source: Source<R>) -> Layer<R> {
    // Where the series is as exact as the quotient: the fourth root of the distance of two numbers.
    let [_, thin] = roots_of_epsilon::<R>();
    let Source { middle, below, above } = source;
    // Twice this is the weight of the middle against the boundary: 1/x - 1/(exp(x) - 1), times the absorptance.
    // Where it counts, the divisor is the optical depth, or nothing is left.
    let divisor = depth.at_least(thin).at_most(R::from_f64(1e18));
    let quotient = absorptance.plain_quotient(divisor) - (R::ONE - absorptance);
    let series = depth * (R::from_f64(0.5) + depth * (R::from_f64(-1.0 / 3.0) + depth * R::from_f64(0.125)));
    let shape = R::from_f64(2.0) * if depth > thin { quotient } else { series };
    Layer {
        absorptance,
        down: absorptance * below + shape * (middle - below),
        up: absorptance * above + shape * (middle - above),
    }
}

per_lane! {
    /// A layer that sends some of what comes into it back, as the absorption approximation has it after scaling (Tang
    /// et al. 2018, doi:10.1175/JAS-D-18-0014.1, Eq. 14).
    pub(crate) struct Rescaled {
        /// What leaves through the upper boundary, with what is sent back of the radiation that comes down into it.
        up,
        /// What leaves through the lower boundary, without what is sent back of the radiation that leaves upward.
        down,
        /// The part of the latter that is.
        back,
    }
}

impl<R: Real> Layer<R> {
    /// With optical depths of absorption and of what is scattered times 1 less its asymmetry, half of which the layer's
    /// own depth has, under downward radiation.
    #[inline(always)]
    pub(crate) fn rescaled(self, absorption: R, back: R, into: R) -> Rescaled<R> {
        let half = R::from_f64(0.5) * back;
        // The coefficient of their Eq. 21, with 0.4 for 0.5 as they advise (page 2222).
        let part = R::from_f64(0.4) * half / (absorption + half).at_least(R::MIN_POSITIVE);
        let through = R::ONE - self.absorptance;
        // 1 less the square of what gets through.
        let lost = self.absorptance * (R::ONE + through);
        // Their Eq. 20 and Eq. 21, for a source that is linear in optical depth.
        Rescaled {
            up: self.up + part * (lost * into - through * self.down - self.up),
            down: self.down - part * (through * self.up + self.down),
            back: part * lost,
        }
    }
}
