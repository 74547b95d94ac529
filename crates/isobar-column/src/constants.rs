//! The numbers of the model, SI units. Those of air are WRF 4.6's, as in `isobar-ysu`, so that what a scheme gives is
//! what a budget counts.

/// Specific heat of dry air at constant pressure \[J/(kg K)\].
pub const HEAT_CAPACITY: f64 = 1004.5;
/// Gas constant of dry air \[J/(kg K)\].
pub const GAS_CONSTANT: f64 = 287.0;
/// Gas constant of water vapour \[J/(kg K)\].
pub const VAPOUR_GAS_CONSTANT: f64 = 461.6;
/// Acceleration of gravity \[m/s^2\].
pub const GRAVITY: f64 = 9.81;
/// Latent heat of vaporisation \[J/kg\].
pub const LATENT_HEAT: f64 = 2.5e6;
/// Von Karman's constant.
pub const KARMAN: f64 = 0.4;
/// `Rv / Rd - 1`: what vapour adds to the virtual temperature.
pub const VIRTUAL: f64 = VAPOUR_GAS_CONSTANT / GAS_CONSTANT - 1.0;
/// `Rd / Rv`.
pub const GAS_RATIO: f64 = GAS_CONSTANT / VAPOUR_GAS_CONSTANT;
/// The pressure of potential temperature \[Pa\].
pub const REFERENCE_PRESSURE: f64 = 1e5;
/// Seconds of a day.
pub const DAY_S: f64 = 86_400.0;
/// The Earth's rotation \[1/s\].
pub const ROTATION: f64 = 7.292e-5;
/// Mean molar mass of dry air \[kg/mol\], as RRTMG_LW has it.
pub const DRY_AIR_KG_PER_MOL: f64 = 28.966e-3;
/// Molar mass of water \[kg/mol\], likewise.
pub const WATER_KG_PER_MOL: f64 = 18.016e-3;
