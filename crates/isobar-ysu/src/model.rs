//! The scheme on CPU threads and GPUs.

use std::marker::PhantomData;
use std::ops::Range;

use isobar_core::FieldMut;
use isobar_core::fields::{
    AnyField, AnyFieldMut, Declared, Error as Invalid, Extents, InputSet, LAYER, Need, OutputSet, TRACER,
};
use isobar_core::kernel::WARP;
use isobar_launch::{self as launch, Buffer, Device, Error, Job, Model, Outputs, Ptx, Queue, Shape, compiled_here};

use crate::arguments::{MixTracers, Workspace, YsuArgs};
use crate::check::ITEM;
use crate::chosen::{Chosen, Form};
use crate::fields::{ColumnViews, Results};
use crate::kernel::{ShinHongKernel, UrbanKernel, YsuKernel};
use crate::ptx::PTX;
use crate::schedule::energy_memory::NUMBERS;
use crate::shin_hong::ShinHongOptions;
use crate::version::Options;

/// The YSU scheme, to run on devices.
///
/// ```
/// use isobar_ysu::{Device, Options, Ysu, analytic};
///
/// let columns = analytic::columns::<f32>(100, 35, 0);
/// let results = Ysu::on(&[Device::Cpu]).run(&columns, &Options::new(60.0))?;
/// assert!(results.height_m[0] > 0.0);
/// # Ok::<(), isobar_ysu::RunError>(())
/// ```
pub type Ysu<R> = BoundaryLayers<R, Options>;

/// The Shin-Hong scheme, to run on devices.
///
/// ```
/// use isobar_ysu::{Device, ShinHong, ShinHongOptions, analytic};
///
/// let columns = analytic::columns::<f32>(100, 35, 0);
/// let results = ShinHong::on(&[Device::Cpu]).run(&columns, &ShinHongOptions::new(60.0))?;
/// assert!(results.turbulent_energy_m2_per_s2[0] > 0.0);
/// # Ok::<(), isobar_ysu::RunError>(())
/// ```
pub type ShinHong<R> = BoundaryLayers<R, ShinHongOptions>;

/// A scheme of this crate, by its options.
pub struct BoundaryLayers<R, O>(PhantomData<(R, O)>);

impl<R: Precision, O: Launched> BoundaryLayers<R, O> {
    /// On these devices, which share each batch: [`Device::Thread`] is the calling thread, [`Device::Cpu`] all threads.
    #[must_use]
    pub fn on(devices: &[Device]) -> Model<Self> {
        Model::new(Self(PhantomData), devices)
    }

    /// The scheme itself: for what runs it on memory of its own ([`launch::Scheme::enqueue`]).
    #[must_use]
    pub fn scheme() -> Self {
        Self(PhantomData)
    }
}

/// What the sweeps leave to each other, in a device's memory.
pub struct Buffers<R: Precision> {
    values: Buffer<R>,
    statuses: Buffer<u32>,
}

/// Columns that a GPU takes at a time: few enough that copies of some overlap with kernels of others.
const CHUNK: usize = 1 << 11;

/// The layers of each part of the workspace. A CPU's threads have memory of their own for the elimination.
fn parts<O: Chosen>(cpu: bool, layers: usize, tracers: usize, options: &O) -> [usize; 7] {
    let factors = if cpu { 0 } else { layers };
    let momentum = if cpu && !options.keeps_momentum() { 0 } else { layers };
    let coupling = if tracers > 0 { layers } else { 0 };
    let vapour = if options.form() == Form::Urban { layers } else { 0 };
    let energy = if options.form() == Form::ShinHong && !cpu { NUMBERS * layers } else { 0 };
    [factors, factors, momentum, coupling, coupling, vapour, energy]
}

impl<R: Precision, O: Launched> launch::Scheme for BoundaryLayers<R, O> {
    type Real = R;
    type Inputs<'a> = ColumnViews<'a, R>;
    type Results = Results<R>;
    type Options = O;
    type Tables = ();
    type Workspace = Buffers<R>;

    const ITEM: &'static str = ITEM;
    const PTX: &'static [Ptx] = PTX;

    fn extents(&self, inputs: &ColumnViews<'_, R>, options: &O) -> Result<Extents, Invalid> {
        options.check()?;
        inputs.extents()
    }

    fn need(&self, declared: &Declared, options: &O) -> Need {
        options.need(declared)
    }

    /// Fields of layers have one layout.
    fn reads_single(&self, declared: &Declared) -> bool {
        declared.shape.is_empty()
    }

    fn check(&self, inputs: &ColumnViews<'_, R>, extents: &Extents, _options: &O, range: Range<usize>) -> Vec<Invalid> {
        inputs.check(extents, range)
    }

    fn chunk_items(&self, device: Device, _extents: &Extents) -> usize {
        if device.is_cpu() { usize::MAX } else { CHUNK }
    }

    /// Inputs of layers have one layout, and results of layers have one.
    fn fits_layout(&self, inputs: &ColumnViews<'_, R>, results: &Outputs<'_, Self>) -> bool {
        let (strides, mut inputs_fit) = (inputs.temperature_k.strides(), true);
        inputs.visit(&mut |declared, field| {
            if let AnyField::Real(field) = field
                && declared.shape == [LAYER]
            {
                inputs_fit &= field.is_empty() || field.strides() == strides;
            }
        });
        let (mut first, mut results_fit) = (None, true);
        results.visit(&mut |declared, field| {
            if let AnyFieldMut::Real(field) = field
                && declared.shape == [LAYER]
            {
                // What a scheme does not have is empty.
                results_fit &= field.is_empty() || *first.get_or_insert(field.strides()) == field.strides();
            }
        });
        inputs_fit && results_fit
    }

