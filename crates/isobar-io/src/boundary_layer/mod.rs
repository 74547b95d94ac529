//! Columns for the boundary-layer scheme from a NetCDF file: one of this layout or of the models and analyses whose
//! names it knows (CAM, ERA5, CMIP6, ICON), one of MPAS's, or of WRF's (`wrfinput`, `wrfout`).
//!
//! # Own layout
//! Dimensions `layer`, `level` (the interfaces, one more), `column`, or `south_north` and `west_east`, and `time`, or
//! others such as `lat` and `lon`; in any order and by their usual aliases. A variable that lacks a horizontal
//! dimension holds for all of it. `*` may be missing and is then as in the last column. A caller may give constants
//! ([`BoundaryLayerRequest::constants`]), which win.
//!
//! | variable | dimensions | unit | also known as | if missing |
//! |---|---|---|---|---|
//! | `u`, `v` | layer, column | m s-1 | `U`, `V`, `ua`, `va`, `eastward_wind`, `northward_wind` | |
//! | `temperature` | layer, column | K | `t`, `T`, `ta`, `temp`, `air_temperature` | |
//! | or `theta` | layer, column | K | `th`, `air_potential_temperature` | |
//! | `vapour` | layer, column | kg kg-1 | `qv`, `QVAPOR`, `humidity_mixing_ratio` | |
//! | or `specific_humidity` | layer, column | kg kg-1 | `q`, `Q`, `hus` | `vapour = q / (1 - q)` |
//! | `cloud_water`\*, `cloud_ice`\* | layer, column | kg kg-1 | `qc`, `qi`, `QCLOUD`, `QICE` | 0 |
//! | or of moist air | layer, column | kg kg-1 | `clwc`, `ciwc`, `CLDLIQ`, `CLDICE`, `clw`, `cli` | times `1 + vapour` |
//! | `pressure`\* | layer, column | Pa | `p`, `pres`, `pfull`, `air_pressure` | mean of the interfaces' |
//! | `interface_pressure`\* | level, column | Pa | `p_int`, `p8w`, `pressure_level`, `pres_ifc`, `phalf`, `air_pressure` | by hybrid coefficients or from the layers', as [`crate::radiation`] has them |
//! | `exner`\* | layer, column | 1 | `pi`, `dimensionless_exner_function` | `(p / 1e5)^(2/7)` |
//! | `thickness`\* | layer, column | m | `dz` | from `interface_height`, or `Rd Tv / g ln(p below / p above)` |
//! | `interface_height`\* | level, column | m | `z_int`, `z_level`, `height_level`, `z_ifc` | |
//! | `radiative_heating` | layer, column | K s-1 | `rthraten`, of potential temperature | needed with top-down mixing only |
//! | `surface_pressure`\* | column | Pa | `psfc`, `ps`, `PS`, `sp`, `lnsp`, `surface_air_pressure` | pressure of the lowest interface |
//! | `roughness` | column | m | `znt`, `fsr`, `surface_roughness_length` | |
//! | `land_or_water` | column | 1 | `xland`: 1 land, 2 water | or the part that is land (`landmask`, `lsm`, `LANDFRAC`, `sftlf`, `fr_land`): more than half |
//! | `sensible_heat_flux` | column | W m-2 | `hfx`, `hfss`, `SHFLX`, `surface_upward_sensible_heat_flux` | less the downward one: `ishf`, `msshf`, or [over time](#sums-over-time) `sshf` |
//! | `moisture_flux` | column | kg m-2 s-1 | `qfx`, `evspsbl`, `QFLX`, `water_evapotranspiration_flux` | less `ie`, `mer`, or over time `e`; latent heat (`LHFLX`, `hfls`, less `mslhf`, or over time `slhf`) over 2.5e6 J/kg |
//! | `friction_velocity`\* | column | m s-1 | `ust`, `zust` | of stress, see below; else [similarity] |
//! | `profile_momentum`\*, `profile_heat`\* | column | 1 | `psim`, `psih` | [similarity] |
//! | `richardson`\* | column | 1 | `br` | [similarity] |
//! | `wind_speed`\* | column | m s-1 | `wspd` | of the lowest layer against the surface, see below |
//! | `u_10m`\*, `v_10m`\*, if both are there | column | m s-1 | `u10`, `v10`, `uas`, `vas` | [similarity] |
//! | `u_current`\*, `v_current`\* | column | m s-1 | `uoce`, `voce` | 0 |
//! | `boundary_layer_height`\* | column | m | `hpbl`, `pblh`, `blh`, `zmla`, `atmosphere_boundary_layer_thickness` | used for the wind speed only |
//! | `drag_factor`, `wind_weight` | column | 1 | `ctopo`, `ctopo2` | needed with the topographic option only |
//! | `urban_*` | layer, column | | `a_u`, `a_v`, `a_t`, `a_q`, `b_u`, `b_v`, `b_t`, `b_q`, `sfk`, `vlk` | needed with towns only |
//! | `urban_share` | column | 1 | `frcurb` | needed with towns and the topographic option only |
//! | `turbulent_energy`\* | layer, column, or level, column | m2 s-2 | `tke`, at lower interfaces, or all | for Shin-Hong: 0.005 |
//! | `coriolis`\* | column | s-1 | `f`, `coriolis_parameter` | for Shin-Hong: by latitude, or 1e-4 |
//! | `grid_distance`\* | column | m | `dx` | for Shin-Hong: to be given otherwise; for a surface layer that is computed, too |
//!
//! The names of WRF's surface variables are known in capitals, too. Which end of the layers is the surface is what the
//! file says (`orientation`, `positive`, a coordinate); where it says nothing, the pressure of the interfaces does.
//!
//! A wind speed that is missing is that of the lowest layer relative to the surface current, with the enhancement of
//! Beljaars (1995, doi:10.1002/qj.49712152203), `sqrt(u^2 + v^2 + wc^2)`, `wc = (g / thetav F h)^(1/3)` in an upward
//! flux `F` of virtual potential temperature, if there is a `boundary_layer_height`; 0.1 m/s at least.
//!
//! A friction velocity that is missing follows from the stress of the surface, of either sign (`iews` and `inss`,
//! `metss` and `mntss`, `tauu` and `tauv`, `TAUX` and `TAUY`, or over time `ewss` and `nsss`):
//! `sqrt(|stress| / density)`, with the density that the schemes have, of the pressure at the surface and the virtual
//! temperature of the lowest layer.
//!
//! ## Sums over time
//! Sums of fluxes and stress are divided by the length of the interval that the bounds of their time say, or by a
//! constant `accumulation_interval` in seconds, which wins. Fluxes whose interval is not known are an error, and such a
//! stress is not read.
//!
//! Layers of pressure levels below the ground make their column a bad one. A layer that ends at no pressure is twice as
//! thick as its lower half.
//!
//! Where the surface layer is computed ([`SurfaceLayerSource::Computed`]), the file has the surface instead:
//!
//! | variable | dimensions | unit | other names | if missing |
//! |---|---|---|---|---|
//! | `surface_temperature` | column | K | `tsk`, `ts`, `TS`, `skt`, `skintemp`, `t_g` | |
//! | `roughness`\* | column | m | `znt`, `fsr` | 1e-4 over water, before the first step |
//! | `moisture_availability`\* | column | 1 | `mavail` | 1 over water |
//! | `friction_velocity`\* and what else the step before left | column | | `ust`, `ustm`, `mol`, `hfx`, `qfx` | a steady layer |
//! | `surface_vapour`\* | column | kg kg-1 | `qsfc` | that of saturated air |
//! | `grid_distance`\* | column | m | `dx`, `grid_length` | 5000: no gusts of a coarse grid |
//! | `lake`\* | column | 1 | `lakemask` | 0 |
//! | `water_depth` | column | m | `WATER_DEPTH`, `sea_floor_depth_below_sea_surface` | needed with shallow water only, over water |
//! | `orography_deviation` | column | m | `varf` | needed with form drag only |
//! | fluxes | column | | as above | needed where they are given |
//!
//! Columns that a model of its own starts from ([`SurfaceLayerSource::Elsewhere`]) are of one time, and have neither
//! layer nor fluxes at the surface: `land_or_water`, `roughness`\* and `surface_temperature`\*, and by the names of CF,
//! WRF, ICON and MPAS `latitude`\*, `longitude`\* and `time`\*; beside cloud water or ice, `cloud_fraction`\* as for
//! [radiation](crate::read_radiation).
//!
//! # MPAS
//! A file with `theta`, `zgrid`, and `pressure` or its parts `pressure_base` and `pressure_p`, is one of MPAS's: winds
//! are `uReconstructZonal` and `uReconstructMeridional`, `temperature = theta exner`, pressures of interfaces linear in
//! height, heating `rthratenlw + rthratensw`.
//!
//! # WRF
//! A file with `PB` and `PHB` is one of WRF's. `Time`, `south_north` and `west_east` make up the columns.
//!
//! | WRF | here |
//! |---|---|
//! | `U`, `V` on staggered points | means of the two faces, along the grid's axes; of a start turned eastward and northward by `COSALPHA`\* and `SINALPHA`\* |
//! | `T` | temperature: `(T + 300) exner` |
//! | `P + PB` | pressure; `exner` from it |
//! | `PH + PHB` | thickness: differences over g |
//! | `P + PB`, `PSFC`, `PH + PHB` | pressure of interfaces: `PSFC`; between layers linear in height (or by `FNM`, `FNP`); at the top extrapolated in its logarithm |
//! | `QVAPOR`, `QCLOUD`\*, `QICE`\* | as they are |
//! | `RTHRATEN`, or `RTHRATLW + RTHRATSW` | radiative heating |
//! | `PSFC`, `ZNT`, `XLAND`, `HFX`, `QFX` | as they are |
//! | `TKE_PBL`\* | `turbulent_energy`: that of all interfaces but the uppermost |
//! | attribute `DX`\* | `grid_distance` |
//! | `FM`\*, `FHH`\* | `profile_momentum`, `profile_heat`; `PSIM` and `PSIH` are others in WRF and MPAS, and not read |
//! | `UST`\*, `BR`\*, `WSPD`\*, `U10`\*, `V10`\*, `UOCE`\*, `VOCE`\*, `PBLH`\*, `CTOPO`, `CTOPO2` | as in the own layout |

