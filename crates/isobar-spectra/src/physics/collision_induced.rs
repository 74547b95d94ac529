//! Absorption by pairs of molecules that collide (CIA): `alpha = k(nu, T) n1 n2` with the number densities of both, `k`
//! from HITRAN's files \[cm^5/molecule^2\].

use isobar_core::{Column, Real, bracket};

/// The coefficient \[cm^5/molecule^2\] at a wavenumber, linear between the nodes of a block of a file, 0 outside of it.
///
/// `wavenumbers_per_cm` ascends and has two nodes or more.
#[inline(always)]
#[must_use]
pub fn coefficient<R: Real>(
    wavenumbers_per_cm: Column<'_, f64>,
    coefficients: Column<'_, f64>,
    wavenumber_per_cm: f64,
) -> R {
    let last = wavenumbers_per_cm.len() - 1;
    if wavenumber_per_cm < wavenumbers_per_cm.at(0) || wavenumber_per_cm > wavenumbers_per_cm.at(last) {
        return R::ZERO;
    }
    let i = bracket::ascending(wavenumbers_per_cm, wavenumber_per_cm);
    let (x0, x1) = (wavenumbers_per_cm.at(i), wavenumbers_per_cm.at(i + 1));
    let share = (wavenumber_per_cm - x0) / (x1 - x0);
    R::from_f64(coefficients.at(i) + share * (coefficients.at(i + 1) - coefficients.at(i)))
}

/// Between the coefficients of two temperatures \[K\], linear; beyond them the nearer one.
#[inline(always)]
#[must_use]
pub fn between<R: Real>(lower: (f64, R), upper: (f64, R), temperature_k: R) -> R {
    if upper.0 <= lower.0 {
        return lower.1;
    }
    let share = (temperature_k - R::from_f64(lower.0)) / R::from_f64(upper.0 - lower.0);
    lower.1 + share.clamp(R::ZERO, R::ONE) * (upper.1 - lower.1)
}

/// The absorption coefficient \[cm^-1\] of a pair with number densities \[molecules/cm^3\].
#[inline(always)]
#[must_use]
pub fn absorption_per_cm<R: Real>(coefficient: R, first_per_cm3: R, second_per_cm3: R) -> R {
    // One density at a time: 1e-45 cm^5 is beyond f32, and with a density of 1e19 it is not.
    (coefficient * first_per_cm3) * second_per_cm3
}
