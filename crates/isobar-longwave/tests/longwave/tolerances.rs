//! How far results may be from the reference, and why.

/// Amounts, weights and optical depths in f64, relative: some thirty roundings of 1.1e-16, ten times more where weights of either sign meet.
pub(crate) const STAGE: f64 = 1e-12;

/// Fluxes in f64 with the reference's table \[W/m^2\]: 140 x 60 terms of some 1e-2 W/m^2 with the optical depths' 1e-14.
pub(crate) const FLUX: f64 = 1e-9;

/// Heating rates of the same \[K/day\]: the reference subtracts fluxes of 500 W/m^2 (1e-13 each) over layers of 1e-3 hPa, times 8.4.
pub(crate) const HEATING: f64 = 1e-8;
