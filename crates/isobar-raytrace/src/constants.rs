//! The constants of the path, as JURASSIC uses them, so that its results can be repeated.

/// Radius of the spherical Earth \[km\] (JURASSIC; the mean radius at mid-latitudes).
pub const EARTH_RADIUS_KM: f64 = 6367.421;

/// Refractivity of air, `n - 1 = REFRACTIVITY_K_PER_HPA * p / T` \[K/hPa\] (dry air in the infrared).
pub const REFRACTIVITY_K_PER_HPA: f64 = 7.753e-5;

/// Boltzmann constant \[J/K\] (CODATA 2002, as in JURASSIC).
pub const BOLTZMANN_J_PER_K: f64 = 1.380_650_4e-23;

/// Standard gravity \[m/s^2\].
pub const GRAVITY_M_PER_S2: f64 = 9.806_65;

/// Molar gas constant \[J/(mol K)\] (CODATA 2014).
pub const GAS_CONSTANT_J_PER_MOL_K: f64 = 8.314_459_8;

/// Molar mass of dry air \[kg/mol\].
pub const MOLAR_MASS_AIR_KG_PER_MOL: f64 = 28.964_56e-3;

/// Molar mass of water \[kg/mol\].
pub const MOLAR_MASS_WATER_KG_PER_MOL: f64 = 18.015_3e-3;
