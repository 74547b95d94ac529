//! What is chosen for clear-sky profiles, and the sizes of a batch.

use isobar_core::Real;
use isobar_core::fields::{ANGLE, Error, Extents, LAYER, OwnedInputs};

use crate::fields::clear_sky::{ProfileViews, Profiles};
use crate::fields::rows;
use crate::schedule::Schedule;

/// The angles, how the surface reflects, and which radiances are wanted.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(deny_unknown_fields))]
pub struct Options {
    /// Cosine of each angle against the vertical, in (0, 1].
    pub cosine: Vec<f64>,
    /// Where goes what the surface does not emit.
    pub reflection: Reflection,
    /// Which radiances are wanted.
    pub output: Output,
    /// How the work is shared; the radiances do not depend on it.
    pub schedule: Schedule,
}

/// How the surface reflects what it does not emit, 1 less the emissivity.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Reflection {
    /// Not at all: it is lost.
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

/// Which radiances are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Output {
    /// At the top, over a surface that does not reflect.
    Emission,
    /// At the top and at the surface.
    Ends,
    /// At every level, too.
    Levels,
}

impl Options {
    /// Angles over a surface that reflects each into itself, seen from the top and at the surface.
    #[must_use]
    pub fn new(cosine: &[f64]) -> Self {
        Self {
            cosine: cosine.to_vec(),
            reflection: Reflection::Specular,
            output: Output::Ends,
            schedule: Schedule::Auto,
        }
    }

    /// The sizes of a batch with these options.
    ///
    /// # Errors
    /// Fields or options that do not go together.
    pub fn extents<R: Real>(&self, inputs: &ProfileViews<'_, R>) -> Result<Extents, Error> {
        let given = !inputs.transmittance.is_empty();
        let linear = !inputs.planck_radiance_level.is_empty();
        let sun = [inputs.sun_cosine.is_empty(), inputs.sun_irradiance.is_empty(), inputs.sun_reflectivity.is_empty()];
        let angles = self.cosine.len();
        let below_levels = inputs.planck_radiance_level.levels().saturating_sub(1);
        let layers = inputs.planck_radiance.levels().max(inputs.optical_depth.levels()).max(below_levels);
        let wrong = if layers == 0 || angles == 0 {
            "a batch needs at least one layer and one angle"
        } else if given != inputs.optical_depth.is_empty() {
            "layers have either optical depths or transmittances"
        } else if linear != inputs.planck_radiance.is_empty() {
            "a batch has a Planck radiance either of each layer or of each level"
        } else if given && linear {
            "a source linear in optical depth needs optical depths, not transmittances"
        } else if sun != [sun[0]; 3] {
            "sunlight has a cosine, an irradiance and a reflectivity"
        } else if given && !sun[0] {
            "sunlight needs optical depths, not transmittances"
        } else if self.output == Output::Emission && self.reflection != Reflection::None {
            "a reflecting surface needs the downward radiance: ask for Ends"
        } else {
            self.angles()?;
            return Ok(Extents::new(inputs.surface_planck_radiance.len()).with(LAYER, layers).with(ANGLE, angles));
        };
        Err(Error::Setup(wrong.to_owned()))
    }

    /// Checks what each angle has.
    fn angles(&self) -> Result<(), Error> {
        if let Some(angle) = self.cosine.iter().position(|&mu| !(mu > 0.0 && mu <= 1.0)) {
            let cosine = self.cosine[angle];
            return Err(Error::Setup(format!("cosine at angle {angle} is {cosine}, which is not in (0, 1]")));
        }
        let Reflection::Lambertian { weight } = &self.reflection else { return Ok(()) };
        if weight.len() != self.cosine.len() {
            let (got, expected) = (weight.len(), self.cosine.len());
            return Err(Error::Setup(format!("weight has {got} values instead of {expected}, one an angle")));
        }
        if let Some(angle) = weight.iter().position(|w| !(0.0..f64::INFINITY).contains(w)) {
            return Err(Error::Setup(format!(
                "weight at angle {angle} is {}, which is not in [0, inf)",
                weight[angle]
            )));
        }
        if weight.iter().sum::<f64>() <= 0.0 {
            return Err(Error::Setup("a Lambertian surface needs an angle of positive weight".to_owned()));
        }
        Ok(())
    }

    /// `mu w / sum mu w` of each angle, if the surface is Lambertian.
    #[must_use]
    pub fn flux_weights(&self) -> Option<Vec<f64>> {
        let Reflection::Lambertian { weight } = &self.reflection else { return None };
        let flux: Vec<f64> = self.cosine.iter().zip(weight).map(|(mu, w)| mu * w).collect();
        let sum: f64 = flux.iter().sum();
        Some(flux.iter().map(|x| x / sum).collect())
    }
}

/// Finds the sizes from those of the vectors. The angles' number is in the [`Options`], so that one value for all
/// angles is one for any number.
impl<'a, R: Real> TryFrom<&'a Profiles<R>> for ProfileViews<'a, R> {
    type Error = Error;

    fn try_from(profiles: &'a Profiles<R>) -> Result<Self, Error> {
        let Profiles { optical_depth, transmittance, planck_radiance, planck_radiance_level, .. } = profiles;
        let Profiles { surface_planck_radiance, cosmic_background, sun_cosine, sun_irradiance, .. } = profiles;
        let items = [surface_planck_radiance, cosmic_background, sun_cosine, sun_irradiance].map(Vec::len);
        let items = items.into_iter().max().unwrap_or(0);
        let layers = rows([planck_radiance, optical_depth], items)
            .or_else(|| Some(rows([planck_radiance_level], items)?.saturating_sub(1)))
            .unwrap_or(1);
        let angles = rows([&profiles.emissivity, &profiles.sun_reflectivity], items);
        let angles = angles.or_else(|| Some(rows([transmittance], items)? / layers.max(1))).unwrap_or(2);
        profiles.views(&Extents::new(items).with(LAYER, layers).with(ANGLE, angles), "profile")
    }
}
