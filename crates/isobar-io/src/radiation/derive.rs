//! What a file need not have. Values are `[layer or level * count + column]`, the surface first.

use isobar_core::Real;

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
}
