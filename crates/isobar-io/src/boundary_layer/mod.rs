//! Columns for the boundary-layer scheme from a NetCDF file: one of this layout, or one of WRF's (`wrfinput`,
//! `wrfout`).
//!
//! # Own layout
//! Dimensions `layer`, `level` (the interfaces, one more), `column`, or `south_north` and `west_east`, and `time`, or
//! others such as `lat` and `lon`; in any order and by their usual aliases. A variable that lacks a horizontal
//! dimension holds for all of it. `*` may be missing and is then as in the last column.
//!
//! | variable | dimensions | unit | also known as | if missing |
//! |---|---|---|---|---|
//! | `u`, `v` | layer, column | m s-1 | `U`, `V`, `eastward_wind`, `northward_wind` | |
//! | `temperature` | layer, column | K | `t`, `air_temperature` | |
//! | or `theta` | layer, column | K | `th`, `air_potential_temperature` | |
//! | `vapour` | layer, column | kg kg-1 | `qv`, `QVAPOR`, `humidity_mixing_ratio` | |
//! | `cloud_water`\*, `cloud_ice`\* | layer, column | kg kg-1 | `qc`, `qi`, `QCLOUD`, `QICE` | 0 |
//! | `pressure` | layer, column | Pa | `p`, `air_pressure` | |
//! | `interface_pressure` | level, column | Pa | `p_int`, `p8w`, `pressure_level`, `air_pressure` | |
//! | `exner`\* | layer, column | 1 | `pi`, `dimensionless_exner_function` | `(p / 1e5)^(2/7)` |
//! | `thickness`\* | layer, column | m | `dz` | from `interface_height`, or `Rd Tv / g ln(p below / p above)` |
//! | `interface_height`\* | level, column | m | `z_int`, `z_level`, `height_level` | |
//! | `radiative_heating` | layer, column | K s-1 | `rthraten`, of potential temperature | needed with top-down mixing only |
//! | `surface_pressure`\* | column | Pa | `psfc`, `surface_air_pressure` | pressure of the lowest interface |
//! | `roughness` | column | m | `znt`, `surface_roughness_length` | |
//! | `land_or_water` | column | 1 | `xland`: 1 land, 2 water | or `land_binary_mask` (`landmask`): 1 land, 0 water |
//! | `sensible_heat_flux` | column | W m-2 | `hfx`, `surface_upward_sensible_heat_flux` | |
//! | `moisture_flux` | column | kg m-2 s-1 | `qfx`, `water_evapotranspiration_flux` | |
//! | `friction_velocity`\* | column | m s-1 | `ust` | [similarity] |
//! | `profile_momentum`\*, `profile_heat`\* | column | 1 | `psim`, `psih` | [similarity] |
//! | `richardson`\* | column | 1 | `br` | [similarity] |
//! | `wind_speed`\* | column | m s-1 | `wspd` | of the lowest layer against the surface, see below |
//! | `u_10m`\*, `v_10m`\* | column | m s-1 | `u10`, `v10` | [similarity] |
//! | `u_current`\*, `v_current`\* | column | m s-1 | `uoce`, `voce` | 0 |
//! | `boundary_layer_height`\* | column | m | `hpbl`, `pblh`, `atmosphere_boundary_layer_thickness` | used for the wind speed only |
//! | `drag_factor`, `wind_weight` | column | 1 | `ctopo`, `ctopo2` | needed with the topographic option only |
//! | `urban_*` | layer, column | | `a_u`, `a_v`, `a_t`, `a_q`, `b_u`, `b_v`, `b_t`, `b_q`, `sfk`, `vlk` | needed with towns only |
//! | `urban_share` | column | 1 | `frcurb` | needed with towns and the topographic option only |
//! | `turbulent_energy`\* | layer, column | m2 s-2 | `tke`, at lower interfaces | for Shin-Hong: 0.005 |
//! | `coriolis`\* | column | s-1 | `f`, `coriolis_parameter` | for Shin-Hong: 1e-4 |
//! | `grid_distance`\* | column | m | `dx` | for Shin-Hong: to be given otherwise |
//!
//! The names of WRF's surface variables are known in capitals, too. Which end of the layers is the surface is what the
//! file says (`orientation`, `positive`, a coordinate); where it says nothing, the pressure of the interfaces does.
//!
//! A wind speed that is missing is that of the lowest layer relative to the surface current, with the enhancement of
//! Beljaars (1995, doi:10.1002/qj.49712152203), `sqrt(u^2 + v^2 + wc^2)`, `wc = (g / thetav F h)^(1/3)` in an upward
//! flux `F` of virtual potential temperature, if there is a `boundary_layer_height`; 0.1 m/s at least.
//!
//! Where the surface layer is computed ([`read_boundary_layer_over_surface`]), the file has the surface instead:
//!
//! | variable | dimensions | unit | other names | if missing |
//! |---|---|---|---|---|
//! | `surface_temperature` | column | K | `tsk` | |
//! | `moisture_availability`\* | column | 1 | `mavail` | 1 over water |
//! | `friction_velocity`\* and what else the step before left | column | | `ust`, `ustm`, `mol`, `hfx`, `qfx` | a steady layer |
//! | `surface_vapour`\* | column | kg kg-1 | `qsfc` | that of saturated air |
//! | `grid_length`\* | column | m | `dx` | 5000: no gusts of a coarse grid |
//! | `lake`\* | column | 1 | `lakemask` | 0 |
//!
//! # WRF
//! A file with `PB` and `PHB` is one of WRF's. `Time`, `south_north` and `west_east` make up the columns.
//!
//! | WRF | here |
//! |---|---|
//! | `U`, `V` on staggered points | means of the two faces |
//! | `T` | temperature: `(T + 300) exner` |
//! | `P + PB` | pressure; `exner` from it |
//! | `PH + PHB` | thickness: differences over g |
//! | `P + PB`, `PSFC`, `PH + PHB` | pressure of interfaces: `PSFC`; between layers linear in height (or by `FNM`, `FNP`); at the top extrapolated in its logarithm |
//! | `QVAPOR`, `QCLOUD`\*, `QICE`\* | as they are |
//! | `RTHRATEN`, or `RTHRATLW + RTHRATSW` | radiative heating |
//! | `PSFC`, `ZNT`, `XLAND`, `HFX`, `QFX` | as they are |
//! | `UST`\*, `PSIM`\*, `PSIH`\*, `BR`\*, `WSPD`\*, `U10`\*, `V10`\*, `UOCE`\*, `VOCE`\*, `PBLH`\*, `CTOPO`, `CTOPO2` | as in the own layout |

