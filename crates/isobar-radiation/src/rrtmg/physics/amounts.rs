//! Columns of gases in a layer, from mixing ratios.

use isobar_core::Real;

use crate::rrtmg::constants::{AVOGADRO, COLUMN_UNIT, DRY_AIR, GRAVITY, NO_GAS, WATER};

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

/// Column of all that broadens lines besides the gases, from the mixing ratios of all gases but water.
#[inline(always)]
pub(crate) fn broadening_column<R: Real>(dry: R, mixing_ratios: [R; 6]) -> R {
    let mut rest = R::ZERO;
    for ratio in mixing_ratios {
        rest += ratio;
    }
    dry * (R::ONE - rest)
}

/// Column of a halocarbon \[1e20 molecules/cm^2\], from its mixing ratio.
#[inline(always)]
pub(crate) fn halocarbon_column<R: Real>(dry: R, mixing_ratio: R) -> R {
    mixing_ratio * (dry * R::from_f64(1.0 / COLUMN_UNIT))
}

/// A column \[molecules/cm^2\] in the unit of the tables \[1e20 molecules/cm^2\].
#[inline(always)]
pub(crate) fn in_unit<R: Real>(column: R) -> R {
    R::from_f64(1.0 / COLUMN_UNIT) * column
}

/// The same of a gas that is divided by: a little where there is none.
#[inline(always)]
pub(crate) fn present<R: Real>(column: R, dry: R) -> R {
    if column == R::ZERO { R::from_f64(NO_GAS) * dry } else { in_unit(column) }
}
