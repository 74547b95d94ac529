//! Chunks of atmospheres with their rays, from geometry to Jacobians, by launches of kernels.

use std::sync::Mutex;

use isobar_core::{Kernel, Status};
use isobar_launch::{Buffer, Device, Error, Plain, Queue, Staging, chunk_items, for_each_chunk};
use isobar_raytrace::path::PathSummary;
use isobar_raytrace::sensitivity::BLOCK;
use isobar_raytrace::{Atmosphere, Position, Ray};

use super::clock::Clock;
use super::ptx::load;
use super::scratch::grow;
use super::{Infrared, Jacobian, ResidentTables};
use crate::channel::Channel;
use crate::constants::SOURCE_NODES;
use crate::jacobian::path::CountSteps;
use crate::jacobian::{
    Batch, Case, CaseRay, Elements, Geometry, Launcher, Prepared, Work, WorkSize, case_ray, compute, node_weights,
};
use crate::radiance::NO_GAS;

/// Rays that a GPU gets at a time.
const MOST_RAYS: usize = 8_192;
/// Rays that keep a GPU busy: fewer are not shared among its workers.
const LEAST_RAYS: usize = 2_048;

/// Atmospheres of one shape, by their numbers.
pub(super) struct Chunk {
    elements: Elements,
    cases: Vec<usize>,
}

/// What the workers take: atmospheres of one shape, so many that each worker has some and none too many.
pub(super) fn chunks<E>(
    prepared: &[Result<Prepared, E>],
    cases: &[(&Atmosphere, &[Ray])],
    workers: usize,
    rays_per_chunk: Option<usize>,
) -> Vec<Chunk> {
    let rays: usize = cases.iter().map(|(_, rays)| rays.len()).sum();
    let usual = rays.div_ceil(workers.max(1)).clamp(LEAST_RAYS, MOST_RAYS);
    let most = rays_per_chunk.unwrap_or(usual);
    let mut chunks: Vec<Chunk> = Vec::new();
    // The last chunk of each shape, and its rays.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (number, (prepared, (_, rays))) in prepared.iter().zip(cases).enumerate() {
        let Ok(Prepared { elements, .. }) = prepared else { continue };
        let rays = rays.len();
        match open.iter_mut().find(|(chunk, _)| chunks[*chunk].elements == *elements) {
            Some((chunk, held)) if *held + rays <= most => {
                chunks[*chunk].cases.push(number);
                *held += rays;
            }
            full => {
                let next = (chunks.len(), rays);
                match full {
                    Some(place) => *place = next,
                    None => open.push(next),
                }
                chunks.push(Chunk { elements: *elements, cases: vec![number] });
            }
        }
    }
    chunks
}

/// A queue on a device and memory: what a worker leaves to the next run.
pub(super) struct Slot {
    queue: Queue,
    statuses: Buffer<u32>,
    memory: Buffer<f64>,
    results: Staging<f64>,
    summaries: Buffer<PathSummary<f64>>,
    touched: Buffer<u32>,
    inputs: Inputs,
}

/// What the kernels read.
struct Inputs {
    cases: Buffer<Case>,
    channels: Buffer<Channel<f64>>,
    rays: Buffer<CaseRay>,
    source: Buffer<f64>,
    /// Heights, pressures, their slopes, temperatures, mixing ratios, extinctions, nodes of the cloud and of the
    /// surface.
    numbers: [Buffer<f64>; 8],
}

impl Slot {
    pub(super) fn new(device: Device) -> Result<Self, Error> {
        let queue = Queue::new(device)?;
        load(&queue)?;
        let none = || queue.zeros(0);
        Ok(Self {
            statuses: queue.zeros(0)?,
            memory: none()?,
            results: queue.staging(0)?,
            summaries: queue.zeros(0)?,
            touched: queue.zeros(0)?,
            inputs: Inputs {
                cases: queue.zeros(0)?,
                channels: queue.zeros(0)?,
                rays: queue.zeros(0)?,
                source: none()?,
                numbers: [none()?, none()?, none()?, none()?, none()?, none()?, none()?, none()?],
            },
            queue,
        })
    }

    pub(super) fn device(&self) -> Device {
        self.queue.device()
    }
}

/// One thread with its slot.
pub(super) struct Worker<'a> {
    model: &'a Infrared<'a, f64>,
    tables: &'a ResidentTables<'a>,
    geometry: Geometry,
    pub(super) slot: Slot,
    pub(super) clock: Clock,
}

/// The shape of what a slot holds.
#[derive(Clone, Copy)]
struct Shape {
    rays: usize,
    cases: usize,
    elements: Elements,
}

/// A ray: its atmosphere among all, its number there, and what the kernels take.
type ChunkRay = (usize, usize, CaseRay);

impl<'a> Worker<'a> {
    pub(super) fn new(
        model: &'a Infrared<'a, f64>,
        tables: &'a ResidentTables<'a>,
        slot: Slot,
        geometry: Geometry,
    ) -> Self {
        Self { model, tables, geometry, slot, clock: Clock::new(model.timed) }
    }

