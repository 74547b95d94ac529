//! The height at which rays meet the surface, and how it follows the state.

use isobar_core::interpolate::linear;
use isobar_core::{Dual, Real};

use super::Atmosphere;

/// How the height of the surface follows the state: [`Atmosphere::surface_height_slopes`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SurfaceHeightSlopes {
    /// By the height of the surface layer.
    pub by_height: f64,
    /// By its pressure \[km/hPa\].
    pub by_pressure_km_per_hpa: f64,
    /// The first of two levels whose pressures count.
    pub first_level: usize,
    /// By these pressures \[km/hPa\].
    pub by_level_km_per_hpa: [f64; 2],
}

impl Atmosphere {
    /// The height at which rays meet the surface \[km\]: that of the surface layer, or where the pressure equals
    /// the surface pressure if that is higher; without a surface layer the lowest level.
    #[must_use]
    pub fn surface_height_km(&self) -> f64 {
        let bottom = self.height_km.iter().copied().fold(f64::INFINITY, f64::min);
        let Some(surface) = &self.surface else { return bottom };
        let mut height = bottom.max(surface.height_km);
        if surface.pressure_hpa > 0.0 {
            let i = self.surface_interval(surface.pressure_hpa);
            let pressure_hpa = [surface.pressure_hpa, self.pressure_hpa[i], self.pressure_hpa[i + 1]];
            height = height.max(self.height_of_pressure(i, pressure_hpa));
        }
        height
    }

    /// The interval between levels that holds the pressure of the surface, or the nearest end.
    fn surface_interval(&self, surface_hpa: f64) -> usize {
        let target = Real::ln(surface_hpa);
        let above = |i: usize| Real::ln(self.pressure_hpa[i]) >= target;
        // Cloud and surface are those of the first profile.
        let (z, n) = (&self.height_km, self.profiles()[0].len());
        (0..n - 1).find(|&i| above(i) != above(i + 1)).unwrap_or(if above(0) == (z[1] > z[0]) { n - 2 } else { 0 })
    }

    /// The height of the first of three pressures: the others are those at the ends of interval `i`.
    fn height_of_pressure<R: Real>(&self, i: usize, [surface, low, high]: [R; 3]) -> R {
        let z = |level: usize| R::from_f64(self.height_km[level]);
        linear(low.ln(), z(i), high.ln(), z(i + 1), surface.ln())
    }

    /// The derivatives of [`Atmosphere::surface_height_km`]: by height and pressure of the surface layer, and by the
    /// pressure at two neighbouring levels, of which the first is named. Where the height is that of the lowest level,
    /// nothing moves it.
    #[must_use]
    pub fn surface_height_slopes(&self) -> SurfaceHeightSlopes {
        let mut slopes = SurfaceHeightSlopes::default();
        let Some(surface) = &self.surface else { return slopes };
        let bottom = self.height_km.iter().copied().fold(f64::INFINITY, f64::min);
        let mut height = Dual::<f64, 4>::constant(bottom).max(Dual::variable(surface.height_km, 0));
        if surface.pressure_hpa > 0.0 {
            let i = self.surface_interval(surface.pressure_hpa);
            slopes.first_level = i;
            let pressure_hpa = [surface.pressure_hpa, self.pressure_hpa[i], self.pressure_hpa[i + 1]];
            let numbers = [0, 1, 2].map(|k| Dual::variable(pressure_hpa[k], k + 1));
            height = height.max(self.height_of_pressure(i, numbers));
        }
        let [by_height, by_pressure, by_first, by_second] = height.derivative;
        slopes.by_height = by_height;
        slopes.by_pressure_km_per_hpa = by_pressure;
        slopes.by_level_km_per_hpa = [by_first, by_second];
        slopes
    }
}
