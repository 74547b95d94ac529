//! What a file need not have.

use isobar_core::Real;
use isobar_longwave::Columns;

/// Temperatures of levels: linear in ln(pressure) between layers, extrapolated so to the surface; at the top that of
/// the uppermost layer.
pub(super) fn level_temperature(columns: &Columns<f64>) -> Vec<f64> {
    let (count, layers) = (columns.columns(), columns.layers());
    let at = |level: usize, column: usize| {
        if level == layers {
            return columns.temperature_k[(layers - 1) * count + column];
        }
        let upper = level.max(1) * count + column;
        let lower = upper - count;
        let ln = |pressures: &[f64], i: usize| Real::ln(pressures[i]);
        let (below, above) = (ln(&columns.pressure_pa, lower), ln(&columns.pressure_pa, upper));
        let share = (ln(&columns.level_pressure_pa, level * count + column) - below) / (above - below);
        columns.temperature_k[lower] + share * (columns.temperature_k[upper] - columns.temperature_k[lower])
    };
    (0..=layers).flat_map(|level| (0..count).map(move |column| (level, column))).map(|(l, c)| at(l, c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two columns of three layers; the second 10 K warmer.
    fn columns() -> Columns<f64> {
        let pressure = [9e4, 5e4, 1e4];
        Columns {
            pressure_pa: pressure.into_iter().flat_map(|p| [p, p]).collect(),
            level_pressure_pa: [1e5, 7e4, 2e4, 0.0].into_iter().flat_map(|p| [p, p]).collect(),
            // Linear in ln p.
            temperature_k: pressure.into_iter().flat_map(|p| [t(p), t(p) + 10.0]).collect(),
            surface_temperature_k: vec![290.0; 2],
            ..Columns::default()
        }
    }

    fn t(pressure: f64) -> f64 {
        288.0 + 30.0 * Real::ln(pressure / 1e5)
    }

    #[test]
    fn what_is_linear_in_ln_pressure_is_found_again() {
        let levels = level_temperature(&columns());
        for (level, pressure) in [1e5, 7e4, 2e4].into_iter().enumerate() {
            assert!((levels[2 * level] - t(pressure)).abs() < 1e-10);
            assert!((levels[2 * level + 1] - t(pressure) - 10.0).abs() < 1e-10);
        }
        assert_eq!(levels[6..], [t(1e4), t(1e4) + 10.0]);
    }
}
