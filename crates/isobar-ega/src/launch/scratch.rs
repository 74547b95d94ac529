//! The memory that a worker needs for a chunk of rays, kept from chunk to chunk.
//!
//! On a GPU the rays at a point are neighbours in memory, for the lanes of a warp are rays; on a CPU, the points of a
//! path.

use isobar_core::{Column, FieldMut};
use isobar_launch::{Buffer, Error, Plain, Queue, Staging};
use isobar_raytrace::path::{PathSummary, Paths};
use isobar_raytrace::trace::LineOfSight;

use crate::ForwardSetup;
use crate::coverage::Outside;
use crate::tables::Cell;

/// How much of everything a chunk needs.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) rays: usize,
    /// The most points of a path.
    pub(super) points: usize,
    pub(super) gases: usize,
    pub(super) windows: usize,
    pub(super) grids: usize,
    pub(super) channels: usize,
    /// Are the rays neighbours?
    pub(super) rays_together: bool,
}

impl Size {
    /// The memory of one ray in bytes.
    pub(super) fn bytes_per_ray<R>(&self) -> usize {
        let per_point = (5 + self.gases + self.windows) * size_of::<f64>()
            + self.grids * size_of::<Cell<R>>()
            + self.channels * size_of::<R>();
        self.points * per_point
    }

    /// No more rays than that the points of a path are less than 4 GiB apart.
    pub(super) fn most_rays(&self) -> usize {
        let of_channels = self.channels.max(self.gases).max(self.windows) * size_of::<f64>();
        let bytes = of_channels.max(self.grids * size_of::<Cell<f64>>()).max(1);
        (u32::MAX as usize / bytes).max(1)
    }

    /// A view of what there is at each point of a path, once an item.
    pub(super) fn along_paths<'a, T: Plain>(&self, buffer: &'a mut Buffer<T>, items: usize) -> FieldMut<'a, T> {
        match self.rays_together {
            true => buffer.item_fastest_mut(self.points, items),
            false => buffer.level_fastest_mut(self.points, items),
        }
    }
}

/// The buffers. They only grow, for a GPU stands still while it hands out memory; views take what they need of them.
#[derive(Default)]
pub(super) struct Scratch<R: Plain> {
    pub(super) rays: RayBuffers<R>,
    pub(super) results: RayResults<R>,
    pub(super) paths: PathBuffers,
    pub(super) cells: Buffer<Cell<R>>,
    pub(super) absorptance: Buffer<R>,
    /// The memory that the buffers of paths have already.
    pub(super) held_bytes: usize,
}

/// Memory of the host for what comes from a device once a ray, or once a ray and gas or channel; it only grows.
#[derive(Default)]
pub(super) struct RayResults<R: Plain> {
    pub(super) radiance: HostBuffer<R>,
    pub(super) transmittance: HostBuffer<R>,
    pub(super) summaries: HostBuffer<PathSummary<f64>>,
    pub(super) outside: HostBuffer<Outside>,
    pub(super) cut_short: HostBuffer<u32>,
    pub(super) traced: HostBuffer<u32>,
}

/// Values that came from a device.
pub(super) struct HostBuffer<T: Plain>(Option<Staging<T>>);

impl<T: Plain> Default for HostBuffer<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Plain> HostBuffer<T> {
    /// Receives the first values of a buffer, behind what the queue is doing.
    ///
    /// # Safety
    /// Nobody looks at them until the queue has been synchronized.
    pub(super) unsafe fn receive(&mut self, queue: &Queue, from: &Buffer<T>, len: usize) -> Result<(), Error> {
        if self.0.as_ref().is_none_or(|buffer| buffer.len() < len) {
            self.0 = None;
            self.0 = Some(queue.staging(len)?);
        }
        match &mut self.0 {
            // SAFETY: the buffer stays until the next call, and nobody looks at it before.
            Some(buffer) if len > 0 => unsafe { queue.receive(from, len, buffer) },
            _ => Ok(()),
        }
    }

    /// The values.
    pub(super) fn values(&self) -> &[T] {
        self.0.as_deref().unwrap_or_default()
    }
}

