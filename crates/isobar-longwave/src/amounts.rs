//! Columns of gases in a layer, from mixing ratios.

use isobar_core::Real;

use crate::constants::{AVOGADRO, DRY_AIR, GRAVITY, WATER};

/// Column of dry air \[molecules/cm^2\] in a layer `thickness_hpa` thick with so much water relative to dry air
/// \[mol/mol\].
#[inline(always)]
pub(crate) fn dry_column<R: Real>(thickness_hpa: R, water: R) -> R {
    let (dry, wet) = (R::from_f64(DRY_AIR), R::from_f64(WATER));
    let molar_mass = (R::ONE - water) * dry + water * wet;
    let per_gram = R::from_f64(1000.0 * AVOGADRO / (100.0 * GRAVITY));
    thickness_hpa * per_gram / (molar_mass * (R::ONE + water))
}

/// Precipitable water \[cm\] from the columns of water and of all molecules, summed over the layers, in one unit.
///
/// The mean molar mass counts dry and moist air alike, as RRTMG_LW has it.
#[inline(always)]
pub(crate) fn precipitable_water<R: Real>(water: R, all: R, surface_pressure_hpa: R) -> R {
    let mass_ratio = R::from_f64(WATER) * water / (R::from_f64(DRY_AIR) * all);
    mass_ratio * (R::from_f64(1000.0 / (100.0 * GRAVITY)) * surface_pressure_hpa)
}