    /// A GPU computes one offset for inputs, results and workspace.
    fn fits_device_layout(&self, inputs: &ColumnViews<'_, R>, results: &Outputs<'_, Self>) -> bool {
        let (row, column) = inputs.temperature_k.strides();
        self.fits_layout(inputs, results)
            && results.u_tendency_m_per_s2.strides() == (row, column)
            && (inputs.tracers.is_empty() || results.tracers_tendency_per_s.strides() == inputs.tracers.strides())
            && column == 1
            && row >= inputs.temperature_k.items() as isize
    }

    fn tables(&self, _queue: &Queue) -> Result<(), Error> {
        Ok(())
    }

    fn workspace_bytes(&self, device: Device, shape: &Shape<Self>, columns: usize) -> usize {
        let (layers, tracers) = (shape.extents.size(LAYER), shape.extents.size(TRACER));
        let parts = parts(device.is_cpu(), layers, tracers, &shape.options);
        parts.iter().sum::<usize>() * columns * size_of::<R>()
    }

    fn workspace(&self, queue: &Queue, _tables: &(), shape: &Shape<Self>, columns: usize) -> Result<Buffers<R>, Error> {
        let values = self.workspace_bytes(queue.device(), shape, columns) / size_of::<R>();
        let tracers = shape.extents.size(TRACER).max(1);
        Ok(Buffers { values: queue.zeros(values)?, statuses: queue.zeros(columns.div_ceil(WARP) * tracers)? })
    }

    fn wants(&self, declared: &'static Declared, _extents: &Extents, options: &O) -> bool {
        options.wants(declared)
    }

    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error> {
        O::enqueue(job)
    }
}

fn enqueue<R: Precision, O: Launched>(job: Job<'_, '_, '_, BoundaryLayers<R, O>>) -> Result<(), Error> {
    let Job { queue, workspace: Buffers { values, statuses }, options, extents, inputs, outputs, .. } = job;
    let (layers, tracers, cpu) = (extents.size(LAYER), extents.size(TRACER), queue.device().is_cpu());
    // A GPU's fields have one layout.
    let row = if cpu { extents.items() } else { inputs.temperature_k.strides().0.unsigned_abs() };
    let parts = parts(cpu, layers, tracers, options);
    let needed = parts.iter().sum::<usize>() * row;
    if needed > values.len() {
        let what = "columns that are far apart, or some of many";
        return Err(Error::TooShort { what, needed, got: values.len() });
    }
    let mut parts = values.parts_mut(&parts, row).map(|part| match part.levels() {
        0 => FieldMut::empty(),
        _ => part.range(0..extents.items()),
    });
    let mut part = || parts.next().expect("seven parts");
    let workspace = Workspace {
        heat: part(),
        moisture: part(),
        momentum: part(),
        exchange: part(),
        reciprocal: part(),
        vapour: part(),
        energy: part(),
    };
    let parameters = options.parameters();
    let arguments = YsuArgs { parameters, columns: inputs, results: outputs, workspace };
    match options.form() {
        Form::Urban => queue.launch(&UrbanKernel(arguments), statuses)?,
        Form::ShinHong => queue.launch(&ShinHongKernel(arguments), statuses)?,
        Form::Ysu if arguments.has_options() || cpu => queue.launch(&YsuKernel::<R, true>(arguments), statuses)?,
        Form::Ysu => queue.launch(&YsuKernel::<R, false>(arguments), statuses)?,
    }
    if tracers == 0 {
        return Ok(());
    }
    // SAFETY: the kernel before wrote them, and nobody writes them while this one runs.
    let [exchange, reciprocal] = unsafe { [workspace.exchange.read(), workspace.reciprocal.read()] };
    let (tracers, tendencies, status) = (inputs.tracers, outputs.tracers_tendency_per_s, outputs.status);
    queue.launch(&MixTracers { parameters, exchange, reciprocal, tracers, tendencies, status }, statuses)
}

compiled_here! {
    /// A precision in which boundary layers are computed: `f32` or `f64`.
    pub trait Precision {
        fn enqueue(job: Job<'_, '_, '_, Ysu<Self>>) = enqueue;
        fn enqueue_shin_hong(job: Job<'_, '_, '_, ShinHong<Self>>) = enqueue;
    }
}

/// Options of a scheme that is compiled here.
pub trait Launched: Chosen {
    /// Gives the kernels of a job to its queue.
    ///
    /// # Errors
    /// As [`launch::Scheme::enqueue`].
    fn enqueue<R: Precision>(job: Job<'_, '_, '_, BoundaryLayers<R, Self>>) -> Result<(), Error>;
}

impl Launched for Options {
    fn enqueue<R: Precision>(job: Job<'_, '_, '_, Ysu<R>>) -> Result<(), Error> {
        R::enqueue(job)
    }
}

impl Launched for ShinHongOptions {
    fn enqueue<R: Precision>(job: Job<'_, '_, '_, ShinHong<R>>) -> Result<(), Error> {
        R::enqueue_shin_hong(job)
    }
}
