//! Sunlight: the direct beam above each layer, and what the surface reflects of it.

use isobar_core::{Column, Field, FieldMut, Real};

use crate::physics::scattering::phase::{Phase, without_peak};

/// What [`crate::physics::scattering::operator::LayerOperators`] needs of the Sun.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Sunlight<'a, R> {
    /// Cosine of the Sun's zenith angle of each profile; zero or less at night.
    pub cosine: Column<'a, R>,
    /// The beam at each level: what [`Beam`] writes.
    pub beam: Field<'a, R>,
}

impl<R: Copy> Sunlight<'_, R> {
    /// No Sun.
    #[must_use]
    pub fn none() -> Self {
        Self { cosine: Column::empty(), beam: Field::empty() }
    }
}

impl<R: Real> Sunlight<'_, R> {
    /// The cosine, or any valid one at night, when the beam is zero.
    #[inline(always)]
    pub(crate) fn slant_cosine(&self, profile: usize) -> R {
        let cosine = self.cosine.at(profile);
        if cosine > R::ZERO { cosine } else { R::ONE }
    }

    #[inline(always)]
    pub(crate) fn beam(&self, layer: usize, profile: usize) -> R {
        self.beam.at(layer, profile)
    }
}

/// The direct beam of 32 neighbouring profiles: an item.
///
/// `beam = F/pi exp(-tau_above / cos(sun))`; the surface sends up `reflectivity cos(sun) beam`. Optical depths are
/// those without the forward peak. Not covered by reference data; tests `sunlight_is_conserved`,
/// `sunlight_is_reciprocal`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Beam<'a, R> {
    /// Optical depth of `(layer, profile)`.
    pub optical_depth: Field<'a, R>,
    /// Single-scattering albedo of `(layer, profile)`.
    pub albedo: Field<'a, R>,
    /// How the layers scatter, for the peak.
    pub phase: Phase<'a, R>,
    /// Cosine of the Sun's zenith angle of each profile; zero or less at night.
    pub cosine: Column<'a, R>,
    /// Irradiance of the Sun over pi, `F/pi`, of each profile.
    pub sun_over_pi: Column<'a, R>,
    /// Reflectivity of the direct beam into `(stream, profile)`.
    pub reflectivity: Field<'a, R>,
    /// The beam at `(level, profile)`.
    pub beam: FieldMut<'a, R>,
    /// What the surface sends up into `(stream, profile)`.
    pub surface_source: FieldMut<'a, R>,
}

impl<R: Real> Beam<'_, R> {
    #[inline(always)]
    pub(crate) fn profile(&self, profile: usize) {
        let cosine = self.cosine.at(profile);
        let day = cosine > R::ZERO;
        let strength = if day { self.sun_over_pi.at(profile) } else { R::ZERO };
        let layers = self.optical_depth.levels();
        let (mut depth, mut beam) = (R::ZERO, strength);
        self.beam.set(0, profile, beam);
        for layer in 0..layers {
            let (of_layer, albedo) = (self.optical_depth.at(layer, profile), self.albedo.at(layer, profile));
            depth += without_peak(of_layer, albedo, self.phase.peak(layer, profile)).0;
            beam = if day { strength * (-depth / cosine).exp() } else { R::ZERO };
            self.beam.set(layer + 1, profile, beam);
        }
        for stream in 0..self.surface_source.levels() {
            let light = if day { self.reflectivity.at(stream, profile) * cosine * beam } else { R::ZERO };
            self.surface_source.set(stream, profile, light);
        }
    }
}
