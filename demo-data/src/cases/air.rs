//! Air over the ground, by formulas.

use isobar_core::Real;

use super::short;

pub(super) const LAYERS: usize = 40;
/// The lowest layer \[km\], and by what each is thicker than the one below: up to 63 km.
const LOWEST_KM: f64 = 0.25;
const GROWTH: f64 = 1.085;
const SURFACE_PA: f64 = 101_325.0;
/// g over the gas constant of dry air \[K/km\].
const WEIGHT: f64 = 34.163;

/// The weather over a place.
pub(super) struct Scene {
    pub(super) surface_k: f64,
    pub(super) emissivity: f64,
    /// Temperature of the air at the ground \[K\], its fall \[K/km\] up to the tropopause \[km\].
    pub(super) ground_k: f64,
    pub(super) lapse: f64,
    pub(super) tropopause_km: f64,
    /// Water vapour at the ground \[mol/mol\] and the height in which it falls to 1/e \[km\].
    pub(super) water: (f64, f64),
}

impl Scene {
    pub(super) fn temperature(&self, z: f64) -> f64 {
        let tropopause = self.ground_k - self.lapse * self.tropopause_km;
        // Warmer from 20 to 48 km, colder above.
        let stratosphere = (265.0 - tropopause) / 28.0 * (z - 20.0).clamp(0.0, 28.0) - 2.0 * (z - 50.0).max(0.0);
        self.ground_k - self.lapse * z.min(self.tropopause_km) + stratosphere
    }

    /// Pressures of layers and of levels: hydrostatic.
    pub(super) fn pressures(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut ln, mut layers, mut levels) = (Real::ln(SURFACE_PA), Vec::new(), vec![SURFACE_PA]);
        for layer in 0..LAYERS {
            let thickness = level_km(layer + 1) - level_km(layer);
            let step = WEIGHT * thickness / self.temperature(middle_km(layer));
            layers.push(short(Real::exp(ln - 0.5 * step)));
            ln -= step;
            levels.push(short(Real::exp(ln)));
        }
        (layers, levels)
    }

    pub(super) fn water(&self, z: f64) -> f64 {
        (self.water.0 * Real::exp(-z / self.water.1)).max(4e-6)
    }

    pub(super) fn ozone(z: f64) -> f64 {
        3e-8 + 8e-6 * Real::exp(-0.5 * ((z - 33.0) / 8.0) * ((z - 33.0) / 8.0))
    }
}

pub(super) fn level_km(level: usize) -> f64 {
    LOWEST_KM * (Real::powi(GROWTH, level as i32) - 1.0) / (GROWTH - 1.0)
}

pub(super) fn middle_km(layer: usize) -> f64 {
    0.5 * (level_km(layer) + level_km(layer + 1))
}
