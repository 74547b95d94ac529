//! A batch of clear-sky profiles in the host's memory.

use crate::error::{Error, Place};

/// Profiles to compute. The profile is the fastest index, then the angle; layers and levels count from the top.
///
/// Every radiance has one unit, that of the Planck radiances, whatever it is.
///
/// ```
/// use isobar_adding::clear_sky::{Absorption, Profiles, Reflection, Source};
/// let profiles = Profiles {
///     cosine: vec![1.0, 0.5],
///     absorption: Absorption::OpticalDepth(vec![0.1, 0.5, 2.0]),
///     source: Source::Isothermal(vec![40.0, 70.0, 100.0]),
///     surface_planck: vec![120.0],
///     emissivity: vec![0.98, 0.95],
///     cosmic: vec![0.0],
///     reflection: Reflection::Specular,
///     sun: None,
/// };
/// assert_eq!((profiles.profiles(), profiles.layers(), profiles.angles()), (1, 3, 2));
/// profiles.validate()?;
/// # Ok::<(), isobar_adding::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Profiles {
    /// Cosine of each angle against the vertical, in (0, 1].
    pub cosine: Vec<f64>,
    /// What the layers take away.
    pub absorption: Absorption,
    /// What they emit.
    pub source: Source,
    /// Planck radiance of the surface of each profile, zero or more.
    pub surface_planck: Vec<f64>,
    /// Emissivity of the surface, `[angle * profiles + profile]`, 0 to 1.
    pub emissivity: Vec<f64>,
    /// Radiance that enters each profile from above, zero or more.
    pub cosmic: Vec<f64>,
    /// Where the rest, 1 less the emissivity, goes.
    pub reflection: Reflection,
    /// Sunlight on the surface, if any.
    pub sun: Option<Sun>,
}

/// What the layers of a batch take away.
#[derive(Debug, Clone, PartialEq)]
pub enum Absorption {
    /// Vertical optical depth, `[layer * profiles + profile]`, zero or more.
    OpticalDepth(Vec<f64>),
    /// Transmittance along each angle, `[(layer * angles + angle) * profiles + profile]`, 0 to 1.
    Transmittance(Vec<f64>),
}

/// What the layers of a batch emit.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// Planck radiance of each layer, `[layer * profiles + profile]`: isothermal layers, as in CRTM.
    Isothermal(Vec<f64>),
    /// Planck radiance of each level, `[level * profiles + profile]`, linear in optical depth in between.
    LinearInOpticalDepth(Vec<f64>),
}

/// How the surface reflects.
#[derive(Debug, Clone, PartialEq)]
pub enum Reflection {
    /// Not at all: what is not emitted is lost.
    None,
    /// Each angle into itself.
    Specular,
    /// Into all angles alike, `sum_j (1 - emissivity_j) mu_j w_j D_j / sum_j mu_j w_j`, with the quadrature weight of
    /// each angle, zero for one that is only looked along.
    Lambertian {
        /// `w`, zero or more, not all zero.
        weight: Vec<f64>,
    },
}

/// Sunlight that the surface reflects: `reflectivity cos(sun) F / pi exp(-tau / cos(sun))`. Needs optical depths.
#[derive(Debug, Clone, PartialEq)]
pub struct Sun {
    /// Cosine of the zenith angle for each profile, -1 to 1; no light at zero or less.
    pub cosine: Vec<f64>,
    /// Irradiance `F` of each profile at the top and normal to the beam, in the unit of the radiances times sr.
    pub irradiance: Vec<f64>,
    /// Reflectivity of the direct beam, `[angle * profiles + profile]`, zero or more.
    pub reflectivity: Vec<f64>,
}

impl Profiles {
    /// The number of profiles.
    #[must_use]
    pub fn profiles(&self) -> usize {
        self.surface_planck.len()
    }

    /// The number of angles.
    #[must_use]
    pub fn angles(&self) -> usize {
        self.cosine.len()
    }

    /// The number of layers.
    #[must_use]
    pub fn layers(&self) -> usize {
        let rows = |values: &[f64]| values.len() / self.profiles().max(1);
        match &self.source {
            Source::Isothermal(planck) => rows(planck),
            Source::LinearInOpticalDepth(planck) => rows(planck).saturating_sub(1),
        }
    }

