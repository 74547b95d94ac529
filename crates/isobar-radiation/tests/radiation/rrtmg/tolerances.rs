//! How far results may be from the reference, and why.

/// Amounts, weights and optical depths in f64, relative: some thirty roundings of 1.1e-16, ten times more where weights
/// of either sign meet.
pub(crate) const STAGE: f64 = 1e-12;

/// Fluxes in f64 with the reference's table \[W/m^2\]: 140 x 60 terms of some 1e-2 W/m^2 with the optical depths'
/// 1e-14.
pub(crate) const FLUX: f64 = 1e-9;

/// Heating rates of the same \[K/day\]: the reference subtracts fluxes of 500 W/m^2 (1e-13 each) over layers of 1e-3
/// hPa, times 8.4.
pub(crate) const HEATING: f64 = 1e-8;

/// Fluxes with exact transmittances against those with the reference's table \[W/m^2\]: its entries are up to 1.8e-4 of
/// optical depth away, with either sign.
pub(crate) const EXACT_FLUX: f64 = 1e-2;

/// The same of heating rates below 100 hPa \[K/day\]: an independent evaluation found 1.5e-3, in two digits.
pub(crate) const EXACT_HEATING: f64 = 1.55e-3;

/// The same above, where layers are thin.
pub(crate) const EXACT_HEATING_ALOFT: f64 = 1.2e-2;

/// Fluxes in f32 against f64 \[W/m^2\]: 60 layers' roundings of 6e-8 of some 500 W/m^2, those of the optical depths'
/// some thirty terms, and of the inputs.
pub(crate) const SINGLE_FLUX: f64 = 5e-3;

/// The same of heating rates below 100 hPa \[K/day\], where each layer's gain is summed for itself.
pub(crate) const SINGLE_HEATING: f64 = 1e-3;

/// What fluxes lose in a layer against what heats it, of the fluxes: some 10 roundings.
pub(crate) const ENERGY: f64 = 10.0 * f64::EPSILON;
