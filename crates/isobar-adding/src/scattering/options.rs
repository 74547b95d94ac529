//! What is chosen for profiles that scatter, and the sizes of a batch.

use isobar_core::Real;
use isobar_core::fields::{Error, Extents, LAYER, MOMENT, OwnedInputs};

use crate::fields::rows;
use crate::fields::scattering::{ProfileViews, Profiles, STREAM};

/// The most nodes of a hemisphere.
pub const MOST_NODES: usize = 16;

/// The streams, how layers and surface scatter, and which radiances are wanted.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(deny_unknown_fields))]
pub struct Options {
    /// The nodes of a hemisphere, 1 to [`MOST_NODES`]: half the streams of other codes.
    pub nodes: usize,
    /// Is the forward peak taken as not scattered (delta-M)?
    pub delta_scaling: bool,
    /// Are single-scattering albedos at most 0.999999, layers with 1e-10 or less clear, and elements of phase matrices
    /// that are not positive 1e-7, as in CRTM?
    pub crtm_limits: bool,
    /// Where goes what the surface does not emit.
    pub reflection: Reflection,
    /// Are the radiances of all levels wanted? Otherwise those at the top alone.
    pub levels: bool,
    /// In which order the layers are added.
    pub schedule: Schedule,
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

/// In which order the layers are added.
///
/// The two orders round differently: results agree to about the accuracy of the precision, not bit for bit. Each order
/// by itself gives the same bits on every device, whatever the chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Schedule {
    /// The faster one on a GPU: see [`Schedule::resolve`].
    #[default]
    Auto,
    /// From the surface up, a team of lanes a profile: the least work.
    Sequential,
    /// As a tree, all layers at once: three times the work, and for few profiles or many layers the shorter way on a
    /// GPU.
    Tree,
}

/// From this number of profiles times streams on, `Auto` is `Sequential`: measured on an H200 (docs/notes/adding.md).
const MANY: usize = 5000;

impl Schedule {
    /// The schedule itself, or if it is `Auto` the one for a batch of these profiles and streams a hemisphere.
    ///
    /// It depends on the whole batch and on nothing else, neither chunks nor devices, for the two round differently.
    #[must_use]
    pub fn resolve(self, profiles: usize, streams: usize) -> Self {
        match self {
            Self::Auto if profiles * streams < MANY => Self::Tree,
            Self::Auto => Self::Sequential,
            given => given,
        }
    }

    /// The name on a command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Sequential => "sequential",
            Self::Tree => "tree",
        }
    }
}

impl Options {
    /// So many nodes with delta scaling, over a surface that reflects each stream into itself, seen from the top.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        Self {
            nodes,
            delta_scaling: true,
            crtm_limits: false,
            reflection: Reflection::Specular,
            levels: false,
            schedule: Schedule::Auto,
        }
    }

    /// The Legendre moments that a phase function needs.
    #[must_use]
    pub fn moments(&self) -> usize {
        2 * self.nodes + usize::from(self.delta_scaling)
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
            "nodes: a hemisphere has 1 to 16 nodes (2 to 32 streams)"
        } else if inputs.asymmetry.is_empty() == inputs.phase_moments.is_empty() {
            "a phase function has either an asymmetry or moments"
        } else if sun != [sun[0]; 3] {
            "sunlight has a cosine, an irradiance and a reflectivity"
        } else {
            let streams = self.nodes + usize::from(!inputs.viewing_cosine.is_empty());
            let extents = Extents::new(inputs.surface_planck_radiance.len()).with(LAYER, layers);
            return Ok(extents.with(STREAM, streams).with(MOMENT, self.moments()));
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
