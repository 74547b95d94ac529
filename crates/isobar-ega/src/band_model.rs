//! Emissivity tables from a band model, for demonstrations, tests and benchmarks. Not spectroscopy.
//!
//! Malkmus' model of random lines: with the column density `u`, a strength `k` and a mean line width over spacing `y`,
//!
//! ```text
//! -ln(1 - eps) = (pi y / 2) (sqrt(1 + 4 k u / (pi y)) - 1)
//! k(T) = k296 (296 K / T)^1.5 exp(-c2 E (1 / T - 1 / 296 K))
//! y(p, T)^2 = (y0 p / p0 (296 K / T)^0.7)^2 + yD^2 T / 296 K
//! ```
//!
//! so that the emissivity grows linearly (weak lines), then like `sqrt(u)`, then saturates (Malkmus, 1967, J. Opt. Soc.
//! Am. 57, 323).

use isobar_core::Real;

use crate::constants::{RADIATION_C2, STANDARD_PRESSURE_HPA};
use crate::table::{Curve, EmissivityTable, PressureLevel};

/// The band of one gas in one channel.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Band {
    /// Strength at 296 K \[cm^2/molecule\].
    pub strength: f64,
    /// Lorentz width over line spacing at 1013.25 hPa and 296 K.
    pub lorentz: f64,
    /// Doppler width over line spacing at 296 K.
    pub doppler: f64,
    /// Energy of the lower state \[cm^-1\].
    pub energy_per_cm: f64,
}

/// The grid of a table.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TableGrid {
    /// Pressures \[hPa\].
    pub pressures_hpa: Vec<f64>,
    /// Temperatures at each pressure \[K\].
    pub temperatures_k: Vec<Vec<f64>>,
    /// Factor between neighbouring column densities, above 1; all are its integer powers.
    pub column_factor: f64,
    /// The emissivities to cover.
    pub emissivities: (f64, f64),
}

impl Band {
    /// Emissivity of a homogeneous path: pressure \[hPa\], temperature \[K\], column density \[molecules/cm^2\].
    #[must_use]
    pub fn emissivity(&self, pressure_hpa: f64, temperature_k: f64, column_per_cm2: f64) -> f64 {
        let (k, y) = self.state(pressure_hpa, temperature_k);
        let half = 0.5 * core::f64::consts::PI * y;
        let growth = half * ((1.0 + 2.0 * k * column_per_cm2 / half).sqrt() - 1.0);
        -Real::exp_m1(-growth)
    }

    /// Strength, in the unit of [`Band::strength`], and width over spacing at a pressure \[hPa\] and temperature \[K\].
    #[must_use]
    pub fn state(&self, pressure_hpa: f64, temperature_k: f64) -> (f64, f64) {
        let cold = 296.0 / temperature_k;
        let boltzmann = Real::exp(-RADIATION_C2 * self.energy_per_cm * (1.0 / temperature_k - 1.0 / 296.0));
        let lorentz = self.lorentz * (pressure_hpa / STANDARD_PRESSURE_HPA) * Real::powf(cold, 0.7);
        let width = lorentz * lorentz + self.doppler * self.doppler / cold;
        (self.strength * cold * cold.sqrt() * boltzmann, width.sqrt())
    }

    /// The column density at which a homogeneous path has an emissivity.
    fn column(&self, pressure_hpa: f64, temperature_k: f64, emissivity: f64) -> f64 {
        let (k, y) = self.state(pressure_hpa, temperature_k);
        let growth = -Real::ln_1p(-emissivity);
        (growth + growth * growth / (core::f64::consts::PI * y)) / k
    }

    /// A table on a grid. Column densities at which single precision no longer tells emissivities apart are left out.
    #[must_use]
    pub fn table(&self, grid: &TableGrid) -> EmissivityTable {
        let curve = |pressure: f64, temperature: f64| {
            let (lowest, highest) = grid.emissivities;
            let step = Real::ln(grid.column_factor);
            let power = |emissivity| Real::ln(self.column(pressure, temperature, emissivity)) / step;
            let mut curve = Curve { temperature_k: temperature, ..Curve::default() };
            for power in power(lowest).ceil() as i32..=power(highest).floor() as i32 {
                let column = Real::exp(f64::from(power) * step);
                let emissivity = self.emissivity(pressure, temperature, column) as f32;
                if curve.emissivity.last().is_none_or(|&last| emissivity > last) && (column as f32).is_finite() {
                    curve.column_per_cm2.push(column as f32);
                    curve.emissivity.push(emissivity);
                }
            }
            curve
        };
        let level = |(&pressure_hpa, temperatures): (&f64, &Vec<f64>)| PressureLevel {
            pressure_hpa,
            curves: temperatures.iter().map(|&temperature| curve(pressure_hpa, temperature)).collect(),
        };
        EmissivityTable { pressures: grid.pressures_hpa.iter().zip(&grid.temperatures_k).map(level).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BAND: Band = Band { strength: 1e-21, lorentz: 0.1, doppler: 1e-3, energy_per_cm: 500.0 };

    #[test]
    fn a_thin_path_absorbs_in_proportion_and_a_thick_one_everything() {
        let weak = BAND.emissivity(500.0, 296.0, 1e15);
        assert!((weak / (1e-21 * 1e15) - 1.0).abs() < 1e-3);
        assert!(BAND.emissivity(500.0, 296.0, 1e26) > 0.999_999);
    }

    #[test]
    fn tables_are_valid_and_cover_what_was_asked() {
        let grid = TableGrid {
            pressures_hpa: vec![0.1, 10.0, 1000.0],
            temperatures_k: vec![vec![200.0, 250.0, 300.0]; 3],
            column_factor: 1.3,
            emissivities: (1e-6, 0.9999),
        };
        let table = BAND.table(&grid);
        table.validate().unwrap();
        for curve in table.pressures.iter().flat_map(|level| &level.curves) {
            assert!(curve.emissivity[0] < 2e-6 && *curve.emissivity.last().unwrap() > 0.999);
        }
    }
}
