//! What several layers or directions have a share in.

use isobar_core::{Field, Real, Status};

use crate::fields::azimuth::GradientViews;
use crate::physics::azimuth::surface::PARAMETERS;
use crate::schedule::azimuth::adjoint::beams::{MORE, OF_LAYER, PLANCK};
use crate::schedule::azimuth::batch::Batch;

/// Derivatives by Planck's radiances and the surface's parameters, and the status of a profile: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Gather<'a, R> {
    /// The profiles.
    pub batch: Batch<'a, R>,
    /// As [`super::layers::LayersAdjoint`] leaves them.
    pub layers: Field<'a, R>,
    /// As [`super::surface::SurfaceAdjoint`] leaves them; none of a Lambertian surface.
    pub parameters: Field<'a, R>,
    /// The results.
    pub gradients: GradientViews<'a, R>,
}

impl<R: Real> Gather<'_, R> {
    #[inline(always)]
    pub(crate) fn profile(&self, profile: usize) -> Status {
        let (layers, gradients) = (self.batch.layers(), &self.gradients);
        let at = |layer: usize, kind: usize| self.layers.at(layer * OF_LAYER + kind, profile);
        for layer in 0..gradients.planck_radiance.levels() {
            gradients.planck_radiance.set(layer, profile, at(layer, PLANCK));
        }
        // The mean of both levels, and their difference.
        let half = R::from_f64(0.5);
        for level in 0..gradients.planck_radiance_level.levels() {
            let mut sum = R::ZERO;
            if level > 0 {
                sum += half.mul_add(at(level - 1, PLANCK), at(level - 1, MORE));
            }
            if level < layers {
                sum += half.mul_add(at(level, PLANCK), -at(level, MORE));
            }
            gradients.planck_radiance_level.set(level, profile, sum);
        }
        if self.parameters.items() != 0 {
            for parameter in 0..gradients.surface_parameters.levels() {
                let mut sum = R::ZERO;
                for direction in 0..self.batch.n() + self.batch.views as usize {
                    sum += self.parameters.at(direction * PARAMETERS + parameter, profile);
                }
                gradients.surface_parameters.set(parameter, profile, sum);
            }
        }
        let status = if self.finite(profile) { Status::OK } else { Status::NOT_FINITE };
        gradients.status.set(0, profile, status.0);
        status
    }

    #[inline(always)]
    fn finite(&self, profile: usize) -> bool {
        let of = &self.gradients;
        let mut finite = true;
        for field in [
            &of.optical_depth,
            &of.single_scattering_albedo,
            &of.asymmetry,
            &of.phase_moments,
            &of.planck_radiance,
            &of.planck_radiance_level,
            &of.surface_planck_radiance,
            &of.surface_parameters,
            &of.cosmic_background,
            &of.sun_irradiance,
        ] {
            for row in 0..field.levels() {
                finite &= field.at(row, profile).is_finite();
            }
        }
        finite
    }
}
