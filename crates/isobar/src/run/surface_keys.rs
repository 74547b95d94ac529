//! Keys of what passes between ground and air, and of what falls out of it: the surface layer, and condensation.

use serde::Deserialize;
use toml::Spanned;

/// The surface layer, which fluxes are computed by.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SurfaceLayerSection {
    pub(super) kind: Option<Spanned<SurfaceLayerKind>>,
    /// Roughness of water for heat and moisture; of the revised MM5 one, as the next. COARE's without.
    pub(super) water_roughness: Option<Spanned<WaterRoughness>>,
    /// Roughness of land for heat; that of momentum without.
    pub(super) land_roughness: Option<Spanned<LandRoughness>>,
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

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum WaterRoughness {
    Coare,
    Constant,
    Garratt,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum LandRoughness {
    Momentum,
    ChenZhang,
    Zilitinkevich,
}

/// Large-scale condensation.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Condensation {
    /// Does what falls evaporate in air that is not saturated?
    #[serde(default)]
    pub(super) evaporation: bool,
}
