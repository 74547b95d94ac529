//! What is wanted of a k-distribution, and what becomes of it.

use super::fluxes::Fluxes;

/// What is wanted of a k-distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Limits of the bands \[cm^-1\].
    pub bands: Vec<[f64; 2]>,
    /// Step of the spectra \[cm^-1\].
    pub step_per_cm: f64,
    /// The error of a band's fluxes at any level that is accepted \[W/m^2\].
    pub error_w_per_m2: f64,
    /// The most g-points of a band.
    pub most: usize,
    /// Pressures of the tables \[Pa\], rising by a factor.
    pub pressures_pa: Vec<f64>,
    /// Temperatures of the tables \[K\], rising by a step.
    pub temperatures_k: Vec<f64>,
    /// Mole fractions of water vapour in its table, rising by a factor.
    pub water: Vec<f64>,
}

/// What became of a band.
#[derive(Clone, Debug, PartialEq)]
pub struct OfBand {
    /// Its g-points.
    pub points: usize,
    /// Its fluxes line by line.
    pub line_by_line: Fluxes,
    /// By how much those by its g-points are off at most, with absorption at the layers' own states \[W/m^2\].
    pub error_w_per_m2: f64,
}
