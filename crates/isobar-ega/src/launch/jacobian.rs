//! Derivatives of radiances by everything that they depend on: exact ones, and one-sided differences.

use std::borrow::Cow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use isobar_core::{Dual, Status};
use isobar_raytrace::hydrostatic_slopes::HydrostaticSlopes;
use isobar_raytrace::{Atmosphere, Position, Ray};
use rayon::prelude::*;

use super::{Infrared, InfraredError, Precision, StageTimes, clock};
use crate::jacobian::{Elements, Geometry, Model};
use crate::planck;

/// Radiances of a batch of rays and their derivatives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jacobian {
    /// The elements of the state of the atmosphere.
    pub elements: Elements,
    /// Radiance \[W/(m^2 sr cm^-1)\] or brightness temperature \[K\], `ray * channels + channel`; NaN for a failed ray.
    pub radiance: Vec<f64>,
    /// Transmittance of the path, likewise.
    pub transmittance: Vec<f64>,
    /// Tangent point of each ray.
    pub tangent_points: Vec<Position>,
    /// Derivatives of the radiances or brightness temperatures, `(ray * channels + channel) * elements + element`; NaN
    /// for a failed ray.
    pub derivative: Vec<f64>,
    /// What became of each ray.
    pub statuses: Vec<Status>,
}

/// Jacobians of many atmospheres, each with its own rays.
#[derive(Debug, Default)]
pub struct Jacobians {
    /// One an atmosphere.
    pub cases: Vec<Result<Jacobian, InfraredError>>,
    /// Time of each kernel, summed over a GPU's workers, where [`Infrared::timed`] asked for it.
    pub stages: StageTimes,
}

