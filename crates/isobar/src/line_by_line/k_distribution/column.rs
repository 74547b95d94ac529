//! Air for which fluxes are to be right.

use isobar_optics::constants::{ECCKD_AIR, ECCKD_WATER, GRAVITY};
use isobar_radiation::Columns;
use isobar_raytrace::Atmosphere;

/// Air in layers, from the surface up, for which fluxes are to be right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Pressure of levels \[Pa\].
    pub level_pressure_pa: Vec<f64>,
    /// Temperature of levels \[K\].
    pub level_temperature_k: Vec<f64>,
    /// Pressure of layers \[Pa\].
    pub pressure_pa: Vec<f64>,
    /// Temperature of layers \[K\].
    pub temperature_k: Vec<f64>,
    /// Temperature of the ground, which is black \[K\].
    pub surface_temperature_k: f64,
    /// Mixing ratio of each gas in each layer, relative to dry air \[mol/mol\].
    pub mixing_ratio: Vec<Vec<f64>>,
    /// Water vapour among the gases.
    pub water: Option<usize>,
}

impl Column {
    /// The profile of an atmosphere, whose mixing ratios are of moist air: its levels bound layers. The gases in the
    /// order of the atmosphere.
    #[must_use]
    pub fn of(atmosphere: &Atmosphere, water: Option<usize>) -> Self {
        let falls = atmosphere.height_km.first() > atmosphere.height_km.last();
        let upward = |values: &[f64]| {
            let mut values = values.to_vec();
            if falls {
                values.reverse();
            }
            values
        };
        let mean = |values: &[f64]| values.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect::<Vec<_>>();
        let dry = |level: usize| 1.0 - water.map_or(0.0, |water| atmosphere.mixing_ratio[water][level]);
        let of_dry = |(level, ratio): (usize, &f64)| ratio / dry(level);
        let of_gas = |ratio: &Vec<f64>| mean(&upward(&ratio.iter().enumerate().map(of_dry).collect::<Vec<_>>()));
        let level_temperature_k = upward(&atmosphere.temperature_k);
        let level_pressure_pa: Vec<f64> = upward(&atmosphere.pressure_hpa).iter().map(|p| 100.0 * p).collect();
        Self {
            pressure_pa: mean(&level_pressure_pa),
            temperature_k: mean(&level_temperature_k),
            surface_temperature_k: level_temperature_k[0],
            level_temperature_k,
            mixing_ratio: atmosphere.mixing_ratio.iter().map(of_gas).collect(),
            level_pressure_pa,
            water,
        }
    }

    pub(super) fn layers(&self) -> usize {
        self.pressure_pa.len()
    }

    /// What of the moist air a gas is, as ecCKD counts it.
    pub(super) fn fraction(&self, gas: usize, layer: usize) -> f64 {
        let water = self.water.map_or(0.0, |water| self.mixing_ratio[water][layer]);
        self.mixing_ratio[gas][layer] / (1.0 + ECCKD_WATER / ECCKD_AIR * water)
    }

    /// Air of a layer \[mol/m^2\].
    pub(super) fn air(&self, layer: usize) -> f64 {
        (self.level_pressure_pa[layer] - self.level_pressure_pa[layer + 1]) / (GRAVITY * ECCKD_AIR)
    }

    /// The column as `isobar-radiation` takes it, gases by their names.
    #[must_use]
    pub fn to_radiation(&self, gases: &[&str]) -> Columns<f64> {
        let mut columns = Columns {
            level_pressure_pa: self.level_pressure_pa.clone(),
            pressure_pa: self.pressure_pa.clone(),
            temperature_k: self.temperature_k.clone(),
            level_temperature_k: self.level_temperature_k.clone(),
            surface_temperature_k: vec![self.surface_temperature_k],
            emissivity: vec![1.0],
            h2o: vec![0.0],
            ..Columns::default()
        };
        for (gas, ratio) in gases.iter().zip(&self.mixing_ratio) {
            let place = match gas.to_ascii_lowercase().as_str() {
                "h2o" => &mut columns.h2o,
                "co2" => &mut columns.co2,
                "o3" => &mut columns.o3,
                "n2o" => &mut columns.n2o,
                "co" => &mut columns.co,
                "ch4" => &mut columns.ch4,
                _ => continue,
            };
            place.clone_from(ratio);
        }
        columns
    }
}

/// Gases that a k-distribution of this module may have: those of [`Column::to_radiation`].
pub const GASES: [&str; 6] = ["h2o", "co2", "o3", "n2o", "co", "ch4"];

#[cfg(test)]
mod tests {
    use super::*;

    /// Moles in a layer of moist air: its mass over the molar mass of all of it, of which a gas is its part.
    #[test]
    fn mixing_ratios_of_an_atmosphere_are_of_moist_air() {
        let (water, co2) = (0.03, 4e-4);
        let mut atmosphere = Atmosphere::new(vec![0.0, 1.0], vec![1000.0, 900.0], vec![300.0, 295.0]).unwrap();
        atmosphere.mixing_ratio = vec![vec![co2; 2], vec![water; 2]];
        let column = Column::of(&atmosphere, Some(1));
        let moles = 1e4 / (GRAVITY * ((1.0 - water) * ECCKD_AIR + water * ECCKD_WATER));
        for (gas, part) in [co2, water].into_iter().enumerate() {
            let got = column.air(0) * column.fraction(gas, 0);
            assert!((got / (moles * part) - 1.0).abs() < 1e-14, "{got} instead of {}", moles * part);
        }
        // Without water there is no other air.
        assert_eq!(Column::of(&atmosphere, None).mixing_ratio[0], [co2]);
    }
}
