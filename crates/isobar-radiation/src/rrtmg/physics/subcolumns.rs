//! Random sub-columns: does a g-point see the cloud of a layer?

use isobar_core::Real;
use isobar_optics::overlap::{EXPONENTIAL, EXPONENTIAL_RANDOM, MAXIMUM, MAXIMUM_RANDOM};

use crate::rrtmg::physics::random::Uniform;

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

/// Which layers' clouds some g-points see, from the surface up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sampler<const W: usize> {
    overlap: u32,
    lowest: bool,
    below: [f64; W],
    clear_below: f64,
}

impl<const W: usize> Sampler<W> {
    #[inline(always)]
    pub(crate) fn new(overlap: u32) -> Self {
        Self { overlap, lowest: true, below: [0.0; W], clear_below: 1.0 }
    }

    /// Does each g-point see the cloud of the next layer? 1 or 0.
    #[inline(always)]
    pub(crate) fn next(&mut self, random: &mut impl Uniform<W>, fraction: f64, follows: f64) -> [u32; W] {
        let mut this = if self.overlap == MAXIMUM && !self.lowest { self.below } else { random.next() };
        if self.overlap >= EXPONENTIAL {
            let other = random.next();
            for lane in 0..W {
                this[lane] = if !self.lowest && other[lane] < follows { self.below[lane] } else { this[lane] };
            }
        }
        if self.overlap == MAXIMUM_RANDOM && !self.lowest {
            for lane in 0..W {
                let free = this[lane] * self.clear_below;
                this[lane] = if self.below[lane] > self.clear_below { self.below[lane] } else { free };
            }
        }
        let clear = 1.0 - fraction;
        let mut cloudy = [0; W];
        for lane in 0..W {
            cloudy[lane] = u32::from(this[lane] >= clear);
        }
        (self.lowest, self.below, self.clear_below) = (false, this, clear);
        cloudy
    }
}
