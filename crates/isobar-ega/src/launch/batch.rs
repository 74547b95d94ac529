//! Atmospheres of one shape with their rays, from geometry to Jacobians, by launches of kernels.

use std::sync::Mutex;

use isobar_core::Status;
use isobar_launch::pool::Pool;
use isobar_launch::{Buffer, Device, Error, Plain, Queue, chunk_items, chunks, on_threads};
use isobar_raytrace::path::PathSummary;
use isobar_raytrace::sensitivity::BLOCK;
use isobar_raytrace::{Atmosphere, Position, Ray};
use rayon::prelude::*;

use super::clock::{Clock, OnQueue};
use super::jacobian::Jacobian;
use super::model::{InfraredError, InfraredModel};
use super::scratch::{HostBuffer, first, grow};
use super::slot::{Inputs, Shape, Slot};
use crate::ForwardSetup;
use crate::channel::Channel;
use crate::jacobian::{
    CaseRay, Elements, Geometry, Model, Prepared, Work, WorkSize, case_ray, compute, count_steps, node_weights,
};

/// Rays that a worker of a GPU gets at a time.
const MOST_RAYS: usize = 32_768;
/// Rays that keep a GPU busy: fewer are not shared among its workers.
const LEAST_RAYS: usize = 8_192;
/// Rows, rays times channels, that keep a GPU busy: channels beyond are computed later, in the same memory.
const LEAST_ROWS: usize = 262_144;
/// Channels that are computed at a time in any case.
const LEAST_CHANNELS: usize = 64;

/// Atmospheres with their rays, and where their Jacobians go.
pub(super) struct Batches<'a> {
    pub(super) model: &'a InfraredModel<f64>,
    pub(super) geometry: Geometry,
    /// Are derivatives wanted, or radiances alone?
    pub(super) derivatives: bool,
    /// The model of each atmosphere, unless it was refused.
    pub(super) models: &'a [Result<Model<'a>, InfraredError>],
    pub(super) cases: &'a [(&'a Atmosphere, &'a [Ray])],
    /// The elements of each atmosphere by which derivatives are wanted; none: all.
    pub(super) wanted: Option<&'a [&'a [usize]]>,
    /// The weights of each atmosphere's radiances, where derivatives of their sum are wanted.
    pub(super) weights: Option<&'a [Vec<f64>]>,
    /// The atmosphere of each ray, and its number there; those through atmospheres of one shape are neighbours.
    pub(super) rays: &'a [(usize, usize)],
    pub(super) found: &'a [Mutex<Jacobian>],
}

