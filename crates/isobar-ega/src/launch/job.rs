//! One chunk of rays from geometry to radiances.

use core::marker::PhantomData;

use isobar_core::kernel::WARP;
use isobar_core::{Real, Status};
use isobar_launch::{Device, Error, Plain, Queue, chunk_items, for_each_chunk};
use isobar_raytrace::kernel::{CountPoints, TracePaths};
use isobar_raytrace::path::PathSummary;
use isobar_raytrace::trace::LineOfSight;
use isobar_raytrace::{Position, Ray};

use super::clock::Clock;
use super::ptx::load;
use super::resident::{Resident, ResidentTables, State};
use super::scratch::{RayBuffers, Scratch, Size, first};
use super::{Precision, Radiances};
use crate::cell::LocateCells;
use crate::coverage::{CheckCoverage, Outside};
use crate::grow::Grow;
use crate::growth::Growth;
use crate::jurassic::{JurassicGrowth, JurassicMeanPath};
use crate::mean_path::MeanPath;
use crate::radiance::{CUT_SHORT, Integrate};
use crate::sun::SunOnGround;
use crate::{Approximation, ForwardSetup, GroundKind};

/// Rays that a GPU gets at a time: enough to keep it busy.
const GPU_RAYS: usize = 16_384;

/// Rays in a chunk unless the caller wants another number.
pub(super) fn usual_size(device: Device, rays: usize) -> usize {
    match device {
        Device::Thread | Device::Cpu => 1,
        Device::Cuda(_) => rays.div_ceil(rays.div_ceil(GPU_RAYS).max(1)).max(1),
    }
}

/// How many workers a device gets: threads of the CPU; two for a GPU, so that the transfers of one overlap with the
/// kernels of the other.
pub(super) fn workers(device: Device, timed: bool) -> usize {
    match device {
        Device::Thread => 1,
        Device::Cpu => rayon::current_num_threads(),
        Device::Cuda(_) => 1 + usize::from(!timed),
    }
}

/// A queue on a device and memory for a chunk: what a worker leaves to the next run.
pub(super) struct Slot<R: Plain> {
    queue: Queue,
    scratch: Scratch<R>,
}

impl<R: Real + Plain> Slot<R> {
    pub(super) fn new(device: Device) -> Result<Self, Error> {
        let queue = Queue::new(device)?;
        load(&queue)?;
        Ok(Self { scratch: Scratch::new(&queue)?, queue })
    }

    pub(super) fn device(&self) -> Device {
        self.queue.device()
    }
}

/// One thread with its slot and the state of the run.
pub(super) struct Worker<'a, R: Plain> {
    setup: &'a ForwardSetup,
    state: &'a State<R>,
    tables: &'a ResidentTables<'a>,
    queue: Queue,
    resident: Resident<R>,
    scratch: Scratch<R>,
    pub(super) clock: Clock,
}

/// The results of some rays.
pub(super) struct Part {
    radiance: Vec<f64>,
    transmittance: Vec<f64>,
    summaries: Vec<PathSummary<f64>>,
    statuses: Vec<u32>,
    outside: Vec<Outside>,
    /// Rays with a channel that ended early.
    cut_short: usize,
}

impl<'a, R: Real + Plain> Worker<'a, R> {
    pub(super) fn new(
        setup: &'a ForwardSetup,
        state: &'a State<R>,
        source: &[R],
        tables: &'a ResidentTables<'a>,
        slot: Slot<R>,
        timed: bool,
    ) -> Result<Self, Error> {
        let Slot { queue, scratch } = slot;
        let resident = Resident::new(&queue, state, source)?;
        Ok(Self { setup, state, tables, queue, resident, scratch, clock: Clock::new(timed) })
    }

    /// Gives the slot back.
    pub(super) fn leave(self) -> Slot<R> {
        Slot { queue: self.queue, scratch: self.scratch }
    }

    /// Computes rays, in smaller chunks where the memory does not hold them all, and hands on each chunk's results.
    pub(super) fn run(&mut self, rays: &[Ray], finished: &mut dyn FnMut(usize, Part)) -> Result<(), Error>
    where
        R: Precision,
    {
        R::compute(self, rays, finished)
    }

