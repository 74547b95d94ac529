//! Columns of gases in a layer, from mixing ratios.

use isobar_core::Real;

use crate::rrtmg::constants::{AVOGADRO, COLUMN_UNIT, DRY_AIR, GRAVITY, WATER};

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

/// Columns of gases \[molecules/cm^2\], a layer a lane: of dry air, of all that broadens lines besides the gases, of
/// the gases in the order of [`crate::rrtmg::band::Gas`], and of halocarbons \[1e20 molecules/cm^2\].
pub(crate) struct Amounts<R, const W: usize> {
    pub(crate) dry: [R; W],
    pub(crate) broadening: [R; W],
    pub(crate) gases: [[R; W]; 7],
    pub(crate) halocarbons: [[R; W]; 4],
}

impl<R: Real, const W: usize> Amounts<R, W> {
    /// Turns mixing ratios, of all gases but water, into columns; what broadens lines follows.
    #[inline(always)]
    pub(crate) fn mixing_ratios_to_columns(&mut self) {
        for lane in 0..W {
            let mut rest = R::ZERO;
            for gas in 1..7 {
                rest += self.gases[gas][lane];
            }
            self.broadening[lane] = self.dry[lane] * (R::ONE - rest);
            for gas in 1..7 {
                self.gases[gas][lane] *= self.dry[lane];
            }
            for gas in 0..4 {
                self.halocarbons[gas][lane] *= self.dry[lane] * R::from_f64(1.0 / COLUMN_UNIT);
            }
        }
    }
}
