//! Keys of what passes between ground and air, and of what falls out of it: the surface layer, and condensation.

use isobar_surface::{Fluxes, LandRoughness, Root, WaterRoughness};
use serde::Deserialize;
use toml::Spanned;

/// The surface layer, which fluxes are computed by.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SurfaceLayerSection {
    pub(super) kind: Option<Spanned<SurfaceLayerKind>>,
    /// Roughness of water for heat and moisture; of the revised MM5 one, as the next. Without them they are WRF's.
    pub(super) water_roughness: Option<Spanned<WaterRoughness>>,
    /// Roughness of land for heat.
    pub(super) land_roughness: Option<Spanned<LandRoughness>>,
    /// Does the roughness of water depend on its depth, `site.water_depth_m`?
    pub(super) shallow_water: Option<Spanned<bool>>,
    /// Drag of hills, by `site.orography_deviation_m`?
    pub(super) form_drag: Option<Spanned<bool>>,
    /// Their height over the deviation.
    pub(super) form_drag_factor: Option<Spanned<f64>>,
    /// WRF's secants, or the root itself.
    pub(super) root: Option<Spanned<Root>>,
    /// Of heat and moisture: computed, or none.
    pub(super) fluxes: Option<Spanned<Fluxes>>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum SurfaceLayerKind {
    /// One bulk formula.
    #[default]
    Similarity,
    /// WRF's and MPAS's revised one.
    RevisedMm5,
}

/// Large-scale condensation.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Condensation {
    /// Does what falls evaporate in air that is not saturated?
    #[serde(default)]
    pub(super) evaporation: bool,
}
