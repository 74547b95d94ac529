//! A batch of profiles that scatter, in the host's memory.

use crate::clear_sky::profiles::{COSINE, NOT_NEGATIVE, POSITIVE_SHARE, Range, SHARE, check};
use crate::error::Error;
use crate::physics::scattering::quadrature::Quadrature;

/// The most nodes of a hemisphere.
pub const MOST_NODES: usize = 16;

const ASYMMETRY: Range = ("in (-1, 1)", |g| g > -1.0 && g < 1.0);

/// Profiles to compute. The profile is the fastest index, then the stream; layers and levels count from the top.
///
/// Streams are the nodes of the double-Gauss quadrature, ascending, and then the viewing angle, if there is one. Every
/// radiance has one unit, that of the Planck radiances.
///
/// ```
/// use isobar_adding::scattering::batch::{PhaseFunction, Reflection, ScatteringProfiles};
/// let mut profiles = ScatteringProfiles {
///     nodes: 4,
///     viewing_cosine: Some(vec![0.53]),
///     optical_depth: vec![0.1, 5.0],
///     albedo: vec![0.0, 0.9],
///     phase: PhaseFunction::Asymmetry(vec![0.0, 0.85]),
///     delta: true,
///     planck_radiance: vec![40.0, 70.0],
///     surface_planck: vec![120.0],
///     emissivity: vec![0.95; 5],
///     reflection: Reflection::Lambertian,
///     cosmic: vec![0.0],
///     sun: None,
/// };
/// assert_eq!((profiles.profiles(), profiles.layers(), profiles.streams()), (1, 2, 5));
/// profiles.validate()?;
/// profiles.albedo[1] = 1.5;
/// assert_eq!(profiles.validate().unwrap_err().to_string(), "albedo at profile 0, layer 1 is 1.5, which is not in [0, 1]");
/// # Ok::<(), isobar_adding::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ScatteringProfiles {
    /// The nodes of a hemisphere, 1 to [`MOST_NODES`]: half the streams of other codes.
    pub nodes: usize,
    /// Cosine of the angle under which each profile is seen, if it is to be a stream of its own, in (0, 1].
    pub viewing_cosine: Option<Vec<f64>>,
    /// Vertical optical depth, `[layer * profiles + profile]`, zero or more.
    pub optical_depth: Vec<f64>,
    /// Single-scattering albedo, `[layer * profiles + profile]`, 0 to 1.
    pub albedo: Vec<f64>,
    /// Where the scattered light goes.
    pub phase: PhaseFunction,
    /// Is the forward peak taken as not scattered (delta-M)?
    pub delta: bool,
    /// Planck radiance of each layer, `[layer * profiles + profile]`.
    pub planck_radiance: Vec<f64>,
    /// Planck radiance of the surface of each profile, zero or more.
    pub surface_planck: Vec<f64>,
    /// Emissivity of the surface, `[stream * profiles + profile]`, 0 to 1.
    pub emissivity: Vec<f64>,
    /// Where the rest, 1 less the emissivity, goes.
    pub reflection: Reflection,
    /// Radiance that enters each profile from above, zero or more.
    pub cosmic: Vec<f64>,
    /// Sunlight, if any.
    pub sun: Option<Sun>,
}

/// The phase function of each layer.
#[derive(Debug, Clone, PartialEq)]
pub enum PhaseFunction {
    /// Henyey and Greenstein's, by its asymmetry, `[layer * profiles + profile]`, in (-1, 1).
    Asymmetry(Vec<f64>),
    /// Legendre moments, `[(layer * moments + l) * profiles + profile]`, in [-1, 1], the first 1; twice the nodes of
    /// them, and with `delta` one more.
    Moments(Vec<f64>),
}

/// How the surface reflects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reflection {
    /// Each stream into itself.
    Specular,
    /// Into all streams alike.
    Lambertian,
}

