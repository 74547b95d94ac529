//! The forward model as a scheme whose items are rays.

use isobar_core::fields::{self, CHANNEL, Extents};
use isobar_launch::{Device, Error, Job, Ptx, Queue, Scheme, Shape, compiled_here};

use super::infrared::{Infrared, PreparedAtmosphere};
use super::job::{self, Workspace};
use super::ptx::PTX;
use super::resident::DeviceTables;
use crate::fields::{Beams, GAS, ITEM, RayViews};

/// Rays that a worker of a GPU gets at a time: kernels that take a thread a ray need tens of thousands to fill it.
const GPU_RAYS: usize = 49_152;
/// Rays that keep a GPU busy: fewer are not shared among its workers.
const LEAST_RAYS: usize = 4_096;
/// Rays whose paths are traced once more for a warning: tens of milliseconds of one thread.
const RAYS_LOOKED_AT: usize = 256;

impl<R: Precision> Scheme for Infrared<R> {
    type Real = f64;
    type Inputs<'a> = RayViews<'a, f64>;
    type Results = Beams<f64>;
    type Options = PreparedAtmosphere<R>;
    type Tables = DeviceTables<R>;
    type Workspace = Workspace<R>;

    const ITEM: &'static str = ITEM;
    const PTX: &'static [Ptx] = PTX;
    /// Kernels take rays and give paths in structs, and radiances ray by ray.
    const HOST_VIEWS: bool = true;

    fn job_a_thread(&self) -> bool {
        true
    }

    fn gpu_workers(&self) -> usize {
        self.queues()
    }

    fn extents(&self, rays: &RayViews<'_, f64>, _: &PreparedAtmosphere<R>) -> Result<Extents, fields::Error> {
        let extents = Extents::new(rays.view_point_height_km.len());
        Ok(extents.with(CHANNEL, self.setup.wavenumbers_per_cm.len()).with(GAS, self.setup.gases.len()))
    }

    /// A workspace takes over each atmosphere.
    fn shares_memory(_: &PreparedAtmosphere<R>, _: &PreparedAtmosphere<R>) -> bool {
        true
    }

    fn chunk_items(&self, device: Device, extents: &Extents) -> usize {
        match device {
            Device::Thread | Device::Cpu => 1,
            Device::Cuda(_) => {
                let (rays, workers) = (extents.items(), self.gpu_workers());
                // As many for one worker as for the other.
                let rounds = rays.div_ceil(workers * GPU_RAYS).max(1);
                rays.div_ceil(workers * rounds).max(LEAST_RAYS)
            }
        }
    }

    /// Where paths leave the tables: those of all rays, or of some of many.
    fn doubts(&self, rays: &RayViews<'_, f64>, through: &PreparedAtmosphere<R>) -> Vec<String> {
        let count = rays.view_point_height_km.len();
        let looked_at = count.min(RAYS_LOOKED_AT);
        // On the thread that calls: a forked process has no others.
        let some = (0..looked_at).map(|i| rays.ray(i * count / looked_at));
        let of_some = if looked_at < count { format!(" (of {looked_at} of {count} rays)") } else { String::new() };
        let lines = self.outside_of(some.map(|ray| self.path(through, &ray)));
        lines.into_iter().map(|line| format!("{line}; extrapolated{of_some}")).collect()
    }

    fn tables(&self, queue: &Queue) -> Result<DeviceTables<R>, Error> {
        DeviceTables::new(queue, &self.data, &self.source)
    }

    /// It grows with the longest path.
    fn workspace_bytes(&self, _: Device, _: &Shape<Self>, _: usize) -> usize {
        0
    }

    fn workspace(&self, _: &Queue, _: &DeviceTables<R>, _: &Shape<Self>, _: usize) -> Result<Workspace<R>, Error> {
        Ok(Workspace::default())
    }

    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error> {
        R::enqueue(self, job)
    }
}

compiled_here! {
    /// A precision in which radiances are computed: `f32` or `f64`.
    pub trait Precision: Default {
        fn enqueue(infrared: &Infrared<Self>, job: Job<'_, '_, '_, Infrared<Self>>) = enqueue;
    }
}

fn enqueue<R: Precision>(infrared: &Infrared<R>, job: Job<'_, '_, '_, Infrared<R>>) -> Result<(), Error> {
    let Job { queue, tables, workspace, options, extents, inputs, outputs } = job;
    job::compute(infrared, (queue, tables, workspace), options, extents.items(), &inputs, &outputs)
}
