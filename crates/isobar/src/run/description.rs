//! The case file of `isobar run`, in TOML: its keys with units and defaults; those of radiation, chemistry and
//! satellite are in `processes.rs`, those of what is prescribed in `prescribed_keys.rs`, those of the surface layer
//! and of condensation in `surface_keys.rs`. What it does not say has a default; what is unknown or out of range is an
//! error with its line.

use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

use super::number::{Spread, any_heat_capacity, any_hour, any_not_negative, fraction, positive, stretch};
use super::prescribed_keys::{ForcingSection, Prescribed, SurfaceFluxSection};
use super::processes::{Above, Chemistry, CloudSection, Longwave, Satellite, Shortwave, SolarTimeKey};
use super::soil::SoilSection;
use super::surface_keys::{Condensation, SurfaceLayerSection};

/// What a case file says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Description {
    /// What the output calls itself.
    #[serde(default = "Description::title")]
    pub(super) title: String,
    /// The number of columns; a file has its own.
    pub(super) columns: Option<Spanned<usize>>,
    /// How long to run \[h\].
    #[serde(deserialize_with = "positive")]
    pub(super) hours: f64,
    /// The time step \[s\].
    #[serde(deserialize_with = "positive")]
    pub(super) step_s: f64,
    /// Time of the day at the start, at longitude 0 \[h\]; 0 without, or a file's own.
    #[serde(default, deserialize_with = "any_hour")]
    pub(super) start_hour: Option<f64>,
    /// Day of the year at the start, 1 to 366; 172 without, or a file's own.
    pub(super) day_of_year: Option<f64>,
    /// By which time the Sun stands: that of a file's date, unless the case has a day or an hour; `mean` without.
    pub(super) solar_time: Option<SolarTimeKey>,
    /// Output and restart files.
    #[serde(default)]
    pub(super) output: Output,
    /// Layers; a file has its own.
    pub(super) grid: Option<Spanned<Grid>>,
    /// The air at the start.
    pub(super) initial: Initial,
    /// The columns.
    #[serde(default)]
    pub(super) site: Site,
    /// The temperature of the ground.
    #[serde(default)]
    pub(super) ground: Ground,
    /// The surface layer, which fluxes are computed by.
    #[serde(default)]
    pub(super) surface_layer: SurfaceLayerSection,
    /// Large-scale condensation; none without.
    pub(super) condensation: Option<Condensation>,
    /// Fluxes of heat and moisture through the surface; computed without.
    pub(super) surface_flux: Option<SurfaceFluxSection>,
    /// Geostrophic wind, subsidence and advective tendencies; the start's wind and none without.
    pub(super) forcing: Option<ForcingSection>,
    /// Long-wave radiation; none without.
    pub(super) longwave: Option<Longwave>,
    /// Short-wave radiation; none without.
    pub(super) shortwave: Option<Shortwave>,
    /// Layers above the model's top.
    #[serde(default)]
    pub(super) above: Above,
    /// Clouds; none without, but for those of a file.
    pub(super) clouds: Option<Spanned<CloudSection>>,
    /// Chemistry; none without.
    pub(super) chemistry: Option<Chemistry>,
    /// What a satellite sees; nothing without.
    pub(super) satellite: Option<Satellite>,
    /// The stages in another order.
    pub(super) stages: Option<Spanned<Vec<String>>>,
}

impl Description {
    fn title() -> String {
        "Columns of air".to_owned()
    }
}

/// How often results are kept.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Output {
    /// The minutes between results: a multiple of the step.
    pub(super) minutes: Spanned<f64>,
    /// The hours between restart files: a multiple of the step.
    pub(super) restart_hours: Option<Spanned<f64>>,
}

impl Default for Output {
    fn default() -> Self {
        Self { minutes: Spanned::new(0..0, 30.0), restart_hours: None }
    }
}

/// Layers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Grid {
    /// Their number, 4 at least.
    pub(super) layers: Spanned<usize>,
    /// The height of the top \[m\].
    #[serde(deserialize_with = "positive")]
    pub(super) top_m: f64,
    /// The power with which heights rise, 1 to 4.
    #[serde(default = "Grid::stretch", deserialize_with = "stretch")]
    pub(super) stretch: f64,
}

impl Grid {
    fn stretch() -> f64 {
        1.8
    }
}