mod check;
mod contradictions;
mod derive;
mod diagnosed;
mod energy;
mod fluxes;
mod grid;
mod interval;
mod mpas;
mod own;
mod quantity;
mod read;
mod request;
mod start;
mod stress;
mod surface;
mod water;
mod wrf;

use std::path::Path;

use isobar_ysu::{Chosen, Columns};

pub use contradictions::Contradiction;
pub use diagnosed::Diagnosed;
pub use isobar_ysu::similarity;
pub use request::{BoundaryLayerRequest, SurfaceLayerSource};
pub use start::Whereabouts;
pub use surface::set_lowest_layer;

use crate::columns_file::ColumnsInput;
use crate::columns_file::mpas::is_mpas;
use crate::columns_file::wrf::is_wrf;
use crate::error::Error;
use crate::netcdf::Dataset;

/// Columns and how their file had them.
#[derive(Clone, Debug)]
pub struct BoundaryLayerInput {
    /// The columns.
    pub air: ColumnsInput<Columns<f64>>,
    /// The surface below them, where its layer is to be computed: what comes of it is 1 in the columns until then.
    pub surface: Option<isobar_surface::Columns<f64>>,
    /// Whether the file knows of that layer what a step before left.
    pub has_step_before: bool,
    /// Where and when they are, if they are a start ([`SurfaceLayerSource::Elsewhere`]); what such columns do not have
    /// is 1.
    pub start: Option<Whereabouts>,
    /// What similarity formulas made up where the file has fluxes and nothing of a surface layer: boundary-layer
    /// heights depend on it most of all.
    pub made_up: Option<String>,
    /// What of the columns follows from the state of their air, for steps that change it.
    pub diagnosed: Diagnosed,
    /// What the file says twice, and otherwise.
    pub contradictions: Vec<Contradiction>,
    /// Whether winds are along the axes of the file's grid, or may be, and not eastward and northward.
    pub is_along_grid: bool,
}

/// Reads and checks the columns of a file. What the options do not need is not read.
///
/// With `keep_going`, a column with a value that is missing, not finite or out of range is no error, but one of the bad
/// columns.
///
/// # Errors
/// One line with file, variable, column, layer or level, value and accepted range.
pub fn read_boundary_layer(path: &Path, options: &impl Chosen, keep_going: bool) -> Result<BoundaryLayerInput, Error> {
    read_boundary_layer_files(&[path], options, &BoundaryLayerRequest { keep_going, ..BoundaryLayerRequest::default() })
}

/// Likewise, of several files that complete each other ([`Dataset::open_all`]), as a request says.
///
/// # Errors
/// As [`read_boundary_layer`].
pub fn read_boundary_layer_files<P: AsRef<Path>>(
    files: &[P],
    options: &impl Chosen,
    request: &BoundaryLayerRequest,
) -> Result<BoundaryLayerInput, Error> {
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
    let read = if is_wrf(&file) {
        wrf::read(file, options, request)?
    } else if is_mpas(&file) {
        mpas::read(file, options, request)?
    } else {
        own::read(file, options, request)?
    };
    check::complete(read, options)
}