/// What there is once a ray, or once a ray and gas or channel.
#[derive(Default)]
pub(super) struct RayBuffers<R: Plain> {
    pub(super) sights: Buffer<LineOfSight<f64>>,
    pub(super) times_s: Buffer<f64>,
    pub(super) summaries: Buffer<PathSummary<f64>>,
    pub(super) outside: Buffer<Outside>,
    pub(super) sun: Buffer<R>,
    pub(super) radiance: Buffer<R>,
    pub(super) transmittance: Buffer<R>,
    pub(super) cut_short: Buffer<u32>,
    /// What became of the rays when they were traced.
    pub(super) traced: Buffer<u32>,
    pub(super) statuses: Buffer<u32>,
}

/// What there is at each point of a path.
#[derive(Default)]
pub(super) struct PathBuffers {
    height_km: Buffer<f64>,
    pressure_hpa: Buffer<f64>,
    temperature_k: Buffer<f64>,
    length_km: Buffer<f64>,
    air_column_per_cm2: Buffer<f64>,
    mixing_ratio: Buffer<f64>,
    extinction_per_km: Buffer<f64>,
    position_km: Buffer<f64>,
}

impl<R: isobar_core::Real + Plain> Scratch<R> {
    /// Makes the buffers of rays large enough.
    pub(super) fn fit_rays(&mut self, queue: &Queue, rays: usize, setup: &ForwardSetup) -> Result<(), Error> {
        let (gases, channels) = (setup.gases.len(), setup.wavenumbers_per_cm.len());
        let flags = if setup.jurassic_exact { rays * channels } else { 0 };
        let r = &mut self.rays;
        grow(queue, &mut r.sights, rays)?;
        grow(queue, &mut r.times_s, rays)?;
        grow(queue, &mut r.summaries, rays)?;
        grow(queue, &mut r.outside, rays * gases)?;
        grow(queue, &mut r.sun, rays)?;
        grow(queue, &mut r.radiance, rays * channels)?;
        grow(queue, &mut r.transmittance, rays * channels)?;
        grow(queue, &mut r.traced, rays)?;
        grow(queue, &mut r.cut_short, flags)
    }

    /// Makes the buffers of paths large enough.
    pub(super) fn fit(&mut self, queue: &Queue, size: &Size) -> Result<(), Error> {
        let values = size.rays * size.points;
        self.held_bytes = self.held_bytes.max(size.rays * size.bytes_per_ray::<R>());
        let p = &mut self.paths;
        for buffer in
            [&mut p.height_km, &mut p.pressure_hpa, &mut p.temperature_k, &mut p.length_km, &mut p.air_column_per_cm2]
        {
            grow(queue, buffer, values)?;
        }
        grow(queue, &mut p.mixing_ratio, values * size.gases)?;
        grow(queue, &mut p.extinction_per_km, values * size.windows)?;
        grow(queue, &mut self.cells, values * size.grids)?;
        grow(queue, &mut self.absorptance, values * size.channels)
    }
}

impl PathBuffers {
    pub(super) fn view(&mut self, size: &Size) -> Paths<'_, f64> {
        let rays = size.rays;
        Paths {
            height_km: size.along_paths(&mut self.height_km, rays),
            pressure_hpa: size.along_paths(&mut self.pressure_hpa, rays),
            temperature_k: size.along_paths(&mut self.temperature_k, rays),
            length_km: size.along_paths(&mut self.length_km, rays),
            air_column_per_cm2: size.along_paths(&mut self.air_column_per_cm2, rays),
            mixing_ratio: size.along_paths(&mut self.mixing_ratio, rays * size.gases),
            extinction_per_km: size.along_paths(&mut self.extinction_per_km, rays * size.windows),
            position_km: self.position_km.item_fastest_mut(0, 0),
        }
    }
}

/// A view of the first `len` values.
pub(super) fn first<T: Plain>(buffer: &Buffer<T>, len: usize) -> Column<'_, T> {
    buffer.level_fastest(len, 1).column(0)
}

/// Makes a buffer at least so long; what was in it is lost then.
pub(super) fn grow<T: Plain>(queue: &Queue, buffer: &mut Buffer<T>, len: usize) -> Result<(), Error> {
    if buffer.len() < len {
        // The old one goes first: the memory may not hold both.
        *buffer = Buffer::default();
        *buffer = queue.zeros(len)?;
    }
    Ok(())
}
