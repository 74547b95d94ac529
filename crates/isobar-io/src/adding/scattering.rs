//! Layers that scatter.

use isobar_adding::azimuth::quadrature::Quadrature;
use isobar_adding::clear_sky;
use isobar_adding::scattering::{Options, ProfileViews, Profiles, Reflection};
use isobar_core::fields::{ANY_UNIT, Declared};

use super::{AddingInput, variable};
use crate::error::Error;
use crate::netcdf::{Dataset, Dimension, Field, Orientation, VariableSpec};

/// The variable of a field of profiles that scatter.
fn spec(name: &str) -> VariableSpec<'static> {
    variable(Declared::named(ProfileViews::<f64>::DECLARED, name), ANY_UNIT)
}

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
        /// The number of moments for each layer and profile.
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
        let Some(albedo) = file.read_optional(&spec("single_scattering_albedo"))? else { return Ok(None) };
        let phase = match file.read_optional(&spec("phase_moments"))? {
            Some(moments) => moments,
            None => file.read(&spec("asymmetry"))?,
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

/// Says how what is given by angle is known along the streams, if any of it differs among the angles.
pub(super) fn along_streams(cosines: &[f64], by_angle: &[&Field]) -> Option<String> {
    let differs = |field: &&&Field| {
        let mut rows = field.values.chunks((field.values.len() / field.size(Dimension::Angle)).max(1));
        let first = rows.next();
        rows.any(|row| Some(row) != first)
    };
    let names: Vec<&str> = by_angle.iter().filter(differs).map(|field| field.name.as_str()).collect();
    let (least, most) = cosines.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
    (!names.is_empty()).then(|| {
        format!(
            "{} of the streams, linear in the cosine between the file's angles and constant below {least} and above \
             {most}",
            names.join(" and ")
        )
    })
}

impl AddingInput {
    /// The batch for the file's angle of this number, which becomes a stream, with the options' streams; nothing if the
    /// file's layers do not scatter. The surface reflects as the file's does.
    ///
    /// What the surface emits, and reflects of the Sun, is known for the file's angles; between them it is linear in
    /// the cosine, beyond them constant.
    #[must_use]
    pub fn scattering_profiles(&self, angle: usize, options: &Options) -> Option<(Profiles<f64>, Options)> {
        let (clear, scattering) = (&self.profiles, self.scattering.as_ref()?);
        let (profiles, angles) = (self.extents.items(), &self.options.cosine);
        let cosines = Quadrature::double_gauss(options.nodes).cosine.into_iter().chain([angles[angle]]);
        let of_streams = |values: &[f64]| match values {
            [] => Vec::new(),
            values => cosines.clone().flat_map(|cosine| between_angles(angles, values, profiles, cosine)).collect(),
        };
        let (mut asymmetry, mut phase_moments) = (Vec::new(), Vec::new());
        match &scattering.phase {
            Phase::Asymmetry(values) => asymmetry.clone_from(values),
            Phase::Moments { values, .. } => phase_moments.clone_from(values),
        }
        let batch = Profiles {
            viewing_cosine: vec![angles[angle]; profiles],
            optical_depth: clear.optical_depth.clone(),
            single_scattering_albedo: scattering.albedo.clone(),
            asymmetry,
            phase_moments,
            planck_radiance: clear.planck_radiance.clone(),
            surface_planck_radiance: clear.surface_planck_radiance.clone(),
            emissivity: of_streams(&clear.emissivity),
            cosmic_background: clear.cosmic_background.clone(),
            sun_cosine: clear.sun_cosine.clone(),
            sun_irradiance: clear.sun_irradiance.clone(),
            sun_reflectivity: of_streams(&clear.sun_reflectivity),
        };
        let reflection = match self.options.reflection {
            clear_sky::Reflection::Lambertian { .. } => Reflection::Lambertian,
            clear_sky::Reflection::None | clear_sky::Reflection::Specular => Reflection::Specular,
        };
        Some((batch, Options { reflection, ..options.clone() }))
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
