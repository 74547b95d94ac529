//! Columns for long-wave and short-wave radiation from a NetCDF file: one of this layout or of the models and analyses
//! whose names it knows, one of RFMIP's, of ecRad's, of MPAS's, or of WRF's (`wrfinput`, `wrfout`).
//!
//! # Own layout
//! Dimensions `layer`, `level` (one more), `longwave_band`, `shortwave_band`, `column`, or `south_north` and
//! `west_east`, and `time`, or `expt` and `site`; in any order and by their usual aliases. Where temperatures and
//! pressures have others, such as `lat` and `lon` or `nCells`, all of theirs but the vertical one are those of the
//! columns, whose results keep them. A variable that lacks a horizontal dimension, a gas that lacks the layers and an
//! emissivity or albedo that lacks the bands hold for all of them. Bands are as many as the k-distribution has bands or
//! g-points; where one spectrum alone is computed, `band` will do. `*` may be missing. What only the other spectrum
//! reads is not read. Bands are in the order of the k-distribution, unless the file says where they lie
//! (`longwave_band_lower_wavenumber`, `longwave_band_upper_wavenumber`, and those of `shortwave`): then they are found
//! by their limits, in any order, and others than the k-distribution's are an error.
//!
//! | variable | dimensions | unit | if missing |
//! |---|---|---|---|
//! | `level_pressure` | level, column | Pa | by hybrid coefficients, or from the layers': see below |
//! | `pressure`\* | layer, column | Pa | mean of the levels' |
//! | `temperature`\* | layer, column | K | mean of the levels', weighted by pressure, as ecRad has it |
//! | `level_temperature`\* | level, column | K | as RTE has it, see below |
//! | `surface_temperature` | column | K | needed for the long wave |
//! | `emissivity`\* | longwave_band, column | 1 | 1 |
//! | `cosine_zenith`, or `solar_zenith_angle` | column | 1; degree | from `latitude`, `longitude` and `time` |
//! | `surface_albedo_direct`, or `surface_albedo` | shortwave_band, column | 1 | `rsus/rsds`, or 1 less `rsns/rsds` |
//! | `surface_albedo_diffuse`\* | shortwave_band, column | 1 | that for the beam |
//! | `total_solar_irradiance`\*; `sol_tsi`, at 1 au | column | W m-2 | that of the k-distribution |
//! | `h2o`; also `qv`, `specific_humidity`, ... | layer, column | mol mol-1 | a constant, or zero if asked for |
//! | `co2`, `n2o`, `ch4`, `o2`, `n2` | layer, column | mol mol-1 | the same; with `time`, global means of its year |
//! | `o3` | layer, column | mol mol-1 | a constant, or zero if asked for |
//! | `co`\*, `no2`\*, `cf4`\*, `ccl4`\*, `cfc11`\*, ... | layer, column | mol mol-1 | zero |
//! | `aerosol_absorption_longwave`\* | layer, longwave_band, column | 1 | none |
//! | `aerosol_optical_depth_longwave`\*, with `aerosol_albedo_longwave`, `aerosol_asymmetry_longwave` | layer, longwave_band, column | 1 | none |
//! | `aerosol_optical_depth`\*, with `aerosol_albedo`, `aerosol_asymmetry` | layer, shortwave_band, column | 1 | none |
//! | with tables of aerosols: `aerosol_type` (`aero_type`), `aerosol_radius` (`aero_size`), `aerosol_mass` (`aero_mass`) | layer, column | 1; um; kg m-2 | MERRA-2's mixing ratios |
//! | the same: `DU001` to `DU005`, `SS001` to `SS005`, `SO4`, `BCPHOBIC`, `BCPHILIC`, `OCPHOBIC`, `OCPHILIC` | layer, column | kg kg-1 | none of this type |
//! | `relative_humidity`\*, also `RH` | layer, column | 1 | from water vapour, for aerosols |
//! | `cloud_fraction`\*; also `cc`, `cf`, `clc`, ... | layer, column | 1 | that of the request where there is water |
//! | `liquid_water_path`\*, `ice_water_path`\* | layer, column | g m-2 | 0, but not all of these and the next |
//! | `cloud_liquid_water_content`, `cloud_ice_content` | layer, column | kg kg-1 | in the place of paths: of all air |
//! | `liquid_radius`; `ice_size`, or `ice_radius` | layer, column | um | with contents, by Martin et al. (1994) and Sun (2001) |
//! | `rain_water_path`\*, `snow_water_path`\* | layer, column | g m-2 | none; the tables of clouds need to have them |
//! | `rain_radius`; `snow_size`, or `snow_radius` | layer, column | um | |
//! | `overlap_parameter`\* | layer_interface, column | 1 | by `thickness` and the decorrelation length, for exponential overlap |
//! | `subcolumn_seed`\*, a whole number up to 4294967295 | column | 1 | the one seed that is asked for, for sub-columns of clouds |
//! | `fractional_standard_deviation`\* | layer, column | 1 | 1, for Tripleclouds |
//! | `cloud_absorption_longwave`\*, also `tauc`: of the cloudy part, for RRTMG_LW | layer, longwave_band, column | 1 | from the water |
//! | `thickness`\* | layer, column | m | `Rd T / g ln(pressure below / pressure above)`, for exponential overlap |
//!
//! Aliases and CF names are those of [`isobar_radiation::Columns`]. Gases are relative to dry air; one in `kg kg-1` is
//! converted by its molar mass. Mole fractions in air are taken for relative to dry air, as models and CMIP write them,
//! but for water vapour's. A gas that no k-distribution of the computation knows is not read.
//!
//! Types of aerosol are RRTMGP's numbers: none, dust, sea salt, sulfate, black carbon that takes up water and that does
//! not, organic carbon likewise (0 to 7). Sizes of dust and sea salt are those of the tables' five bins.
//!
//! Level temperatures that are missing: between layers, temperature times pressure is linear in pressure; at the ends,
//! temperature is. For RRTMG_LW they are linear in the logarithm of pressure, extrapolated so to the surface, and at
//! the top that of the uppermost layer. Parts of a layer that stand for layers below the ground have temperatures of
//! their own pressures by the same rules, between the file's layers above the ground. Which end is the surface is what
//! the file says (`orientation`, `positive`, a coordinate); where it says nothing, the pressure does.
//!
//! Pressures of levels that are missing are `a + b * surface_pressure` with `hyai`, `hybi` (times `P0`, where `hyai`
//! has no unit), `ap_bnds`, `b_bnds`, or `a_bnds`, `b_bnds`, or `pk`, `bk`, and those of layers with `hyam`, `hybm`, or
//! `ap`, `b`; in a file of 137 numbered layers, with ECMWF's coefficients. Else they lie between those of the layers, a
//! variable, the layers' coordinate, or by their coefficients alone, which the coordinate's `formula_terms` may name.
//! Layers of such a coordinate below the ground ([`crate::ColumnsInput::below_ground`]) become equal parts of the
//! lowest above it. The pressure of the surface goes by `PS`, `sp`, `lnsp` and others.
//!
//! # RFMIP
//! Files of RFMIP have the columns above along `expt` and `site`; their names and `units` such as `1.e-6` are known.
//! Their uppermost level lies above RRTMGP's tables: RTE's results are those of [`Outside::Clamp`].
//!
//! # ecRad
//! A file with `pressure_hl`, `temperature_hl` and `q` is one of ecRad's, with `column`, `half_level` and `level`.
//! Layers have the mean of their half levels' pressures, and of their temperatures weighted by these.
//!
//! | ecRad | here |
//! |---|---|
//! | `q`, `o3_mmr` and its like; `co2_vmr` and its like | gases in a mass, and in moles, of moist air: divided by `1 - q`, with ecRad's molar masses of air, water and ozone |
//! | `skin_temperature`, `cos_solar_zenith_angle`, `solar_irradiance` | surface and sun |
//! | `lw_emissivity`, `sw_albedo`, `sw_albedo_direct`\* | of bands or g-points; two and six bands are those of ECMWF's model, whose means at g-points need a k-distribution that says where these are (ecCKD) |
//! | `cloud_fraction`\*, `q_liquid`, `q_ice`, `re_liquid`, `re_ice` | clouds: the layer's water over its cloudy part; radii are brought into those of the tables; layers with less than 1e-6 of cloud or 1e-9 of water are clear |
//! | `overlap_param`\*, `fractional_std`\* | `overlap_parameter`, `fractional_standard_deviation` |
//!
//! Aerosol (`aerosol_mmr`), `inv_cloud_effective_size`, `iseed`, and `q_hydrometeor`, of which no file says what it is,
//! are not read.
//!
//! # MPAS
//! A file with `theta`, `zgrid`, and `pressure` or its parts `pressure_base` and `pressure_p`, is one of MPAS's:
//! `temperature = theta exner`, levels linear in height.
//!
//! # WRF
//! A file with `PB` and `PHB` is one of WRF's. `Time`, `south_north` and `west_east` make up the columns.
//!
//! | WRF | here |
//! |---|---|
//! | `P + PB`, `(T + 300) exner` | pressure and temperature of layers |
//! | `PSFC`, `P + PB`, `PH + PHB` | pressure of levels: `PSFC`; between layers linear in height (or by `FNM`, `FNP`); at the top extrapolated in its logarithm |
//! | | temperature of levels likewise, linear in height at both ends |
//! | `QVAPOR` | `h2o`; other gases by the names above, `O3`, `o3vmr` |
//! | `TSK`, `EMISS`; `COSZEN`, `ALBEDO` | surface and sun |
//! | `CLDFRA`, `QCLOUD`, `QICE`\* | clouds: the layer's water over its cloudy part, of 0.01 at least; without `CLDFRA`, the fraction of the request where there is water |
//! | `RE_CLOUD`\*, `RE_ICE`\* | brought into the tables' range, as WRF does; 10 um and 30 um where they are missing |
//!
//! Effective radii of ice are half of the tables' sizes. Rain and snow (`QRAIN`, `QSNOW` with `RE_SNOW`) are read if
//! asked for, as parts of the cloudy part. Radii of rain follow from its amount: of drops whose number falls
//! exponentially with their diameter, 8e6 m-4 at 0 (Marshall and Palmer 1948), it is 1.5 times the mean diameter.
//!
//! # Sizes outside of the tables
//! Those of WRF's and ecRad's files are brought into the tables' range, unless [`Outside::Error`] is asked for, and
//! so are those of all with [`Outside::Clamp`]; else they are errors. WRF's effective radii that say that there are no
//! such particles, where there are, become those that WRF's own scheme takes then. Rain and snow reach sizes far beyond
//! tables made for cloud particles.
//! Large particles take twice the light that falls on them: where their size is clamped from above, their path is
//! multiplied by the largest size of the table over theirs.

