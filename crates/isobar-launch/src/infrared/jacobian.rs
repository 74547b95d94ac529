//! Derivatives of radiances by everything that they depend on: exact ones, and one-sided differences.

use std::sync::atomic::{AtomicUsize, Ordering};

use isobar_core::{Dual, Status};
use isobar_ega::jacobian::{Elements, Geometry, Model, RayJacobian};
use isobar_ega::planck;
use isobar_raytrace::hydrostatic_slopes::HydrostaticSlopes;
use isobar_raytrace::{Atmosphere, Ray};
use rayon::prelude::*;

use super::{Infrared, InfraredError};
use crate::Precision;

/// Radiances of a batch of rays and their derivatives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jacobian {
    /// The elements of the state of the atmosphere.
    pub elements: Elements,
    /// Radiance \[W/(m^2 sr cm^-1)\] or brightness temperature \[K\], `ray * channels + channel`; NaN for a failed ray.
    pub radiance: Vec<f64>,
    /// Transmittance of the path, likewise.
    pub transmittance: Vec<f64>,
    /// Derivatives of the radiances or brightness temperatures, `(ray * channels + channel) * elements + element`; NaN for a failed ray.
    pub derivative: Vec<f64>,
    /// What became of each ray.
    pub statuses: Vec<Status>,
}

impl Infrared<'_, f64> {
    /// Radiances, with the bits of [`Infrared::run`], and their exact derivatives by all elements of the atmosphere, on the threads of the CPU.
    /// `progress` is told how many rays are done.
    ///
    /// # Errors
    /// As [`Infrared::run`].
    pub fn jacobian(
        &self,
        atmosphere: &Atmosphere,
        rays: &[Ray],
        geometry: Geometry,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Jacobian, InfraredError> {
        let prepared = self.prepare(atmosphere)?;
        let model = Model::new(self.setup, self.data, &self.source, &prepared, geometry)?;
        let hydrostatic = self
            .setup
            .hydrostatic_reference_km
            .map(|reference_km| HydrostaticSlopes::new(atmosphere, reference_km, self.setup.gas("H2O")));
        let (elements, channels) = (model.elements(), self.setup.wavenumbers_per_cm.len());
        let count = elements.count();
        let done = AtomicUsize::new(0);
        let one = |ray: &Ray| {
            let result = model.ray(ray).map(|mut found| {
                if let Some(slopes) = &hydrostatic {
                    for row in found.derivative.chunks_mut(count) {
                        let (pressure, rest) = row.split_at_mut(elements.levels);
                        let (temperature, mixing_ratio) = rest.split_at_mut(elements.levels);
                        slopes.pull_back(pressure, temperature, mixing_ratio);
                    }
                }
                found
            });
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            result
        };
        let found: Vec<Result<RayJacobian, Status>> = rays.par_iter().map(one).collect();
        let mut all = Jacobian { elements, ..Jacobian::default() };
        for ray in found {
            let nothing = |count: usize| std::iter::repeat_n(f64::NAN, count);
            match ray {
                Ok(ray) => {
                    all.radiance.extend(ray.radiance);
                    all.transmittance.extend(ray.transmittance);
                    all.derivative.extend(ray.derivative);
                    all.statuses.push(Status::OK);
                }
                Err(status) => {
                    all.radiance.extend(nothing(channels));
                    all.transmittance.extend(nothing(channels));
                    all.derivative.extend(nothing(channels * count));
                    all.statuses.push(status);
                }
            }
        }
        if let Some(view) = &self.setup.field_of_view {
            view.convolve(rays, channels, &mut all.radiance)?;
            view.convolve(rays, channels, &mut all.transmittance)?;
            // It is linear.
            view.convolve(rays, channels * count, &mut all.derivative)?;
        }
        if self.setup.brightness_temperature {
            for (i, row) in all.derivative.chunks_mut(count).enumerate() {
                let nu = Dual::constant(self.setup.wavenumbers_per_cm[i % channels]);
                let temperature = planck::brightness_temperature(Dual::<f64, 1>::variable(all.radiance[i], 0), nu);
                all.radiance[i] = temperature.value;
                // Without radiance the slope is no number, and nothing depends on anything.
                row.iter_mut().filter(|by| **by != 0.0).for_each(|by| *by *= temperature.derivative[0]);
            }
        }
        Ok(all)
    }
}

impl<R: Precision> Infrared<'_, R> {
    /// The same by one-sided differences for some elements: each with its step, and one run more than there are elements. Derivatives by other
    /// elements are 0. `progress` is told how many runs are done.
    ///
    /// # Errors
    /// As [`Infrared::run`], for the atmosphere or what a step makes of it.
    pub fn finite_jacobian(
        &self,
        atmosphere: &Atmosphere,
        rays: &[Ray],
        steps: &[(usize, f64)],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Jacobian, InfraredError> {
        let elements = Elements::of(atmosphere);
        let count = elements.count();
        let plain = self.run(atmosphere, rays, &|_| {})?;
        let mut derivative = vec![0.0; plain.radiance.len() * count];
        for (number, &(element, step)) in steps.iter().enumerate() {
            progress(number + 1);
            let mut moved = atmosphere.clone();
            *elements.value(&mut moved, element) += step;
            let run = self.run(&moved, rays, &|_| {})?;
            for (row, (after, before)) in run.radiance.iter().zip(&plain.radiance).enumerate() {
                derivative[row * count + element] = (after - before) / step;
            }
        }
        let (radiance, transmittance, statuses) = (plain.radiance, plain.transmittance, plain.statuses);
        Ok(Jacobian { elements, radiance, transmittance, derivative, statuses })
    }
}
