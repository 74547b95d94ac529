//! A k-distribution of RRTMGP, as its file has it.

use std::ops::Range;

/// Coefficients of RRTMGP's gas optics, long wave or short wave: what a file of the layout of `rrtmgp-gas-lw-g256.nc`
/// holds. Numbers of g-points and gases begin with 0 here; tables are flat, the last index fastest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rrtmgp {
    /// The gases that `key` means, by their names in the file: `h2o`, `co2`, ...
    pub gases: Vec<String>,
    /// The bands, in the order of their g-points.
    pub bands: Vec<RrtmgpBand>,
    /// Pressures of the reference atmosphere \[Pa\], falling by a constant factor.
    pub pressure_pa: Vec<f64>,
    /// Its temperatures \[K\], rising by a constant step.
    pub temperature_k: Vec<f64>,
    /// The pressure above which a layer belongs to the lower atmosphere \[Pa\].
    pub tropopause_pa: f64,
    /// Mixing ratios of dry air (1) and of each gas, `[temperature][1 + gas][lower, upper]`.
    pub reference_mixing_ratio: Vec<f64>,
    /// Nodes along the mixture of two key gases, at equal distances from 0 to 1.
    pub mixtures: usize,
    /// Absorption of the key gases \[cm^2/molecule\], `[temperature][1 + pressure][mixture][g-point]`.
    pub major: Vec<f64>,
    /// Lesser gases of the lower and the upper atmosphere.
    pub minor: [RrtmgpMinors; 2],
    /// What a long-wave file has besides.
    pub planck: Option<RrtmgpPlanck>,
    /// What a short-wave file has besides.
    pub solar: Option<RrtmgpSolar>,
}

/// A band.
#[derive(Clone, Debug, PartialEq)]
pub struct RrtmgpBand {
    /// Its g-points.
    pub points: Range<usize>,
    /// Its limits \[cm^-1\].
    pub wavenumber_per_cm: [f64; 2],
    /// The two key gases in the lower and the upper atmosphere: 0 for none, else 1 + gas, as in the file.
    pub key: [[usize; 2]; 2],
}

/// The lesser gases of one part of the atmosphere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RrtmgpMinors {
    /// Who absorbs where.
    pub absorbers: Vec<RrtmgpMinor>,
    /// Absorption, `[temperature][mixture][contributor]`.
    pub table: Vec<f64>,
    /// The number of contributors: the length of a row of the table.
    pub contributors: usize,
}

/// A lesser gas in some g-points, all of one band.
#[derive(Clone, Debug, PartialEq)]
pub struct RrtmgpMinor {
    /// What it is called in the file, as `h2o_self`.
    pub name: String,
    /// The gas: `gas_minor` of the file for that name.
    pub gas: String,
    /// Its g-points.
    pub points: Range<usize>,
    /// Which contributor its first g-point is.
    pub first: usize,
    /// Is its amount multiplied by pressure \[hPa\] over temperature?
    pub scales_with_density: bool,
    /// The gas by whose mole fraction it is multiplied, too; only where it scales with density.
    pub scaling_gas: Option<String>,
    /// Is it multiplied by what that fraction lacks to 1?
    pub by_complement: bool,
}

/// Sources of a long-wave file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RrtmgpPlanck {
    /// The part that a g-point has of its band's radiance, `[temperature][1 + pressure][mixture][g-point]`.
    pub fraction: Vec<f64>,
    /// Temperatures of the following \[K\], 1 K apart.
    pub temperature_k: Vec<f64>,
    /// Radiance of a band \[W m^-2 sr^-1\], `[band][temperature]`.
    pub radiance: Vec<f64>,
    /// Slope and intercept of a band's best secant, where the file has them.
    pub secant: Vec<[f64; 2]>,
}

/// Sources and scattering of a short-wave file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RrtmgpSolar {
    /// Irradiance of the quiet sun at a g-point \[W m^-2\].
    pub quiet: Vec<f64>,
    /// What faculae add, per index.
    pub facular: Vec<f64>,
    /// What sunspots add, per index.
    pub sunspot: Vec<f64>,
    /// The index of faculae (`mg_default`).
    pub facular_index: f64,
    /// The index of sunspots (`sb_default`).
    pub sunspot_index: f64,
    /// Rayleigh scattering of the lower and upper atmosphere \[cm^2/molecule\], `[temperature][mixture][g-point]`.
    pub rayleigh: [Vec<f64>; 2],
}
