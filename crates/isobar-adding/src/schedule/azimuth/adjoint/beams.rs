//! The adjoint of the suns' beams, and of what fluxes have of them.

use isobar_core::{Field, FieldMut, Real};

use crate::fields::azimuth::{CotangentViews, GradientViews};
use crate::schedule::azimuth::batch::Batch;

/// Derivatives of a layer that more than one kernel adds to, of [`OF_LAYER`] rows each.
pub(crate) const SCALED_DEPTH: usize = 0;
/// By what goes on straight, `f omega tau`.
pub(crate) const STRAIGHT: usize = 1;
/// By the share of scattering that goes on straight.
pub(crate) const PEAK: usize = 2;
/// By the albedo.
pub(crate) const ALBEDO: usize = 3;
/// By the albedo without what goes on straight.
pub(crate) const SCALED_ALBEDO: usize = 4;
/// By the depth.
pub(crate) const DEPTH: usize = 5;
/// By Planck's radiance in the middle.
pub(crate) const PLANCK: usize = 6;
/// By its difference between bottom and top.
pub(crate) const MORE: usize = 7;
/// Rows of a layer.
pub(crate) const OF_LAYER: usize = 8;

/// Derivatives by the irradiances and by the depths that beams pass, of a profile: an item. It begins what others add
/// to.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct BeamsAdjoint<'a, R> {
    /// The profiles.
    pub batch: Batch<'a, R>,
    /// The beams at each level.
    pub beam: Field<'a, R>,
    /// Derivatives by fluxes.
    pub cotangents: CotangentViews<'a, R>,
    /// Derivatives by the beams from each component, as [`super::add::AddAdjoint`] leaves them.
    pub beams: Field<'a, R>,
    /// At `layer * OF_LAYER + kind`.
    pub layers: FieldMut<'a, R>,
    /// Derivatives by the irradiances; zeros by the phase functions.
    pub gradients: GradientViews<'a, R>,
}

impl<R: Real> BeamsAdjoint<'_, R> {
    #[inline(always)]
    pub(crate) fn profile(&self, profile: usize) {
        let (batch, layers) = (&self.batch, self.batch.layers());
        for row in 0..layers * OF_LAYER {
            self.layers.set(row, profile, R::ZERO);
        }
        for field in [&self.gradients.asymmetry, &self.gradients.phase_moments] {
            for row in 0..field.levels() {
                field.set(row, profile, R::ZERO);
            }
        }
        for sun in 0..batch.suns() {
            self.sun(sun, profile);
        }
        // So far each has what its lower level gives; a beam comes to the levels below through it, too.
        for layer in (1..layers).rev() {
            for kind in [SCALED_DEPTH, STRAIGHT] {
                let below = self.layers.at(layer * OF_LAYER + kind, profile);
                super::add::add(&self.layers, (layer - 1) * OF_LAYER + kind, profile, below);
            }
        }
    }

    #[inline(always)]
    fn sun(&self, sun: usize, profile: usize) {
        let (batch, layers) = (&self.batch, self.batch.layers());
        let cosine = batch.sun_cosine(sun, profile);
        let (mut depth, mut peak, mut irradiance_bar) = (R::ZERO, R::ZERO, R::ZERO);
        for level in 0..=layers {
            let row = level * batch.suns() + sun;
            let mut bar = R::ZERO;
            for m in 0..batch.components as usize {
                bar += self.beams.at(m * (layers + 1) * batch.suns() + row, profile);
            }
            if level > 0 {
                let optics = batch.optics(level - 1, profile);
                depth += optics.scaled.depth;
                peak += self.straight(optics.peak, level - 1, profile);
            }
            let at = |field: &Field<'_, R>| if field.is_empty() { R::ZERO } else { field.at(row, profile) };
            // With `F` the beam and `s` the depth of what goes on straight direct light is `mu F e^(-s/mu)`, and
            // diffuse light has the rest of `mu F`.
            let (direct, diffuse) = (at(&self.cotangents.direct_flux), at(&self.cotangents.downward_flux));
            let passed = (-(peak / cosine)).exp();
            bar += at(&self.cotangents.actinic_flux);
            bar += cosine * (direct * passed - diffuse * (-(peak / cosine)).exp_m1());
            let beam = self.beam.at(row, profile);
            irradiance_bar = (-(depth / cosine)).exp().mul_add(bar, irradiance_bar);
            if level > 0 {
                let row = (level - 1) * OF_LAYER;
                super::add::add(&self.layers, row + SCALED_DEPTH, profile, -(bar * beam / cosine));
                super::add::add(&self.layers, row + STRAIGHT, profile, -((direct - diffuse) * beam * passed));
            }
        }
        let suns = &batch.inputs.sun_cosine;
        let day = !suns.is_empty() && suns.at(sun, profile) > R::ZERO;
        self.gradients.sun_irradiance.set(sun, profile, if day { irradiance_bar } else { R::ZERO });
    }

    #[inline(always)]
    fn straight(&self, peak: R, layer: usize, profile: usize) -> R {
        let inputs = &self.batch.inputs;
        peak * inputs.single_scattering_albedo.at(layer, profile) * inputs.optical_depth.at(layer, profile)
    }
}
