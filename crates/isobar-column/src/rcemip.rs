//! The analytic atmosphere of RCEMIP (Wing and others 2018, doi:10.5194/gmd-11-793-2018, section 3.3.2): moist tropical
//! air over a warm sea.
//!
//! Specific humidity `q = q0 exp(-z/4000 m) exp(-(z/7500 m)^2)` (eq. 2) and virtual temperature falling by 6.7 K/km
//! (eq. 4) up to 15 km, above 1e-14 kg/kg and constant; pressure hydrostatic from 1014.8 hPa (eqs. 5 to 7); ozone by
//! pressure (eq. 1).

use isobar_core::Real;

/// Height of the tropopause \[m\].
const TROPOPAUSE: f64 = 15_000.0;
/// Lapse rate of the virtual temperature \[K/m\].
const LAPSE: f64 = 0.0067;
/// Pressure at the surface \[Pa\].
const SURFACE_PRESSURE: f64 = 101_480.0;
/// The constants of the paper.
const GRAVITY: f64 = 9.797_64;
const GAS_CONSTANT: f64 = 287.04;
const VIRTUAL: f64 = 0.608;
/// Sea-surface temperatures \[K\] with their specific humidity at the surface \[kg/kg\].
const SURFACES: [(f64, f64); 3] = [(295.0, 0.012), (300.0, 0.018_65), (305.0, 0.024)];
/// The range of the sea-surface temperature \[K\].
pub const SURFACE_RANGE_K: [f64; 2] = [SURFACES[0].0, SURFACES[2].0];

/// What the air is like at a height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State<R> {
    /// Temperature \[K\].
    pub temperature_k: R,
    /// Pressure \[Pa\].
    pub pressure_pa: R,
    /// Specific humidity \[kg/kg of moist air\].
    pub humidity_kg_per_kg: R,
}

/// Specific humidity at the surface \[kg/kg\] for a sea-surface temperature \[K\]: the paper's at 295, 300 and 305 K,
/// linear between.
fn surface_humidity<R: Real>(sea_surface: R) -> R {
    let [low, middle, high] = SURFACES;
    let (a, b) = if sea_surface < R::from_f64(middle.0) { (low, middle) } else { (middle, high) };
    let share = (sea_surface - R::from_f64(a.0)) / R::from_f64(b.0 - a.0);
    R::from_f64(a.1) + share * R::from_f64(b.1 - a.1)
}

/// The air at a height of at least 0 \[m\] over a sea of this temperature \[K\], within [`SURFACE_RANGE_K`].
#[must_use]
pub fn state<R: Real>(height: R, sea_surface: R) -> State<R> {
    let number = R::from_f64;
    let top = number(TROPOPAUSE);
    let q0 = surface_humidity(sea_surface);
    let surface = sea_surface * (R::ONE + number(VIRTUAL) * q0);
    let below = height.min(top);
    let virtual_temperature = surface - number(LAPSE) * below;
    let humidity = if height <= top {
        let scaled = height / number(7500.0);
        q0 * (-height / number(4000.0)).exp() * (-(scaled * scaled)).exp()
    } else {
        number(1e-14)
    };
    let exponent = number(GRAVITY / (GAS_CONSTANT * LAPSE)) * (virtual_temperature / surface).ln()
        - number(GRAVITY / GAS_CONSTANT) * (height - below) / virtual_temperature;
    State {
        temperature_k: virtual_temperature / (R::ONE + number(VIRTUAL) * humidity),
        pressure_pa: number(SURFACE_PRESSURE) * exponent.exp(),
        humidity_kg_per_kg: humidity,
    }
}

/// Mole fraction of ozone \[mol/mol\] at a pressure \[Pa\], positive: `g1 p^g2 exp(-p/g3)` ppm with p in hPa.
#[must_use]
pub fn ozone<R: Real>(pressure: R) -> R {
    let hpa = pressure * R::from_f64(0.01);
    let exponent = R::from_f64(0.83209) * hpa.ln() - hpa / R::from_f64(11.3515);
    R::from_f64(3.6478e-6) * exponent.exp()
}

/// Mole fractions of the well-mixed gases \[mol/mol\]: carbon dioxide, methane, nitrous oxide (table 1).
pub const CO2: f64 = 348e-6;
/// Methane.
pub const CH4: f64 = 1650e-9;
/// Nitrous oxide.
pub const N2O: f64 = 306e-9;
