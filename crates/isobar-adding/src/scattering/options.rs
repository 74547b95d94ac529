//! What is chosen for profiles that scatter, and the sizes of a batch.

use isobar_core::Real;
use isobar_core::fields::{Error, Extents, LAYER, MOMENT, OwnedInputs};

use crate::azimuth::MOST_NODES;
use crate::fields::rows;
use crate::fields::scattering::{ProfileViews, Profiles, STREAM};

/// The streams, how layers and surface scatter, and which radiances are wanted.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(deny_unknown_fields))]
pub struct Options {
    /// The nodes of a hemisphere, 1 to [`MOST_NODES`]: half the streams of other codes.
    pub nodes: usize,
    /// Is the forward peak taken as not scattered (delta-M)?
    pub delta_scaling: bool,
    /// Where goes what the surface does not emit.
    pub reflection: Reflection,
    /// Are the radiances of all levels wanted? Otherwise those at the top alone.
    pub levels: bool,
}

/// How the surface reflects what it does not emit, 1 less the emissivity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Reflection {
    /// Each stream into itself.
    Specular,
    /// Into all streams alike.
    Lambertian,
}

impl Options {
    /// So many nodes with delta scaling, over a surface that reflects each stream into itself, seen from the top.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        Self { nodes, delta_scaling: true, reflection: Reflection::Specular, levels: false }
    }

    /// The sizes of a batch with these options.
    ///
    /// # Errors
    /// Fields or options that do not go together.
    pub fn extents<R: Real>(&self, inputs: &ProfileViews<'_, R>) -> Result<Extents, Error> {
        let sun = [inputs.sun_cosine.is_empty(), inputs.sun_irradiance.is_empty(), inputs.sun_reflectivity.is_empty()];
        let layers = inputs.optical_depth.levels().max(inputs.single_scattering_albedo.levels());
        let wrong = if layers == 0 {
            "a batch needs at least one layer"
        } else if self.nodes == 0 || self.nodes > MOST_NODES {
            "nodes: a hemisphere has 1 to 32 nodes (2 to 64 streams)"
        } else if inputs.asymmetry.is_empty() == inputs.phase_moments.is_empty() {
            "a phase function has either an asymmetry or moments"
        } else if !inputs.phase_moments.levels().is_multiple_of(layers) {
            "phase_moments: not a number of moments for each layer"
        } else if sun != [sun[0]; 3] {
            "sunlight has a cosine, an irradiance and a reflectivity"
        } else {
            let streams = self.nodes + usize::from(!inputs.viewing_cosine.is_empty());
            let extents = Extents::new(inputs.surface_planck_radiance.len()).with(LAYER, layers);
            let moments = inputs.phase_moments.levels() / layers;
            return Ok(extents.with(STREAM, streams).with(MOMENT, moments));
        };
        Err(Error::Setup(wrong.to_owned()))
    }
}

/// Finds the sizes from those of the vectors. The streams' number is in the [`Options`], so that one value for all
/// streams is one for any number.
impl<'a, R: Real> TryFrom<&'a Profiles<R>> for ProfileViews<'a, R> {
    type Error = Error;

    fn try_from(profiles: &'a Profiles<R>) -> Result<Self, Error> {
        let Profiles { surface_planck_radiance, cosmic_background, viewing_cosine, sun_cosine, .. } = profiles;
        let items = [surface_planck_radiance, cosmic_background, viewing_cosine, sun_cosine].map(Vec::len);
        let items = items.into_iter().max().unwrap_or(0);
        let of_layers = [&profiles.optical_depth, &profiles.single_scattering_albedo, &profiles.planck_radiance];
        let layers = rows(of_layers, items).unwrap_or(1);
        let streams = rows([&profiles.emissivity, &profiles.sun_reflectivity], items).unwrap_or(2);
        let moments = rows([&profiles.phase_moments], items).map_or(0, |rows| rows / layers.max(1));
        let extents = Extents::new(items).with(LAYER, layers).with(STREAM, streams).with(MOMENT, moments);
        profiles.views(&extents, "profile")
    }
}
