//! The scheme on CPU threads and GPUs.

use std::ops::Range;
use std::sync::Arc;

use isobar_core::Kernel;
use isobar_core::fields::{Declared, Error as Invalid, Extents, InputSet, LAYER, Need, OutputSet};
use isobar_launch::{Buffer, Device, Error, Given, Job, Model, Ptx, Queue, Scheme, Shape, chunks, compiled_here};
use isobar_optics::GasOptics;

use crate::buffers::{Memory, SpectraMemory};
use crate::device_tables::DeviceTables;
use crate::fields::{ColumnViews, Fluxes, ITEM};
use crate::host::cloud_optics::CloudOptics;
use crate::host::options::{CloudSolver, Options};
use crate::host::spectrum::{Spectra, Spectrum};
use crate::order::{Launcher, Rows, Work};
use crate::ptx::PTX;
use crate::rrtmg::{self, KDistribution};

/// Warps of columns and g-points that a GPU computes at a time: enough that the last ones do not leave it idle for
/// long.
const GPU_WARPS: usize = 1 << 16;
/// Columns that go to a GPU at a time: few enough that copies of some overlap with kernels of others.
const GPU_CHUNK: usize = 1 << 12;
/// Workers of a GPU: the kernels of ecCKD are faster than the copies of fewer.
const GPU_WORKERS: usize = 8;
/// With RRTMG_LW alone.
const GPU_WORKERS_OF_RRTMG: usize = 5;
/// Columns that a CPU's thread takes at a time.
pub(crate) const CPU_CHUNK: usize = 16;

/// Radiation with k-distributions of one or both spectra, to run on devices.
#[derive(Clone, Debug)]
pub struct Radiation<R> {
    pub(crate) spectra: Arc<Spectra<R>>,
}

impl<R: Precision> Radiation<R> {
    /// Without a k-distribution yet: [`Radiation::with`].
    #[must_use]
    #[allow(clippy::new_without_default, reason = "one without a k-distribution computes nothing")]
    pub fn new() -> Self {
        Self { spectra: Arc::default() }
    }

    /// With a k-distribution, whose file says of which spectrum it is, and tables of clouds for it, without which the
    /// sky has to be clear.
    ///
    /// # Errors
    /// As [`Spectra::with`].
    pub fn with(self, gases: &GasOptics, clouds: Option<&CloudOptics>) -> Result<Self, Invalid> {
        let spectra = Arc::unwrap_or_clone(self.spectra);
        Ok(Self { spectra: Arc::new(spectra.with(gases, clouds)?) })
    }

    /// With RRTMG_LW's k-distribution of the long wave: `isobar_io::read_rrtmg_lw` reads one.
    ///
    /// # Errors
    /// There is a k-distribution of the long wave.
    pub fn with_rrtmg(self, k: &KDistribution) -> Result<Self, Invalid> {
        let spectra = Arc::unwrap_or_clone(self.spectra);
        Ok(Self { spectra: Arc::new(spectra.with_rrtmg(k)?) })
    }

    /// On these devices, which share each batch: [`Device::Thread`] is the calling thread, [`Device::Cpu`] all threads.
    #[must_use]
    pub fn on(self, devices: &[Device]) -> Model<Self> {
        Model::new(self, devices)
    }

    /// The spectra.
    #[must_use]
    pub fn spectra(&self) -> &Spectra<R> {
        &self.spectra
    }

    /// Columns that have memory: those of larger jobs take turns.
    fn at_a_time(&self, device: Device) -> usize {
        let warps = self.spectra.each().map(|spectrum| spectrum.gases.segments()).max().unwrap_or(1);
        if device.is_cpu() { CPU_CHUNK } else { GPU_WARPS / warps }
    }

    /// What a column has of the workspace; nothing with RRTMG_LW alone.
    fn rows(&self, device: Device, layers: usize, options: &Options) -> Option<Rows> {
        let of = |spectrum: &Spectrum<R>| Rows::new(&spectrum.gases.view(), layers, options, !device.is_cpu());
        self.spectra.each().map(of).reduce(Rows::either)
    }

    /// What it has of that of RRTMG_LW.
    fn rows_of_rrtmg(&self, device: Device, shape: &Shape<Self>) -> Option<rrtmg::Rows> {
        let tables = &self.spectra.rrtmg.as_ref()?.tables;
        let Shape { extents, options, .. } = shape;
        let given = shape.given("cloud_mask") != Given::Nothing;
        let generated = rrtmg::is_cloudy(extents) && options.cloud_solver == CloudSolver::McIca && !given;
        Some(rrtmg::Rows::new(&tables.view(), extents, options, (generated, !device.is_cpu())))
    }

    fn is_rrtmg_alone(&self) -> bool {
        self.spectra.rrtmg.is_some() && self.spectra.shortwave.is_none()
    }
}

impl<R: Precision> Scheme for Radiation<R> {
    type Real = R;
    type Inputs<'a> = ColumnViews<'a, R>;
    type Results = Fluxes<R>;
    type Options = Options;
    type Tables = DeviceTables<R>;
    type Workspace = Memory<R>;

    const ITEM: &'static str = ITEM;
    const PTX: &'static [Ptx] = PTX;

