//! The rays of a job, from geometry to radiances.

use isobar_core::{Real, Status};
use isobar_launch::{Device, Error, Plain, Precision, Queue, chunk_items, on_threads};
use isobar_raytrace::geodesy::{dot, to_cartesian, unit};
use isobar_raytrace::kernel::{CountPoints, TracePaths};
use isobar_raytrace::status::TOO_MANY_POINTS;
use isobar_raytrace::trace::LineOfSight;
use rayon::prelude::*;

use super::clock::OnQueue;
use super::infrared::{Infrared, PreparedAtmosphere};
use super::resident::{DeviceTables, Resident};
use super::scratch::{RayBuffers, RayResults, Scratch, Size, first};

use crate::fields::{BeamViews, RayViews};
use crate::kernels::Rows;
use crate::sequence::{self, Traced};
use crate::state::State;

/// The number of rays from which on several threads of the host prepare them and store their results.
const RAYS_TO_SHARE: usize = 64;

/// A device's memory for a chunk of rays, and the atmosphere that they go through.
#[derive(Default)]
pub struct Workspace<R: Plain> {
    scratch: Scratch<R>,
    lists: Lists,
    /// The most points of the paths so far. The next are expected to have no more, which saves counting them; 0:
    /// nothing is known.
    most_points: usize,
    resident: Option<(PreparedAtmosphere<R>, Resident<R>)>,
}

/// Computes rays through an atmosphere, in parts where the memory does not hold all of their paths.
pub(super) fn compute<R: Precision>(
    infrared: &Infrared<R>,
    (queue, tables, workspace): (&Queue, &DeviceTables<R>, &mut Workspace<R>),
    through: &PreparedAtmosphere<R>,
    n: usize,
    inputs: &RayViews<'_, f64>,
    outputs: &BeamViews<'_, f64>,
) -> Result<(), Error> {
    let Workspace { scratch, lists, most_points, resident } = workspace;
    if resident.as_ref().is_none_or(|(known, _)| known != through) {
        *resident = None;
    }
    let resident = match resident {
        Some((_, resident)) => resident,
        none => {
            let resident = Resident::new(queue, &through.0, &infrared.setup.wavenumbers_per_cm)?;
            &mut none.insert((through.clone(), resident)).1
        }
    };
    let Lists { likeness, sights, times_s } = lists;
    let device = queue.device();
    each(device, n, |ray| Likeness::of(&inputs.ray(ray).line_of_sight(), ray), likeness);
    match shared(device, n) {
        true => on_threads(|| likeness.par_sort_unstable()),
        false => likeness.sort_unstable(),
    }
    each(device, n, |i| inputs.ray(likeness[i].ray as usize).line_of_sight(), sights);
    each(device, n, |i| inputs.time_s.at(likeness[i].ray as usize), times_s);
    let mut chunk = Chunk { infrared, queue, tables, state: &through.0, resident, scratch };
    chunk.scratch.fit_rays(queue, n, &infrared.setup)?;
    let mut counted = *most_points == 0;
    if counted {
        *most_points = chunk.count(sights)?;
    }
    let mut place = 0;
    while place < n {
        let size = Size {
            rays: n,
            points: *most_points,
            gases: infrared.setup.gases.len(),
            windows: chunk.resident.profile().windows(),
            grids: tables.view().grids.len(),
            channels: infrared.setup.wavenumbers_per_cm.len(),
            rays_together: infrared.as_on_a_gpu || !device.is_cpu(),
        };
        // Each worker of a GPU takes its share of the memory.
        let free = queue.free_bytes().map(|bytes| bytes / infrared.queues() + chunk.scratch.held_bytes);
        let most = chunk_items(n, size.bytes_per_ray::<R>(), free, 1).min(size.most_rays());
        let range = place..n.min(place + most);
        let size = Size { rays: range.len(), ..size };
        chunk.compute(&sights[range.clone()], &times_s[range.clone()], &size)?;
        let fits = chunk.store(&likeness[range.clone()], outputs, &size)?;
        if !fits && !counted {
            counted = true;
            let points = chunk.count(sights)?;
            if points > *most_points {
                *most_points = points;
                continue;
            }
        }
        // Once they are counted, a path that does not fit is longer than is allowed.
        place = range.end;
    }
    Ok(())
}