mod check;
mod derive;
mod own;
mod quantity;
mod surface;
mod wrf;

use std::path::Path;

use isobar_ysu::{Chosen, Columns};

pub use isobar_ysu::similarity;
pub use surface::set_lowest_layer;

use crate::columns_file::BadColumn;
use crate::columns_file::wrf::is_wrf;
use crate::error::Error;
use crate::netcdf::{Dataset, Orientation, Remarks};

/// Columns and how their file had them.
#[derive(Clone, Debug)]
pub struct BoundaryLayerInput {
    /// The columns, surface first; all of them valid: in the place of one that is bad stands another.
    pub columns: Columns<f64>,
    /// The surface below them, where its layer is to be computed: what comes of it is 1 in the columns until then.
    pub surface: Option<isobar_surface::Columns<f64>>,
    /// Whether the file knows of that layer what a step before left.
    pub has_step_before: bool,
    /// Which end of its layers the file has first.
    pub orientation: Orientation,
    /// Names and sizes of the dimensions that make up the columns, slowest first.
    pub horizontal: Vec<(String, usize)>,
    /// What the file's kind calls layers and levels.
    pub vertical: [&'static str; 2],
    /// What the file did not have, and where it was taken from.
    pub derived: Vec<String>,
    /// What else there is to say of the file.
    pub remarks: Remarks,
    /// What similarity formulas made up where the file has fluxes and nothing of a surface layer: boundary-layer
    /// heights depend on it most of all.
    pub made_up: Option<String>,
    /// The columns that were left out, in order; empty unless asked to keep going.
    pub bad: Vec<BadColumn>,
}

/// Reads and checks the columns of a file. What the options do not need is not read.
///
/// With `keep_going`, a column with a value that is missing, not finite or out of range is no error, but one of the bad
/// columns.
///
/// # Errors
/// One line with file, variable, column, layer or level, value and accepted range.
pub fn read_boundary_layer(path: &Path, options: &impl Chosen, keep_going: bool) -> Result<BoundaryLayerInput, Error> {
    read(path, options, SurfaceLayer::Given, keep_going)
}

/// Likewise, with the surface in place of its layer: its temperature, how wet it is, and what is known of the step
/// before (`isobar_surface::Columns`). The length of the grid's cells \[m\] is for files that do not have it.
///
/// # Errors
/// As [`read_boundary_layer`].
pub fn read_boundary_layer_over_surface(
    path: &Path,
    options: &impl Chosen,
    grid_length_m: Option<f64>,
    keep_going: bool,
) -> Result<BoundaryLayerInput, Error> {
    read(path, options, SurfaceLayer::Computed { grid_length_m }, keep_going)
}

/// Where the surface layer comes from.
#[derive(Clone, Copy)]
enum SurfaceLayer {
    /// The file, or similarity.
    Given,
    /// A scheme, later, on a grid of this length, where the file does not say it.
    Computed { grid_length_m: Option<f64> },
}

fn read(
    path: &Path,
    options: &impl Chosen,
    surface: SurfaceLayer,
    keep_going: bool,
) -> Result<BoundaryLayerInput, Error> {
    let mut file = Dataset::open(path)?;
    if keep_going {
        file.keep_going();
    }
    let raw = if is_wrf(&file) { wrf::read(file, options, surface)? } else { own::read(file, options, surface)? };
    check::complete(raw, options, keep_going)
}
