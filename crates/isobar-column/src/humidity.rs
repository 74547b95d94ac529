//! Saturation, and a humidity for atmospheres that come without.

use isobar_core::Real;

use crate::constants::GAS_RATIO;

/// Saturation pressure of water vapour over water \[Pa\] at a temperature \[K\] (Bolton 1980,
/// doi:10.1175/1520-0493(1980)108<1046:TCOEPT>2.0.CO;2, eq. 10): within 0.3 % from -35 to 35 degrees Celsius. Below 40
/// K it is that of 40 K.
#[inline(always)]
#[must_use]
pub fn saturation_pressure<R: Real>(temperature: R) -> R {
    let temperature = temperature.max(R::from_f64(40.0));
    let celsius = temperature - R::from_f64(273.15);
    R::from_f64(611.2) * (R::from_f64(17.67) * celsius / (temperature - R::from_f64(29.65))).exp()
}

/// Mixing ratio of water vapour \[kg/kg\] whose partial pressure is `vapour_pressure` in air of `pressure` \[Pa\]; in
/// air thinner than twice its vapour, that of air with half.
#[inline(always)]
#[must_use]
pub fn mixing_ratio<R: Real>(vapour_pressure: R, pressure: R) -> R {
    let vapour = vapour_pressure.min(R::from_f64(0.5) * pressure);
    R::from_f64(GAS_RATIO) * vapour / (pressure - vapour)
}

/// Mixing ratio of saturated air \[kg/kg\] at a temperature \[K\] and a pressure \[Pa\].
#[inline(always)]
#[must_use]
pub fn saturation_mixing_ratio<R: Real>(temperature: R, pressure: R) -> R {
    mixing_ratio(saturation_pressure(temperature), pressure)
}

/// Derivative of [`saturation_mixing_ratio`] by temperature \[1/K\]; 0 where air is thinner than twice its vapour.
#[inline(always)]
#[must_use]
pub fn saturation_slope<R: Real>(temperature: R, pressure: R) -> R {
    let vapour = saturation_pressure(temperature);
    if vapour > R::from_f64(0.5) * pressure {
        return R::ZERO;
    }
    let (above, dry) = (temperature.max(R::from_f64(40.0)) - R::from_f64(29.65), pressure - vapour);
    let slope = vapour * R::from_f64(17.67 * (273.15 - 29.65)) / (above * above);
    R::from_f64(GAS_RATIO) * pressure * slope / (dry * dry)
}

/// Mixing ratio \[kg/kg\] of the mean relative humidity by Manabe and Wetherald (1967,
/// doi:10.1175/1520-0469(1967)024<0241:TEOTAW>2.0.CO;2, eqs. 2 and 3): 77 % at the surface, falling linearly with
/// pressure to a fiftieth of that of the surface; at least 3 mg/kg.
#[inline(always)]
#[must_use]
pub fn mean_mixing_ratio<R: Real>(temperature: R, pressure: R, surface_pressure: R) -> R {
    let share = (pressure / surface_pressure - R::from_f64(0.02)) / R::from_f64(0.98);
    let relative = R::from_f64(0.77) * share.max(R::ZERO);
    mixing_ratio(relative * saturation_pressure(temperature), pressure).max(R::from_f64(3e-6))
}
