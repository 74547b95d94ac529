//! The adjoint of delta-M scaling.

use isobar_core::Real;

/// A layer as it is given, and derivatives by what follows from it.
#[derive(Clone, Copy, Debug)]
pub struct OpticsBar<R> {
    /// By the optical depth.
    pub depth: R,
    /// By the single-scattering albedo.
    pub albedo: R,
    /// By the share of scattering that goes on straight.
    pub peak: R,
}

/// Derivatives by the scaled depth, albedo and absorption of [`crate::azimuth::optics::Optics`], and by `f omega
/// tau`, what goes on straight.
#[derive(Clone, Copy, Debug)]
pub struct ScaledBar<R> {
    /// By `tau' = (1 - f omega) tau`.
    pub depth: R,
    /// By `omega' = (1 - f) omega / (1 - f omega)`.
    pub albedo: R,
    /// By `1 - omega' = (1 - omega) / (1 - f omega)`.
    pub absorption: R,
    /// By `f omega tau`.
    pub straight: R,
}

impl<R: Real> ScaledBar<R> {
    /// The adjoint of [`crate::azimuth::optics::Optics::without_peak`].
    #[inline(always)]
    #[must_use]
    pub fn adjoint(&self, depth: R, albedo: R, peak: R) -> OpticsBar<R> {
        let rest = R::ONE - peak * albedo;
        let share = if rest > R::ZERO { R::ONE / rest } else { R::ZERO };
        let (scaled, absorbed) = ((R::ONE - peak) * albedo * share, (R::ONE - albedo) * share);
        let rest_bar = self.depth * depth - (self.albedo * scaled + self.absorption * absorbed) * share;
        OpticsBar {
            depth: self.depth * rest + self.straight * (peak * albedo),
            albedo: (self.albedo * (R::ONE - peak) - self.absorption) * share - rest_bar * peak
                + self.straight * (peak * depth),
            peak: -(self.albedo * albedo * share + rest_bar * albedo) + self.straight * (albedo * depth),
        }
    }
}