/// What a worker lists of its rays, in their order; the memory is used again.
#[derive(Default)]
struct Lists {
    likeness: Vec<Likeness>,
    sights: Vec<LineOfSight<f64>>,
    times_s: Vec<f64>,
}

/// The order of rays in which neighbours go along similar paths, as the lanes of a warp had better do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Likeness {
    upwards: bool,
    /// The bits of the distance at which a straight ray passes the centre of the Earth: as positive numbers, in their
    /// order.
    passes: u64,
    ray: u32,
}

impl Likeness {
    fn of(sight: &LineOfSight<f64>, ray: usize) -> Self {
        let [observer, view_point] = [sight.observer_km_deg, sight.view_point_km_deg]
            .map(|[height_km, longitude, latitude]| to_cartesian(height_km, longitude, latitude));
        let direction = unit(view_point - observer);
        let along = dot(observer, direction);
        let passes = Real::sqrt((dot(observer, observer) - along * along).max(0.0));
        Self { upwards: along > 0.0, passes: passes.to_bits(), ray: ray as u32 }
    }
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
    /// The most points of a path.
    fn count(&mut self, sights: &[LineOfSight<f64>]) -> Result<usize, Error> {
        let Self { infrared: Infrared { clock, .. }, queue, state, resident, scratch, .. } = self;
        let n = sights.len();
        let Scratch { rays, results, .. } = &mut **scratch;
        queue.upload_into(sights, &mut rays.sights)?;
        let (rules, sights) = (state.rules, first(&rays.sights, n));
        let summaries = rays.summaries.item_fastest_mut(1, n);
        match resident.track() {
            None => {
                let kernel = CountPoints { profile: resident.profile(), rules, rays: sights, summaries };
                clock.launch(queue, &kernel, &mut rays.traced)?;
            }
            Some(profile) => {
                let kernel = CountPoints { profile, rules, rays: sights, summaries };
                clock.launch(queue, &kernel, &mut rays.traced)?;
            }
        }
        queue.synchronize()?;
        // SAFETY: what is received is looked at after the queue has been synchronized.
        unsafe { results.summaries.receive(queue, &rays.summaries, n)? };
        queue.synchronize()?;
        let points = results.summaries.values()[..n].iter().map(|summary| summary.points as usize);
        Ok(points.max().unwrap_or(0).max(1))
    }

    /// All kernels, from paths to radiances.
    fn compute(&mut self, sights: &[LineOfSight<f64>], times: &[f64], size: &Size) -> Result<(), Error> {
        let Self { infrared: Infrared { setup, clock, .. }, queue, tables, state, resident, scratch } = self;
        let (n, channels) = (size.rays, size.channels);
        scratch.fit(queue, size)?;

        let RayBuffers {
            sights: buffer,
            times_s,
            summaries,
            outside,
            sun,
            radiance,
            transmittance,
            cut_short,
            traced,
            statuses,
        } = &mut scratch.rays;
        queue.upload_into(sights, buffer)?;
        queue.upload_into(times, times_s)?;

        let paths = scratch.paths.view(size);
        let (rules, rays, of_rays) = (state.rules, first(buffer, n), summaries.item_fastest_mut(1, n));
        match resident.track() {
            None => {
                let kernel = TracePaths { profile: resident.profile(), rules, rays, paths, summaries: of_rays };
                clock.launch(queue, &kernel, traced)?;
            }
            Some(profile) => {
                let kernel = TracePaths { profile, rules, rays, paths, summaries: of_rays };
                clock.launch(queue, &kernel, traced)?;
            }
        }
        let mut launcher = OnQueue { queue, clock, statuses };
        let inputs = Traced {
            tables: tables.view(),
            channels: resident.channels(tables),
            wavenumber_per_cm: resident.wavenumber_per_cm(),
            summaries: first(summaries, n),
            paths,
            time_s: first(times_s, n),
            outside: outside.item_fastest_mut(1, n * size.gases),
            cells: size.along_paths(&mut scratch.cells, n * size.grids),
            absorptance: scratch.absorptance.item_fastest_mut(size.points, n * channels),
            rows: if size.rays_together { Rows::rays_together(n) } else { Rows::channels_together(channels) },
            sun: sun.item_fastest_mut(1, n),
            radiance: radiance.item_fastest_mut(1, n * channels),
            transmittance: transmittance.item_fastest_mut(1, n * channels),
            cut_short: cut_short.item_fastest_mut(1, if setup.jurassic_exact { n * channels } else { 0 }),
        };
        sequence::compute(setup, state, inputs, &mut launcher)
    }

