//! k-distributions and tables of cloud and aerosol optics: RRTMGP's, ecCKD's, and files of our own layout.
//!
//! [`read_k_distribution`] tells the layout by the file's variables:
//!
//! | layout | known by | as |
//! |---|---|---|
//! | RRTMGP, `rrtmgp-gas-lw-g256.nc` | `kmajor` | [`KDistribution::Rrtmgp`] |
//! | ecCKD, `*_ckd-definition.nc` | `*_molar_absorption_coeff` | [`KDistribution::Ecckd`] |
//! | Isobar's | `*_absorption` | [`KDistribution::Ecckd`] |
//!
//! Numbers of g-points, bands and gases that begin with 1 in RRTMGP's files begin with 0 here. What is read is checked:
//! sizes, indices, equal steps of all axes, ranges, totals of Planck functions and of the sun.
//!
//! # Isobar's layout
//! A k-distribution whose absorption is a sum of gases, each by a table over pressure and temperature, long wave or
//! short wave or both. A k-distribution of your own is one more file of this kind, not code: [`write_k_distribution`]
//! writes it, and so does anything that writes NetCDF, in any order of the variables and of their dimensions, in any
//! unit that converts. The optical depth of a layer with `n` moles of air per m2 is the sum over its gases, not less
//! than 0.
//!
//! Dimensions: `g_point`, `pressure`, `temperature`, `band`, `interval`, `planck_temperature`, and `GAS_mole_fraction`
//! for each gas with a look-up table.
//!
//! | variable | dimensions | unit | what |
//! |---|---|---|---|
//! | `pressure` | pressure | Pa | rising by a constant factor |
//! | `temperature` | temperature, pressure | K | at each pressure, rising by one step everywhere |
//! | `band_lower_wavenumber`, `band_upper_wavenumber` | band | cm-1 | limits of the bands |
//! | `band_of_g_point` | g_point | | the band of each g-point, from 0 |
//! | `GAS_dependence` | | | how absorption depends on the mole fraction `x` of the gas: see below |
//! | `GAS_absorption` | temperature, pressure, g_point | m2 mol-1 | `k`, with a look-up table by `GAS_mole_fraction`, too |
//! | `GAS_mole_fraction` | GAS_mole_fraction | mol mol-1 | of a look-up table: rising by a constant factor |
//! | `GAS_reference_mole_fraction` | | mol mol-1 | what other gases already include |
//! | `planck_temperature` | planck_temperature | K | long wave: rising by a constant step |
//! | `planck_irradiance` | planck_temperature, g_point | W m-2 | long wave: pi times the Planck function |
//! | `solar_irradiance` | g_point | W m-2 | short wave: of the sun |
//! | `rayleigh_scattering` | g_point | m2 mol-1 | short wave: of a mole of air |
//! | `interval_lower_wavenumber`, `interval_upper_wavenumber` | interval | cm-1 | of the spectrum; with the following, may be missing |
//! | `interval_fraction` | g_point, interval | 1 | the part of a g-point in each interval, 1 in all |
//! | `interval_solar_irradiance` | interval | W m-2 | of the sun; may be missing |
//!
//! | `GAS_dependence` | optical depth |
//! |---|---|
//! | 0, `none` | `n k`: gases that are always there |
//! | 1, `linear` | `n x k` |
//! | 2, `look_up` | `n x k(x)` |
//! | 3, `relative_linear` | `n (x - reference) k` |
//!
//! Water vapour alone (`h2o`) may have a look-up table. Where no gas is called `h2o`, columns need no water vapour.
//!
//! Global attributes: `gases`, the names of the gases with a blank between, in the order in which they are summed
//! (without it that of the variables); `title`, `source`, `references`, `license`, `history` as there are.
//!
//! `data/radiation` has two of ecCKD's models in this layout; the example `convert_k_distribution` made them.
//!
//! # Clouds in Isobar's layout
//! Tables of cloud optics for a k-distribution, which [`write_cloud_tables`] writes and [`read_cloud_tables`] reads
//! beside RRTMGP's, known by `liquid_extinction`.
//!
//! Dimensions: `g_point` (without it tables are by `band`), `band`, `liquid_radius`, `ice_diameter`, `ice_roughness`;
//! `rain_radius` and `snow_diameter` where there are these.
//!
//! | variable | dimensions | unit | what |
//! |---|---|---|---|
//! | `band_lower_wavenumber`, `band_upper_wavenumber` | band | cm-1 | limits of the bands |
//! | `liquid_radius` | liquid_radius | um | effective radius of droplets, rising by a constant step |
//! | `liquid_extinction` | g_point, liquid_radius | m2 g-1 | extinction |
//! | `liquid_albedo`, `liquid_asymmetry` | g_point, liquid_radius | 1 | of single scattering, not delta-scaled |
//! | `ice_diameter` | ice_diameter | um | effective diameter of ice, rising by a constant step |
//! | `ice_extinction` | ice_roughness, g_point, ice_diameter | m2 g-1 | extinction, of each roughness |
//! | `ice_albedo`, `ice_asymmetry` | ice_roughness, g_point, ice_diameter | 1 | likewise |
//! | `rain_radius`, `rain_extinction`, `rain_albedo`, `rain_asymmetry` | as those of liquid | | of rain; may be missing |
//! | `snow_diameter`, `snow_extinction`, `snow_albedo`, `snow_asymmetry` | g_point, snow_diameter | | of snow; may be missing |
//!
//! Global attributes as above, without `gases`. Those in `data/radiation` were made by the example `average_scattering`
//! from ecRad's tables of scattering ([`read_scattering_table`]), which have sizes as effective radii of droplets, ice
//! and rain. RRTMGP's files have neither rain nor snow.