impl Infrared<'_, f64> {
    /// Radiances, with the bits of [`Infrared::run`], and their exact derivatives by all elements of the atmosphere, on
    /// the devices. `progress` is told how many rays are done.
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
        let mut all = self.jacobians(&[(atmosphere, rays)], geometry, progress)?;
        all.cases.pop().expect("one case")
    }

    /// The same of many atmospheres, each with its rays. One that is refused leaves the others. `progress` is told how
    /// many rays of all are done.
    ///
    /// On the threads of the CPU a ray is a task. GPUs get many atmospheres at a time, those with the same numbers of
    /// levels, gases and so on together, and give the same bits.
    ///
    /// # Errors
    /// A device that fails.
    pub fn jacobians(
        &self,
        cases: &[(&Atmosphere, &[Ray])],
        geometry: Geometry,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Jacobians, InfraredError> {
        let (mut found, stages) = match self.launches_jacobians() {
            false => (self.jacobians_here(cases, geometry, progress), StageTimes::new()),
            true => self.jacobians_by_launches(cases, geometry, progress)?,
        };
        found.par_iter_mut().zip(cases).for_each(|(found, (atmosphere, rays))| {
            if let Ok(jacobian) = found
                && let Err(error) = self.finish(atmosphere, rays, jacobian)
            {
                *found = Err(error);
            }
        });
        Ok(Jacobians { cases: found, stages })
    }

    /// Pencil beams on the threads of the CPU.
    fn jacobians_here(
        &self,
        cases: &[(&Atmosphere, &[Ray])],
        geometry: Geometry,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Vec<Result<Jacobian, InfraredError>> {
        let done = AtomicUsize::new(0);
        let one = |(atmosphere, rays): &(&Atmosphere, &[Ray])| {
            let model = Model::new(self.setup, self.data, &self.source, &*self.prepare(atmosphere)?, geometry)?;
            let mut all = Jacobian::nothing(model.elements(), rays.len(), self.setup.wavenumbers_per_cm.len());
            let ray = |ray: &Ray| {
                let found = model.ray(ray);
                progress(done.fetch_add(1, Ordering::Relaxed) + 1);
                found
            };
            let found: Vec<_> = rays.par_iter().map(ray).collect();
            for (number, ray) in found.iter().enumerate() {
                match ray {
                    Ok(ray) => {
                        let results = (&ray.radiance[..], &ray.transmittance[..], &ray.derivative[..]);
                        all.put(number, results, ray.tangent_point);
                    }
                    Err(status) => all.statuses[number] = *status,
                }
            }
            Ok(all)
        };
        cases.par_iter().map(one).collect()
    }

    /// Pencil beams by launches of kernels: workers of all devices take chunks of atmospheres from one counter.
    fn jacobians_by_launches(
        &self,
        cases: &[(&Atmosphere, &[Ray])],
        geometry: Geometry,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<(Vec<Result<Jacobian, InfraredError>>, StageTimes), InfraredError> {
        let channels = self.setup.wavenumbers_per_cm.len();
        let prepare = |&(atmosphere, _): &(&Atmosphere, &[Ray])| {
            let atmosphere: Cow<'_, Atmosphere> = self.prepare(atmosphere)?;
            Ok(crate::jacobian::Prepared::new(self.setup, &atmosphere)?)
        };
        let prepared: Vec<Result<_, InfraredError>> = cases.par_iter().map(prepare).collect();
        let room = |(prepared, (_, rays)): (&Result<crate::jacobian::Prepared, _>, &(_, &[Ray]))| {
            let elements = prepared.as_ref().map_or_else(|_| Elements::default(), |prepared| prepared.elements);
            Mutex::new(Jacobian::nothing(elements, rays.len(), channels))
        };
        let found: Vec<Mutex<Jacobian>> = prepared.par_iter().zip(cases).map(room).collect();
        let workers = self.tables.iter().map(|tables| super::chunk::workers(tables.device(), self.timed)).sum();
        let chunks = super::batch::chunks(&prepared, cases, workers, self.rays_per_chunk);
        let failure = Mutex::new(None);
        let stages = Mutex::new(StageTimes::new());
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |tables: &super::ResidentTables<'_>| -> Result<(), isobar_launch::Error> {
            let slot = self.jacobian_slot(tables.device())?;
            let mut worker = super::batch::Worker::new(self, tables, slot, geometry);
            while failure.lock().expect("no worker panics").is_none() {
                let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                worker.run(&prepared, cases, chunk, &found, &|rays| {
                    progress(done.fetch_add(rays, Ordering::Relaxed) + rays);
                })?;
            }
            let mut stages = stages.lock().expect("no worker panics");
            worker.clock.stages.iter().for_each(|&(name, time)| clock::add(&mut stages, name, time));
            self.idle_jacobians.lock().expect("no worker panics").push(worker.slot);
            Ok(())
        };
        std::thread::scope(|scope| {
            for tables in &self.tables {
                for _ in 0..super::chunk::workers(tables.device(), self.timed).min(chunks.len()) {
                    scope.spawn(|| {
                        if let Err(error) = work(tables) {
                            failure.lock().expect("no worker panics").get_or_insert(error);
                        }
                    });
                }
            }
        });
        if let Some(error) = failure.into_inner().expect("no worker panics") {
            return Err(error.into());
        }
        let found = prepared.into_iter().zip(found).map(|(prepared, found)| {
            prepared?;
            Ok(found.into_inner().expect("no worker panics"))
        });
        Ok((found.collect(), stages.into_inner().expect("no worker panics")))
    }

    /// What comes after pencil beams: pressures that are hydrostatic, the field of view, brightness temperatures.
    fn finish(&self, atmosphere: &Atmosphere, rays: &[Ray], all: &mut Jacobian) -> Result<(), InfraredError> {
        let (count, channels) = (all.elements.count(), self.setup.wavenumbers_per_cm.len());
        if let Some(reference_km) = self.setup.hydrostatic_reference_km {
            let slopes = HydrostaticSlopes::new(atmosphere, reference_km, self.setup.gas("H2O"));
            let levels = all.elements.levels;
            all.derivative.par_chunks_mut(count).for_each(|row| {
                let (pressure, rest) = row.split_at_mut(levels);
                let (temperature, mixing_ratio) = rest.split_at_mut(levels);
                slopes.pull_back(pressure, temperature, mixing_ratio);
            });
        }
        for (ray, status) in all.statuses.iter().enumerate() {
            if !status.is_ok() {
                all.derivative[ray * channels * count..(ray + 1) * channels * count].fill(f64::NAN);
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
        Ok(())
    }
}

impl Jacobian {
    /// Rays of which nothing is known.
    fn nothing(elements: Elements, rays: usize, channels: usize) -> Self {
        Self {
            elements,
            radiance: vec![f64::NAN; rays * channels],
            transmittance: vec![f64::NAN; rays * channels],
            tangent_points: vec![Position::default(); rays],
            derivative: vec![f64::NAN; rays * channels * elements.count()],
            statuses: vec![Status::NOT_COMPUTED; rays],
        }
    }

    /// Puts a ray's results, radiances, transmittances and derivatives, to its place.
    pub(super) fn put(&mut self, ray: usize, results: (&[f64], &[f64], &[f64]), tangent_point: Position) {
        let (radiance, transmittance, derivative) = results;
        let place = |values: &[f64]| ray * values.len()..(ray + 1) * values.len();
        self.radiance[place(radiance)].copy_from_slice(radiance);
        self.transmittance[place(transmittance)].copy_from_slice(transmittance);
        self.derivative[place(derivative)].copy_from_slice(derivative);
        self.tangent_points[ray] = tangent_point;
        self.statuses[ray] = Status::OK;
    }
}

impl<R: Precision> Infrared<'_, R> {
    /// The same by one-sided differences for some elements: each with its step, and one run more than there are
    /// elements. Derivatives by other elements are 0. `progress` is told how many runs are done.
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
        Ok(Jacobian {
            elements,
            radiance: plain.radiance,
            transmittance: plain.transmittance,
            tangent_points: plain.tangent_points,
            derivative,
            statuses: plain.statuses,
        })
    }
}
