//! The US Standard Atmosphere 1976 up to 86 km (NOAA, NASA and USAF 1976, NOAA-S/T 76-1562): temperature is linear in
//! geopotential height, piece by piece (table 4), and pressure hydrostatic (equations 33a and 33b).

use isobar_core::Real;

/// Geopotential heights at which pieces begin \[m\], with temperature \[K\] and its gradient \[K/m\].
const PIECES: [(f64, f64, f64); 7] = [
    (0.0, 288.15, -6.5e-3),
    (11_000.0, 216.65, 0.0),
    (20_000.0, 216.65, 1e-3),
    (32_000.0, 228.65, 2.8e-3),
    (47_000.0, 270.65, 0.0),
    (51_000.0, 270.65, -2.8e-3),
    (71_000.0, 214.65, -2e-3),
];
/// Pressure at the surface \[Pa\].
const SURFACE_PRESSURE: f64 = 101_325.0;
/// `g0 M0 / R*` \[K/m\].
const GRADIENT: f64 = 9.806_65 * 28.9644e-3 / 8.314_32;
/// The Earth's effective radius \[m\].
const RADIUS: f64 = 6_356_766.0;
/// The greatest height \[m\].
pub const TOP_M: f64 = 86_000.0;

/// Temperature \[K\] and pressure \[Pa\] at a geometric height from 0 to [`TOP_M`] \[m\]; beyond, the lowest and the
/// uppermost piece go on.
#[must_use]
pub fn state<R: Real>(height: R) -> (R, R) {
    let radius = R::from_f64(RADIUS);
    let geopotential = radius * height / (radius + height);
    let mut pressure = R::from_f64(SURFACE_PRESSURE);
    let mut temperature = R::from_f64(PIECES[0].1);
    for (i, &(bottom, base, gradient)) in PIECES.iter().enumerate() {
        let top = if i + 1 < PIECES.len() { R::from_f64(PIECES[i + 1].0) } else { R::INFINITY };
        let thickness = geopotential.min(top) - R::from_f64(bottom);
        if i > 0 && thickness <= R::ZERO {
            break;
        }
        let base = R::from_f64(base);
        temperature = base + R::from_f64(gradient) * thickness;
        let exponent = if gradient == 0.0 {
            -R::from_f64(GRADIENT) * thickness / base
        } else {
            -R::from_f64(GRADIENT / gradient) * (temperature / base).ln()
        };
        pressure *= exponent.exp();
    }
    (temperature, pressure)
}

/// Temperature \[K\] at a pressure \[Pa\], positive: that of the height at which [`state`] has the pressure. Beyond 71
/// km the uppermost piece goes on, and at pressures above the surface's the lowest.
#[must_use]
pub fn temperature<R: Real>(pressure: R) -> R {
    let mut bottom = R::from_f64(SURFACE_PRESSURE);
    let mut temperature = R::from_f64(PIECES[0].1);
    for (i, &(height, base, gradient)) in PIECES.iter().enumerate() {
        let base = R::from_f64(base);
        if i > 0 && pressure >= bottom {
            break;
        }
        temperature = if gradient == 0.0 {
            base
        } else {
            base * (R::from_f64(-gradient / GRADIENT) * (pressure / bottom).ln()).exp()
        };
        if i + 1 < PIECES.len() {
            let (next, warmth, _) = PIECES[i + 1];
            let exponent = if gradient == 0.0 {
                -R::from_f64(GRADIENT * (next - height)) / base
            } else {
                -R::from_f64(GRADIENT / gradient) * (R::from_f64(warmth) / base).ln()
            };
            bottom *= exponent.exp();
        }
    }
    temperature
}