/// Sunlight on each profile. The component that does not depend on azimuth is computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Sun {
    /// Cosine of the zenith angle, -1 to 1; no light at zero or less.
    pub cosine: Vec<f64>,
    /// Irradiance at the top and normal to the beam, in the unit of the radiances times sr, zero or more.
    pub irradiance: Vec<f64>,
    /// Reflectivity of the direct beam, `[stream * profiles + profile]`, zero or more.
    pub reflectivity: Vec<f64>,
}

impl ScatteringProfiles {
    /// The number of profiles.
    #[must_use]
    pub fn profiles(&self) -> usize {
        self.surface_planck.len()
    }

    /// The number of layers.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.optical_depth.len() / self.profiles().max(1)
    }

    /// The streams of a hemisphere: the order of all matrices.
    #[must_use]
    pub fn streams(&self) -> usize {
        self.nodes + usize::from(self.viewing_cosine.is_some())
    }

    /// The Legendre terms of the phase matrices.
    #[must_use]
    pub fn terms(&self) -> usize {
        2 * self.nodes
    }

    /// Cosine and weight of each stream, `[stream * profiles + profile]`.
    #[must_use]
    pub fn directions(&self) -> (Vec<f64>, Vec<f64>) {
        let quadrature = Quadrature::double_gauss(self.nodes);
        let each = |values: &[f64]| values.iter().flat_map(|&x| vec![x; self.profiles()]).collect::<Vec<_>>();
        let (mut cosine, mut weight) = (each(&quadrature.cosine), each(&quadrature.weight));
        if let Some(viewing) = &self.viewing_cosine {
            cosine.extend(viewing);
            weight.resize(cosine.len(), 0.0);
        }
        (cosine, weight)
    }

    /// Checks sizes and ranges.
    ///
    /// # Errors
    /// The first value that does not fit, with its profile, layer or stream.
    pub fn validate(&self) -> Result<(), Error> {
        let (profiles, layers, streams) = (self.profiles(), self.layers(), self.streams());
        if profiles == 0 || layers == 0 {
            return Err(Error::Setup("a batch needs at least one profile and one layer"));
        }
        if self.nodes == 0 || self.nodes > MOST_NODES {
            return Err(Error::Setup("nodes: a hemisphere has 1 to 16 nodes (2 to 32 streams)"));
        }
        let by_profile = [("profile", profiles)];
        let by_layer = [("layer", layers), ("profile", profiles)];
        let by_stream = [("stream", streams), ("profile", profiles)];
        if let Some(viewing) = &self.viewing_cosine {
            check("viewing_cosine", viewing, &by_profile, POSITIVE_SHARE)?;
        }
        check("optical_depth", &self.optical_depth, &by_layer, NOT_NEGATIVE)?;
        check("albedo", &self.albedo, &by_layer, SHARE)?;
        match &self.phase {
            PhaseFunction::Asymmetry(values) => check("asymmetry", values, &by_layer, ASYMMETRY)?,
            PhaseFunction::Moments(values) => {
                let moments = self.terms() + usize::from(self.delta);
                check("moments", values, &[("layer", layers), ("moment", moments), ("profile", profiles)], COSINE)?;
            }
        }
        check("planck_radiance", &self.planck_radiance, &by_layer, NOT_NEGATIVE)?;
        check("surface_planck", &self.surface_planck, &by_profile, NOT_NEGATIVE)?;
        check("emissivity", &self.emissivity, &by_stream, SHARE)?;
        check("cosmic_background", &self.cosmic, &by_profile, NOT_NEGATIVE)?;
        if let Some(sun) = &self.sun {
            check("sun_cosine", &sun.cosine, &by_profile, COSINE)?;
            check("sun_irradiance", &sun.irradiance, &by_profile, NOT_NEGATIVE)?;
            check("sun_reflectivity", &sun.reflectivity, &by_stream, NOT_NEGATIVE)?;
        }
        Ok(())
    }
}
