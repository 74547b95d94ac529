//! What a file need not have, whatever is computed. Values are `[layer or level * count + column]`, the surface first.

use isobar_core::Real;

/// The gas constant of dry air \[J/(kg K)\].
pub(crate) const GAS_CONSTANT: f64 = isobar_radiation::constants::DRY_AIR_GAS_CONSTANT;

/// Means of the pressures of the levels around each layer.
pub(crate) fn layer_pressure(levels: &[f64], count: usize) -> Vec<f64> {
    levels.iter().zip(&levels[count..]).map(|(below, above)| 0.5 * (below + above)).collect()
}

/// How notes say that pressures of layers were derived.
pub(crate) const LAYER_PRESSURE: &str = "pressure = mean of the levels'";

/// How notes say that thicknesses were derived.
pub(crate) const THICKNESS: &str = "thickness = Rd T / g ln(pressure below / pressure above)";

/// Thickness of layers \[m\] by hydrostatics, from their temperatures \[K\], the pressures of levels and of layers
/// \[Pa\], and gravity \[m/s^2\]. A layer that ends at no pressure is twice as thick as its lower half.
pub(crate) fn thickness(temperature: &[f64], [levels, layers]: [&[f64]; 2], gravity: f64) -> Vec<f64> {
    let count = levels.len() - layers.len();
    let of_layer = |(i, temperature): (usize, &f64)| {
        let (below, above) = (levels[i], levels[i + count]);
        let scale = GAS_CONSTANT * temperature / gravity;
        if above > 0.0 { scale * Real::ln(below / above) } else { 2.0 * scale * Real::ln(below / layers[i]) }
    };
    temperature.iter().enumerate().map(of_layer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_means_and_as_thick_as_they_weigh() {
        let twice = |values: &[f64]| values.iter().flat_map(|&value| [value, value]).collect::<Vec<_>>();
        let (levels, layers) = (twice(&[1e5, 7e4, 2e4, 0.0]), twice(&[9e4, 5e4, 1e4]));
        let temperature: Vec<f64> = [285.0, 265.0, 220.0].into_iter().flat_map(|t| [t, t + 10.0]).collect();
        assert_eq!(layer_pressure(&levels, 2), [85e3, 85e3, 45e3, 45e3, 1e4, 1e4]);
        let thickness = thickness(&temperature, [&levels, &layers], 9.8);
        // g = (R T / p) dp/dz in the middle.
        let density = 9e4 / (287.0 * 285.0);
        assert!((thickness[0] - 3e4 / (9.8 * density)).abs() < 0.07 * thickness[0]);
        assert!(thickness[4] > 0.0 && thickness[4].is_finite() && thickness[5] > thickness[4]);
    }
}