mod aerosol;
mod check;
mod cloud;
mod ecckd;
mod known;
mod names;
mod own;
mod own_clouds;
mod rrtmg_lw;
mod rrtmgp;
mod scattering;
mod sum_of_gases;
mod valid;

use std::path::Path;

use isobar_optics::{CoefficientError, Ecckd, GasOptics, Rrtmgp};

use crate::error::Error;
use crate::netcdf::Dataset;

pub use aerosol::read_aerosol_tables;
pub use cloud::read_cloud_tables;
pub use known::{PublishedFile, RRTMG_LW_FILES, RRTMGP_FILES, coefficient_doubt, rrtmg_lw_doubt};
pub use own::{KDistributionAttributes, write_k_distribution};
pub use own_clouds::write_cloud_tables;
pub use rrtmg_lw::read_rrtmg_lw;
pub use scattering::read_scattering_table;

/// A k-distribution, as its file has it.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one of a program, and it is taken apart at once")]
pub enum KDistribution {
    /// RRTMGP's.
    Rrtmgp(Rrtmgp),
    /// A sum of gases: ecCKD's or Isobar's.
    Ecckd(Ecckd),
}

impl KDistribution {
    /// Its gas optics, ready for use.
    ///
    /// # Errors
    /// Coefficients that make no sense together, or gases that nobody knows.
    pub fn gas_optics(&self) -> Result<GasOptics, CoefficientError> {
        match self {
            Self::Rrtmgp(file) => GasOptics::try_from(file),
            Self::Ecckd(file) => GasOptics::try_from(file),
        }
    }
}

/// Reads a k-distribution of any layout.
///
/// # Errors
/// One line with file, variable, place, value and accepted range.
pub fn read_k_distribution(path: &Path) -> Result<KDistribution, Error> {
    let file = Dataset::open(path)?;
    if file.has_name(rrtmgp::MARK) {
        return rrtmgp::read(&file).map(KDistribution::Rrtmgp);
    }
    let layouts = [&ecckd::NAMES, &own::NAMES];
    for names in layouts {
        if file.names().any(|name| name.ends_with(names.absorption)) {
            return sum_of_gases::read(&file, names).map(KDistribution::Ecckd);
        }
    }
    let lacking = layouts.map(|names| format!("*{} ({})", names.absorption, names.kind));
    let names: Vec<_> = file.names().take(20).collect();
    Err(file.invalid(format!(
        "it is no k-distribution: it has neither {} (RRTMGP), nor {}; the file has: {}",
        rrtmgp::MARK,
        lacking.join(", nor "),
        if names.is_empty() { "no variable".into() } else { names.join(", ") }
    )))
}
