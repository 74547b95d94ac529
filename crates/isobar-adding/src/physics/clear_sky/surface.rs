//! What leaves the surface besides its own emission and the reflection of each angle into itself: a kernel that goes
//! before.

use isobar_core::{Column, Field, FieldMut, Real};

/// The sunlight and the diffuse light that the surface sends upward, for 32 neighbouring profiles: an item.
///
/// Sunlight: `reflectivity cos(sun) F / pi exp(-tau / cos(sun))`. Lambertian:
/// `sum_j (1 - emissivity_j) mu_j w_j D_j / sum_j mu_j w_j` of the downward radiances `D_j`, the same at every angle.
/// Quadrature sums go through the angles in their order.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SurfaceSource<'a, R> {
    /// Vertical optical depth of `(layer, profile)`.
    pub optical_depth: Field<'a, R>,
    /// Cosine of the Sun's zenith angle of each profile; zero or less at night. Without items where there is no Sun.
    pub sun_cosine: Column<'a, R>,
    /// Radiance-like irradiance of the Sun, `F / pi`, of each profile.
    pub sun_over_pi: Column<'a, R>,
    /// Reflectivity of the direct beam into `(angle, profile)`.
    pub sun_reflectivity: Field<'a, R>,
    /// Emissivity of the surface for `(angle, profile)`.
    pub emissivity: Field<'a, R>,
    /// `mu_j w_j / sum mu w` of each angle for a Lambertian surface; without items for another.
    pub weight: Column<'a, R>,
    /// Downward radiance at the surface of `(angle, profile)`, for a Lambertian surface.
    pub surface_down: Field<'a, R>,
    /// The result, for `(angle, profile)`.
    pub source: FieldMut<'a, R>,
}

impl<R: Real> SurfaceSource<'_, R> {
    #[inline(always)]
    pub(crate) fn profile(&self, profile: usize) {
        let mut diffuse = R::ZERO;
        for angle in 0..self.weight.len() {
            let reflectivity = R::ONE - self.emissivity.at(angle, profile);
            diffuse += reflectivity * self.weight.at(angle) * self.surface_down.at(angle, profile);
        }
        let beam = self.beam(profile);
        for angle in 0..self.source.levels() {
            let direct =
                if self.sun_cosine.is_empty() { R::ZERO } else { self.sun_reflectivity.at(angle, profile) * beam };
            self.source.set(angle, profile, diffuse + direct);
        }
    }

    /// The Sun's irradiance of the ground, over pi.
    #[inline(always)]
    fn beam(&self, profile: usize) -> R {
        if self.sun_cosine.is_empty() || self.sun_cosine.at(profile) <= R::ZERO {
            return R::ZERO;
        }
        let mut depth = R::ZERO;
        for layer in 0..self.optical_depth.levels() {
            depth += self.optical_depth.at(layer, profile);
        }
        let cosine = self.sun_cosine.at(profile);
        cosine * self.sun_over_pi.at(profile) * (-depth / cosine).exp()
    }
}
