//! What is chosen for profiles that are seen from any direction, and the sizes of a batch.

use isobar_core::Real;
use isobar_core::fields::{Error, Extents, LAYER, LEVEL, MOMENT, OwnedInputs};

use crate::fields::azimuth::{AZIMUTH, PARAMETER, ProfileViews, Profiles, SUN, VIEW};
use crate::fields::rows;
use crate::physics::azimuth::operator::SUNS;
use crate::physics::azimuth::surface::Kind;

/// The most nodes of a hemisphere.
pub const MOST_NODES: usize = 32;

/// The streams, what the surface is, and what is wanted.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(deny_unknown_fields))]
pub struct Options {
    /// The nodes of a hemisphere, 1 to [`MOST_NODES`]: half the streams of other codes.
    pub nodes: usize,
    /// Is the forward peak taken as not scattered (delta-M)?
    pub delta_scaling: bool,
    /// Is the light of suns corrected where it is known in closed form? As Nakajima and Tanaka do, the whole phase
    /// function for light scattered once, and for light scattered twice, straight on at first; and the surface's whole
    /// reflectance for the beam that it reflects. Without delta scaling nothing is corrected, nor are means over the
    /// azimuth.
    pub corrections: bool,
    /// How the surface reflects.
    pub surface: Surface,
    /// Are the radiances of all levels wanted? Otherwise those upward at the top and downward at the surface.
    pub levels: bool,
    /// Are fluxes of all levels wanted?
    pub fluxes: bool,
    /// Components in azimuth, at most: where azimuths are given, as many as streams are computed unless this is fewer.
    /// Otherwise radiances are means over the azimuth, which the first component is.
    pub components: usize,
}

/// How a surface reflects, with what `surface_parameters` are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Surface {
    /// Into all directions alike: its albedo.
    Lambertian,
    /// Rahman, Pinty and Verstraete's: `rho_0`, `k`, `Theta` and `rho_c`.
    Rpv,
    /// Hapke's: `B_0`, `h` and the albedo `w` of grains.
    Hapke,
    /// Ross's and Li's kernels of MODIS: `f_iso`, `f_vol` and `f_geo`.
    RossLi,
    /// Cox and Munk's waves: the wind in m/s and the water's refractive index.
    CoxMunk,
}

impl Surface {
    /// The names of its parameters, and the range of each.
    #[must_use]
    pub fn parameters(self) -> &'static [(&'static str, f64, f64)] {
        match self {
            Self::Lambertian => &[("albedo", 0.0, 1.0)],
            Self::Rpv => &[("rho_0", 0.0, 1.0), ("k", 0.0, 3.0), ("Theta", -0.999, 0.999), ("rho_c", 0.0, 2.0)],
            Self::Hapke => &[("B_0", 0.0, 1.0), ("h", 1e-6, 10.0), ("w", 0.0, 1.0)],
            Self::RossLi => &[("f_iso", 0.0, 1.0), ("f_vol", 0.0, 1.0), ("f_geo", 0.0, 1.0)],
            Self::CoxMunk => &[("wind", 0.0, 100.0), ("refractive index", 1.0, 3.0)],
        }
    }

    pub(crate) fn kind(self) -> Option<Kind> {
        match self {
            Self::Lambertian => None,
            Self::Rpv => Some(Kind::Rpv),
            Self::Hapke => Some(Kind::Hapke),
            Self::RossLi => Some(Kind::RossLi),
            Self::CoxMunk => Some(Kind::CoxMunk),
        }
    }
}

