//! What was measured, and how well.

use isobar_io::{Control, Label, Observation, RetrievalControl, is_measured};
use nalgebra::DVector;

use crate::Error;

/// The values that are not masked.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Measurement {
    /// Their indices among all radiances, `ray * channels + channel`.
    pub indices: Vec<usize>,
    /// The values.
    pub values: DVector<f64>,
    /// Variance of the noise of each.
    pub noise_variance: DVector<f64>,
    /// Variance of the forward model's error.
    pub forward_variance: DVector<f64>,
    /// What each is.
    pub labels: Vec<Label>,
}

impl Measurement {
    /// The values of an observation that were measured ([`is_measured`]).
    ///
    /// # Errors
    /// None was measured, one has no error, or one is so large that its misfit is not finite.
    pub fn new(observation: &Observation, control: &Control, retrieval: &RetrievalControl) -> Result<Self, Error> {
        let channels = control.wavenumbers_per_cm.len();
        let (all, expected) = (observation.radiance.len(), observation.rays.len() * channels);
        if all != expected {
            return Err(Error::Size { got: all, rays: observation.rays.len(), expected });
        }
        let indices: Vec<usize> = (0..all).filter(|&i| is_measured(observation.radiance[i])).collect();
        if indices.is_empty() {
            return Err(Error::AllMasked(all));
        }
        let squared = |x: f64| x * x;
        let noise = |&i: &usize| squared(retrieval.noise[i % channels]);
        let forward =
            |&i: &usize| squared(retrieval.forward_error_percent[i % channels] / 100.0 * observation.radiance[i]);
        let vector = |f: &dyn Fn(&usize) -> f64| DVector::from_iterator(indices.len(), indices.iter().map(f));
        let label =
            |&i: &usize| Label::of_channel(control.wavenumbers_per_cm[i % channels], &observation.rays[i / channels]);
        let measurement = Self {
            values: vector(&|&i| observation.radiance[i]),
            noise_variance: vector(&noise),
            forward_variance: vector(&forward),
            labels: indices.iter().map(label).collect(),
            indices,
        };
        let variance = measurement.variance();
        if let Some(bad) = variance.iter().position(|&variance| variance.is_nan() || variance <= 0.0) {
            let index = measurement.indices[bad];
            let channel = index % channels;
            let wavenumber_per_cm = control.wavenumbers_per_cm[channel];
            return Err(Error::NoNoise { ray: index / channels, channel, wavenumber_per_cm });
        }
        let misfit = |(value, variance): (&f64, &f64)| value * value / variance;
        let misfits = measurement.values.iter().zip(variance.iter()).map(misfit);
        if let Some(bad) = misfits.into_iter().position(|misfit| !misfit.is_finite()) {
            let index = measurement.indices[bad];
            let (ray, channel) = (index / channels, index % channels);
            let (wavenumber_per_cm, value) = (control.wavenumbers_per_cm[channel], measurement.values[bad]);
            return Err(Error::TooLarge { ray, channel, wavenumber_per_cm, value });
        }
        Ok(measurement)
    }

    /// Variance of each value.
    #[must_use]
    pub fn variance(&self) -> DVector<f64> {
        &self.noise_variance + &self.forward_variance
    }

    /// The number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.indices.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// These values of all radiances.
    ///
    /// # Errors
    /// One that is not finite.
    pub fn of(&self, radiance: &[f64], channels: usize) -> Result<DVector<f64>, Error> {
        if let Some(&index) = self.indices.iter().find(|&&index| !radiance[index].is_finite()) {
            return Err(Error::NotFinite { ray: index / channels, channel: index % channels });
        }
        Ok(DVector::from_iterator(self.len(), self.indices.iter().map(|&index| radiance[index])))
    }
}
