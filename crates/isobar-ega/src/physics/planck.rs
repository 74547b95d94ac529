//! Planck's law and its inverse.

use isobar_core::Real;

use crate::constants::{RADIATION_C1, RADIATION_C2};

/// Radiance of a black body \[W/(m^2 sr cm^-1)\] at a temperature \[K\] and wavenumber \[cm^-1\], both above 0.
#[inline(always)]
#[must_use]
pub fn radiance<R: Real>(temperature_k: R, wavenumber_per_cm: R) -> R {
    R::from_f64(RADIATION_C1) * cube(wavenumber_per_cm)
        / (R::from_f64(RADIATION_C2) * wavenumber_per_cm / temperature_k).exp_m1()
}

/// Temperature of the black body \[K\] that has a radiance; 0 for none (JURASSIC: NaN).
#[inline(always)]
#[must_use]
pub fn brightness_temperature<R: Real>(radiance: R, wavenumber_per_cm: R) -> R {
    R::from_f64(RADIATION_C2) * wavenumber_per_cm
        / (R::from_f64(RADIATION_C1) * cube(wavenumber_per_cm) / radiance).ln_1p()
}

#[inline(always)]
fn cube<R: Real>(x: R) -> R {
    x * x * x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brightness_temperature_inverts_planck() {
        for nu in [100.0_f64, 792.0, 2350.0] {
            for t in [150.0, 220.0, 300.0] {
                let back = brightness_temperature(radiance(t, nu), nu);
                assert!((back - t).abs() < 1e-12 * t, "{back} for {t} K at {nu}");
            }
        }
        assert_eq!(brightness_temperature(0.0_f64, 800.0), 0.0);
    }
}
