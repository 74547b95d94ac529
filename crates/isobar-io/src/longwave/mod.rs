//! Columns for long-wave radiation from a NetCDF file: one of this layout, one of RFMIP's, or one of WRF's (`wrfinput`,
//! `wrfout`).
//!
//! # Own layout
//! Dimensions `layer`, `level` (one more), `band`, `column`, or `south_north` and `west_east`, and `time`, or `expt`
//! and `site`, or others such as `lat` and `lon`; in any order and by their usual aliases. A variable that lacks a
//! horizontal dimension, a gas that lacks the layers and an emissivity that lacks the bands hold for all of them. `*`
//! may be missing.
//!
//! | variable | dimensions | unit | also known as | if missing |
//! |---|---|---|---|---|
//! | `level_pressure` | level, column | Pa | `plev`, `p_int`, `pres_level`, `pressure_level`, `air_pressure` | |
//! | `pressure`\* | layer, column | Pa | `p`, `play`, `pres_layer`, `air_pressure` | mean of the levels' |
//! | `temperature` | layer, column | K | `t`, `tlay`, `temp_layer`, `air_temperature` | |
//! | `level_temperature`\* | level, column | K | `tlev`, `t_int`, `temp_level`, `temperature_level`, `air_temperature` | see below |
//! | `surface_temperature` | column | K | `tsfc`, `ts`, `TSK` | |
//! | `emissivity` | band, column | 1 | `emis`, `surface_emissivity`, `EMISS`, `surface_longwave_emissivity` | |
//! | `h2o` | layer, column | mol mol-1 | `water_vapor`, `water_vapour`; or `qv`, `QVAPOR`, `humidity_mixing_ratio` \[kg kg-1\]; or `specific_humidity`; or `mole_fraction_of_water_vapor_in_air` | a constant, or zero if asked for |
//! | `co2`, `o3`, `n2o`, `ch4`, `o2` | layer, column | mol mol-1 | `carbon_dioxide`, `ozone`, `nitrous_oxide`, `methane`, `oxygen`, also with `_GM`; `mole_fraction_of_..._in_air` | the same |
//! | `co`\*, `ccl4`\*, `cfc11`\*, `cfc12`\*, `cfc22`\* | layer, column | mol mol-1 | `carbon_monoxide`, `carbon_tetrachloride`, `hcfc22`, ... | zero |
//! | `aerosol_optical_depth`\* | layer, band, column | 1 | `tauaer` | none |
//! | `cloud_fraction`\* | layer, column | 1 | `cldfrac`, `cldfra`, `cc`, `cf`, `clc`, `cloud_area_fraction_in_atmosphere_layer` | that of the request where there is water |
//! | `liquid_water_path`\*, `ice_water_path`\* | layer, column | g m-2 | `clwp`, `ciwp`; of the cloudy part | 0, but not both |
//! | `liquid_radius` | layer, column | um | `reliq`, `re_liq` | |
//! | `ice_size`, or `ice_radius` | layer, column | um | `reice`, as the ice optics means it; `re_ice`, effective radius | |
//! | `cloud_optical_depth`\* | layer, band, column | 1 | `tauc`; absorption, of the cloudy part | from the water |
//! | `thickness`\* | layer, column | m | `dz` | `Rd T / g ln(pressure below / pressure above)`, for exponential overlap |
//!
//! Gases are relative to dry air; one in `kg kg-1` is converted by its molar mass. A gas that the k-distribution does
//! not know need not be there.
//!
//! Level temperatures that are missing are linear in the logarithm of pressure between layers, extrapolated so to the
//! surface, and at the top that of the uppermost layer. Which end is the surface is what the file says (`orientation`,
//! `positive`, a coordinate); where it says nothing, the pressure does.
//!
//! # RFMIP
//! The same with `expt` and `site`, whose names and `units` such as `1.e-6` are known.
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
//! | `TSK`, `EMISS` | surface |
//! | `CLDFRA`, `QCLOUD`, `QICE`\* | clouds: the layer's water over its cloudy part, of 0.01 at least; without `CLDFRA`, the fraction of the request where there is water |
//! | `RE_CLOUD`\*, `RE_ICE`\* | brought into the optics' range, as WRF does; 10 um and 30 um where they are missing. No snow |

mod check;
mod cloud;
mod derive;
mod gas;
mod own;
mod quantity;
mod wrf;

use std::path::Path;

use isobar_longwave::band::{Gas, Halocarbon};
use isobar_longwave::{Columns, Options};

use crate::columns_file::ColumnsInput;
use crate::columns_file::wrf::is_wrf;
use crate::error::Error;
use crate::netcdf::Dataset;
use crate::radiation::ecrad::is_ecrad;

pub use crate::columns_file::Outside;
pub use gas::Absorber;

/// What a computation wants of a file.
#[derive(Clone, Debug)]
pub struct LongwaveRequest<'a> {
    /// The options of the computation.
    pub options: &'a Options,
    /// Bands and g-points of the k-distribution.
    pub spectrum: (usize, usize),
    /// The gases that it knows.
    pub gases: &'a [Gas],
    /// The halocarbons that it knows.
    pub halocarbons: &'a [Halocarbon],
    /// Constant mixing ratios \[mol/mol\], which win over the file's.
    pub constants: &'a [(Absorber, f64)],
    /// Whether gases that nobody gives are zero.
    pub assume_zero: bool,
    /// Whether clouds are read.
    pub clouds: bool,
    /// The cloudy part of layers with water where the file has no cloud fraction; 1 is usual.
    pub cloud_fraction: f64,
    /// Values outside of the tables.
    pub outside: Outside,
    /// Whether columns with values that are missing or out of range are left out ([`ColumnsInput::bad`]) instead of
    /// being an error. Those outside of the tables are one if they are to be ([`Outside::Error`]).
    pub keep_going: bool,
}

/// Columns and how their file had them.
pub type LongwaveInput = ColumnsInput<Columns<f64>>;

/// Reads and checks the columns of a file.
///
/// # Errors
/// One line with file, variable, column, layer or level, value and accepted range.
pub fn read_longwave(path: &Path, request: &LongwaveRequest) -> Result<LongwaveInput, Error> {
    let mut file = Dataset::open(path)?;
    if request.keep_going {
        file.keep_going();
    }
    if is_ecrad(&file) {
        let what = "it is one of ecRad's input files, which only k-distributions of RRTMGP and ecCKD read";
        return Err(file.invalid(what));
    }
    let raw = if is_wrf(&file) { wrf::read(file, request)? } else { own::read(file, request)? };
    check::complete(raw, request)
}
