//! The reference atmosphere around whose temperatures and mixing ratios the tables are made.

use crate::host::published;

/// A reference level.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceLevel {
    /// ln(pressure / hPa).
    pub ln_pressure_hpa: f64,
    /// Temperature \[K\].
    pub temperature_k: f64,
    /// Mixing ratios \[mol/mol\] in the order of [`crate::band::GASES`].
    pub mixing_ratios: [f64; 7],
}

/// The levels, from the surface up.
#[must_use]
pub fn reference_levels() -> Vec<ReferenceLevel> {
    let level = |row: &Vec<f64>| ReferenceLevel {
        ln_pressure_hpa: row[0],
        temperature_k: row[1],
        mixing_ratios: std::array::from_fn(|gas| row[2 + gas]),
    };
    published::rows(published::REFERENCE_ATMOSPHERE).iter().map(level).collect()
}