/// The air at the start.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Initial {
    /// Which.
    pub(super) kind: Spanned<InitialKind>,
    /// Temperature of RCEMIP's sea \[K\], and of the ground unless its section has one; 300 without.
    pub(super) sea_surface_k: Option<Spanned<f64>>,
    /// The least mole fraction of ozone \[mol/mol\]: RCEMIP's profile has none to speak of in the troposphere.
    #[serde(default, deserialize_with = "fraction")]
    pub(super) least_ozone: f64,
    /// Columns in NetCDF, as `isobar pbl` reads them.
    pub(super) file: Option<Spanned<PathBuf>>,
    /// Pressure at the ground of a profile \[Pa\]; this and the next two are needed there.
    pub(super) surface_pressure_pa: Option<Spanned<f64>>,
    /// By height.
    pub(super) potential_temperature_k: Option<Spanned<Prescribed>>,
    /// Mixing ratio by height.
    pub(super) vapour_kg_per_kg: Option<Spanned<Prescribed>>,
    /// Wind of a profile by height; the site's without.
    pub(super) wind_east_m_per_s: Option<Spanned<Prescribed>>,
    pub(super) wind_north_m_per_s: Option<Spanned<Prescribed>>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum InitialKind {
    /// RCEMIP's analytic profile.
    Rcemip,
    /// The US Standard Atmosphere 1976.
    Us76,
    /// Hydrostatic, of profiles by height.
    Profile,
    /// From a file.
    Netcdf,
}

/// Where the columns are; a pair is the first column's and the last column's. A file may have its own places.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Site {
    pub(super) latitude_deg: Spanned<Spread>,
    pub(super) longitude_deg: Spanned<Spread>,
    /// The start's and, unless `[forcing]` has one, the geostrophic wind; a file has its own.
    pub(super) wind_east_m_per_s: Spanned<Spread>,
    pub(super) wind_north_m_per_s: Spanned<Spread>,
    /// A file may have its own; 0.1 of land and 1e-4 of water without.
    pub(super) roughness_m: Option<Spanned<Spread>>,
    /// The roughness length of heat and moisture; that of momentum if it is left out.
    pub(super) roughness_heat_m: Option<Spanned<Spread>>,
    /// 0.3 of land and 1 of water if it is left out.
    pub(super) moisture_availability: Option<Spanned<Spread>>,
    /// Land if it is left out, but for RCEMIP's sea; a file has its own.
    pub(super) surface: Option<Spanned<Surface>>,
    /// For `shallow_water` of the surface layer.
    pub(super) water_depth_m: Option<Spanned<Spread>>,
    /// For its `form_drag`.
    pub(super) orography_deviation_m: Option<Spanned<Spread>>,
}

impl Default for Site {
    fn default() -> Self {
        let value = |value: f64| Spanned::new(0..0, Spread([value; 2]));
        Self {
            latitude_deg: value(45.0),
            longitude_deg: value(0.0),
            wind_east_m_per_s: value(5.0),
            wind_north_m_per_s: value(0.0),
            roughness_m: None,
            roughness_heat_m: None,
            moisture_availability: None,
            surface: None,
            water_depth_m: None,
            orography_deviation_m: None,
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Surface {
    Land,
    Water,
}

/// The temperature of the ground.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Ground {
    pub(super) kind: GroundKind,
    /// Mean of the day, or of the ground below a slab; without, the temperature of a start's file or its lowest layer,
    /// or of RCEMIP's sea.
    pub(super) mean_k: Option<Spanned<Spread>>,
    /// Half of the range through the day, where it is given.
    pub(super) amplitude_k: Spanned<Spread>,
    /// When it is warmest \[h\]; 14 without.
    pub(super) warmest_hour: Option<Spanned<f64>>,
    /// In place of the range through the day, a steady change from the mean, which is the start's.
    pub(super) rate_k_per_h: Option<Spanned<f64>>,
    /// In place of mean and range, by time.
    pub(super) temperature_k: Option<Spanned<Prescribed>>,
    /// Of a slab, as the next three: little of it is a skin in balance with its fluxes. 1e5 without.
    #[serde(deserialize_with = "any_heat_capacity")]
    pub(super) heat_capacity_j_per_m2_k: Option<f64>,
    /// The part of sunlight that reaches a slab, where there is no short wave, which knows by itself.
    pub(super) transmittance: Option<Spanned<f64>>,
    /// The part of that which it reflects.
    pub(super) albedo: Option<Spanned<f64>>,
    /// From a slab to the ground below, or to the top of its soil; 5 without.
    #[serde(deserialize_with = "any_not_negative")]
    pub(super) conductance_w_per_m2_k: Option<f64>,
    /// Layers of soil below a slab; ground of one temperature without.
    pub(super) soil: Option<SoilSection>,
}

impl Default for Ground {
    fn default() -> Self {
        Self {
            kind: GroundKind::Given,
            mean_k: None,
            amplitude_k: Spanned::new(0..0, Spread([0.0; 2])),
            warmest_hour: None,
            rate_k_per_h: None,
            temperature_k: None,
            heat_capacity_j_per_m2_k: None,
            transmittance: None,
            albedo: None,
            conductance_w_per_m2_k: None,
            soil: None,
        }
    }
}

impl Ground {
    /// From a slab to what lies below it \[W/(m^2 K)\].
    pub(super) fn conductance(&self) -> f64 {
        self.conductance_w_per_m2_k.unwrap_or(5.0)
    }
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum GroundKind {
    Given,
    Slab,
}
