//! Derivatives of radiances by everything that they depend on: exact ones, and one-sided differences.

use std::sync::Mutex;

use isobar_core::Dual;
use isobar_launch::pool::Pool;
use isobar_launch::{Device, Error};
use isobar_raytrace::{Atmosphere, Ray};
use rayon::prelude::*;

use super::batch::Batches;
use super::jacobian::{Jacobian, Jacobians};
use super::model::{InfraredError, InfraredModel};
use super::scheme::Precision;
use crate::jacobian::{Elements, Geometry, Model};
use crate::planck;

/// What is wanted beside radiances.
#[derive(Clone, Copy, Default)]
pub(super) struct Wanted<'a> {
    /// Derivatives, and how paths follow the state.
    pub(super) geometry: Option<Geometry>,
    /// The elements of each atmosphere by which they are wanted; none: all.
    pub(super) elements: Option<&'a [&'a [usize]]>,
    /// The weights of the radiances of each atmosphere's pencil beams, `ray * channels + channel`, where derivatives of
    /// their sum are wanted and not those of each.
    pub(super) weights: Option<&'a [Vec<f64>]>,
}

impl InfraredModel<f64> {
    /// Radiances, with the bits of [`InfraredModel::run`], and their exact derivatives by all elements of the
    /// atmosphere, on the devices. `progress` is told how many rays are done.
    ///
    /// # Errors
    /// As [`InfraredModel::run`]; nothing is kept of an interrupted one.
    pub fn jacobian(
        &self,
        atmosphere: &Atmosphere,
        rays: &[Ray],
        geometry: Geometry,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Jacobian, InfraredError> {
        let mut all = self.jacobians(&[(atmosphere, rays)], geometry, progress)?;
        all.cases.pop().expect("one case")
    }

    /// Are Jacobians computed by launches, for many atmospheres at a time: on a GPU?
    #[must_use]
    pub fn launches_jacobians(&self) -> bool {
        self.model.scheme().as_on_a_gpu || self.model.devices().iter().any(|device| !device.is_cpu())
    }

    /// The Jacobians of many atmospheres, each with its rays. One that is refused leaves the others. `progress` is told
    /// how many rays of all are done.
    ///
    /// A thread of the CPU takes a ray at a time. GPUs get many atmospheres at a time, those with the same numbers of
    /// levels, profiles, gases and so on together, and give the same bits.
    ///
    /// # Errors
    /// A device that fails, or [`Error::Stopped`].
    pub fn jacobians(
        &self,
        cases: &[(&Atmosphere, &[Ray])],
        geometry: Geometry,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Jacobians, InfraredError> {
        let wanted = Wanted { geometry: Some(geometry), ..Wanted::default() };
        Ok(self.finished(cases, self.many_beams(cases, wanted, progress)?))
    }

    /// The Jacobians of many atmospheres by the listed elements of each: less to take to the host.
    ///
    /// # Errors
    /// As [`InfraredModel::jacobians`].
    ///
    /// # Panics
    /// If there are not as many lists as atmospheres, or a list names an element that its atmosphere does not have.
    pub fn jacobians_by(
        &self,
        cases: &[(&Atmosphere, &[Ray])],
        elements: &[&[usize]],
        geometry: Geometry,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Jacobians, InfraredError> {
        assert_eq!(cases.len(), elements.len(), "a list an atmosphere");
        for (&(atmosphere, _), list) in cases.iter().zip(elements) {
            let count = Elements::of(atmosphere).count();
            assert!(list.iter().all(|&element| element < count), "elements below {count}");
        }
        let wanted = Wanted { geometry: Some(geometry), elements: Some(elements), ..Wanted::default() };
        Ok(self.finished(cases, self.many_beams(cases, wanted, progress)?))
    }

    /// Radiances alone of many atmospheres, each with its rays, as [`InfraredModel::jacobians`] without derivatives,
    /// for which there is no room: the same bits in less time.
    ///
    /// # Errors
    /// As [`InfraredModel::jacobians`].
    pub fn radiances(
        &self,
        cases: &[(&Atmosphere, &[Ray])],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Jacobians, InfraredError> {
        Ok(self.finished(cases, self.many_beams(cases, Wanted::default(), progress)?))
    }

    /// Radiances of pencil beams, and what else is wanted.
    pub(super) fn many_beams(
        &self,
        cases: &[(&Atmosphere, &[Ray])],
        wanted: Wanted<'_>,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Jacobians, InfraredError> {
        let Wanted { geometry, elements: lists, weights } = wanted;
        let (derivatives, geometry) = (geometry.is_some(), geometry.unwrap_or(Geometry::Frozen));
        if self.model.devices().is_empty() {
            return Err(Error::NoDevice.into());
        }
        let infrared = self.model.scheme();
        let (setup, channels) = (&infrared.setup, infrared.setup.wavenumbers_per_cm.len());
        let prepare = |&(atmosphere, _): &(&Atmosphere, &[Ray])| {
            let atmosphere = setup.prepare(atmosphere)?;
            setup.check_sources(&atmosphere)?;
            let model = Model::new(setup, &infrared.data, &infrared.source, &atmosphere, geometry);
            model.map_err(|error| InfraredError::Forward(error.into()))
        };
        let models: Vec<Result<Model<'_>, InfraredError>> = self.each(cases, prepare);
        let elements = |case: usize| models[case].as_ref().map_or_else(|_| Elements::default(), Model::elements);
        let room = |&case: &usize| {
            let elements = if derivatives { elements(case) } else { Elements::default() };
            let by = lists.map(|lists| lists[case].to_vec());
            let rows = if weights.is_some() { 1 } else { channels };
            Mutex::new(Jacobian::nothing(elements, by, cases[case].1.len(), [channels, rows]))
        };
        // To touch new memory takes one thread longer than the kernels.
        let found: Vec<Mutex<Jacobian>> = self.each(&Vec::from_iter(0..cases.len()), room);

        // Atmospheres of one shape are neighbours.
        let mut shapes: Vec<(Elements, usize)> = Vec::new();
        let mut order: Vec<(usize, usize)> = Vec::new();
        for (case, model) in models.iter().enumerate() {
            let Ok(model) = model else { continue };
            let own = model.prepared.shape();
            let shape = shapes.iter().position(|shape| *shape == own).unwrap_or_else(|| {
                shapes.push(own);
                shapes.len() - 1
            });
            order.push((shape, case));
        }
        order.sort_unstable();
        let rays_of = |&(_, case): &(usize, usize)| (0..cases[case].1.len()).map(move |ray| (case, ray));
        let rays: Vec<(usize, usize)> = order.iter().flat_map(rays_of).collect();

        let batches = Batches {
            model: self,
            geometry,
            derivatives,
            models: &models,
            cases,
            wanted: lists,
            weights,
            rays: &rays,
            found: &found,
        };
        let pool = Pool::new(rays.len(), progress, [self.stop.as_deref(), None]);
        let done = pool.run(
            self.model.devices(),
            |device| self.model.workers(device),
            |device, pool| {
                if !device.is_cpu() || self.model.scheme().as_on_a_gpu {
                    return batches.compute(device, pool);
                }
                while let Some(range) = pool.take(1) {
                    for &(case, ray) in &rays[range] {
                        let Ok(model) = &models[case] else { continue };
                        let sight = &cases[case].1[ray];
                        let derived = match weights {
                            _ if !derivatives => model.radiances(sight),
                            None => model.ray(sight),
                            Some(weights) => {
                                model.pullback(sight, &weights[case][ray * channels..(ray + 1) * channels])
                            }
                        };
                        let mut found = found[case].lock().expect("no worker panics");
                        match derived {
                            Ok(own) => {
                                let mut derivative = own.derivative;
                                if let Some(lists) = lists {
                                    derivative = picked(&derivative, elements(case).count(), lists[case]);
                                }
                                found.put(ray, (&own.radiance, &own.transmittance, &derivative), own.tangent_point)
                            }
                            Err(status) => found.statuses[ray] = status,
                        }
                    }
                    pool.done(1);
                }
                Ok(())
            },
        );
        done.map_err(|(error, _): (Error, usize)| error)?;
        let found = models.into_iter().zip(found);
        let found = found.map(|(model, found)| model.map(|_| found.into_inner().expect("no worker panics")));
        Ok(Jacobians { cases: found.collect(), stages: infrared.clock.read() })
    }

    /// What an instrument sees instead of pencil beams.
    fn finished(&self, cases: &[(&Atmosphere, &[Ray])], mut all: Jacobians) -> Jacobians {
        let finish = |(found, case): (&mut Result<Jacobian, InfraredError>, &(&Atmosphere, &[Ray]))| {
            if let Ok(beams) = found
                && let Err(error) = self.finish(case.1, beams)
            {
                *found = Err(error);
            }
        };
        match self.is_one_thread() {
            true => all.cases.iter_mut().zip(cases).for_each(finish),
            false => all.cases.par_iter_mut().zip(cases).for_each(finish),
        }
        all
    }

    /// Calls `work` for each, on all threads unless the devices are the calling one.
    fn each<T: Sync, U: Send>(&self, all: &[T], work: impl Fn(&T) -> U + Send + Sync) -> Vec<U> {
        match self.is_one_thread() {
            true => all.iter().map(work).collect(),
            false => all.par_iter().map(work).collect(),
        }
    }

    fn is_one_thread(&self) -> bool {
        self.model.devices().iter().all(|&device| device == Device::Thread)
    }

    /// What comes after pencil beams: the field of view, brightness temperatures.
    pub(super) fn finish(&self, rays: &[Ray], all: &mut Jacobian) -> Result<(), InfraredError> {
        let setup = &self.model.scheme().setup;
        let (count, channels) = (all.columns(), setup.wavenumbers_per_cm.len());
        for (ray, status) in all.statuses.iter().enumerate() {
            if !status.is_ok() {
                all.derivative[ray * channels * count..(ray + 1) * channels * count].fill(f64::NAN);
            }
        }
        if let Some(view) = &setup.field_of_view {
            view.convolve(rays, channels, &mut all.radiance)?;
            view.convolve(rays, channels, &mut all.transmittance)?;
            // It is linear.
            view.convolve(rays, channels * count, &mut all.derivative)?;
        }
        if setup.brightness_temperature {
            for (i, radiance) in all.radiance.iter_mut().enumerate() {
                let temperature = brightness_temperature(*radiance, setup.wavenumbers_per_cm[i % channels]);
                *radiance = temperature.value;
                // Without radiance the slope is no number, and nothing depends on anything.
                let row = &mut all.derivative[i * count..(i + 1) * count];
                row.iter_mut().filter(|by| **by != 0.0).for_each(|by| *by *= temperature.derivative[0]);
            }
        }
        Ok(())
    }
}

/// The brightness temperature \[K\] of a radiance at a wavenumber, and its derivative by the radiance.
pub(super) fn brightness_temperature(radiance: f64, wavenumber_per_cm: f64) -> Dual<f64, 1> {
    planck::brightness_temperature(Dual::variable(radiance, 0), Dual::constant(wavenumber_per_cm))
}

/// Some of the `count` columns of each row.
fn picked(derivative: &[f64], count: usize, elements: &[usize]) -> Vec<f64> {
    derivative.chunks(count.max(1)).flat_map(|row| elements.iter().map(|&element| row[element])).collect()
}

impl<R: Precision> InfraredModel<R> {
    /// The Jacobian by one-sided differences for some elements: each with its step, and one run more than there are
    /// elements. Derivatives by other elements are 0. `progress` is told how many runs are done.
    ///
    /// # Errors
    /// As [`InfraredModel::run`], for the atmosphere or what a step makes of it.
    pub fn finite_jacobian(
        &self,
        atmosphere: &Atmosphere,
        rays: &[Ray],
        steps: &[(usize, f64)],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Jacobian, InfraredError> {
        let elements = Elements::of(atmosphere);
        let count = elements.count();
        let plain = self.run(atmosphere, rays)?;
        let mut derivative = vec![0.0; plain.radiance.len() * count];
        for (number, &(element, step)) in steps.iter().enumerate() {
            progress(number + 1);
            let mut moved = atmosphere.clone();
            *elements.value(&mut moved, element) += step;
            let run = self.run(&moved, rays)?;
            for (row, (after, before)) in run.radiance.iter().zip(&plain.radiance).enumerate() {
                derivative[row * count + element] = (after - before) / step;
            }
        }
        Ok(Jacobian {
            elements,
            radiance: plain.radiance,
            transmittance: plain.transmittance,
            tangent_points: plain.tangent_points,
            by: None,
            derivative,
            statuses: plain.statuses,
        })
    }
}
