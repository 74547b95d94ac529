//! Depth, albedo and absorption of layers, without the forward peak.

use isobar_core::Real;

/// What happens to light along an optical path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Optics<R> {
    /// Optical depth.
    pub depth: R,
    /// The share of it that scatters: the single-scattering albedo.
    pub albedo: R,
    /// The share that absorbs, `1 - albedo`, which would lose its digits as that difference where it is small.
    pub absorption: R,
}

impl<R: Real> Optics<R> {
    /// Those of an optical depth and single-scattering albedo without the share `peak` of what is scattered, which goes
    /// on straight (Wiscombe 1977, doi:10.1175/1520-0469(1977)034<1408:TDMRYA>2.0.CO;2, Eq. 20).
    ///
    /// ```text
    /// tau' = (1 - f omega) tau    omega' = (1 - f) omega / (1 - f omega)    1 - omega' = (1 - omega) / (1 - f omega)
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn without_peak(optical_depth: R, albedo: R, peak: R) -> Self {
        let rest = R::ONE - peak * albedo;
        let (scattered, absorbed) = ((R::ONE - peak) * albedo, R::ONE - albedo);
        let share = |part: R| if rest > R::ZERO { part / rest } else { R::ZERO };
        Self { depth: rest * optical_depth, albedo: share(scattered), absorption: share(absorbed) }
    }
}
