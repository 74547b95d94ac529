//! Layers that scatter.

use std::ops::Bound;

use isobar_adding::clear_sky::{Absorption, Reflection, Source};
use isobar_adding::scattering::batch::{self, PhaseFunction, ScatteringProfiles};
use isobar_adding::scattering::quadrature::Quadrature;

use super::{AddingInput, LAYER, PROFILE, between, spec};
use crate::error::Error;
use crate::netcdf::{Accepted, Axis, Dataset, Dimension, Field, Orientation, VariableSpec};

const ALBEDO: VariableSpec = spec(
    "single_scattering_albedo",
    &["omega", "ssa", "w0"],
    &["single_scattering_albedo_in_air_due_to_ambient_aerosol_particles"],
    "1",
    &[LAYER, PROFILE],
    Accepted::FRACTION,
);
const ASYMMETRY: VariableSpec = spec(
    "asymmetry",
    &["g", "asymmetry_factor", "asymmetry_parameter"],
    &["asymmetry_factor_of_ambient_aerosol_particles"],
    "1",
    &[LAYER, PROFILE],
    Accepted { low: Bound::Excluded(-1.0), high: Bound::Excluded(1.0) },
);
const MOMENTS: VariableSpec = spec(
    "phase_moments",
    &["pmom", "legendre_moments"],
    &[],
    "1",
    &[LAYER, Axis::required(Dimension::Moment), PROFILE],
    between(-1.0, 1.0),
);

/// How the layers of a file scatter.
#[derive(Clone, Debug, PartialEq)]
pub struct Scattering {
    /// Single-scattering albedo, `[layer * profiles + profile]`, top first.
    pub albedo: Vec<f64>,
    /// Where the scattered light goes.
    pub phase: Phase,
}

/// The phase functions of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    /// Henyey and Greenstein's, `[layer * profiles + profile]`.
    Asymmetry(Vec<f64>),
    /// As many Legendre moments as the file has, `[(layer * count + moment) * profiles + profile]`.
    Moments {
        /// Of each layer and profile.
        count: usize,
        /// The moments.
        values: Vec<f64>,
    },
}

/// What the file says, in its own orientation.
pub(super) struct Fields {
    albedo: Field,
    phase: Field,
}

impl Fields {
    /// Nothing where the layers do not scatter.
    pub(super) fn read(file: &mut Dataset) -> Result<Option<Self>, Error> {
        let Some(albedo) = file.read_optional(&ALBEDO)? else { return Ok(None) };
        let phase = match file.read_optional(&MOMENTS)? {
            Some(moments) => moments,
            None => file.read(&ASYMMETRY)?,
        };
        Ok(Some(Self { albedo, phase }))
    }

    pub(super) fn top_first(mut self, orientation: Orientation) -> Scattering {
        self.albedo.top_first(orientation);
        self.phase.top_first(orientation);
        let phase = if self.phase.dimensions.contains(&Dimension::Moment) {
            Phase::Moments { count: self.phase.size(Dimension::Moment), values: self.phase.values }
        } else {
            Phase::Asymmetry(self.phase.values)
        };
        Scattering { albedo: self.albedo.values, phase }
    }
}

impl AddingInput {
    /// The batch for the file's angle of this number, which becomes a stream, with `nodes` nodes a hemisphere, 1 to 16;
    /// nothing if the file's layers do not scatter.
    ///
    /// What the surface emits, and reflects of the Sun, is known for the file's angles; between them it is linear in
    /// the cosine, beyond them constant. Moments that the file does not have are zero.
    #[must_use]
    pub fn scattering_profiles(&self, angle: usize, nodes: usize, delta: bool) -> Option<ScatteringProfiles> {
        let (clear, scattering) = (&self.profiles, self.scattering.as_ref()?);
        let (Absorption::OpticalDepth(optical_depth), Source::Isothermal(planck_radiance)) =
            (&clear.absorption, &clear.source)
        else {
            return None;
        };
        let profiles = clear.profiles();
        let cosines: Vec<f64> =
            Quadrature::double_gauss(nodes).cosine.into_iter().chain([clear.cosine[angle]]).collect();
        let of_streams = |values: &[f64]| {
            let rows = cosines.iter().map(|&cosine| between_angles(&clear.cosine, values, profiles, cosine));
            rows.collect::<Vec<_>>().concat()
        };
        let phase = match &scattering.phase {
            Phase::Asymmetry(values) => PhaseFunction::Asymmetry(values.clone()),
            Phase::Moments { count, values } => {
                let wanted = 2 * nodes + usize::from(delta);
                let layers = values.chunks(count * profiles);
                let resized = layers.flat_map(|moments| {
                    let missing = wanted.saturating_sub(*count) * profiles;
                    moments.iter().copied().take(wanted * profiles).chain(std::iter::repeat_n(0.0, missing))
                });
                PhaseFunction::Moments(resized.collect())
            }
        };
        Some(ScatteringProfiles {
            nodes,
            viewing_cosine: Some(vec![clear.cosine[angle]; profiles]),
            optical_depth: optical_depth.clone(),
            albedo: scattering.albedo.clone(),
            phase,
            delta,
            planck_radiance: planck_radiance.clone(),
            surface_planck: clear.surface_planck.clone(),
            emissivity: of_streams(&clear.emissivity),
            reflection: match clear.reflection {
                Reflection::Lambertian { .. } => batch::Reflection::Lambertian,
                Reflection::None | Reflection::Specular => batch::Reflection::Specular,
            },
            cosmic: clear.cosmic.clone(),
            sun: clear.sun.as_ref().map(|sun| batch::Sun {
                cosine: sun.cosine.clone(),
                irradiance: sun.irradiance.clone(),
                reflectivity: of_streams(&sun.reflectivity),
            }),
        })
    }
}

/// A row of `[angle * profiles + profile]` for a cosine that need not be one of the angles'.
fn between_angles(cosines: &[f64], values: &[f64], profiles: usize, cosine: f64) -> Vec<f64> {
    let row = |angle: usize| &values[angle * profiles..][..profiles];
    let nearest = |side: &dyn Fn(f64) -> bool| {
        let angles = (0..cosines.len()).filter(|&angle| side(cosines[angle]));
        angles.min_by(|&a, &b| (cosines[a] - cosine).abs().total_cmp(&(cosines[b] - cosine).abs()))
    };
    match (nearest(&|other| other <= cosine), nearest(&|other| other >= cosine)) {
        (Some(below), Some(above)) if cosines[below] < cosines[above] => {
            let share = (cosine - cosines[below]) / (cosines[above] - cosines[below]);
            row(below).iter().zip(row(above)).map(|(low, high)| low + share * (high - low)).collect()
        }
        (Some(only), _) | (None, Some(only)) => row(only).to_vec(),
        (None, None) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::between_angles;

    #[test]
    fn angles_are_interpolated_and_not_extrapolated() {
        let (cosines, values) = ([0.8, 0.2, 0.4], [8.0, 80.0, 2.0, 20.0, 4.0, 40.0]);
        let at = |cosine| between_angles(&cosines, &values, 2, cosine);
        assert_eq!(at(0.8), [8.0, 80.0]);
        assert_eq!(at(0.1), [2.0, 20.0]);
        assert_eq!(at(0.9), [8.0, 80.0]);
        let middle = at(0.6);
        assert!((middle[0] - 6.0).abs() < 1e-12 && (middle[1] - 60.0).abs() < 1e-12, "{middle:?}");
    }
}