    /// Computes a chunk, in parts where the memory does not hold all.
    pub(super) fn run<E>(
        &mut self,
        prepared: &[Result<Prepared, E>],
        cases: &[(&Atmosphere, &[Ray])],
        chunk: &Chunk,
        found: &[Mutex<Jacobian>],
        finished: &dyn Fn(usize),
    ) -> Result<(), Error> {
        let chosen: Vec<&Prepared> = chunk.cases.iter().filter_map(|&case| prepared[case].as_ref().ok()).collect();
        self.upload(&chosen, &chunk.elements)?;
        let of_case = |(place, &case): (usize, &usize)| {
            let rays = cases[case].1.iter().enumerate();
            rays.map(move |(ray, geometry)| (case, ray, case_ray(geometry, place)))
        };
        let rays: Vec<ChunkRay> = chunk.cases.iter().enumerate().flat_map(of_case).collect();
        let elements = chunk.elements;
        let shape = Shape { rays: rays.len(), cases: chosen.len(), elements };
        let (counted, touched, statuses) = self.count(&rays, shape)?;
        let mut size = WorkSize {
            rays: rays.len(),
            channels: self.model.setup.wavenumbers_per_cm.len(),
            points: counted.iter().map(|summary| summary.points as usize).max().unwrap_or(0).max(1),
            touched: touched.iter().copied().max().unwrap_or(0) as usize,
            gases: elements.gases,
            windows: elements.windows,
            elements: elements.count(),
            clouds: chosen.iter().any(|prepared| prepared.has_cloud()),
            memory: self.model.setup.approximation.memory(),
            variables: BLOCK,
        };
        let bytes_per_ray = size.doubles().div_ceil(rays.len().max(1)) * size_of::<f64>();
        // The other worker of a GPU takes the other half of its memory.
        let held = self.slot.memory.len() * size_of::<f64>();
        let free = self.slot.queue.free_bytes().map(|bytes| bytes / 2 + held);
        let fitting = chunk_items(rays.len(), bytes_per_ray, free, 1);
        for_each_chunk(rays.len(), fitting, 1, |range| {
            size.rays = range.len();
            self.part(&rays[range.clone()], shape, &size)?;
            self.put(&rays[range.clone()], (&counted[range.clone()], &statuses[range.clone()]), &size, found);
            finished(range.len());
            Ok(())
        })
    }

    /// The atmospheres go to the device.
    fn upload(&mut self, chosen: &[&Prepared], elements: &Elements) -> Result<(), Error> {
        let Slot { queue, inputs: Inputs { cases, channels, source, numbers, .. }, .. } = &mut self.slot;
        send(queue, &chosen.iter().map(|prepared| prepared.case).collect::<Vec<_>>(), cases)?;
        let all_channels: Vec<Channel<f64>> =
            chosen.iter().flat_map(|prepared| prepared.channels.iter().copied()).collect();
        send(queue, &all_channels, channels)?;
        if source.is_empty() {
            send(queue, &self.model.source, source)?;
        }
        let [cloud, surface] = node_weights(self.model.setup, elements);
        let profile =
            |of: fn(&Prepared) -> &Vec<f64>| chosen.iter().flat_map(|prepared| of(prepared)).copied().collect();
        let values: [Vec<f64>; 8] = [
            profile(|prepared| &prepared.profile.height_km),
            profile(|prepared| &prepared.profile.pressure_hpa),
            profile(|prepared| &prepared.profile.log_pressure_slope_per_km),
            profile(|prepared| &prepared.profile.temperature_k),
            profile(|prepared| &prepared.profile.mixing_ratio),
            profile(|prepared| &prepared.profile.extinction_per_km),
            cloud,
            surface,
        ];
        for (values, buffer) in values.iter().zip(numbers) {
            send(queue, values, buffer)?;
        }
        Ok(())
    }

    /// The points of each path, the levels that its steps touch, and what became of each ray.
    #[allow(clippy::type_complexity, reason = "explained above")]
    fn count(&mut self, rays: &[ChunkRay], shape: Shape) -> Result<(Vec<PathSummary<f64>>, Vec<u32>, Vec<u32>), Error> {
        let n = rays.len();
        let Self { slot, clock, .. } = self;
        grow(&slot.queue, &mut slot.summaries, n)?;
        grow(&slot.queue, &mut slot.touched, n)?;
        grow(&slot.queue, &mut slot.statuses, n)?;
        send(&slot.queue, &rays.iter().map(|ray| ray.2).collect::<Vec<_>>(), &mut slot.inputs.rays)?;
        let Slot { queue, inputs, summaries, touched, statuses, .. } = slot;
        let kernel = CountSteps {
            batch: inputs.batch(self.model, self.tables, self.geometry, shape),
            summaries: summaries.item_fastest_mut(1, n),
            touched: touched.item_fastest_mut(1, n),
        };
        clock.launch(queue, &kernel, statuses)?;
        Ok((
            queue.to_host_range(summaries, 0..n)?,
            queue.to_host_range(touched, 0..n)?,
            queue.to_host_range(statuses, 0..n)?,
        ))
    }

