//! Which states of the air a k-distribution's tables are for.

use isobar_core::Real;

use super::gas_optics::GasOptics;
use crate::constants::{ECCKD_AIR, ECCKD_WATER};
use crate::physics::ecckd;
use crate::tables::Axis;

/// Beyond them RRTMGP's tables are extrapolated; ecCKD's hold the values of their ends, and have temperatures around a
/// mean of each pressure.
impl GasOptics {
    /// Pressures of layers \[Pa\].
    #[must_use]
    pub fn table_pressures_pa(&self) -> [f64; 2] {
        if self.is_ecckd() { ends(&self.ln_pressure).map(Real::exp) } else { self.pressure_range_pa }
    }

    /// Temperatures of layers \[K\] at a pressure \[Pa\]: beyond the pressures of the tables those at their end.
    #[must_use]
    pub fn table_temperatures_k(&self, pressure_pa: f64) -> [f64; 2] {
        if !self.is_ecckd() {
            return self.temperature_range_k;
        }
        let (node, far) = self.ln_pressure.clamped_interval(Real::ln(pressure_pa.max(f64::MIN_POSITIVE)));
        let around = [0, 1].map(|next| self.first_temperature[node as usize + next]);
        let first = ecckd::first_temperature(far, around);
        ends(&self.temperature).map(|above| first + above)
    }

    /// Temperatures of levels \[K\], which radiate alone.
    #[must_use]
    pub fn table_level_temperatures_k(&self) -> [f64; 2] {
        self.planck_range_k.filter(|_| self.is_ecckd()).unwrap_or(self.temperature_range_k)
    }

    /// The most water vapour, relative to dry air \[mol/mol\], whose absorption the tables have. ecCKD's has a
    /// coefficient that grows with the amount up to there. Below the least amount it is that of little water: what
    /// dry air has is no value beyond the tables.
    #[must_use]
    pub fn most_water(&self) -> f64 {
        if !self.is_ecckd() || self.key_gases.is_empty() {
            return f64::INFINITY;
        }
        let [_, fraction] = ends(&self.ln_water).map(Real::exp);
        let left = 1.0 - ECCKD_WATER / ECCKD_AIR * fraction;
        if left > 0.0 { fraction / left } else { f64::INFINITY }
    }
}

/// The first and the last node.
fn ends(axis: &Axis<f64>) -> [f64; 2] {
    [axis.first, axis.first + f64::from(axis.nodes - 1) * axis.step]
}
