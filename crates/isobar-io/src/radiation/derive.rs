//! What a file need not have. Values are `[layer or level * count + column]`, the surface first.

use isobar_core::Real;
use isobar_radiation::Columns;

/// Temperatures of layers \[K\] from temperatures and pressures \[Pa\] of the levels around: means, weighted by
/// pressure, as ecRad has them.
pub(super) fn layer_temperature(temperature: &[f64], pressure: &[f64], count: usize) -> Vec<f64> {
    let weighted: Vec<f64> = temperature.iter().zip(pressure).map(|(t, p)| t * p).collect();
    let sums = |values: &[f64]| -> Vec<f64> { values.iter().zip(&values[count..]).map(|(a, b)| a + b).collect() };
    sums(&weighted).iter().zip(sums(pressure)).map(|(weighted, weight)| weighted / weight).collect()
}

/// Temperatures of levels \[K\] from temperatures of layers and pressures of levels and layers \[Pa\], as RTE has them:
/// between layers, temperature times pressure is linear in pressure; at the ends, temperature is.
pub(super) fn level_temperature(temperature: &[f64], [levels, layers]: [&[f64]; 2]) -> Vec<f64> {
    let count = levels.len() - layers.len();
    let last = layers.len() / count;
    let at = |level: usize, column: usize| {
        let pressure = levels[level * count + column];
        // Of the two layers around, or next to it.
        let upper = level.clamp(1, last - 1) * count + column;
        let lower = upper - count;
        let (below, above) = (layers[lower], layers[upper]);
        if level == 0 || level == last {
            let slope = (temperature[upper] - temperature[lower]) / (above - below);
            return temperature[lower] + (pressure - below) * slope;
        }
        let weighted =
            below * temperature[lower] * (pressure - above) + above * temperature[upper] * (below - pressure);
        weighted / (pressure * (below - above))
    };
    (0..=last).flat_map(|level| (0..count).map(move |column| (level, column))).map(|(l, c)| at(l, c)).collect()
}

/// Temperatures of levels as RRTMG_LW is given them: linear in ln(pressure) between layers, extrapolated so to the
/// surface; at the top that of the uppermost layer.
pub(super) fn level_temperature_by_logarithm(temperature: &[f64], columns: &Columns<f64>) -> Vec<f64> {
    let (count, layers) = (columns.columns(), columns.layers());
    let at = |level: usize, column: usize| {
        if level == layers {
            return temperature[(layers - 1) * count + column];
        }
        let upper = level.max(1) * count + column;
        let lower = upper - count;
        let ln = |pressures: &[f64], i: usize| Real::ln(pressures[i]);
        let (below, above) = (ln(&columns.pressure_pa, lower), ln(&columns.pressure_pa, upper));
        let share = (ln(&columns.level_pressure_pa, level * count + column) - below) / (above - below);
        temperature[lower] + share * (temperature[upper] - temperature[lower])
    };
    (0..=layers).flat_map(|level| (0..count).map(move |column| (level, column))).map(|(l, c)| at(l, c)).collect()
}

/// Cosines of angles \[degree\]. That of a right angle is 0, and no rounding.
pub(super) fn cosine(degrees: Vec<f64>) -> Vec<f64> {
    let cosine = |angle: f64| if angle == 90.0 { 0.0 } else { Real::cos(angle.to_radians()) };
    degrees.into_iter().map(cosine).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_weighted_by_pressure() {
        let temperature =
            layer_temperature(&[300.0, 200.0, 200.0, 100.0, 250.0, 50.0], &[3.0, 2.0, 1.0, 2.0, 0.0, 0.0], 2);
        assert_eq!(temperature, [275.0, 150.0, 200.0, 100.0]);
    }

    #[test]
    fn levels_are_found_again() {
        let (levels, layers) = ([1e5, 7e4, 3e4, 1e4], [9e4, 5e4, 2e4]);
        // Between layers: temperature times pressure linear in pressure.
        let hyperbolic = |p: f64| 200.0 + 1e6 / p;
        let found = level_temperature(&layers.map(hyperbolic), [&levels, &layers]);
        for level in [1, 2] {
            assert!((found[level] - hyperbolic(levels[level])).abs() < 1e-10);
        }
        // At the ends: temperature linear in pressure.
        let linear = |p: f64| 200.0 + 1e-3 * p;
        let found = level_temperature(&layers.map(linear), [&levels, &layers]);
        for level in [0, 3] {
            assert!((found[level] - linear(levels[level])).abs() < 1e-10);
        }
    }

    #[test]
    fn the_sun_sets_at_a_right_angle() {
        let [day, horizon, night] = cosine(vec![60.0, 90.0, 120.0])[..] else { panic!("three") };
        assert!((day - 0.5).abs() < 1e-15 && horizon == 0.0 && (night + 0.5).abs() < 1e-15);
    }

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
        let columns = columns();
        let levels = level_temperature_by_logarithm(&columns.temperature_k, &columns);
        for (level, pressure) in [1e5, 7e4, 2e4].into_iter().enumerate() {
            assert!((levels[2 * level] - t(pressure)).abs() < 1e-10);
            assert!((levels[2 * level + 1] - t(pressure) - 10.0).abs() < 1e-10);
        }
        assert_eq!(levels[6..], [t(1e4), t(1e4) + 10.0]);
    }
}
