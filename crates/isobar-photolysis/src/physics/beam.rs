//! The Sun's beam in a layer, by its optical depths along the slant paths to both boundaries.
//!
//! In a sphere the beam at the lower boundary may be the brighter one: its ray passes what lies above at another place.
//! So the layer gets as much light as the mean of its beam says, and what it does to it is that of a ray as steep as
//! the path is long, but not steeper than the layer is thick (the average-secant method; Spurr 2002, J. Quant.
//! Spectrosc. Radiat. Transfer 75, 129).

use isobar_core::{Real, per_lane};
use isobar_radiation::light::absorbed;

per_lane! {
    /// A beam in a layer.
    pub(crate) struct Beam {
        /// Photons through an area across it, as the mean over the layer.
        mean,
        /// The cosine of its zenith angle.
        cosine,
        /// The part that the layer takes from what comes in.
        extinct,
    }
}

/// Optical depths below which a layer is nothing.
const NOTHING: f64 = 1e-30;

/// The beam between boundaries with these photons and optical depths along the path, the upper one first; `depth` is
/// the layer's own.
#[inline(always)]
pub(crate) fn beam<R: Real>(photons: [R; 2], paths: [R; 2], depth: R) -> Beam<R> {
    let (least, one) = (R::from_f64(NOTHING), R::ONE);
    let difference = (paths[1] - paths[0]).abs().max(least);
    let brighter = photons[0].max(photons[1]);
    // One that does not reach the lower boundary lights a half.
    let dark = photons[1] <= R::ZERO;
    let mean = if dark { R::from_f64(0.5) * photons[0] } else { brighter * absorbed(difference) / difference };
    let slant = (paths[1] - paths[0]).max(depth).max(least);
    Beam { mean, cosine: (depth / slant).max(least).min(one), extinct: absorbed(slant) }
}
