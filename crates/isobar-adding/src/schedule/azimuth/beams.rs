//! The suns' beams.

use isobar_core::{FieldMut, Real};

use crate::schedule::azimuth::batch::Batch;

/// The irradiance of each beam at each level, without what goes on straight, of a profile: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SunBeams<'a, R> {
    /// The profiles.
    pub batch: Batch<'a, R>,
    /// At `(level * suns + sun, profile)`.
    pub beam: FieldMut<'a, R>,
}

impl<R: Real> SunBeams<'_, R> {
    #[inline(always)]
    pub(crate) fn profile(&self, profile: usize) {
        let (suns, layers) = (self.batch.suns(), self.batch.layers());
        let mut depth = R::ZERO;
        for level in 0..=layers {
            for sun in 0..suns {
                let passed = (-depth / self.batch.sun_cosine(sun, profile)).exp();
                self.beam.set(level * suns + sun, profile, self.batch.irradiance(sun, profile) * passed);
            }
            if level < layers {
                depth += self.batch.optics(level, profile).scaled.depth;
            }
        }
    }
}
