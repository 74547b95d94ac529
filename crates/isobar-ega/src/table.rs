//! Emissivity look-up tables as a host owns them.

/// The band emissivity of one gas in one channel as a function of pressure, temperature and column density.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EmissivityTable {
    /// One entry a pressure level, in the order of the file.
    pub pressures: Vec<PressureLevel>,
}

/// The curves of one pressure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PressureLevel {
    /// Pressure \[hPa\].
    pub pressure_hpa: f64,
    /// One entry a temperature, in the order of the file.
    pub curves: Vec<Curve>,
}

/// Emissivity against column density at one pressure and temperature.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Temperature \[K\].
    pub temperature_k: f64,
    /// Column density \[molecules/cm^2\], strictly ascending.
    pub column_per_cm2: Vec<f32>,
    /// Emissivity, strictly ascending, in `[0, 1]`.
    pub emissivity: Vec<f32>,
}
