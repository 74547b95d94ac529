//! Random sub-columns: which g-points see the cloud of a layer (McICA; Pincus et al. 2003, doi:10.1029/2002JD003322).
//!
//! Each g-point has a rank, a number between 0 and 1 that says in which layers it is cloudy: where it is above the
//! clear part. How ranks of neighbouring layers are alike is the overlap (Räisänen et al. 2004, doi:10.1256/qj.03.99).

use isobar_core::Real;
use isobar_optics::overlap;

use super::random::{philox, unit};

/// The ranks of lanes, on their way down through a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranks<const W: usize> {
    key: u32,
    overlap: u32,
    /// The first lane's g-point.
    point: u32,
    ranks: [f32; W],
    /// The cloudy part of the layer above.
    above: f32,
    first: bool,
}

impl<const W: usize> Ranks<W> {
    /// At the top of a column with this key.
    #[inline(always)]
    pub(crate) fn new(key: u32, overlap: u32, point: usize) -> Self {
        Self { key, overlap, point: point as u32, ranks: [0.5; W], above: 0.0, first: true }
    }

    /// Goes down to a layer with this cloudy part; `alike` is the part of g-points that keep their rank with
    /// exponential overlap. Which lanes see the cloud?
    #[inline(always)]
    pub(crate) fn enter(&mut self, layer: usize, fraction: f32, alike: f32) -> [bool; W] {
        let mut cloudy = [false; W];
        for lane in 0..W {
            let [keep, new] = philox([layer as u32, self.point + lane as u32], self.key);
            let (keep, new) = (unit(keep), unit(new));
            let old = self.ranks[lane];
            let rank = match self.overlap {
                _ if self.first => new,
                // Within the clear part of the layer above where that was clear.
                overlap::MAXIMUM_RANDOM => {
                    if old > 1.0 - self.above {
                        old
                    } else {
                        new * (1.0 - self.above)
                    }
                }
                overlap::MAXIMUM => old,
                overlap::EXPONENTIAL => {
                    if keep < alike {
                        old
                    } else {
                        new
                    }
                }
                overlap::EXPONENTIAL_RANDOM => {
                    if keep < alike && self.above > 0.0 && fraction > 0.0 {
                        old
                    } else {
                        new
                    }
                }
                // At random.
                _ => new,
            };
            self.ranks[lane] = rank;
            cloudy[lane] = rank > 1.0 - fraction;
        }
        self.above = fraction;
        self.first = false;
        cloudy
    }
}

/// What the random numbers of a column begin with: its lowest pressure and temperature, and a seed.
#[inline(always)]
pub(crate) fn key<R: Real>(pressure_pa: R, temperature_k: R, seed: u32) -> u32 {
    let [low, high] = philox([pressure_pa.to_f32().to_bits(), temperature_k.to_f32().to_bits()], seed);
    low ^ high
}
