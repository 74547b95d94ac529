//! What is wanted of a grid.

use isobar_raytrace::Atmosphere;

/// Where a profile is wanted, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridPlace {
    /// Longitude \[deg\], of any turn.
    pub longitude_deg: f64,
    /// Latitude \[deg\].
    pub latitude_deg: f64,
    /// Time \[s since 2000-01-01T00:00Z\]; none: that of the file, which then has a single one.
    pub time_s: Option<f64>,
}

/// What a grid does not say.
#[derive(Clone, Debug, Default)]
pub struct GridRequest {
    /// Volume mixing ratios that are the same everywhere, by the emitter's name; they win over the file.
    pub constants: Vec<(String, f64)>,
    /// A profile that has what the grid lacks: gases by height, extinctions, cloud, surface, and the levels above.
    pub background: Option<Atmosphere>,
    /// Places outside the grid are left out instead of being an error.
    pub skip_outside: bool,
}