impl Options {
    /// So many nodes with delta scaling and corrections, over a Lambertian surface, seen from the top and the surface.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        Self {
            nodes,
            delta_scaling: true,
            corrections: true,
            surface: Surface::Lambertian,
            levels: false,
            fluxes: false,
            components: 2 * MOST_NODES,
        }
    }

    /// The components that are computed: where no azimuths are given, that which is the mean over all.
    #[must_use]
    pub fn computed_components(&self, azimuths: bool) -> usize {
        let all = if azimuths { 2 * self.nodes } else { 1 };
        self.components.min(all)
    }

    /// Is the light of these profiles corrected? Corrections are for a direction, of which means over the azimuth have
    /// none.
    pub(crate) fn corrects<R: Real>(&self, inputs: &ProfileViews<'_, R>) -> bool {
        self.corrections && self.delta_scaling && !inputs.relative_azimuth.is_empty()
    }

    /// Says that a number of components has no effect on means over the azimuth of a Sun's light.
    #[cfg(feature = "launch")]
    pub(crate) fn idle_components<R: Real>(&self, inputs: &ProfileViews<'_, R>) -> Option<String> {
        let mean = inputs.relative_azimuth.is_empty() && !inputs.sun_cosine.is_empty();
        (mean && ![1, 2 * MOST_NODES].contains(&self.components)).then(|| {
            format!(
                "components = {} has no effect: without relative_azimuth radiances are means over the azimuth, which \
                 are one component",
                self.components
            )
        })
    }

    /// The sizes of a batch with these options.
    ///
    /// # Errors
    /// Fields or options that do not go together.
    pub fn extents<R: Real>(&self, inputs: &ProfileViews<'_, R>) -> Result<Extents, Error> {
        let layers = inputs.optical_depth.levels().max(inputs.single_scattering_albedo.levels());
        let moments = inputs.phase_moments.levels();
        let (sun, irradiance) = (inputs.sun_cosine.levels(), inputs.sun_irradiance.levels());
        let wrong = if layers == 0 {
            "a batch needs at least one layer".to_owned()
        } else if self.nodes == 0 || self.nodes > MOST_NODES {
            "nodes: a hemisphere has 1 to 32 nodes (2 to 64 streams)".to_owned()
        } else if self.components == 0 {
            "components: at least one is computed".to_owned()
        } else if inputs.asymmetry.is_empty() == inputs.phase_moments.is_empty() {
            "a phase function has either an asymmetry or moments".to_owned()
        } else if !inputs.planck_radiance.is_empty() && !inputs.planck_radiance_level.is_empty() {
            "a batch has a Planck radiance either of each layer or of each level".to_owned()
        } else if !moments.is_multiple_of(layers) {
            format!("phase_moments: {moments} values are not a number of moments for each of {layers} layers")
        } else if (sun == 0) != (irradiance == 0) {
            "sunlight has a cosine and an irradiance".to_owned()
        } else if sun > SUNS {
            format!("sun_cosine: at most {SUNS} suns are computed together, {sun} are given")
        } else if sun == 0 && !inputs.relative_azimuth.is_empty() {
            "relative_azimuth: without a Sun no light depends on azimuth".to_owned()
        } else {
            return Ok(sizes(inputs).with(PARAMETER, self.surface.parameters().len()));
        };
        Err(Error::Setup(wrong))
    }
}

/// The sizes of profiles, but for the parameters of a surface.
pub(crate) fn sizes<R: Real>(inputs: &ProfileViews<'_, R>) -> Extents {
    let items = [inputs.optical_depth.items(), inputs.viewing_cosine.items(), inputs.sun_cosine.items()];
    let layers = inputs.optical_depth.levels().max(inputs.single_scattering_albedo.levels());
    let extents = Extents::new(items.into_iter().max().unwrap_or(0)).with(LAYER, layers);
    let extents = extents.with(MOMENT, inputs.phase_moments.levels() / layers.max(1));
    let extents = extents.with(VIEW, inputs.viewing_cosine.levels()).with(SUN, inputs.sun_cosine.levels().max(1));
    extents.with(AZIMUTH, inputs.relative_azimuth.levels().max(1))
}

/// Finds the sizes from those of the vectors: there are as many profiles as `surface_planck_radiance` or
/// `cosmic_background` have values.
impl<'a, R: Real> TryFrom<&'a Profiles<R>> for ProfileViews<'a, R> {
    type Error = Error;

    fn try_from(profiles: &'a Profiles<R>) -> Result<Self, Error> {
        let items = profiles.surface_planck_radiance.len().max(profiles.cosmic_background.len());
        let size = |field: &Vec<R>| rows([field], items).unwrap_or(1);
        let layers = size(&profiles.optical_depth).max(size(&profiles.single_scattering_albedo));
        let moments = rows([&profiles.phase_moments], items).map_or(1, |rows| rows / layers.max(1));
        let extents = Extents::new(items).with(LAYER, layers).with(LEVEL, layers + 1).with(MOMENT, moments);
        let extents = extents.with(VIEW, size(&profiles.viewing_cosine)).with(SUN, size(&profiles.sun_cosine));
        let extents = extents.with(AZIMUTH, size(&profiles.relative_azimuth));
        profiles.views(&extents.with(PARAMETER, size(&profiles.surface_parameters)), "profile")
    }
}
