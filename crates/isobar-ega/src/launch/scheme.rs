//! The forward model as a scheme whose items are rays.

use std::sync::{Arc, Mutex};

use isobar_core::fields::{self, CHANNEL, Extents};
use isobar_launch::{Device, Error, Job, Plain, Ptx, Queue, Scheme, Shape, compiled_here};
use isobar_raytrace::Atmosphere;

use super::InfraredModel;
use super::clock::{Clock, StageTimes};
use super::job::{self, Workspace};
use super::ptx::PTX;
use super::resident::DeviceTables;
use crate::channel_data::source_functions;
use crate::fields::{Beams, GAS, ITEM, RayViews};
use crate::state::State;
use crate::{ForwardError, ForwardSetup, TableData};

/// Rays that a worker of a GPU gets at a time: kernels that take a thread a ray need tens of thousands to fill it.
const GPU_RAYS: usize = 49_152;
/// Rays that keep a GPU busy: fewer are not shared among its workers.
const LEAST_RAYS: usize = 4_096;

/// A setup and its tables, with look-ups and radiances in the precision `R`.
///
/// Paths are traced in double precision whatever `R` is: single precision resolves half a metre at the Earth's radius,
/// and tracing takes a twentieth of a GPU's time for limb rays. Results are widened.
pub struct Infrared<R: Plain> {
    pub(super) setup: ForwardSetup,
    /// On the host.
    pub(super) data: Arc<TableData>,
    pub(super) source: Vec<R>,
    pub(super) clock: Clock,
    pub(super) as_on_a_gpu: bool,
}

/// An atmosphere, made ready for a setup ([`Infrared::through`]): what all rays of a run go through.
#[derive(Clone)]
pub struct PreparedAtmosphere<R>(pub(super) Arc<State<R>>);

/// Is it the very same?
impl<R> PartialEq for PreparedAtmosphere<R> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<R: Precision> Infrared<R> {
    /// Checks a setup. The tables of an `Arc` are not copied on a CPU.
    ///
    /// # Errors
    /// A setup that does not fit together, or tables that do not fit it.
    pub fn new(setup: &ForwardSetup, tables: impl Into<Arc<TableData>>) -> Result<Self, ForwardError> {
        let data = tables.into();
        setup.check(&data)?;
        let bits = size_of::<R>() * 8;
        if setup.jurassic_exact && bits != 64 {
            // Single precision cannot repeat JURASSIC's double.
            let what = "bits of precision for JURASSIC's arithmetic";
            return Err(ForwardError::Setup { what, got: bits, expected: "64".into() });
        }
        let source = source_functions(&setup.filters);
        Ok(Self { setup: setup.clone(), data, source, clock: Clock::default(), as_on_a_gpu: false })
    }

    /// Computes on a CPU by the launches and in the order of memory that a GPU gets: slower, the same bits. For tests
    /// without a GPU.
    #[must_use]
    pub fn as_on_a_gpu(mut self) -> Self {
        self.as_on_a_gpu = true;
        self
    }

    /// Measures each kernel: a GPU then works on one thing at a time, by one worker.
    #[must_use]
    pub fn timed(mut self) -> Self {
        self.clock.stages = Some(Mutex::new(StageTimes::new()));
        self
    }

    /// On these devices, which share each batch: [`Device::Thread`] is the calling thread, [`Device::Cpu`] all threads.
    #[must_use]
    pub fn on(self, devices: &[Device]) -> InfraredModel<R> {
        InfraredModel::new(self, devices)
    }

    /// An atmosphere for this setup: checked, and with hydrostatic pressure where that is asked for. Runs of pencil
    /// beams through it give radiances, also where the setup asks for brightness temperatures, as
    /// [`InfraredModel::run`] gives them.
    ///
    /// # Errors
    /// An invalid atmosphere, or one that does not fit the setup.
    pub fn through(&self, atmosphere: &Atmosphere) -> Result<PreparedAtmosphere<R>, ForwardError> {
        PreparedAtmosphere::new(&self.setup, atmosphere)
    }
}

impl<R: Precision> PreparedAtmosphere<R> {
    /// An atmosphere for a setup, whatever its tables: [`Infrared::through`].
    ///
    /// # Errors
    /// An invalid atmosphere, or one that does not fit the setup.
    pub fn new(setup: &ForwardSetup, atmosphere: &Atmosphere) -> Result<Self, ForwardError> {
        Self::seen_as(setup, atmosphere, false)
    }

    /// The same, for brightness temperatures in the place of radiances or not.
    pub(super) fn seen_as(
        setup: &ForwardSetup,
        atmosphere: &Atmosphere,
        brightness_temperature: bool,
    ) -> Result<Self, ForwardError> {
        let state = State::new(setup, &*setup.prepare(atmosphere)?)?;
        Ok(Self(Arc::new(State { brightness_temperature, ..state })))
    }
}

impl<R: Precision> Scheme for Infrared<R> {
    type Real = f64;
    type Inputs<'a> = RayViews<'a, f64>;
    type Results = Beams<f64>;
    type Options = PreparedAtmosphere<R>;
    type Tables = DeviceTables<R>;
    type Workspace = Workspace<R>;

    const ITEM: &'static str = ITEM;
    const PTX: &'static [Ptx] = PTX;
    const JOB_A_THREAD: bool = true;
    /// Kernels take rays and give paths in structs, and radiances ray by ray.
    const HOST_VIEWS: bool = true;

    fn gpu_workers(&self) -> usize {
        1 + usize::from(self.clock.stages.is_none())
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
        fn enqueue(infrared: &Infrared<Self>, job: Job<'_, '_, '_, Infrared<Self>>) = job::enqueue;
    }
}
