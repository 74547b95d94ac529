//! The gases that absorb.

/// The gases, by the names that coefficient files have for them.
pub const GASES: [&str; 19] = [
    "h2o", "co2", "o3", "n2o", "co", "ch4", "o2", "n2", "ccl4", "cfc11", "cfc12", "cfc22", "hfc143a", "hfc125",
    "hfc23", "hfc32", "hfc134a", "cf4", "no2",
];

/// Molar masses of [`GASES`] \[g/mol\].
pub const MOLAR_MASSES: [f64; GASES.len()] = [
    18.016, 44.009, 47.998, 44.013, 28.010, 16.043, 31.998, 28.014, 153.81, 137.37, 120.91, 86.47, 84.04, 120.02,
    70.01, 52.02, 102.03, 88.00, 46.006,
];

/// The number of water vapour in [`GASES`].
pub const H2O: usize = 0;

/// Stands for dry air, behind the gases: its mixing ratio is 1.
pub const DRY_AIR: usize = GASES.len();

/// Gases and dry air.
pub const ABSORBERS: usize = GASES.len() + 1;

/// The number of a gas in [`GASES`].
#[must_use]
pub fn gas_number(name: &str) -> Option<usize> {
    GASES.iter().position(|&gas| gas == name)
}
