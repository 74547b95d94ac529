//! Cross-sections and quantum yields that publications give as formulas: by wavelength \[nm\] and temperature \[K\], 0
//! outside of their range of wavelengths. Temperatures beyond theirs count as the ends. Formulas of the evaluation are
//! those of the JPL Publication 19-5 (Burkholder and others 2019).

use isobar_core::Real;

fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, coefficient| Real::mul_add(sum, x, *coefficient))
}

/// Scattering by air \[cm^2\] (Nicolet 1984, doi:10.1016/0032-0633(84)90089-8): within 0.5 % from 200 to 550 nm.
#[must_use]
pub fn scattering_of_air(wavelength_nm: f64) -> f64 {
    let micrometres = wavelength_nm / 1000.0;
    let more = if micrometres <= 0.55 { 0.389 * micrometres + 0.09426 / micrometres - 0.3228 } else { 0.04 };
    4.02e-28 / Real::powf(micrometres, 4.0 + more)
}

/// The part of ozone that leaves O(1D) (Matsumi and others 2002, doi:10.1029/2001JD000510; the evaluation's table 4-6).
#[must_use]
pub fn singlet_oxygen_of_ozone(wavelength_nm: f64, temperature_k: f64) -> f64 {
    const A: [f64; 3] = [0.8036, 8.9061, 0.1192];
    const X: [f64; 3] = [304.225, 314.957, 310.737];
    const WIDTH: [f64; 3] = [5.576, 6.601, 2.187];
    let (l, t) = (wavelength_nm, temperature_k.clamp(200.0, 320.0));
    match l {
        _ if l < 193.0 => 0.0,
        _ if l < 225.0 => (1.37e-2 * l - 2.16).min(0.9),
        _ if l < 306.0 => 0.9,
        _ if l <= 328.0 => {
            let second = Real::exp(-825.518 / (0.695 * t));
            let bell = |i: usize, power: f64| Real::exp(-Real::powf(((X[i] - l) / WIDTH[i]).abs(), power));
            let (first, second) = (1.0 / (1.0 + second), second / (1.0 + second));
            let warm = t / 300.0;
            first * A[0] * bell(0, 4.0)
                + second * A[1] * warm * warm * bell(1, 2.0)
                + A[2] * warm * Real::sqrt(warm) * bell(2, 2.0)
                + 0.0765
        }
        _ if l <= 340.0 => 0.08,
        _ => 0.0,
    }
}

/// N2O \[cm^2\] (Selwyn, Podolske and Johnston 1977, doi:10.1029/GL004i010p00427).
#[must_use]
pub fn nitrous_oxide(wavelength_nm: f64, temperature_k: f64) -> f64 {
    const A: [f64; 5] = [68.210_23, -4.071_805, 4.301_146e-2, -1.777_846e-4, 2.520_672e-7];
    const B: [f64; 4] = [123.401_4, -2.116_255, 1.111_572e-2, -1.881_058e-5];
    if !(173.0..=240.0).contains(&wavelength_nm) {
        return 0.0;
    }
    let warmer = temperature_k.clamp(194.0, 320.0) - 300.0;
    Real::exp(polynomial(&A, wavelength_nm) + warmer * Real::exp(polynomial(&B, wavelength_nm)))
}

/// H2O2 \[cm^2\] from 260 to 350 nm (Nicovich and Wine 1988, doi:10.1029/JD093iD03p02417).
#[must_use]
pub fn hydrogen_peroxide(wavelength_nm: f64, temperature_k: f64) -> f64 {
    const A: [f64; 8] = [
        6.4761e4,
        -9.217_097_2e2,
        4.535_649,
        -4.458_901_6e-3,
        -4.035_101e-5,
        1.687_820_6e-7,
        -2.652_014e-10,
        1.553_467_5e-13,
    ];
    const B: [f64; 5] = [6.8123e3, -5.1351e1, 1.1522e-1, -3.0493e-5, -1.0924e-7];
    if !(260.0..=350.0).contains(&wavelength_nm) {
        return 0.0;
    }
    let part = 1.0 / (1.0 + Real::exp(-1265.0 / temperature_k.clamp(200.0, 400.0)));
    1e-21 * (part * polynomial(&A, wavelength_nm) + (1.0 - part) * polynomial(&B, wavelength_nm))
}

/// Cl2 \[cm^2\] (Maric and others 1993, doi:10.1016/1010-6030(93)80001-2): from 250 nm on, and next to nothing below.
#[must_use]
pub fn chlorine(wavelength_nm: f64, temperature_k: f64) -> f64 {
    if !(100.0..=550.0).contains(&wavelength_nm) {
        return 0.0;
    }
    let hot = Real::tanh(402.7 / temperature_k.clamp(195.0, 300.0));
    let bell = |size: f64, width: f64, centre: f64| {
        let away = Real::ln(centre / wavelength_nm);
        size * Real::exp(-width * hot * away * away)
    };
    1e-20 * Real::sqrt(hot) * (bell(27.3, 99.0, 329.5) + bell(0.932, 91.5, 406.5))
}

/// HOBr \[cm^2\] (Ingham and others 1998, doi:10.1021/jp980272c).
#[must_use]
pub fn hypobromous_acid(wavelength_nm: f64) -> f64 {
    if !(250.0..=550.0).contains(&wavelength_nm) {
        return 0.0;
    }
    let bell = |size: f64, width: f64, centre: f64| {
        let away = Real::ln(centre / wavelength_nm);
        size * Real::exp(-width * away * away)
    };
    1e-20 * (bell(24.77, 109.8, 284.01) + bell(12.22, 93.63, 350.57) + bell(2.283, 242.4, 457.38))
}
