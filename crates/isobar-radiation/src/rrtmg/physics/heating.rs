//! Heating rates from what radiation gains in a layer.

use isobar_core::Real;

use crate::rrtmg::constants::HPA_PER_PA;

/// Kelvins a day that 1 W/m^2 gives to a layer between two pressures \[Pa\], if it gives `per_hpa` to one of 1 hPa.
#[inline(always)]
pub(crate) fn kelvins_a_day<R: Real>(per_hpa: R, [below_pa, above_pa]: [R; 2]) -> R {
    let hpa = R::from_f64(HPA_PER_PA);
    per_hpa / (below_pa * hpa - above_pa * hpa)
}

/// The heating rate of a layer \[K/day\] from what radiation gains in it, downward and upward \[W/m^2\].
#[inline(always)]
pub(crate) fn rate<R: Real>(gained_down: R, gained_up: R, kelvins_a_day: R) -> R {
    -(gained_down + gained_up) * kelvins_a_day
}
