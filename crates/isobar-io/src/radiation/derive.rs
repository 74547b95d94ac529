//! What a file need not have. Values are `[layer or level * count + column]`, the surface first.

use super::neighbours::{Law, Neighbours};
use isobar_core::Real;

/// Temperatures of layers \[K\] from temperatures and pressures \[Pa\] of the levels around: means, weighted by
/// pressure, as ecRad has them.
pub(super) fn layer_temperature(temperature: &[f64], pressure: &[f64], count: usize) -> Vec<f64> {
    let weighted: Vec<f64> = temperature.iter().zip(pressure).map(|(t, p)| t * p).collect();
    let sums = |values: &[f64]| -> Vec<f64> { values.iter().zip(&values[count..]).map(|(a, b)| a + b).collect() };
    sums(&weighted).iter().zip(sums(pressure)).map(|(weighted, weight)| weighted / weight).collect()
}

/// Temperatures of levels \[K\] from those of layers, as the file has them.
pub(super) fn level_temperature(temperature: &[f64], law: Law, neighbours: Neighbours<'_>) -> Vec<f64> {
    let count = neighbours.count();
    let levels = 0..temperature.len() / count + 1;
    let each = levels.flat_map(|level| (0..count).map(move |column| neighbours.of_level(level, column)));
    each.map(|pair| pair.temperature(law, temperature)).collect()
}

/// Temperatures of layers \[K\] from those of the file: parts of a layer have that of their own pressure, so that
/// temperature changes within the layer as it does in one without parts between its levels.
pub(super) fn temperature_with_parts(temperature: &[f64], law: Law, neighbours: Neighbours<'_>) -> Vec<f64> {
    let count = neighbours.count();
    let of_layer = |(at, &own): (usize, &f64)| {
        neighbours.of_part(at / count, at % count).map_or(own, |pair| pair.temperature(law, temperature))
    };
    temperature.iter().enumerate().map(of_layer).collect()
}

/// Cosines of angles \[degree\]. That of a right angle is 0, and no rounding.
pub(super) fn cosine(degrees: Vec<f64>) -> Vec<f64> {
    let cosine = |angle: f64| if angle == 90.0 { 0.0 } else { Real::cos(angle.to_radians()) };
    degrees.into_iter().map(cosine).collect()
}

#[cfg(test)]
mod tests {
    use isobar_radiation::Columns;

    use super::*;
    use crate::columns_file::BelowGround;

    /// Of one column.
    fn found(levels: &[f64], layers: &[f64], temperature: &[f64]) -> Vec<f64> {
        let columns =
            Columns { level_pressure_pa: levels.to_vec(), pressure_pa: layers.to_vec(), ..Columns::default() };
        level_temperature(temperature, Law::Pressure, Neighbours::of(&columns, &BelowGround::default()))
    }

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
        let at_levels = found(&levels, &layers, &layers.map(hyperbolic));
        for level in [1, 2] {
            assert!((at_levels[level] - hyperbolic(levels[level])).abs() < 1e-10);
        }
        // At the ends: temperature linear in pressure.
        let linear = |p: f64| 200.0 + 1e-3 * p;
        let at_levels = found(&levels, &layers, &layers.map(linear));
        for level in [0, 3] {
            assert!((at_levels[level] - linear(levels[level])).abs() < 1e-10);
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
        let all_above = BelowGround::default();
        let levels = level_temperature(&columns.temperature_k, Law::Logarithm, Neighbours::of(&columns, &all_above));
        for (level, pressure) in [1e5, 7e4, 2e4].into_iter().enumerate() {
            assert!((levels[2 * level] - t(pressure)).abs() < 1e-10);
            assert!((levels[2 * level + 1] - t(pressure) - 10.0).abs() < 1e-10);
        }
        assert_eq!(levels[6..], [t(1e4), t(1e4) + 10.0]);
    }
}