mod aerosol;
mod band_limits;
mod check;
mod cloud;
mod common;
mod content;
mod derive;
mod drawn;
pub(crate) mod ecrad;
mod file_slopes;
mod gas;
mod mpas;
mod neighbours;
mod outside;
mod own;
mod particles;
mod pressure_slopes;
mod quantity;
mod rain_and_snow;
mod request;
mod subcolumn_seed;
mod sun;
mod surface;
mod temperature_slopes;
mod wrf;

use std::path::Path;

use ecrad::is_ecrad;

use crate::columns_file::mpas::is_mpas;
use crate::columns_file::wrf::is_wrf;
use crate::error::Error;
use crate::netcdf::Dataset;

pub use crate::columns_file::Outside;
pub use crate::columns_file::gas::NEEDED as NEEDED_GASES;
pub use file_slopes::{ColumnSlopes, FileSlopes};
pub use request::{RadiationInput, RadiationRequest, SunAt};
pub use sun::NO_MEAN_SUN;

/// Reads and checks the columns of a file, or of several that complete each other ([`Dataset::open_all`]).
///
/// # Errors
/// One line with file, variable, column, layer or level, value and accepted range.
pub fn read_radiation<P: AsRef<Path>>(files: &[P], request: &RadiationRequest) -> Result<RadiationInput, Error> {
    let mut file = Dataset::open_all(files)?;
    file.take_for(request.names)?;
    if let Some(vertical) = request.vertical {
        file.take_for_layers(vertical)?;
    }
    if let Some(part) = request.part {
        file.in_part(part.clone());
    }
    if request.keep_going {
        file.keep_going();
    }
    let raw = if is_wrf(&file) {
        wrf::read(file, request)?
    } else if is_mpas(&file) {
        mpas::read(file, request)?
    } else if is_ecrad(&file) {
        if request.spectra.is_rrtmg() {
            let what = "it is one of ecRad's input files, which only k-distributions of RRTMGP and ecCKD read";
            return Err(file.invalid(what));
        }
        ecrad::read(file, request)?
    } else {
        own::read(file, request)?
    };
    check::complete(raw, request)
}