impl Batches<'_> {
    /// Computes what the pool has left on a device.
    pub(super) fn compute(&self, device: Device, pool: &Pool<'_>) -> Result<(), Error> {
        let model = &self.model.model;
        let workers: usize = model.devices().iter().map(|&device| model.workers(device)).sum();
        let rounds = pool.items().div_ceil(workers * MOST_RAYS).max(1);
        let usual = pool.items().div_ceil(workers * rounds).max(LEAST_RAYS);
        let mut size = self.model.items_per_chunk.unwrap_or(usual);
        let mut slot = self.slot(device)?;
        while let Some(mut range) = pool.take(size) {
            let shape = |number: usize| self.prepared(self.rays[number].0).shape();
            if let Some(end) = range.clone().find(|&number| shape(number) != shape(range.start)) {
                pool.put_back(end..range.end);
                range.end = end;
            }
            match self.batch(&mut slot, &self.rays[range.clone()]) {
                Ok(()) => pool.done(range.len()),
                Err(error) => {
                    size = range.len().div_ceil(2);
                    let halved = matches!(error, Error::OutOfMemory { .. }) && range.len() > 1;
                    pool.put_back(range);
                    if !halved {
                        return Err(error);
                    }
                }
            }
        }
        self.model.idle_jacobians.lock().expect("no worker panics").push(slot);
        Ok(())
    }

    /// An idle slot on a device, or a new one.
    fn slot(&self, device: Device) -> Result<Slot, Error> {
        let mut idle = self.model.idle_jacobians.lock().expect("no worker panics");
        if let Some(known) = idle.iter().position(|slot| slot.queue.device() == device) {
            return Ok(idle.swap_remove(known));
        }
        drop(idle);
        let queue = self.model.model.queue(device)?;
        Ok(Slot {
            tables: self.model.model.tables_on(&queue)?,
            statuses: Buffer::default(),
            memory: Buffer::default(),
            results: HostBuffer::default(),
            summaries: Buffer::default(),
            touched: Buffer::default(),
            inputs: Inputs::default(),
            queue,
        })
    }

    fn prepared(&self, case: usize) -> &Prepared {
        &self.models[case].as_ref().unwrap_or_else(|_| unreachable!("a refused atmosphere has no rays")).prepared
    }

    fn setup(&self) -> &ForwardSetup {
        &self.model.model.scheme().setup
    }

    /// Rays through atmospheres of one shape, in parts where the memory does not hold all.
    fn batch(&self, slot: &mut Slot, numbers: &[(usize, usize)]) -> Result<(), Error> {
        let mut cases: Vec<usize> = numbers.iter().map(|ray| ray.0).collect();
        cases.dedup();
        // Cases of one shape ascend. Threads of a warp go along like paths: those of rays with one number, through
        // neighbouring atmospheres.
        let mut numbers = numbers.to_vec();
        numbers.sort_by_key(|&(_, ray)| ray);
        let chosen: Vec<&Prepared> = cases.iter().map(|&case| self.prepared(case)).collect();
        let (elements, profiles) = chosen[0].shape();
        let wanted: Vec<&[usize]> =
            self.wanted.map_or_else(Vec::new, |all| cases.iter().map(|&case| all[case]).collect());
        let most_wanted = wanted.iter().map(|list| list.len()).max().unwrap_or(0);
        self.upload(slot, &chosen, &elements)?;
        // Lists that are shorter go on with what nobody looks at.
        let list = |list: &&[usize]| {
            let list = list.iter().map(|&element| element as u32);
            list.chain(std::iter::repeat(0)).take(most_wanted).collect::<Vec<_>>()
        };
        send(&slot.queue, &wanted.iter().flat_map(list).collect::<Vec<_>>(), &mut slot.inputs.wanted)?;
        let of_number = |&(case, ray): &(usize, usize)| {
            let place = cases.binary_search(&case).expect("a case of these rays");
            case_ray(&self.cases[case].1[ray], place)
        };
        let rays: Vec<CaseRay> = numbers.iter().map(of_number).collect();
        let steps = chosen[0].hydrostatic.len();
        let shape = Shape { rays: rays.len(), cases: chosen.len(), elements, profiles, steps, wanted: most_wanted };
        let (counted, touched, statuses) = self.count(slot, &rays, shape)?;
        let channels = self.setup().wavenumbers_per_cm.len();
        let mut size = WorkSize {
            rays: rays.len(),
            channels,
            tile: channels
                .min(self.model.items_per_chunk.unwrap_or(LEAST_CHANNELS.max(LEAST_ROWS.div_ceil(rays.len())))),
            summed: self.weights.is_some(),
            points: counted.iter().map(|summary| summary.points as usize).max().unwrap_or(0).max(1),
            touched: if self.derivatives { touched.iter().copied().max().unwrap_or(0) as usize } else { 0 },
            gases: elements.gases,
            windows: elements.windows,
            elements: if self.derivatives { elements.count() } else { 0 },
            wanted: match (self.derivatives, self.wanted) {
                (false, _) => 0,
                (true, None) => elements.count(),
                (true, Some(_)) => most_wanted,
            },
            nodes: elements.cloud_nodes + elements.surface_nodes,
            clouds: chosen.iter().any(|prepared| prepared.has_cloud()),
            tracks: profiles > 0,
            memory: self.setup().approximation.memory(),
            variables: BLOCK,
            rays_together: true,
        };
        let bytes_per_ray = size.doubles().div_ceil(rays.len()) * size_of::<f64>();
        // Each worker of a GPU takes its share of the memory.
        let held = slot.memory.len() * size_of::<f64>();
        let workers = self.model.model.workers(slot.queue.device());
        let free = slot.queue.free_bytes().map(|bytes| bytes / workers + held);
        for range in chunks(rays.len(), chunk_items(rays.len(), bytes_per_ray, free, 1)) {
            size.rays = range.len();
            self.part(slot, (&numbers[range.clone()], &rays[range.clone()]), shape, &size)?;
            self.put(slot, &numbers[range.clone()], (&counted[range.clone()], &statuses[range]), &size);
        }
        Ok(())
    }

    /// The atmospheres go to the device.
    fn upload(&self, slot: &mut Slot, chosen: &[&Prepared], elements: &Elements) -> Result<(), Error> {
        let Slot { queue, inputs, .. } = slot;
        let Inputs { cases, channels, numbers, feet, in_atmosphere, hydrostatic, .. } = inputs;
        send(queue, &chosen.iter().map(|prepared| prepared.case).collect::<Vec<_>>(), cases)?;
        let all_channels: Vec<Channel<f64>> =
            chosen.iter().flat_map(|prepared| prepared.channels.iter().copied()).collect();
        send(queue, &all_channels, channels)?;
        let [cloud, surface] = node_weights(self.setup(), elements);
        let levels = elements.levels;
        let profile = |levels: usize, of: fn(&Prepared) -> &Vec<f64>| {
            side_by_side(&chosen.iter().map(|prepared| &of(prepared)[..]).collect::<Vec<_>>(), levels)
        };
        let values: [Vec<f64>; 8] = [
            profile(levels, |prepared| &prepared.profile.height_km),
            profile(levels, |prepared| &prepared.profile.pressure_hpa),
            profile(levels - 1, |prepared| &prepared.profile.log_pressure_slope_per_km),
            profile(levels, |prepared| &prepared.profile.temperature_k),
            profile(levels, |prepared| &prepared.profile.mixing_ratio),
            profile(levels, |prepared| &prepared.profile.extinction_per_km),
            cloud,
            surface,
        ];
        for (values, buffer) in values.iter().zip(numbers) {
            send(queue, values, buffer)?;
        }
        send(queue, &of_all(chosen, |prepared| &prepared.hydrostatic), hydrostatic)?;
        send(queue, &of_all(chosen, |prepared| &prepared.profile.feet), feet)?;
        send(queue, &of_all(chosen, |prepared| &prepared.in_atmosphere), in_atmosphere)
    }

    /// The points of each path, the levels that its steps touch, and what became of each ray.
    #[allow(clippy::type_complexity, reason = "explained above")]
    fn count(
        &self,
        slot: &mut Slot,
        rays: &[CaseRay],
        shape: Shape,
    ) -> Result<(Vec<PathSummary<f64>>, Vec<u32>, Vec<u32>), Error> {
        let n = rays.len();
        grow(&slot.queue, &mut slot.summaries, n)?;
        grow(&slot.queue, &mut slot.touched, n)?;
        grow(&slot.queue, &mut slot.statuses, n)?;
        send(&slot.queue, rays, &mut slot.inputs.rays)?;
        let Slot { queue, tables, inputs, summaries, touched, statuses, .. } = slot;
        let batch = inputs.batch(self.setup(), tables, self.geometry, shape);
        let (of_rays, most) = (summaries.item_fastest_mut(1, n), touched.item_fastest_mut(1, n));
        count_steps(&batch, of_rays, most, &mut OnQueue { queue, clock: self.clock(), statuses })?;
        Ok((
            queue.to_host_range(summaries, 0..n)?,
            queue.to_host_range(touched, 0..n)?,
            queue.to_host_range(statuses, 0..n)?,
        ))
    }

    fn clock(&self) -> &Clock {
        &self.model.model.scheme().clock
    }

    /// All kernels over some rays; the results are on the host in the end.
    fn part(
        &self,
        slot: &mut Slot,
        (numbers, rays): (&[(usize, usize)], &[CaseRay]),
        shape: Shape,
        size: &WorkSize,
    ) -> Result<(), Error> {
        let Slot { queue, tables, inputs, statuses, memory, results, .. } = slot;
        grow(queue, memory, size.doubles())?;
        send(queue, rays, &mut inputs.rays)?;
        let channels = size.channels;
        if let Some(all) = self.weights {
            let of_ray =
                |&(case, ray): &(usize, usize)| all[case][ray * channels..(ray + 1) * channels].iter().copied();
            send(queue, &numbers.iter().flat_map(of_ray).collect::<Vec<_>>(), &mut inputs.weights)?;
        }
        let doubles = memory.len();
        let work = Work::carve(memory.item_fastest_mut(1, doubles), size);
        let batch = inputs.batch(self.setup(), tables, self.geometry, Shape { rays: rays.len(), ..shape });
        let mut launcher = OnQueue { queue, clock: self.clock(), statuses };
        let weights = self.weights.map(|_| first(&inputs.weights, rays.len() * channels));
        compute::<BLOCK, _>(&batch, &work, (self.setup().approximation, size.tile), weights, &mut launcher)?;
        // A copy that waits for kernels holds up those of other workers behind it.
        queue.synchronize()?;
        // SAFETY: the results are not looked at before the queue has been synchronized.
        unsafe { results.receive(queue, memory, size.results())? };
        queue.synchronize()
    }

    /// The results of some rays go to their atmospheres.
    fn put(
        &self,
        slot: &Slot,
        numbers: &[(usize, usize)],
        (counted, statuses): (&[PathSummary<f64>], &[u32]),
        size: &WorkSize,
    ) {
        let (channels, row) = (size.channels, size.derivatives() / size.rays);
        let (radiance, rest) = slot.results.values()[..size.results()].split_at(numbers.len() * channels);
        let (transmittance, derivative) = rest.split_at(numbers.len() * channels);
        // A GPU may have to wait for it.
        let put = |(place, (&(case, ray), summary)): (usize, (&(usize, usize), &PathSummary<f64>))| {
            let mut all = self.found[case].lock().expect("no worker panics");
            if statuses[place] != Status::OK.0 {
                all.statuses[ray] = Status(statuses[place]);
                return;
            }
            let of = |count: usize| place * count..(place + 1) * count;
            let (derivative, columns) = (&derivative[of(row)], all.columns());
            let own: Vec<f64>; // of a list that is shorter than others
            let derivative = if size.wanted == columns || size.wanted == 0 {
                derivative
            } else {
                own = derivative.chunks(size.wanted).flat_map(|row| &row[..columns]).copied().collect();
                &own
            };
            let results = (&radiance[of(channels)], &transmittance[of(channels)], derivative);
            let tangent_point = Position {
                height_km: summary.tangent_height_km,
                longitude_deg: summary.tangent_longitude_deg,
                latitude_deg: summary.tangent_latitude_deg,
            };
            all.put(ray, results, tangent_point);
        };
        on_threads(|| numbers.par_iter().zip(counted).enumerate().for_each(put));
    }
}

/// Profiles of several atmospheres, which have theirs one after the other, as `(level, profile * atmospheres +
/// atmosphere)`: at a level atmospheres are neighbours, as their rays are.
fn side_by_side(of_each: &[&[f64]], levels: usize) -> Vec<f64> {
    let profiles = of_each.first().map_or(0, |values| values.len() / levels.max(1));
    let places = (0..levels).flat_map(|level| (0..profiles).map(move |profile| profile * levels + level));
    places.flat_map(|place| of_each.iter().map(move |values| values[place])).collect()
}

/// What some atmospheres have, one after the other.
fn of_all<T: Copy>(chosen: &[&Prepared], of: impl Fn(&Prepared) -> &Vec<T>) -> Vec<T> {
    chosen.iter().flat_map(|prepared| of(prepared)).copied().collect()
}

/// Copies values to the start of a buffer, which grows if it has to.
fn send<T: Plain>(queue: &Queue, values: &[T], buffer: &mut Buffer<T>) -> Result<(), Error> {
    grow(queue, buffer, values.len())?;
    if values.is_empty() { Ok(()) } else { queue.upload_into(values, buffer) }
}
