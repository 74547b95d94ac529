//! Heights of levels.

use isobar_core::Real;

/// Gas constant of dry air over gravity \[km/K\].
const KM_PER_K: f64 = 287.0 / 9.8066 * 1e-3;

/// The heights of levels \[km\], by hydrostatics of dry air, from temperatures of layers \[K\] and pressures of levels
/// and layers \[Pa\], the surface first. The top, if it is at no pressure, is as far above its layer's pressure as the
/// level below.
pub(super) fn heights_km(temperature: &[f64], [levels, layers]: [&[f64]; 2]) -> Vec<f64> {
    let count = levels.len() - layers.len();
    let mut heights = vec![0.0; count];
    for (i, temperature) in temperature.iter().enumerate() {
        let (below, above) = (levels[i], levels[i + count]);
        let ratio = if above > 0.0 { below / above } else { (below / layers[i]) * (below / layers[i]) };
        heights.push(heights[i] + KM_PER_K * temperature * Real::ln(ratio));
    }
    heights
}
