//! Constants of the two models, as each has them.

/// Acceleration of gravity \[m/s^2\], in both.
pub const GRAVITY: f64 = 9.80665;

/// Molar mass of dry air in RRTMGP \[kg/mol\].
pub(crate) const RRTMGP_DRY_AIR: f64 = 0.028964;
/// Molar mass of water in RRTMGP \[kg/mol\].
pub(crate) const RRTMGP_WATER: f64 = 0.018016;
/// Avogadro's number \[1/mol\].
pub(crate) const AVOGADRO: f64 = 6.02214076e23;
/// Molecules/cm^2 of one unit of amounts in kernels, so that coefficients are plain numbers in single precision.
pub(crate) const RRTMGP_AMOUNT: f64 = 1e20;

/// Molar mass of air in ecRad \[kg/mol\].
pub const ECCKD_AIR: f64 = 0.001 * 28.970;
/// Molar mass of water in ecRad \[kg/mol\].
pub const ECCKD_WATER: f64 = 0.001 * 18.0152833;