    /// Takes the results of some rays to the host. Was there memory for all paths?
    fn store(&mut self, alike: &[Likeness], beams: &BeamViews<'_, f64>, size: &Size) -> Result<bool, Error> {
        let Self { infrared: Infrared { setup, .. }, queue, scratch: Scratch { rays, results, .. }, .. } = self;
        let (n, channels) = (size.rays, size.channels);
        let flags = if setup.jurassic_exact { channels } else { 0 };
        // A copy that waits for kernels holds up those of other workers behind it.
        queue.synchronize()?;
        // SAFETY: what is received is looked at after the queue has been synchronized.
        unsafe {
            results.traced.receive(queue, &rays.traced, n)?;
            results.cut_short.receive(queue, &rays.cut_short, n * flags)?;
            results.radiance.receive(queue, &rays.radiance, n * channels)?;
            results.transmittance.receive(queue, &rays.transmittance, n * channels)?;
            results.summaries.receive(queue, &rays.summaries, n)?;
            results.outside.receive(queue, &rays.outside, n * size.gases)?;
        }
        queue.synchronize()?;
        let RayResults { cut_short, radiance, transmittance, summaries, outside, traced } = &*results;
        let traced = &traced.values()[..n];
        let (cut_short, summaries, outside) = (cut_short.values(), summaries.values(), outside.values());
        let (radiance, transmittance) = (radiance.values(), transmittance.values());
        let store = |place: usize| {
            let ray = alike[place].ray as usize;
            let (summary, status) = (&summaries[place], traced[place]);
            let value = |values: &[R], channel: usize| {
                if Status(status).is_ok() { values[place * channels + channel].value() } else { f64::NAN }
            };
            let (of_radiance, of_transmittance) = (beams.radiance.column_mut(ray), beams.transmittance.column_mut(ray));
            let mut finite = true;
            for channel in 0..channels {
                let both = [value(radiance, channel), value(transmittance, channel)];
                of_radiance.set(channel, both[0]);
                of_transmittance.set(channel, both[1]);
                finite &= both.iter().all(|value| value.is_finite());
            }
            let tangent = [summary.tangent_height_km, summary.tangent_longitude_deg, summary.tangent_latitude_deg];
            finite &= tangent.iter().all(|value| value.is_finite());
            beams.tangent_height_km.set(0, ray, summary.tangent_height_km);
            beams.tangent_longitude_deg.set(0, ray, summary.tangent_longitude_deg);
            beams.tangent_latitude_deg.set(0, ray, summary.tangent_latitude_deg);
            beams.points.set(0, ray, summary.points);
            let cut_short = cut_short[place * flags..(place + 1) * flags].contains(&1);
            beams.cut_short.set(0, ray, u32::from(cut_short));
            for gas in 0..size.gases {
                let outside = outside[gas * n + place];
                beams.outside_points.set(gas, ray, outside.points);
                beams.outside_pressure_hpa.set(gas, ray, outside.pressure_hpa);
                beams.outside_temperature_k.set(gas, ray, outside.temperature_k);
            }
            let not_finite = Status(status).is_ok() && !finite;
            beams.status.set(0, ray, if not_finite { Status::NOT_FINITE.0 } else { status });
        };
        match shared(queue.device(), n) {
            true => on_threads(|| (0..n).into_par_iter().with_min_len(RAYS_TO_SHARE / 4).for_each(store)),
            false => (0..n).for_each(store),
        }
        Ok(!traced.contains(&TOO_MANY_POINTS.0))
    }
}

/// Do several threads share the work for these rays, where a GPU would wait for one?
fn shared(device: Device, rays: usize) -> bool {
    rays >= RAYS_TO_SHARE && device != Device::Thread
}

/// Lists what there is for each ray.
fn each<T: Send>(device: Device, rays: usize, of: impl Fn(usize) -> T + Send + Sync, list: &mut Vec<T>) {
    if shared(device, rays) {
        on_threads(|| (0..rays).into_par_iter().with_min_len(RAYS_TO_SHARE / 4).map(of).collect_into_vec(list));
    } else {
        list.clear();
        list.extend((0..rays).map(of));
    }
}
