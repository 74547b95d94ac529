//! Optical properties of a layer, and what particles add to them.

use isobar_core::{Real, per_lane};

per_lane! {
    /// Optical depths.
    pub struct Depths {
        /// Of absorption.
        absorption,
        /// Of scattering.
        scattering,
        /// Of scattering times its asymmetry.
        forward,
    }
}

impl<R: Real> Depths<R> {
    /// Particles of one kind: so much \[g/m^2\] of an extinction \[m^2/g\], with what the albedo lacks to 1 and an
    /// asymmetry.
    #[inline(always)]
    pub fn of(path: R, [extinction, co_albedo, asymmetry]: [R; 3]) -> Self {
        let depth = path * extinction;
        let absorption = depth * co_albedo;
        let scattering = depth - absorption;
        Self { absorption, scattering, forward: scattering * asymmetry }
    }

    /// With others.
    #[inline(always)]
    pub fn and(self, others: Self) -> Self {
        Self {
            absorption: self.absorption + others.absorption,
            scattering: self.scattering + others.scattering,
            forward: self.forward + others.forward,
        }
    }

    /// With so much of others.
    #[inline(always)]
    pub fn with(self, others: Self, factor: R) -> Self {
        Self {
            absorption: self.absorption + factor * others.absorption,
            scattering: self.scattering + factor * others.scattering,
            forward: self.forward + factor * others.forward,
        }
    }

    /// Without the forward peak (Joseph et al. 1976).
    #[inline(always)]
    pub fn delta_scaled(self) -> Self {
        let asymmetry = self.forward / self.scattering.at_least(R::MIN_POSITIVE);
        let peak = asymmetry * asymmetry;
        let (scattering, forward) = (self.scattering * (R::ONE - peak), self.scattering * (asymmetry - peak));
        Self { scattering, forward, ..self }
    }
}