    /// All kernels over some rays; the results are on the host in the end.
    fn part(&mut self, rays: &[ChunkRay], shape: Shape, size: &WorkSize) -> Result<(), Error> {
        let Self { slot: Slot { queue, inputs, statuses, memory, results, .. }, clock, .. } = self;
        grow(queue, memory, size.doubles())?;
        if results.len() < size.results() {
            *results = queue.staging(0)?;
            *results = queue.staging(size.results())?;
        }
        send(queue, &rays.iter().map(|ray| ray.2).collect::<Vec<_>>(), &mut inputs.rays)?;
        let doubles = memory.len();
        let work = Work::carve(memory.item_fastest_mut(1, doubles), size);
        let batch = inputs.batch(self.model, self.tables, self.geometry, Shape { rays: rays.len(), ..shape });
        compute::<BLOCK, _>(&batch, &work, self.model.setup.approximation, &mut OnQueue { queue, clock, statuses })?;
        // SAFETY: the staging is not looked at before the queue has been synchronized.
        unsafe { queue.receive(memory, size.results(), results)? };
        queue.synchronize()
    }

    /// The results of some rays go to their atmospheres.
    fn put(
        &self,
        rays: &[ChunkRay],
        (counted, statuses): (&[PathSummary<f64>], &[u32]),
        size: &WorkSize,
        found: &[Mutex<Jacobian>],
    ) {
        let (channels, row) = (size.channels, size.channels * size.elements);
        let (radiance, rest) = self.slot.results[..size.results()].split_at(rays.len() * channels);
        let (transmittance, derivative) = rest.split_at(rays.len() * channels);
        for (place, (&(case, ray, _), summary)) in rays.iter().zip(counted).enumerate() {
            let mut all = found[case].lock().expect("no worker panics");
            if statuses[place] != Status::OK.0 {
                all.statuses[ray] = Status(statuses[place]);
                continue;
            }
            let of = |count: usize| place * count..(place + 1) * count;
            let results = (&radiance[of(channels)], &transmittance[of(channels)], &derivative[of(row)]);
            let tangent_point = Position {
                height_km: summary.tangent_height_km,
                longitude_deg: summary.tangent_longitude_deg,
                latitude_deg: summary.tangent_latitude_deg,
            };
            all.put(ray, results, tangent_point);
        }
    }
}

impl Inputs {
    fn batch<'b>(
        &'b self,
        model: &'b Infrared<'_, f64>,
        tables: &'b ResidentTables<'_>,
        geometry: Geometry,
        Shape { rays, cases, elements }: Shape,
    ) -> Batch<'b> {
        let setup = model.setup;
        let (channels, levels) = (setup.wavenumbers_per_cm.len(), elements.levels);
        let gas = |name| setup.gas(name).map_or(NO_GAS, |gas| gas as u32);
        let [height, pressure, slope, temperature, mixing_ratio, extinction, cloud, surface] = &self.numbers;
        Batch {
            elements,
            tables: tables.view(),
            source: self.source.item_fastest(SOURCE_NODES, channels),
            cases: super::scratch::first(&self.cases, cases),
            channels: self.channels.level_fastest(channels, cases),
            height_km: height.level_fastest(levels, cases),
            pressure_hpa: pressure.level_fastest(levels, cases),
            log_pressure_slope_per_km: slope.level_fastest(levels - 1, cases),
            temperature_k: temperature.level_fastest(levels, cases),
            mixing_ratio: mixing_ratio.level_fastest(levels, cases * elements.gases),
            extinction_per_km: extinction.level_fastest(levels, cases * elements.windows),
            rays: super::scratch::first(&self.rays, rays),
            cloud_nodes: cloud.level_fastest(elements.cloud_nodes, channels),
            surface_nodes: surface.level_fastest(elements.surface_nodes, channels),
            solar_zenith_deg: setup.solar_zenith_deg.unwrap_or(-1.0),
            co2: gas("CO2"),
            h2o: gas("H2O"),
            transmittances_given: u32::from(setup.jurassic_exact),
            frozen: u32::from(geometry == Geometry::Frozen),
        }
    }
}

/// Copies values to the start of a buffer, which grows if it has to.
fn send<T: Plain>(queue: &Queue, values: &[T], buffer: &mut Buffer<T>) -> Result<(), Error> {
    grow(queue, buffer, values.len())?;
    if values.is_empty() { Ok(()) } else { queue.upload_into(values, buffer) }
}

/// Launches on a queue; statuses say nothing that the counting did not.
struct OnQueue<'a> {
    queue: &'a Queue,
    clock: &'a mut Clock,
    statuses: &'a mut Buffer<u32>,
}

impl Launcher for OnQueue<'_> {
    type Error = Error;

    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Error> {
        grow(self.queue, self.statuses, kernel.items())?;
        self.clock.launch(self.queue, kernel, self.statuses)
    }
}
