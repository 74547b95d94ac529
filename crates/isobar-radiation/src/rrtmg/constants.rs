//! Constants of RRTMG_LW, which differ from today's in the later digits.

/// Gravity \[m/s^2\].
pub const GRAVITY: f64 = 9.8066;
/// Avogadro constant \[1/mol\].
pub const AVOGADRO: f64 = 6.022_141_99e23;
/// Molar mass of dry air \[g/mol\].
pub const DRY_AIR: f64 = 28.966;
/// Molar mass of water \[g/mol\].
pub const WATER: f64 = 18.016;
/// Heat capacity of dry air at constant pressure \[J/(kg K)\]: RRTMG_LW's default.
pub const HEAT_CAPACITY: f64 = 1004.0;
/// Seconds of a day.
pub const DAY_S: f64 = 86400.0;
/// hPa in a pascal.
pub const HPA_PER_PA: f64 = 0.01;
/// From radiances \[W/(cm^2 sr)\] to fluxes \[W/m^2\]: pi, with cm^2 in m^2.
pub const FLUX: f64 = core::f64::consts::PI * 1e4;
/// The largest position on the mixture of two gases.
pub const MOST_MIXTURE: f64 = 1.0 - 1e-6;
/// Temperature over pressure to which continua refer \[K/hPa\].
pub const CONTINUUM_K_PER_HPA: f64 = 296.0 / 1013.0;
/// The unit of column amounts \[molecules/cm^2\].
pub const COLUMN_UNIT: f64 = 1e20;
/// What stands for no gas at all, relative to the column of dry air.
pub const NO_GAS: f64 = 1e-32;
/// Layers whose pressure in hPa has a logarithm above this are in the lower region.
pub const LOWER_LN_PRESSURE: f64 = 4.56;
