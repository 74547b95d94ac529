//! Pressures and temperatures beyond the tables.

use std::sync::OnceLock;

use isobar_core::Real;
use isobar_core::fields::Error;

use crate::fields::{Columns, ITEM};
use crate::grid;
use crate::host::reference_atmosphere::{ReferenceLevel, reference_levels};

/// Temperatures of a main table reach so far from the reference's \[K\].
const REACH_K: f64 = 30.0;

/// Where tables end. RRTMG_LW extrapolates there, linearly; even standard atmospheres leave its temperatures near a
/// cold ground and a cold tropopause.
#[derive(Clone, Debug)]
pub struct TableRange {
    levels: Vec<ReferenceLevel>,
}

/// What lay outside, and what became of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outliers {
    /// The number of values.
    pub count: usize,
    /// The first of them, with its range.
    pub first: Option<Error>,
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

    /// Counts what lies outside of the tables, and with `clamp` brings it to their ends.
    pub fn apply(&self, columns: &mut Columns<f64>, clamp: bool) -> Outliers {
        let count = columns.columns();
        let mut outliers = Outliers::default();
        let mut check =
            |variable, value: &mut f64, [low, high]: [f64; 2], item, place: &[(&'static str, usize)], of| {
                // NaN is the business of the check of values.
                if *value < low || *value > high {
                    let accepted = format!("in [{low:.2}, {high:.2}] {of}");
                    let (item_name, place, value_found) = (ITEM, place.to_vec(), *value);
                    let first =
                        || Error::Value { variable, item_name, item, place, value: value_found, accepted, unit: "1" };
                    outliers.first.get_or_insert_with(first);
                    outliers.count += 1;
                    if clamp {
                        *value = value.clamp(low, high);
                    }
                }
            };
        let pressures = self.pressure_pa();
        for (i, pressure) in columns.pressure_pa.iter_mut().enumerate() {
            let (item, place) = (i % count, [("layer", i / count)]);
            check("pressure_pa", pressure, pressures, item, &place, "Pa, where the absorption tables are");
            let range = self.temperature_k(pressure.clamp(pressures[0], pressures[1]));
            let temperature = &mut columns.temperature_k[i];
            check("temperature_k", temperature, range, item, &place, "K, where the absorption tables are");
        }
        let emitting = self.emitting_k();
        let planck = "K, where the Planck tables are";
        for (i, value) in columns.level_temperature_k.iter_mut().enumerate() {
            check("level_temperature_k", value, emitting, i % count, &[("level", i / count)], planck);
        }
        for (column, value) in columns.surface_temperature_k.iter_mut().enumerate() {
            check("surface_temperature_k", value, emitting, column, &[], planck);
        }
        outliers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Columns<f64> {
        Columns {
            pressure_pa: vec![9e4, 9e4, 5e4, 5e4],
            level_pressure_pa: vec![1e5, 1e5, 8e4, 8e4, 2e4, 2e4],
            temperature_k: vec![285.0, 285.0, 255.0, 255.0],
            level_temperature_k: vec![290.0, 290.0, 270.0, 270.0, 230.0, 230.0],
            surface_temperature_k: vec![290.0, 290.0],
            emissivity: vec![1.0],
            ..Columns::default()
        }
    }

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

    #[test]
    fn what_lies_outside_is_counted_and_clamped() {
        let range = TableRange::get();
        assert_eq!(range.apply(&mut columns(), true), Outliers::default());
        let mut outside = columns();
        (outside.temperature_k[1], outside.pressure_pa[2], outside.surface_temperature_k[0]) = (200.0, 0.5, 360.0);
        let mut clamped = outside.clone();
        let seen = range.apply(&mut outside, false);
        // At the clamped pressure 255 K are too many.
        assert_eq!(seen.count, 4);
        let text = seen.first.map(|first| first.to_string()).unwrap_or_default();
        assert!(text.starts_with("temperature_k at column 1, layer 0 is 200, which is not in [264.2"), "{text}");
        assert_eq!(range.apply(&mut clamped, true).count, 4);
        assert_eq!((clamped.temperature_k[1], clamped.surface_temperature_k[0]), (294.2 - 30.0, 340.0));
        assert_eq!(range.apply(&mut clamped, true), Outliers::default());
        assert_eq!(outside.surface_temperature_k[0], 360.0);
    }
}
