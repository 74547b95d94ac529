//! Random sub-columns: which g-points see the cloud of a layer (McICA; Pincus et al. 2003, doi:10.1029/2002JD003322).
//!
//! Each g-point has a rank, a number between 0 and 1 that says in which layers it is cloudy: where it is above the
//! clear part. How ranks of neighbouring layers are alike is the overlap (Räisänen et al. 2004, doi:10.1256/qj.03.99).

use isobar_core::Real;
use isobar_optics::overlap;

use super::random::{philox, unit};

/// The clouds of a layer and of that above it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clouds {
    /// How they overlap.
    pub(crate) overlap: u32,
    /// The cloudy part of the layer above, of the layer.
    pub(crate) above: f32,
    pub(crate) here: f32,
    /// The part of g-points that keep their rank with exponential overlap.
    pub(crate) alike: f32,
    /// Is the layer the uppermost?
    pub(crate) first: bool,
}

/// The rank of a g-point in a layer of a column with this key, from that in the layer above.
#[inline(always)]
pub(crate) fn rank(key: u32, layer: usize, point: u32, old: f32, clouds: &Clouds) -> f32 {
    let [keep, new] = philox([layer as u32, point], key);
    let (keep, new) = (unit(keep), unit(new));
    let alike = keep < clouds.alike;
    match clouds.overlap {
        _ if clouds.first => new,
        overlap::MAXIMUM_RANDOM if old > 1.0 - clouds.above => old,
        // Within the clear part of the layer above, which was clear there.
        overlap::MAXIMUM_RANDOM => new * (1.0 - clouds.above),
        overlap::MAXIMUM => old,
        overlap::EXPONENTIAL if alike => old,
        overlap::EXPONENTIAL_RANDOM if alike && clouds.above > 0.0 && clouds.here > 0.0 => old,
        // At random.
        _ => new,
    }
}

/// What the random numbers of a column begin with: its lowest pressure and temperature, and a seed.
#[inline(always)]
pub(crate) fn key<R: Real>(pressure_pa: R, temperature_k: R, seed: u32) -> u32 {
    let [low, high] = philox([pressure_pa.to_f32().to_bits(), temperature_k.to_f32().to_bits()], seed);
    low ^ high
}
