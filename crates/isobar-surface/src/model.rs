//! The scheme on CPU threads and GPUs.

use std::marker::PhantomData;
use std::ops::Range;

use isobar_core::fields::{Declared, Error as Invalid, Extents, Need};
use isobar_core::kernel::WARP;
use isobar_launch::{Buffer, Device, Error, Job, Model, Ptx, Queue, Scheme, Shape, compiled_here};

use crate::arguments::SurfaceKernel;
use crate::check::ITEM;
use crate::fields::{ColumnViews, Results};
use crate::options::Options;
use crate::ptx::PTX;
use crate::table::corrections;

/// The surface layer, to run on devices.
///
/// ```
/// use isobar_surface::{Device, Options, SurfaceLayer, analytic};
///
/// let columns = analytic::columns::<f32>(100);
/// let results = SurfaceLayer::on(&[Device::Cpu]).run(&columns, &Options::default())?;
/// assert!(results.friction_velocity_m_per_s[0] > 0.0);
/// # Ok::<(), isobar_surface::RunError>(())
/// ```
pub struct SurfaceLayer<R>(PhantomData<R>);

impl<R: Precision> SurfaceLayer<R> {
    /// On these devices, which share each batch: [`Device::Thread`] is the calling thread, [`Device::Cpu`] all threads.
    #[must_use]
    pub fn on(devices: &[Device]) -> Model<Self> {
        Model::new(Self(PhantomData), devices)
    }

    /// The scheme itself: for what runs it on memory of its own ([`Scheme::enqueue`]).
    #[must_use]
    pub fn scheme() -> Self {
        Self(PhantomData)
    }
}

/// Columns that a GPU takes at a time: few enough that copies of some overlap with kernels of others.
const CHUNK: usize = 1 << 14;

impl<R: Precision> Scheme for SurfaceLayer<R> {
    type Real = R;
    type Inputs<'a> = ColumnViews<'a, R>;
    type Results = Results<R>;
    type Options = Options;
    /// Corrections of stability.
    type Tables = Buffer<R>;
    /// Statuses of the items.
    type Workspace = Buffer<u32>;

    const ITEM: &'static str = ITEM;
    const PTX: &'static [Ptx] = PTX;
    const CONTINUES: &'static [(&'static str, &'static str)] = &[
        ("roughness_m", "roughness_m"),
        ("friction_velocity_m_per_s", "friction_velocity_m_per_s"),
        ("friction_velocity_of_wind_m_per_s", "friction_velocity_of_wind_m_per_s"),
        ("temperature_scale_k", "temperature_scale_k"),
        ("sensible_heat_flux_w_per_m2", "sensible_heat_flux_w_per_m2"),
        ("moisture_flux_kg_per_m2_s", "moisture_flux_kg_per_m2_s"),
        ("surface_vapour_kg_per_kg", "surface_vapour_kg_per_kg"),
    ];

    fn extents(&self, inputs: &ColumnViews<'_, R>, options: &Options) -> Result<Extents, Invalid> {
        options.check()?;
        Ok(inputs.extents())
    }

    fn need(&self, declared: &Declared, options: &Options) -> Need {
        options.need(declared)
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

    fn chunk_items(&self, device: Device, _extents: &Extents) -> usize {
        if device.is_cpu() { usize::MAX } else { CHUNK }
    }

    fn tables(&self, queue: &Queue) -> Result<Buffer<R>, Error> {
        queue.upload(&corrections::<R>())
    }

    fn workspace_bytes(&self, _device: Device, _shape: &Shape<Self>, _columns: usize) -> usize {
        0
    }

    fn workspace(
        &self,
        queue: &Queue,
        _tables: &Buffer<R>,
        _shape: &Shape<Self>,
        columns: usize,
    ) -> Result<Buffer<u32>, Error> {
        queue.zeros(columns.div_ceil(WARP))
    }

    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error> {
        R::enqueue(job)
    }
}

fn enqueue<R: Precision>(job: Job<'_, '_, '_, SurfaceLayer<R>>) -> Result<(), Error> {
    let Job { queue, tables, workspace, options, inputs: columns, outputs: results, .. } = job;
    let corrections = tables.column();
    queue.launch(&SurfaceKernel { parameters: options.parameters(), corrections, columns, results }, workspace)
}

compiled_here! {
    /// A precision in which surface layers are computed: `f32` or `f64`.
    pub trait Precision {
        fn enqueue(job: Job<'_, '_, '_, SurfaceLayer<Self>>) = enqueue;
    }
}