    /// Checks sizes and ranges.
    ///
    /// # Errors
    /// The first value that does not fit, with its profile, layer and angle.
    pub fn validate(&self) -> Result<(), Error> {
        let (profiles, layers, angles) = (self.profiles(), self.layers(), self.angles());
        if profiles == 0 || layers == 0 || angles == 0 {
            return Err(Error::Setup("a batch needs at least one profile, one layer and one angle"));
        }
        let by_angle = [("angle", angles), ("profile", profiles)];
        check("cosine", &self.cosine, &[("angle", angles)], POSITIVE_SHARE)?;
        match &self.absorption {
            Absorption::OpticalDepth(values) => {
                check("optical_depth", values, &[("layer", layers), ("profile", profiles)], NOT_NEGATIVE)?;
            }
            Absorption::Transmittance(values) => {
                let shape = [("layer", layers), ("angle", angles), ("profile", profiles)];
                check("transmittance", values, &shape, SHARE)?;
            }
        }
        match &self.source {
            Source::Isothermal(values) => {
                check("planck_radiance", values, &[("layer", layers), ("profile", profiles)], NOT_NEGATIVE)?;
            }
            Source::LinearInOpticalDepth(values) => {
                check("planck_radiance", values, &[("level", layers + 1), ("profile", profiles)], NOT_NEGATIVE)?;
                if matches!(self.absorption, Absorption::Transmittance(_)) {
                    return Err(Error::Setup(
                        "a source linear in optical depth needs optical depths, not transmittances",
                    ));
                }
            }
        }
        check("surface_planck", &self.surface_planck, &[("profile", profiles)], NOT_NEGATIVE)?;
        check("emissivity", &self.emissivity, &by_angle, SHARE)?;
        check("cosmic_background", &self.cosmic, &[("profile", profiles)], NOT_NEGATIVE)?;
        if let Reflection::Lambertian { weight } = &self.reflection {
            check("weight", weight, &[("angle", angles)], NOT_NEGATIVE)?;
            if weight.iter().sum::<f64>() <= 0.0 {
                return Err(Error::Setup("weight: a Lambertian surface needs an angle of positive weight"));
            }
        }
        if let Some(sun) = &self.sun {
            if matches!(self.absorption, Absorption::Transmittance(_)) {
                return Err(Error::Setup("sunlight needs optical depths, not transmittances"));
            }
            check("sun_cosine", &sun.cosine, &[("profile", profiles)], COSINE)?;
            check("sun_irradiance", &sun.irradiance, &[("profile", profiles)], NOT_NEGATIVE)?;
            check("sun_reflectivity", &sun.reflectivity, &by_angle, NOT_NEGATIVE)?;
        }
        Ok(())
    }
}

/// A range in words, and as a test that NaN fails.
pub(crate) type Range = (&'static str, fn(f64) -> bool);

pub(crate) const NOT_NEGATIVE: Range = ("a finite number of at least 0", |x| (0.0..f64::INFINITY).contains(&x));
pub(crate) const SHARE: Range = ("in [0, 1]", |x| (0.0..=1.0).contains(&x));
pub(crate) const POSITIVE_SHARE: Range = ("in (0, 1]", |x| x > 0.0 && x <= 1.0);
pub(crate) const COSINE: Range = ("in [-1, 1]", |x| (-1.0..=1.0).contains(&x));

/// Checks the size and the range of a variable whose last dimension is the fastest.
pub(crate) fn check(
    variable: &'static str,
    values: &[f64],
    shape: &[(&'static str, usize)],
    (range, fits): Range,
) -> Result<(), Error> {
    let expected = shape.iter().map(|(_, n)| n).product();
    if values.len() != expected {
        let shape = shape.iter().map(|(name, n)| format!("{n} {name}s")).collect::<Vec<_>>().join(" x ");
        return Err(Error::Size { variable, got: values.len(), expected, shape });
    }
    let Some(wrong) = values.iter().position(|&x| !fits(x)) else { return Ok(()) };
    let (mut place, mut rest) = (Place::default(), wrong);
    for &(name, n) in shape.iter().rev() {
        let index = Some(rest % n);
        match name {
            "profile" => place.profile = index,
            "layer" => place.layer = index,
            "level" => place.level = index,
            _ => place.angle = index,
        }
        rest /= n;
    }
    Err(Error::Value { variable, place, value: values[wrong], range })
}
