//! Derivatives of weighted sums of radiances, as those of a cost: one number an element of the state, not one an
//! element, ray and channel.

use isobar_core::Status;
use isobar_raytrace::{Atmosphere, Position, Ray};

use super::clock::StageTimes;
use super::derivatives::{Wanted, brightness_temperature};
use super::jacobian::{Jacobian, Jacobians};
use super::model::{InfraredError, InfraredModel};
use crate::jacobian::{Elements, Geometry};

/// Radiances of a batch of rays and the derivatives of their weighted sum.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gradient {
    /// The elements of the state of the atmosphere.
    pub elements: Elements,
    /// Radiance \[W/(m^2 sr cm^-1)\] or brightness temperature \[K\], `ray * channels + channel`; NaN for a failed ray.
    pub radiance: Vec<f64>,
    /// Transmittance of the path, in the order of radiances; NaN for a failed ray.
    pub transmittance: Vec<f64>,
    /// Tangent point of each ray.
    pub tangent_points: Vec<Position>,
    /// Derivatives of the sum of weight times radiance or brightness temperature over all rays and channels, by
    /// element; NaN where a failed ray has a weight other than 0.
    pub gradient: Vec<f64>,
    /// What became of each ray.
    pub statuses: Vec<Status>,
}

/// Gradients of many atmospheres, each with its own rays.
#[derive(Debug, Default)]
pub struct Gradients {
    /// One an atmosphere.
    pub cases: Vec<Result<Gradient, InfraredError>>,
    /// Time of each kernel, summed over a GPU's workers, where [`super::Infrared::timed`] asked for it.
    pub stages: StageTimes,
}

impl InfraredModel<f64> {
    /// The vector-Jacobian product: radiances, with the bits of [`InfraredModel::run`], and the exact derivatives of
    /// their weighted sum by all elements of each atmosphere.
    ///
    /// `weights` has a list an atmosphere, `ray * channels + channel`: of a cost, its derivatives by the radiances, or
    /// by the brightness temperatures where the setup has those. `progress` is told how many rays of all are done.
    ///
    /// The same as the rows of [`InfraredModel::jacobians`], weighted and summed, to rounding, without the rows: paths
    /// are differentiated once a ray, and memory does not grow with the channels. Brightness temperatures cost one run
    /// for the radiances beside.
    ///
    /// # Errors
    /// As [`InfraredModel::jacobians`].
    ///
    /// # Panics
    /// If there are not as many lists as atmospheres, or a list has not a weight for each radiance.
    pub fn pullback(
        &self,
        cases: &[(&Atmosphere, &[Ray])],
        weights: &[&[f64]],
        geometry: Geometry,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Gradients, InfraredError> {
        let channels = self.model.scheme().setup.wavenumbers_per_cm.len();
        assert_eq!(cases.len(), weights.len(), "a list an atmosphere");
        for (&(_, rays), weights) in cases.iter().zip(weights) {
            assert_eq!(weights.len(), rays.len() * channels, "a weight a ray and channel");
        }
        let mut of_beams: Vec<Vec<f64>> = weights.iter().map(|weights| weights.to_vec()).collect();
        let refused = self.to_beams(cases, &mut of_beams)?;
        let wanted = Wanted { geometry: Some(geometry), weights: Some(&of_beams), ..Wanted::default() };
        let Jacobians { cases: found, stages } = self.many_beams(cases, wanted, progress)?;
        let found = found.into_iter().zip(refused).enumerate().map(|(case, (found, refused))| {
            let mut beams = found?;
            if let Some(error) = refused {
                return Err(error);
            }
            let gradient = sum_of_rays(&beams, &of_beams[case]);
            let elements = std::mem::take(&mut beams.elements);
            beams.derivative = Vec::new();
            self.finish(cases[case].1, &mut beams)?;
            let Jacobian { radiance, transmittance, tangent_points, statuses, .. } = beams;
            Ok(Gradient { elements, radiance, transmittance, tangent_points, gradient, statuses })
        });
        Ok(Gradients { cases: found.collect(), stages })
    }

    /// Weights of what an instrument sees become those of pencil beams: the transposed of what follows them. A case
    /// that the field of view refuses has the error.
    fn to_beams(
        &self,
        cases: &[(&Atmosphere, &[Ray])],
        weights: &mut [Vec<f64>],
    ) -> Result<Vec<Option<InfraredError>>, InfraredError> {
        let setup = &self.model.scheme().setup;
        let channels = setup.wavenumbers_per_cm.len();
        if setup.brightness_temperature {
            let beams = self.many_beams(cases, Wanted::default(), &|_| {})?;
            for ((&(_, rays), weights), beams) in cases.iter().zip(weights.iter_mut()).zip(beams.cases) {
                // What is refused here is refused again.
                let Ok(Jacobian { mut radiance, .. }) = beams else { continue };
                if let Some(view) = &setup.field_of_view
                    && view.convolve(rays, channels, &mut radiance).is_err()
                {
                    continue;
                }
                for (i, (weight, radiance)) in weights.iter_mut().zip(radiance).enumerate() {
                    let temperature = brightness_temperature(radiance, setup.wavenumbers_per_cm[i % channels]);
                    // Without radiance the slope is no number, and nothing depends on anything.
                    *weight = if radiance == 0.0 || *weight == 0.0 { 0.0 } else { *weight * temperature.derivative[0] };
                }
            }
        }
        let Some(view) = &setup.field_of_view else { return Ok(cases.iter().map(|_| None).collect()) };
        let transposed =
            cases.iter().zip(weights).map(|(&(_, rays), weights)| view.transposed(rays, channels, weights));
        Ok(transposed.map(|done| done.err().map(InfraredError::from)).collect())
    }
}

/// The sum over rays, the first one first. Rays that count nothing may have failed.
fn sum_of_rays(beams: &Jacobian, weights: &[f64]) -> Vec<f64> {
    let (count, rays) = (beams.elements.count(), beams.statuses.len());
    let channels = weights.len() / rays.max(1);
    let mut sum = vec![0.0; count];
    for (ray, status) in beams.statuses.iter().enumerate() {
        let counts = weights[ray * channels..(ray + 1) * channels].iter().any(|&weight| weight != 0.0);
        let own = &beams.derivative[ray * count..(ray + 1) * count];
        if counts {
            let by = |by: f64| if status.is_ok() { by } else { f64::NAN };
            sum.iter_mut().zip(own).for_each(|(sum, &own)| *sum += by(own));
        }
    }
    sum
}
