//! What leaves the surface besides its own emission and the reflection of each angle into itself: a kernel that goes
//! before.

use core::f64::consts::PI;

use isobar_core::{Column, FieldMut, Real};

use crate::fields::clear_sky::{ProfileViews, RadianceViews};

/// The sunlight and the diffuse light that the surface sends upward, for 32 neighbouring profiles: an item.
///
/// Sunlight: `reflectivity cos(sun) F / pi exp(-tau / cos(sun))`. Lambertian:
/// `sum_j (1 - emissivity_j) mu_j w_j D_j / sum_j mu_j w_j` of the downward radiances `D_j`, the same at every angle.
/// Quadrature sums go through the angles in their order.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SurfaceSource<'a, R> {
    /// The profiles.
    pub inputs: ProfileViews<'a, R>,
    /// Their radiances: that downward at the surface is known, for a Lambertian one.
    pub outputs: RadianceViews<'a, R>,
    /// `mu_j w_j / sum mu w` of each angle for a Lambertian surface; without items for another.
    pub weight: Column<'a, R>,
    /// The result, for `(angle, profile)`.
    pub source: FieldMut<'a, R>,
}

impl<R: Real> SurfaceSource<'_, R> {
    #[inline(always)]
    pub(crate) fn profile(&self, profile: usize) {
        let mut diffuse = R::ZERO;
        for angle in 0..self.weight.len() {
            let reflectivity = R::ONE - self.inputs.emissivity.at(angle, profile);
            diffuse += reflectivity * self.weight.at(angle) * self.outputs.surface_downward_radiance.at(angle, profile);
        }
        let beam = self.beam(profile);
        for angle in 0..self.source.levels() {
            let direct = if self.inputs.sun_cosine.is_empty() {
                R::ZERO
            } else {
                self.inputs.sun_reflectivity.at(angle, profile) * beam
            };
            self.source.set(angle, profile, diffuse + direct);
        }
    }

    /// The Sun's irradiance of the ground, over pi.
    #[inline(always)]
    fn beam(&self, profile: usize) -> R {
        if self.inputs.sun_cosine.is_empty() || self.inputs.sun_cosine.at(profile) <= R::ZERO {
            return R::ZERO;
        }
        let mut depth = R::ZERO;
        for layer in 0..self.inputs.optical_depth.levels() {
            depth += self.inputs.optical_depth.at(layer, profile);
        }
        let cosine = self.inputs.sun_cosine.at(profile);
        cosine * (self.inputs.sun_irradiance.at(profile) / R::from_f64(PI)) * (-depth / cosine).exp()
    }
}