    pub(super) fn run_any(&mut self, rays: &[Ray], finished: &mut dyn FnMut(usize, Part)) -> Result<(), Error> {
        let sights: Vec<LineOfSight<f64>> = rays.iter().map(Ray::line_of_sight).collect();
        let (counted, statuses) = self.count(&sights)?;
        let size = Size {
            rays: rays.len(),
            points: counted.iter().map(|summary| summary.points as usize).max().unwrap_or(0).max(1),
            gases: self.setup.gases.len(),
            windows: self.resident.profile().windows(),
            grids: self.tables.view().grids.len(),
            channels: self.setup.wavenumbers_per_cm.len(),
        };
        // The other worker of a GPU takes the other half of its memory.
        let free = self.queue.free_bytes().map(|bytes| bytes / 2 + self.scratch.held_bytes);
        let fitting = chunk_items(rays.len(), size.bytes_per_ray::<R>(), free, 1);
        for_each_chunk(rays.len(), fitting, 1, |range| {
            let size = Size { rays: range.len(), ..size };
            let mut part = self.chunk(&sights[range.clone()], &rays[range.clone()], &size)?;
            part.statuses = statuses[range.clone()].to_vec();
            finished(range.start, part);
            Ok(())
        })
    }

    /// The number of points of each path, and what became of each ray.
    fn count(&mut self, sights: &[LineOfSight<f64>]) -> Result<(Vec<PathSummary<f64>>, Vec<u32>), Error> {
        let (queue, n) = (&self.queue, sights.len());
        let (gases, channels) = (self.setup.gases.len(), self.setup.wavenumbers_per_cm.len());
        self.scratch.fit_rays(queue, n, gases, channels)?;
        let rays = &mut self.scratch.rays;
        if rays.statuses.len() < n {
            rays.statuses = queue.zeros(n)?;
        }
        queue.upload_into(sights, &mut rays.sights)?;
        let kernel = CountPoints {
            profile: self.resident.profile(),
            rules: self.state.rules,
            rays: first(&rays.sights, n),
            summaries: rays.summaries.item_fastest_mut(1, n),
        };
        self.clock.launch(queue, &kernel, &mut rays.statuses)?;
        Ok((queue.to_host_range(&rays.summaries, 0..n)?, queue.to_host_range(&rays.statuses, 0..n)?))
    }

