//! The constants of radiances, as JURASSIC uses them, so that its results can be repeated.

/// First radiation constant, 2 h c^2 \[W m^-2 sr^-1 (cm^-1)^-4\].
pub const RADIATION_C1: f64 = 1.191_042_59e-8;

/// Second radiation constant, h c / k \[K cm\].
pub const RADIATION_C2: f64 = 1.438_775_06;

/// Avogadro constant \[1/mol\].
pub const AVOGADRO_PER_MOL: f64 = 6.022_141_99e23;

/// Standard pressure \[hPa\].
pub const STANDARD_PRESSURE_HPA: f64 = 1013.25;

/// Temperature of the Sun as a black body \[K\].
pub const SUN_TEMPERATURE_K: f64 = 5780.0;

/// Solid angle of the Sun \[sr\].
pub const SUN_SOLID_ANGLE_SR: f64 = 6.764e-5;

/// Nodes of the source function table, over [`SOURCE_TEMPERATURES_K`].
pub const SOURCE_NODES: usize = 1200;

/// First and last temperature of the source function table \[K\].
pub const SOURCE_TEMPERATURES_K: (f64, f64) = (100.0, 400.0);
