//! Tables of aerosol optics of RRTMGP, as their file has them.

/// Optical properties of the aerosol types of MERRA-2 (GOCART): what a file of the layout of
/// `rrtmgp-aerosols-merra-lw.nc` holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AerosolTables {
    /// Limits of the bands \[cm^-1\].
    pub bands: Vec<[f64; 2]>,
    /// Limits of the size bins of dust and sea salt \[um\].
    pub bins_um: Vec<[f64; 2]>,
    /// Relative humidities of the particles that take up water \[1\], rising, not at equal distances.
    pub humidity: Vec<f64>,
    /// Mineral dust, by size bin.
    pub dust: AerosolTable,
    /// Sea salt, by size bin and humidity.
    pub salt: AerosolTable,
    /// Sulfate, by humidity.
    pub sulfate: AerosolTable,
    /// Black carbon that repels water.
    pub black_carbon: AerosolTable,
    /// Black carbon that takes up water, by humidity.
    pub black_carbon_wet: AerosolTable,
    /// Organic carbon that repels water.
    pub organic_carbon: AerosolTable,
    /// Organic carbon that takes up water, by humidity.
    pub organic_carbon_wet: AerosolTable,
}

/// Particles of one type: `[band][bin][humidity]`, the last index fastest, without the axes that the type lacks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AerosolTable {
    /// Extinction \[m^2/kg\].
    pub extinction: Vec<f64>,
    /// Single-scattering albedo.
    pub albedo: Vec<f64>,
    /// Asymmetry.
    pub asymmetry: Vec<f64>,
}