    fn extents(&self, inputs: &ColumnViews<'_, R>, options: &Options) -> Result<Extents, Invalid> {
        self.spectra.extents(inputs, options)
    }

    fn need(&self, declared: &Declared, options: &Options) -> Need {
        self.spectra.need(declared, options)
    }

    fn useless(&self, declared: &Declared) -> Option<&'static str> {
        self.spectra.useless(declared)
    }

    fn wants(&self, declared: &'static Declared, _extents: &Extents, options: &Options) -> bool {
        self.spectra.wants(declared, options)
    }

    fn check(
        &self,
        inputs: &ColumnViews<'_, R>,
        extents: &Extents,
        options: &Options,
        range: Range<usize>,
    ) -> Vec<Invalid> {
        self.spectra.check(inputs, extents, options, range)
    }

    fn doubts(&self, inputs: &ColumnViews<'_, R>, _options: &Self::Options) -> Vec<String> {
        self.spectra.doubts(inputs)
    }

    fn chunk_items(&self, device: Device, _extents: &Extents) -> usize {
        match device.is_cpu() {
            _ if self.is_rrtmg_alone() => rrtmg::CHUNK,
            true => CPU_CHUNK,
            false => self.at_a_time(device).min(GPU_CHUNK),
        }
    }

    fn job_a_thread(&self) -> bool {
        !self.is_rrtmg_alone()
    }

    fn gpu_workers(&self) -> usize {
        if self.is_rrtmg_alone() { GPU_WORKERS_OF_RRTMG } else { GPU_WORKERS }
    }

    fn tables(&self, queue: &Queue) -> Result<DeviceTables<R>, Error> {
        DeviceTables::new(queue, &self.spectra)
    }

    fn workspace_bytes(&self, device: Device, shape: &Shape<Self>, columns: usize) -> usize {
        let rows = self.rows(device, shape.extents.size(LAYER), &shape.options);
        let of_rrtmg = self.rows_of_rrtmg(device, shape);
        rows.map_or(0, |rows| rows.bytes::<R>() * columns.min(self.at_a_time(device)))
            + of_rrtmg.map_or(0, |rows| rows.bytes::<R>() * rrtmg::columns_at_a_time(device, columns))
    }

    fn workspace(
        &self,
        queue: &Queue,
        _tables: &DeviceTables<R>,
        shape: &Shape<Self>,
        columns: usize,
    ) -> Result<Memory<R>, Error> {
        let device = queue.device();
        let rows = self.rows(device, shape.extents.size(LAYER), &shape.options);
        let spectra = rows.map(|rows| SpectraMemory::new(queue, &rows, columns.min(self.at_a_time(device))));
        let of_rrtmg = self.rows_of_rrtmg(device, shape).map(|rows| rrtmg::Buffers::new(queue, &rows, columns));
        Ok(Memory { spectra: spectra.transpose()?, rrtmg: of_rrtmg.transpose()? })
    }

    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error> {
        R::enqueue(job)
    }
}

fn enqueue<R: Precision>(job: Job<'_, '_, '_, Radiation<R>>) -> Result<(), Error> {
    let Job { queue, tables, workspace, options, extents, inputs, outputs } = job;
    // It writes statuses, the others add to them.
    if let (Some(k), Some(buffers)) = (tables.rrtmg(), &mut workspace.rrtmg) {
        buffers.begin(queue)?;
        for (number, columns) in chunks(extents.items(), buffers.columns()).enumerate() {
            let (queue, memory) = buffers.turn(queue, number);
            let (workspace, statuses) = memory.views();
            let fluxes = rrtmg::views::FluxViews::of(&outputs.range(&columns));
            let columns = rrtmg::views::ColumnViews::of(&inputs.range(&columns));
            let work = rrtmg::Work::new(k, columns, workspace, (fluxes, tables.has_diameters()));
            work.compute(options, &mut OnQueue { queue, statuses })?;
        }
        buffers.end(queue)?;
    }
    let Some(memory) = &mut workspace.spectra else { return Ok(()) };
    for range in chunks(extents.items(), memory.columns) {
        let (columns, fluxes) = (inputs.range(&range), outputs.range(&range));
        for tables in tables.views() {
            let (workspace, statuses) = memory.views();
            Work { columns, fluxes, workspace }.compute(tables, options, &mut OnQueue { queue, statuses })?;
        }
    }
    Ok(())
}

/// Runs kernels on a queue.
pub(crate) struct OnQueue<'a> {
    pub(crate) queue: &'a Queue,
    pub(crate) statuses: &'a mut Buffer<u32>,
}

impl Launcher for OnQueue<'_> {
    type Error = Error;

    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Error> {
        self.queue.launch(kernel, self.statuses)
    }
}

impl rrtmg::Launcher for OnQueue<'_> {
    type Error = Error;
    const SPREAD: Option<bool> = None;

    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Error> {
        self.queue.launch(kernel, self.statuses)
    }

    fn is_gpu(&self) -> bool {
        !self.queue.device().is_cpu()
    }
}

compiled_here! {
    /// A precision in which radiation is computed: `f32` or `f64`.
    pub trait Precision {
        fn enqueue(job: Job<'_, '_, '_, Radiation<Self>>) = enqueue;
    }
}
