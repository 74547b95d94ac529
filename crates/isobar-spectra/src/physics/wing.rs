//! Where a line ends.
//!
//! A line at `nu0` (not shifted) counts at the points `nu0 - cut < nu <= nu0 + cut`, with its whole value up to the
//! cut, or less its Lorentz value at the cut (the pedestal), which the water continuum MT_CKD has in it (Mlawer et al.,
//! 2012):
//!
//! ```text
//! pedestal = S gamma_L / (pi (gamma_L^2 + cut^2))
//! ```

use isobar_core::Real;

/// A line's Lorentz value \[cm^2/molecule\] at a distance \[cm^-1\] from its centre (Rothman et al. 1998, Eq. A14 times
/// the intensity).
#[inline(always)]
#[must_use]
pub fn pedestal<R: Real>(intensity: R, lorentz_width_per_cm: R, cut_per_cm: R) -> R {
    let below = lorentz_width_per_cm * lorentz_width_per_cm + cut_per_cm * cut_per_cm;
    intensity * lorentz_width_per_cm / (R::from_f64(core::f64::consts::PI) * below)
}

/// Does a line at `line_per_cm` count at `wavenumber_per_cm`?
#[inline(always)]
#[must_use]
pub fn reaches(line_per_cm: f64, wavenumber_per_cm: f64, cut_per_cm: f64) -> bool {
    line_per_cm - cut_per_cm < wavenumber_per_cm && wavenumber_per_cm <= line_per_cm + cut_per_cm
}
