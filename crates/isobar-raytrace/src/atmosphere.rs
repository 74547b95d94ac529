//! The state of the atmosphere along one vertical profile, as a host owns it.

/// A profile of pressure, temperature, trace gases and extinction on common heights, with an
/// optional cloud and surface layer.
///
/// Every vector over levels has the same length, at least 2, and the heights are strictly
/// monotone, in either direction: [`Atmosphere::validate`] checks it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Atmosphere {
    /// Time of each level \[s since 2000-01-01T00:00Z\].
    pub time_s: Vec<f64>,
    /// Height of each level \[km\].
    pub height_km: Vec<f64>,
    /// Longitude of each level \[deg\]; carried along, the profile counts everywhere.
    pub longitude_deg: Vec<f64>,
    /// Latitude of each level \[deg\]; carried along.
    pub latitude_deg: Vec<f64>,
    /// Pressure at each level \[hPa\].
    pub pressure_hpa: Vec<f64>,
    /// Temperature at each level \[K\].
    pub temperature_k: Vec<f64>,
    /// Volume mixing ratio \[mol/mol\], `[gas][level]`.
    pub mixing_ratio: Vec<Vec<f64>>,
    /// Extinction coefficient \[1/km\], `[window][level]`.
    pub extinction_per_km: Vec<Vec<f64>>,
    /// A grey cloud, if there is one.
    pub cloud: Option<CloudLayer>,
    /// A surface with its own temperature and emissivity, if there is one.
    pub surface: Option<SurfaceLayer>,
}

/// A cloud with a Gaussian vertical profile: `exp(-0.5 ((z - height) / depth)^2) * extinction(wavenumber)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CloudLayer {
    /// Height of the maximum \[km\].
    pub height_km: f64,
    /// Depth \[km\]; zero or less means no cloud.
    pub depth_km: f64,
    /// Extinction at the maximum \[1/km\], one value a wavenumber node of the configuration.
    pub extinction_per_km: Vec<f64>,
}

/// A surface layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceLayer {
    /// Height of the surface \[km\].
    pub height_km: f64,
    /// Pressure at the surface \[hPa\]; not positive means that the height alone counts.
    pub pressure_hpa: f64,
    /// Temperature of the surface \[K\]; not positive means that of the lowest air.
    pub temperature_k: f64,
    /// Emissivity, one value a wavenumber node of the configuration.
    pub emissivity: Vec<f64>,
}