    fn chunk(&mut self, sights: &[LineOfSight<f64>], rays: &[Ray], size: &Size) -> Result<Part, Error> {
        let Self { setup, state, tables, queue, resident, scratch, clock } = self;
        let tables = tables.view();
        let (n, channels) = (size.rays, size.channels);
        scratch.fit(queue, size)?;

        let RayBuffers { sights: buffer, times_s, summaries, outside, sun, radiance, transmittance, statuses } =
            &mut scratch.rays;
        queue.upload_into(sights, buffer)?;
        let times: Vec<f64> = rays.iter().map(|ray| ray.time_s).collect();
        queue.upload_into(&times, times_s)?;

        let paths = scratch.paths.view(size);
        clock.launch(
            queue,
            &TracePaths {
                profile: resident.profile(),
                rules: state.rules,
                rays: first(buffer, n),
                paths,
                summaries: summaries.item_fastest_mut(1, n),
            },
            statuses,
        )?;
        let summaries_view = first(summaries, n);
        if size.gases > 0 {
            clock.launch(
                queue,
                &CheckCoverage {
                    tables,
                    summaries: summaries_view,
                    paths,
                    outside: outside.item_fastest_mut(1, n * size.gases),
                    channels: channels as u32,
                    unused: 0,
                },
                statuses,
            )?;
        }
        let cells = scratch.cells.level_fastest_mut(size.points, n * size.grids);
        if setup.approximation == Approximation::EmissivityGrowth {
            clock.launch(
                queue,
                &LocateCells {
                    tables,
                    summaries: summaries_view,
                    pressure_hpa: paths.pressure_hpa,
                    temperature_k: paths.temperature_k,
                    cells,
                    equidistant_temperatures: u32::from(setup.jurassic_exact),
                    unused: 0,
                },
                statuses,
            )?;
        }
        let absorptance = scratch.absorptance.item_fastest_mut(size.points, n * channels);
        macro_rules! grow {
            ($rule:ty) => {
                clock.launch(
                    queue,
                    &Grow {
                        tables,
                        summaries: summaries_view,
                        paths,
                        cells,
                        absorptance,
                        gases: size.gases as u32,
                        channels: channels as u32,
                        rule: PhantomData::<$rule>,
                    },
                    statuses,
                )?
            };
        }
        match (setup.approximation, setup.jurassic_exact) {
            (Approximation::EmissivityGrowth, false) => grow!(Growth<R>),
            (Approximation::EmissivityGrowth, true) => grow!(JurassicGrowth<R>),
            (Approximation::CurtisGodson, false) => grow!(MeanPath<R>),
            (Approximation::CurtisGodson, true) => grow!(JurassicMeanPath<R>),
        }
        if setup.ground == GroundKind::SkyAndSun {
            clock.launch(
                queue,
                &SunOnGround {
                    summaries: summaries_view,
                    time_s: first(times_s, n),
                    zenith_deg: setup.solar_zenith_deg.unwrap_or(-1.0),
                    share: sun.item_fastest_mut(1, n),
                },
                statuses,
            )?;
        }
        clock.launch(
            queue,
            &Integrate {
                channels: resident.channels(),
                summaries: summaries_view,
                paths,
                absorptance,
                sun: sun.item_fastest_mut(1, n),
                radiance: radiance.item_fastest_mut(1, n * channels),
                transmittance: transmittance.item_fastest_mut(1, n * channels),
                ground: state.ground,
                cloud: state.cloud,
                co2: state.co2,
                h2o: state.h2o,
                transmittances_given: u32::from(setup.jurassic_exact),
                unused: 0,
            },
            statuses,
        )?;
        let blocks = channels.div_ceil(WARP);
        let cut = queue.to_host_range(statuses, 0..n * blocks)?;
        let wide = |values: Vec<R>| values.into_iter().map(Real::value).collect();
        Ok(Part {
            radiance: wide(queue.to_host_range(radiance, 0..n * channels)?),
            transmittance: wide(queue.to_host_range(transmittance, 0..n * channels)?),
            summaries: queue.to_host_range(summaries, 0..n)?,
            statuses: Vec::new(),
            outside: queue.to_host_range(outside, 0..n * size.gases)?,
            cut_short: cut.chunks(blocks).filter(|ray| ray.contains(&CUT_SHORT.0)).count(),
        })
    }
}

impl Part {
    pub(super) fn rays(&self) -> usize {
        self.summaries.len()
    }

    /// Puts the results of these rays at their place among all.
    pub(super) fn put_into(&self, all: &mut Radiances, start: usize) {
        let rays = self.rays();
        let channels = self.radiance.len() / rays;
        for (ray, (summary, &status)) in self.summaries.iter().zip(&self.statuses).enumerate() {
            let (from, to) = (ray * channels, (start + ray) * channels);
            if Status(status).is_ok() {
                all.radiance[to..to + channels].copy_from_slice(&self.radiance[from..from + channels]);
                all.transmittance[to..to + channels].copy_from_slice(&self.transmittance[from..from + channels]);
            }
            all.tangent_points[start + ray] = Position {
                height_km: summary.tangent_height_km,
                longitude_deg: summary.tangent_longitude_deg,
                latitude_deg: summary.tangent_latitude_deg,
            };
            all.points[start + ray] = summary.points;
            all.statuses[start + ray] = Status(status);
        }
        for (gas, known) in all.outside.iter_mut().enumerate() {
            for found in &self.outside[gas * rays..(gas + 1) * rays] {
                known.add(found, start);
            }
        }
        all.cut_short += self.cut_short;
    }
}
