//! The rays of a job, from geometry to radiances.

use isobar_core::Status;
use isobar_core::fields::OutputSet;
use isobar_core::kernel::WARP;
use isobar_launch::{Device, Error, Job, Plain, Queue, Scheme, chunk_items, chunks};
use isobar_raytrace::Ray;
use isobar_raytrace::kernel::{CountPoints, TracePaths};
use isobar_raytrace::path::PathSummary;
use isobar_raytrace::trace::LineOfSight;
use rayon::prelude::*;

use super::clock::OnQueue;
use super::resident::{DeviceTables, Resident};
use super::scratch::{RayBuffers, RayResults, Scratch, Size, first, grow};
use super::{Infrared, Precision, PreparedAtmosphere};
use crate::fields::BeamViews;
use crate::jacobian::Launcher;
use crate::radiance::CUT_SHORT;
use crate::sequence::{Traced, compute};
use crate::state::State;

/// So many rays are prepared, and their results stored, by several threads of the host.
const RAYS_TO_SHARE: usize = 64;

/// A device's memory for a chunk of rays, and the atmosphere that they go through.
#[derive(Default)]
pub struct Workspace<R: Plain> {
    scratch: Scratch<R>,
    resident: Option<(PreparedAtmosphere<R>, Resident<R>)>,
}

/// Computes the rays of a job, in parts where the memory does not hold all of their paths.
pub(super) fn enqueue<R: Precision>(infrared: &Infrared<R>, job: Job<'_, '_, '_, Infrared<R>>) -> Result<(), Error> {
    let Job { queue, tables, workspace: Workspace { scratch, resident }, options, extents, inputs, outputs } = job;
    if resident.as_ref().is_none_or(|(known, _)| known != options) {
        *resident = None;
    }
    let resident = match resident {
        Some((_, resident)) => resident,
        none => &mut none.insert((options.clone(), Resident::new(queue, &options.0)?)).1,
    };
    let device = queue.device();
    let rays: Vec<Ray> = each(device, extents.items(), |ray| inputs.ray(ray));
    let mut chunk = Chunk { infrared, queue, tables, state: &options.0, resident, scratch };
    let sights: Vec<LineOfSight<f64>> = each(device, rays.len(), |ray| rays[ray].line_of_sight());
    let (counted, statuses) = chunk.count(&sights)?;
    let size = Size {
        rays: rays.len(),
        points: counted.iter().map(|summary| summary.points as usize).max().unwrap_or(0).max(1),
        gases: infrared.setup.gases.len(),
        windows: chunk.resident.profile().windows(),
        grids: tables.view().grids.len(),
        channels: infrared.setup.wavenumbers_per_cm.len(),
    };
    // Each worker of a GPU takes its share of the memory.
    let free = queue.free_bytes().map(|bytes| bytes / infrared.gpu_workers() + chunk.scratch.held_bytes);
    for range in chunks(rays.len(), chunk_items(rays.len(), size.bytes_per_ray::<R>(), free, 1)) {
        let size = Size { rays: range.len(), ..size };
        chunk.compute(&sights[range.clone()], &rays[range.clone()], &size)?;
        chunk.store(&statuses[range.clone()], &outputs.range(&range), &size)?;
    }
    Ok(())
}

/// Some rays of a job on their way.
struct Chunk<'a, R: Plain> {
    infrared: &'a Infrared<R>,
    queue: &'a Queue,
    tables: &'a DeviceTables<R>,
    state: &'a State<R>,
    resident: &'a Resident<R>,
    scratch: &'a mut Scratch<R>,
}

