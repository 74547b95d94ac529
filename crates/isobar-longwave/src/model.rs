//! The scheme on CPU threads and GPUs.

use std::ops::Range;
use std::sync::Arc;

use isobar_core::Kernel;
use isobar_core::fields::{Declared, Error as Invalid, Extents, InputSet, Need, OutputSet};
use isobar_launch::{Buffer, Device, Error, Given, Job, Model, Ptx, Queue, Scheme, Shape, chunks, compiled_here};

use crate::buffers::{Buffers, CHUNK, columns_at_a_time};
use crate::check::is_cloudy;
use crate::device_tables::DeviceTables;
use crate::fields::{ColumnViews, Fluxes, ITEM};
use crate::host::k_distribution::KDistribution;
use crate::host::options::{Options, Solver};
use crate::host::table_data::TableData;
use crate::order::{Launcher, Work};
use crate::ptx::PTX;
use crate::workspace::Rows;

/// Long-wave radiation with a k-distribution, to run on devices.
///
/// ```
/// use isobar_longwave::{Device, Longwave, Options, analytic};
///
/// let radiation = Longwave::<f32>::new(&analytic::k_distribution()).on(&[Device::Cpu]);
/// let columns = analytic::columns(100, 60, true);
/// let fluxes = radiation.run(&columns, &Options::default())?;
/// assert!(fluxes.up_w_per_m2[0] > fluxes.up_w_per_m2[60 * 100]); // the ground is warmer than the sky
/// # Ok::<(), isobar_longwave::RunError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Longwave<R> {
    tables: Arc<TableData<R>>,
}

impl<R: Precision> Longwave<R> {
    /// With the tables of a k-distribution: [`KDistribution::open`] reads one.
    #[must_use]
    pub fn new(k: &KDistribution) -> Self {
        Self { tables: Arc::new(TableData::new(k)) }
    }

    /// On these devices, which share each batch: [`Device::Thread`] is the calling thread, [`Device::Cpu`] all threads.
    #[must_use]
    pub fn on(self, devices: &[Device]) -> Model<Self> {
        Model::new(self, devices)
    }

    /// The tables.
    #[must_use]
    pub fn tables(&self) -> &TableData<R> {
        &self.tables
    }

    /// What a column has of the workspace.
    fn rows(&self, device: Device, shape: &Shape<Self>) -> Rows {
        let Shape { extents, options, .. } = shape;
        let given = shape.given("cloud_mask") != Given::Nothing;
        let generated = is_cloudy(extents) && options.solver == Solver::Subcolumns && !given;
        Rows::new(&self.tables.view(), extents, options, (generated, !device.is_cpu()))
    }
}

impl<R: Precision> Scheme for Longwave<R> {
    type Real = R;
    type Inputs<'a> = ColumnViews<'a, R>;
    type Results = Fluxes<R>;
    type Options = Options;
    type Tables = DeviceTables<R>;
    type Workspace = Buffers<R>;

    const ITEM: &'static str = ITEM;
    const PTX: &'static [Ptx] = PTX;

    fn extents(&self, inputs: &ColumnViews<'_, R>, options: &Options) -> Result<Extents, Invalid> {
        inputs.extents(self.tables.spectrum(), options)
    }

    fn need(&self, declared: &Declared, options: &Options) -> Need {
        options.need(declared)
    }

    fn wants(&self, declared: &'static Declared, extents: &Extents, options: &Options) -> bool {
        options.wants(declared, is_cloudy(extents))
    }

    fn check(
        &self,
        inputs: &ColumnViews<'_, R>,
        extents: &Extents,
        options: &Options,
        range: Range<usize>,
    ) -> Vec<Invalid> {
        inputs.check(extents, options, range)
    }

    fn chunk_items(&self, _device: Device, _extents: &Extents) -> usize {
        CHUNK
    }

    fn tables(&self, queue: &Queue) -> Result<DeviceTables<R>, Error> {
        DeviceTables::new(queue, &self.tables)
    }

    fn workspace_bytes(&self, device: Device, shape: &Shape<Self>, columns: usize) -> usize {
        self.rows(device, shape).bytes::<R>() * columns_at_a_time(device, columns)
    }

    fn workspace(
        &self,
        queue: &Queue,
        _tables: &DeviceTables<R>,
        shape: &Shape<Self>,
        columns: usize,
    ) -> Result<Buffers<R>, Error> {
        Buffers::new(queue, &self.rows(queue.device(), shape), columns)
    }

    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error> {
        R::enqueue(job)
    }
}

fn enqueue<R: Precision>(job: Job<'_, '_, '_, Longwave<R>>) -> Result<(), Error> {
    let Job { queue, tables, workspace, options, extents, inputs, outputs } = job;
    let tables = tables.view();
    workspace.begin(queue)?;
    for (number, columns) in chunks(extents.items(), workspace.columns()).enumerate() {
        let (queue, memory) = workspace.turn(queue, number);
        let (workspace, statuses) = memory.views(columns.len());
        let (columns, fluxes) = (inputs.range(&columns), outputs.range(&columns));
        Work { tables, columns, workspace, fluxes }.compute(options, &mut OnQueue { queue, statuses })?;
    }
    workspace.end(queue)
}

/// Runs kernels on a queue.
struct OnQueue<'a> {
    queue: &'a Queue,
    statuses: &'a mut Buffer<u32>,
}

impl Launcher for OnQueue<'_> {
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
        fn enqueue(job: Job<'_, '_, '_, Longwave<Self>>) = enqueue;
    }
}
