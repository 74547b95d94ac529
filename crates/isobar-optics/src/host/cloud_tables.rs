//! Tables of cloud optics, as their files have them.

use super::gas_optics::GasOptics;

/// Optical properties of droplets and ice, and perhaps of rain and snow, over their size: what a file of the layout of
/// `rrtmgp-clouds-lw-bnd.nc` or of our own holds. Tables are flat, the last index fastest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CloudTables {
    /// Bands, or g-points for tables by g-point.
    pub spectral: usize,
    /// Are they g-points?
    pub by_point: bool,
    /// Limits of the bands \[cm^-1\].
    pub bands: Vec<[f64; 2]>,
    /// Droplets, over the effective radius.
    pub liquid: ParticleTable,
    /// Ice of each roughness (smooth, medium, rough; or of one), over the effective diameter.
    pub ice: Vec<ParticleTable>,
    /// Rain, over the effective radius, if there is a table.
    pub rain: Option<ParticleTable>,
    /// Snow, over the effective diameter, likewise.
    pub snow: Option<ParticleTable>,
}

impl CloudTables {
    /// Are they for the bands or g-points of a k-distribution?
    #[must_use]
    pub fn fit(&self, gases: &GasOptics) -> bool {
        let fits_in = if self.by_point { gases.points } else { gases.points_of_bands.len() };
        self.spectral == fits_in && (self.bands.is_empty() || gases.has_bands(&self.bands))
    }
}

/// Particles of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParticleTable {
    /// The smallest and the largest size \[um\]; nodes are at equal distances.
    pub size_um: [f64; 2],
    /// Extinction \[m^2/g\], `[spectral][size]`.
    pub extinction: Vec<f64>,
    /// Single-scattering albedo, likewise.
    pub albedo: Vec<f64>,
    /// Asymmetry, likewise.
    pub asymmetry: Vec<f64>,
}