impl<R: Precision> Chunk<'_, R> {
    /// The number of points of each path, and what became of each ray.
    fn count(&mut self, sights: &[LineOfSight<f64>]) -> Result<(Vec<PathSummary<f64>>, Vec<u32>), Error> {
        let Self { infrared: Infrared { setup, clock, .. }, queue, state, resident, scratch, .. } = self;
        let n = sights.len();
        scratch.fit_rays(queue, n, setup.gases.len(), setup.wavenumbers_per_cm.len())?;
        let rays = &mut scratch.rays;
        grow(queue, &mut rays.statuses, n)?;
        queue.upload_into(sights, &mut rays.sights)?;
        let (rules, sights) = (state.rules, first(&rays.sights, n));
        let summaries = rays.summaries.item_fastest_mut(1, n);
        match resident.track() {
            None => {
                let kernel = CountPoints { profile: resident.profile(), rules, rays: sights, summaries };
                clock.launch(queue, &kernel, &mut rays.statuses)?;
            }
            Some(profile) => {
                let kernel = CountPoints { profile, rules, rays: sights, summaries };
                clock.launch(queue, &kernel, &mut rays.statuses)?;
            }
        }
        Ok((queue.to_host_range(&rays.summaries, 0..n)?, queue.to_host_range(&rays.statuses, 0..n)?))
    }

    /// All kernels, from paths to radiances.
    fn compute(&mut self, sights: &[LineOfSight<f64>], rays: &[Ray], size: &Size) -> Result<(), Error> {
        let Self { infrared: Infrared { setup, clock, .. }, queue, tables, state, resident, scratch } = self;
        let (n, channels) = (size.rays, size.channels);
        scratch.fit(queue, size)?;

        let RayBuffers { sights: buffer, times_s, summaries, outside, sun, radiance, transmittance, statuses } =
            &mut scratch.rays;
        queue.upload_into(sights, buffer)?;
        let times: Vec<f64> = rays.iter().map(|ray| ray.time_s).collect();
        queue.upload_into(&times, times_s)?;

        let paths = scratch.paths.view(size);
        let mut launcher = OnQueue { queue, clock, statuses };
        let (rules, rays, of_rays) = (state.rules, first(buffer, n), summaries.item_fastest_mut(1, n));
        match resident.track() {
            None => {
                let profile = resident.profile();
                launcher.launch(&TracePaths { profile, rules, rays, paths, summaries: of_rays })?;
            }
            Some(profile) => launcher.launch(&TracePaths { profile, rules, rays, paths, summaries: of_rays })?,
        }
        let traced = Traced {
            tables: tables.view(),
            channels: resident.channels(tables),
            summaries: first(summaries, n),
            paths,
            time_s: first(times_s, n),
            outside: outside.item_fastest_mut(1, n * size.gases),
            cells: scratch.cells.level_fastest_mut(size.points, n * size.grids),
            absorptance: scratch.absorptance.item_fastest_mut(size.points, n * channels),
            sun: sun.item_fastest_mut(1, n),
            radiance: radiance.item_fastest_mut(1, n * channels),
            transmittance: transmittance.item_fastest_mut(1, n * channels),
        };
        compute(setup, state, traced, &mut launcher)
    }

    /// Takes the results of the rays to the host.
    fn store(&mut self, statuses: &[u32], beams: &BeamViews<'_, f64>, size: &Size) -> Result<(), Error> {
        let Self { queue, scratch: Scratch { rays, results, .. }, .. } = self;
        let (n, channels, blocks) = (size.rays, size.channels, size.channels.div_ceil(WARP));
        // A copy that waits for kernels holds up those of other workers behind it.
        queue.synchronize()?;
        // SAFETY: what is received is looked at after the queue has been synchronized.
        unsafe {
            results.statuses.receive(queue, &rays.statuses, n * blocks)?;
            results.radiance.receive(queue, &rays.radiance, n * channels)?;
            results.transmittance.receive(queue, &rays.transmittance, n * channels)?;
            results.summaries.receive(queue, &rays.summaries, n)?;
            results.outside.receive(queue, &rays.outside, n * size.gases)?;
        }
        queue.synchronize()?;
        let RayResults { statuses: cut_short, radiance, transmittance, summaries, outside } = &*results;
        let (cut_short, summaries, outside) = (cut_short.values(), summaries.values(), outside.values());
        let (radiance, transmittance) = (radiance.values(), transmittance.values());
        let store = |ray: usize| {
            let (summary, status) = (&summaries[ray], statuses[ray]);
            let value = |values: &[R], channel: usize| {
                if Status(status).is_ok() { values[ray * channels + channel].value() } else { f64::NAN }
            };
            let (of_radiance, of_transmittance) = (beams.radiance.column_mut(ray), beams.transmittance.column_mut(ray));
            for channel in 0..channels {
                of_radiance.set(channel, value(radiance, channel));
                of_transmittance.set(channel, value(transmittance, channel));
            }
            beams.tangent_height_km.set(0, ray, summary.tangent_height_km);
            beams.tangent_longitude_deg.set(0, ray, summary.tangent_longitude_deg);
            beams.tangent_latitude_deg.set(0, ray, summary.tangent_latitude_deg);
            beams.points.set(0, ray, summary.points);
            let cut_short = cut_short[ray * blocks..(ray + 1) * blocks].contains(&CUT_SHORT.0);
            beams.cut_short.set(0, ray, u32::from(cut_short));
            for gas in 0..size.gases {
                let outside = outside[gas * n + ray];
                beams.outside_points.set(gas, ray, outside.points);
                beams.outside_pressure_hpa.set(gas, ray, outside.pressure_hpa);
                beams.outside_temperature_k.set(gas, ray, outside.temperature_k);
            }
            beams.status.set(0, ray, status);
        };
        each(queue.device(), n, store);
        Ok(())
    }
}

/// Work for each ray: on several threads where a GPU would wait for one.
fn each<T: Send>(device: Device, rays: usize, work: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    if rays < RAYS_TO_SHARE || device == Device::Thread {
        (0..rays).map(work).collect()
    } else {
        (0..rays).into_par_iter().with_min_len(RAYS_TO_SHARE / 4).map(work).collect()
    }
}
