//! Random sub-columns: does a g-point see the cloud of a layer?

use isobar_core::Real;
use isobar_optics::overlap::{EXPONENTIAL, EXPONENTIAL_RANDOM, MAXIMUM, MAXIMUM_RANDOM};

/// Less cloud than this is none.
const NOTHING: f64 = 1e-20;

/// A cloud fraction, or none.
#[inline(always)]
pub(crate) fn significant(fraction: f64) -> f64 {
    if fraction < NOTHING { 0.0 } else { fraction }
}

/// How much a layer's cloud follows that below at a distance, for a decorrelation length, both in metres.
#[inline(always)]
pub(crate) fn overlap_parameter(overlap: u32, below: f64, this: f64, distance_m: f64, length_m: f64) -> f64 {
    let broken = overlap == EXPONENTIAL_RANDOM && this == 0.0 && below > 0.0;
    if broken { 0.0 } else { Real::exp(-distance_m / length_m) }
}

/// The decorrelation length \[m\] at a latitude, by how far it is from a centre that moves with the seasons (Oreopoulos
/// et al. 2012, doi:10.5194/acp-12-9097-2012).
#[inline(always)]
pub(crate) fn decorrelation_length_m(latitude_deg: f64, centre_deg: f64) -> f64 {
    let away = latitude_deg - centre_deg;
    1000.0 * (1.4315 + 2.1219 * Real::exp(-(away * away) / (25.584 * 25.584)))
}

/// The layers of a column from the surface up, as all its g-points see them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sampler {
    overlap: u32,
    lowest: bool,
    clear_below: f64,
}

impl Sampler {
    #[inline(always)]
    pub(crate) fn new(overlap: u32) -> Self {
        Self { overlap, lowest: true, clear_below: 1.0 }
    }

    /// Does a g-point take a random number in the next layer, and a second one?
    #[inline(always)]
    pub(crate) fn takes(&self) -> [bool; 2] {
        [self.overlap != MAXIMUM || self.lowest, self.overlap >= EXPONENTIAL]
    }

    /// A g-point's rank in the next layer, from that in the layer below and the numbers that it takes: it sees the
    /// cloud where it is at least the clear part.
    #[inline(always)]
    pub(crate) fn rank(&self, [random, other]: [f64; 2], below: f64, follows: f64) -> f64 {
        let above = !self.lowest;
        let rank = if self.overlap == MAXIMUM && above { below } else { random };
        let rank = if self.overlap >= EXPONENTIAL && above && other < follows { below } else { rank };
        if self.overlap == MAXIMUM_RANDOM && above {
            let free = rank * self.clear_below;
            return if below > self.clear_below { below } else { free };
        }
        rank
    }

    /// Goes on above a layer with this clear part.
    #[inline(always)]
    pub(crate) fn above(self, clear: f64) -> Self {
        Self { lowest: false, clear_below: clear, ..self }
    }
}
