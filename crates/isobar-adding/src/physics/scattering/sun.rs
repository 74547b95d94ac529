//! Sunlight: the direct beam above each layer, and what the surface reflects of it.

use core::f64::consts::PI;

use isobar_core::{FieldMut, Real};

use crate::fields::scattering::ProfileViews;
use crate::physics::scattering::phase::{Optics, Phase};

/// The cosine of the Sun's zenith angle, or any valid one at night, when the beam is zero.
#[inline(always)]
pub(crate) fn slant_cosine<R: Real>(cosine: R) -> R {
    if cosine > R::ZERO { cosine } else { R::ONE }
}

/// The direct beam of 32 neighbouring profiles: an item.
///
/// `beam = F/pi exp(-tau_above / cos(sun))`; the surface sends up `reflectivity cos(sun) beam`. Optical depths are
/// those without the forward peak. Tests `azimuthal_means_of_the_reference`, `h_functions_of_chandrasekhar`,
/// `sunlight_is_conserved`, `sunlight_is_reciprocal`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Beam<'a, R> {
    /// The profiles.
    pub inputs: ProfileViews<'a, R>,
    /// How the layers scatter, for the peak.
    pub phase: Phase<'a, R>,
    /// The beam at `(level, profile)`.
    pub beam: FieldMut<'a, R>,
    /// What the surface sends up into `(stream, profile)`.
    pub surface_source: FieldMut<'a, R>,
}

impl<R: Real> Beam<'_, R> {
    #[inline(always)]
    pub(crate) fn profile(&self, profile: usize) {
        let cosine = self.inputs.sun_cosine.at(profile);
        let day = cosine > R::ZERO;
        let strength = if day { self.inputs.sun_irradiance.at(profile) / R::from_f64(PI) } else { R::ZERO };
        let layers = self.inputs.optical_depth.levels();
        let (mut depth, mut beam) = (R::ZERO, strength);
        self.beam.set(0, profile, beam);
        for layer in 0..layers {
            let (of_layer, albedo) =
                (self.inputs.optical_depth.at(layer, profile), self.inputs.single_scattering_albedo.at(layer, profile));
            depth += Optics::without_peak(of_layer, albedo, self.phase.peak(layer, profile)).depth;
            beam = if day { strength * (-depth / cosine).exp() } else { R::ZERO };
            self.beam.set(layer + 1, profile, beam);
        }
        for stream in 0..self.surface_source.levels() {
            let light = if day { self.inputs.sun_reflectivity.at(stream, profile) * cosine * beam } else { R::ZERO };
            self.surface_source.set(stream, profile, light);
        }
    }
}
