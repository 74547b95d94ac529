//! The reference atmosphere around whose temperatures and mixing ratios the tables are made.

use std::sync::OnceLock;

use isobar_core::Real;

use crate::rrtmg::grid;
use crate::rrtmg::host::published;

/// A reference level.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceLevel {
    /// ln(pressure / hPa).
    pub ln_pressure_hpa: f64,
    /// Temperature \[K\].
    pub temperature_k: f64,
    /// Mixing ratios \[mol/mol\] in the order of [`crate::rrtmg::band::GASES`].
    pub mixing_ratios: [f64; 7],
}

/// The levels, from the surface up.
#[must_use]
pub fn reference_levels() -> Vec<ReferenceLevel> {
    let level = |row: &Vec<f64>| ReferenceLevel {
        ln_pressure_hpa: row[0],
        temperature_k: row[1],
        mixing_ratios: std::array::from_fn(|gas| row[2 + gas]),
    };
    published::rows(published::REFERENCE_ATMOSPHERE).iter().map(level).collect()
}

/// Temperatures of a main table reach so far from the reference's \[K\].
const REACH_K: f64 = 30.0;

/// Where tables end. RRTMG_LW extrapolates there, linearly; even standard atmospheres leave its temperatures near a
/// cold ground and a cold tropopause.
#[derive(Clone, Debug)]
pub struct TableRange {
    levels: Vec<ReferenceLevel>,
}

impl TableRange {
    /// That of RRTMG_LW's tables.
    #[must_use]
    pub fn get() -> &'static Self {
        static RANGE: OnceLock<TableRange> = OnceLock::new();
        RANGE.get_or_init(|| Self { levels: reference_levels() })
    }

    /// Of pressures of layers \[Pa\].
    #[must_use]
    pub fn pressure_pa(&self) -> [f64; 2] {
        let pascals = |ln_hpa: f64| 100.0 * Real::exp(ln_hpa);
        [pascals(self.levels[grid::LEVELS - 1].ln_pressure_hpa), pascals(self.levels[0].ln_pressure_hpa)]
    }

    /// Of temperatures of layers at a pressure \[Pa\]: those that both reference levels around it have.
    #[must_use]
    pub fn temperature_k(&self, pressure_pa: f64) -> [f64; 2] {
        let ln_pressure = Real::ln(0.01 * pressure_pa);
        let above = self.levels.partition_point(|level| level.ln_pressure_hpa > ln_pressure).clamp(1, grid::LEVELS - 1);
        let around = [above - 1, above].map(|level| self.levels[level].temperature_k);
        [around[0].max(around[1]) - REACH_K, around[0].min(around[1]) + REACH_K]
    }

    /// Of temperatures that only emit, of levels and surfaces \[K\].
    #[must_use]
    pub fn emitting_k(&self) -> [f64; 2] {
        let last = grid::PLANCK_FIRST_K + (grid::PLANCK_TEMPERATURES - 1) as f64;
        [grid::PLANCK_FIRST_K, last]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_the_tables() {
        let range = TableRange::get();
        let [low, high] = range.pressure_pa();
        assert!((low - 0.965_77).abs() < 1e-4 && (high - 105_363.36).abs() < 0.1, "{low} {high}");
        // ln(900) = 6.80 is between the first two levels, of 294.2 and 287.99 K.
        assert_eq!(range.temperature_k(9e4), [294.2 - 30.0, 287.99 + 30.0]);
        assert_eq!(range.temperature_k(1e9), range.temperature_k(9e4));
        assert_eq!(range.emitting_k(), [160.0, 340.0]);
    }
}
