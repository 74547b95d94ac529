//! What leaves the surface.

use isobar_core::Real;

/// A surface in a band.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface<R> {
    /// Planck radiance times emissivity.
    emitted: R,
    /// Its derivative by the surface's temperature.
    slope: R,
    reflected: R,
}

impl<R: Real> Surface<R> {
    /// From emissivity, Planck radiance and its derivative.
    #[inline(always)]
    pub(crate) fn new(emissivity: R, planck: R, derivative: R) -> Self {
        Self { emitted: emissivity * planck, slope: emissivity * derivative, reflected: R::ONE - emissivity }
    }

    /// Turns what arrives into what leaves, and gives its derivative.
    #[inline(always)]
    pub(crate) fn reflect(&self, emission: R, stream: &mut R) -> R {
        *stream = emission * self.emitted + self.reflected * *stream;
        emission * self.slope
    }
}
