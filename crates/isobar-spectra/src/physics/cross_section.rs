//! Measured cross-sections (HITRAN's `.xsc`): equidistant wavenumbers at a pressure and temperature.

use isobar_core::{Column, FastMath, Real};

/// The cross-section \[cm^2/molecule\] at a wavenumber, linear between the points of a measurement from `first` to
/// `last` \[cm^-1\], 0 outside of it.
#[inline(always)]
#[must_use]
pub fn at<R: Real>(first_per_cm: f64, last_per_cm: f64, values: Column<'_, f64>, wavenumber_per_cm: f64) -> R {
    if wavenumber_per_cm < first_per_cm || wavenumber_per_cm > last_per_cm || values.len() < 2 {
        return R::ZERO;
    }
    let steps = values.len() - 1;
    let place = (wavenumber_per_cm - first_per_cm) / (last_per_cm - first_per_cm) * steps as f64;
    let i = place.index(0, steps as i32 - 1) as usize;
    R::from_f64(values.at(i) + (place - i as f64) * (values.at(i + 1) - values.at(i)))
}
