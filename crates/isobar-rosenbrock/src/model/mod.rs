//! Chemical kinetics in many cells of air, on CPU threads and GPUs.

mod beside;
mod sensitivity;
mod tables;
mod trace;

use std::ops::Range;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock};

use isobar_core::fields::{self, Accepted, Declared, Extents, REACTION, SPECIES};
use isobar_core::kernel::WARP;
use isobar_core::{FieldMut, Status};
use isobar_launch::{Buffer, Device, Error, Given, Job, Model, Plain, Ptx, Queue, Scheme, Shape};

use crate::host::rates::WithSlopes;
use crate::physics::outcome;
use crate::ptx::PTX;
use crate::{
    CELLS_OF_A_WARP, COUNTED_REACTION, COUNTER, COUNTERS, CellViews, Compiled, Index, Integrated, IntegratedViews,
    Interval, Layout, Options, RATE_INPUT, REDUCIBLE_SPECIES, RateConstants, RateProgram, Rates, Rosenbrock,
    RosenbrockByWarps, RosenbrockReduced, THRESHOLD, VARIABLE_SPECIES, WANTED_TIME,
};
pub use sensitivity::{Adjoint, Perturbation, Tangent};
pub use tables::DeviceTables;
use tables::{AnyMechanism, DeviceMechanism, DeviceProgram, DeviceReduction, DeviceRounds, DeviceSlopes};
pub use trace::AttemptView;

/// A mechanism, with the program of its rate constants where they are not given with the cells.
///
/// ```
/// use std::sync::Arc;
/// use isobar_rosenbrock::{Cells, Chemistry, Compiled, Device, Method, Network, Options, Reaction};
///
/// // A -> B with a rate constant of 0.01 /s.
/// let reaction = Reaction { reactants: vec![(0, 1)], net: vec![(0, -1.0), (1, 1.0)] };
/// let mechanism = Arc::new(Compiled::new(Network::new(2, 0, vec![reaction])?)?);
/// let model = Chemistry::new(mechanism, None).on(&[Device::Cpu]);
/// // One cell, through an hour in steps of ten minutes.
/// let mut cells = Cells {
///     concentration: vec![1e9, 0.0],
///     rate_constant: vec![0.01],
///     first_step_s: vec![0.0],
///     ..Cells::default()
/// };
/// let options = Options::new(Method::Rodas4, 1e-6, 1.0);
/// for step in 0..6 {
///     let start_s = 600.0 * f64::from(step);
///     let done = model.run(&cells, &options.over(start_s..start_s + 600.0))?;
///     assert_eq!(done.status, [0]);
///     cells.advance(&done);
/// }
/// assert!((cells.concentration[1] - 1e9).abs() < 1e4);
/// # Ok::<(), isobar_rosenbrock::RunError>(())
/// ```
///
/// A batch that stays on its devices goes on there: [`Model::resident`] takes it there, `compute` integrates an
/// interval, and `advance` makes what that ended with the start of the next one.
pub struct Chemistry {
    mechanism: Arc<Compiled>,
    program: Option<Arc<RateProgram>>,
    /// The mechanism with the derivatives of its rate constants, once they are wanted.
    with_slopes: OnceLock<Result<Arc<Compiled>, fields::Error>>,
    in_flight: usize,
}

/// What kernels of one chunk leave to each other, and what follows from the options.
pub struct Workspace {
    absolute_tolerance: Buffer<f64>,
    relative_tolerance: Buffer<f64>,
    /// Those of the method.
    coefficients: Buffer<f64>,
    wanted_times_s: Buffer<f64>,
    counted: Buffer<u32>,
    /// Where warps compute cells together.
    rounds: Option<Arc<DeviceRounds>>,
    /// Where species are left out.
    reduction: Option<DeviceReduction>,
    /// Where the Jacobian has derivatives of rate constants.
    slopes: Option<Arc<DeviceSlopes>>,
    /// Those that the program gives, if they are frozen.
    rate_constant: Buffer<f64>,
    /// The numbers of a GPU's active cells: room for `warps` items, each a warp of cells.
    scratch: Buffer<f64>,
    warps: usize,
    statuses: Buffer<u32>,
}

/// The bytes of a cell from which on a GPU's warps share cells: of smaller ones its caches hold many, so that a lane
/// each is faster (measured: 624 bytes, 6 times, but not so with 5688).
const LEAST_SHARED_BYTES: usize = 2048;

/// The cells of a warp's queue: enough that its start costs nothing, and that few warps are left with the last ones.
const CELLS_OF_A_QUEUE: usize = 32;

/// The cells that a thread of a CPU takes at a time, where rate constants are computed: their memory stays small.
const CELLS_OF_A_THREAD: usize = 4096;

/// The bytes that go to a GPU and come back at a time: several chunks overlap, and the first and the last one, which do
/// not, are short.
const CHUNK_BYTES: usize = 64 << 20;

/// A CPU's part in computing rate constants.
const CELLS_OF_RATES: usize = 8 * WARP;

impl Chemistry {
    /// The active cells of a GPU at most, unless [`Chemistry::cells_in_flight`] says otherwise.
    pub const IN_FLIGHT: usize = 1 << 17;

    /// A mechanism with the program of its rate constants, where they are not given with the cells.
    #[must_use]
    pub fn new(mechanism: Arc<Compiled>, program: Option<Arc<RateProgram>>) -> Self {
        Self { mechanism, program, with_slopes: OnceLock::new(), in_flight: Self::IN_FLIGHT }
    }

    /// Sets the most cells of a chunk that a GPU integrates at the same time, a lane each; the results do not depend on
    /// it.
    #[must_use]
    pub fn cells_in_flight(mut self, cells: usize) -> Self {
        self.in_flight = cells.max(1);
        self
    }

    /// The mechanism on devices that share each batch.
    #[must_use]
    pub fn on(self, devices: &[Device]) -> Model<Self> {
        Model::new(self, devices)
    }

    /// The sizes of a number of cells.
    ///
    /// # Errors
    /// Options, an interval or a rate program that do not fit the mechanism.
    pub fn extents_of(&self, cells: usize, interval: &Interval) -> Result<Extents, fields::Error> {
        let (sizes, options) = (self.mechanism.tables().sizes(), &interval.options);
        let (variable, reactions) = (sizes.variable as usize, sizes.reactions as usize);
        let species = variable + sizes.fixed as usize;
        interval.validate(variable)?;
        self.mechanism.counted(&options.counted_reactions)?;
        let program = self.program.as_deref();
        if program.is_some_and(|program| (program.species(), program.reactions()) != (species, reactions)) {
            return Err(fields::Error::Setup("the rate program belongs to another mechanism".to_owned()));
        }
        self.with_slopes(options).map_or(Ok(()), |(compiled, _)| compiled.clone().map(drop))?;
        Ok(Extents::new(cells)
            .with(SPECIES, species)
            .with(REACTION, reactions)
            .with(RATE_INPUT, program.map_or(0, RateProgram::inputs))
            .with(COUNTER, COUNTERS.len())
            .with(WANTED_TIME, options.wanted_times_s.len())
            .with(COUNTED_REACTION, options.counted_reactions.len())
            .with(VARIABLE_SPECIES, variable)
            .with(REDUCIBLE_SPECIES, if options.reduction.is_some() { variable } else { 0 })
            .with(THRESHOLD, usize::from(options.reduction.is_some())))
    }

    /// The bytes of a cell in flight.
    ///
    /// # Errors
    /// As [`Chemistry::extents_of`].
    pub fn bytes_per_cell(&self, interval: &Interval) -> Result<usize, fields::Error> {
        self.extents_of(1, interval)?;
        Ok(self.layout(&interval.options).bytes_per_cell())
    }

    /// The mechanism with the derivatives of its rate constants, and the program that gives them, where rate constants
    /// are computed at each stage and depend on concentrations. Else they do not change between the stages of a step.
    fn with_slopes(&self, options: &Options) -> Option<(&Result<Arc<Compiled>, fields::Error>, &WithSlopes)> {
        let slopes = self.program.as_ref()?.slopes().filter(|_| options.rates == Rates::Stage)?;
        Some((self.with_slopes.get_or_init(|| self.mechanism.with_slopes(slopes).map(Arc::new)), slopes))
    }

    fn layout(&self, options: &Options) -> Layout {
        let registers = self.program.as_ref().map_or(0, |program| program.registers());
        match self.with_slopes(options) {
            Some((Ok(compiled), slopes)) => compiled.layout(options, slopes.registers),
            _ => self.mechanism.layout(options, registers),
        }
    }

    /// The numbers of scratch that a warp of active cells needs on a GPU; those of queues of warps are for `rounds`.
    fn scratch_per_warp(&self, shape: &Shape<Self>, rounds: bool) -> usize {
        let Shape { extents, options, .. } = shape;
        let registers = self.program.as_ref().map_or(0, |program| program.registers());
        let of_rates = extents.size(SPECIES) + extents.size(REACTION) + registers as usize;
        let rates = if computes_rates(shape) { of_rates } else { 0 };
        let cells = if rounds { 0 } else { self.layout(&options.options).entries as usize };
        rates.max(cells) * WARP
    }
}

/// Are rate constants computed before the interval?
fn computes_rates(shape: &Shape<Chemistry>) -> bool {
    shape.given("rate_constant") == Given::Nothing && shape.options.options.rates == Rates::Frozen
}

/// The numbers of scratch of all queues of warps.
fn scratch_of_queues(extents: &Extents, cells: usize) -> usize {
    cells.div_ceil(CELLS_OF_A_QUEUE) * extents.size(REACTION) * CELLS_OF_A_WARP
}

/// The error of an input that should be there.
fn missing(name: &str, extents: &Extents) -> fields::Error {
    let declared = Declared::named(CellViews::<f64>::DECLARED, name);
    fields::check::size_error(declared, 0, extents, Chemistry::ITEM)
}

impl Scheme for Chemistry {
    type Real = f64;
    type Inputs<'a> = CellViews<'a, f64>;
    type Results = Integrated<f64>;
    type Options = Interval;
    type Tables = DeviceTables;
    type Workspace = Workspace;
    const ITEM: &'static str = "cell";
    const PTX: &'static [Ptx] = &PTX;
    const CONTINUES: &'static [(&'static str, &'static str)] =
        &[("concentration", "concentration"), ("first_step_s", "first_step_s")];

    fn shares_memory(made_for: &Interval, interval: &Interval) -> bool {
        made_for.options == interval.options
    }

    fn extents(&self, cells: &CellViews<'_, f64>, interval: &Interval) -> Result<Extents, fields::Error> {
        let extents = self.extents_of(cells.concentration.items(), interval)?;
        let (given, inputs) = (!cells.rate_constant.is_empty(), extents.size(RATE_INPUT));
        let reduced = !(cells.reduction_threshold.is_empty() && cells.reduction_target.is_empty());
        match &self.program {
            _ if reduced && interval.options.reduction.is_none() => {
                let what = "cells have a threshold or a target of a reduction, but the options have no reduction";
                Err(fields::Error::Setup(what.to_owned()))
            }
            _ if given && interval.options.rates != Rates::Frozen => {
                let what = "rate constants are given, so they cannot change within the interval";
                Err(fields::Error::Setup(what.to_owned()))
            }
            None if !given => Err(missing("rate_constant", &extents)),
            Some(_) if !given && inputs > 0 && cells.rate_input.is_empty() => Err(missing("rate_input", &extents)),
            _ => Ok(extents),
        }
    }

    fn check(
        &self,
        cells: &CellViews<'_, f64>,
        extents: &Extents,
        interval: &Interval,
        range: Range<usize>,
    ) -> Vec<fields::Error> {
        let (variable, tolerance) = (extents.size(VARIABLE_SPECIES), &interval.options.absolute_tolerance);
        let targets = interval.options.reduction.as_ref().map_or(0, |reduction| reduction.targets.len());
        let accepted = |declared: &'static Declared, row: usize| match declared.name {
            "reduction_target" => Accepted::Within(0.0, targets.saturating_sub(1) as f64),
            "concentration" if row < variable && interval.options.negative_start => Accepted::Finite,
            "concentration" if row < variable => {
                Accepted::Within(-tolerance[row.min(tolerance.len() - 1)], f64::INFINITY)
            }
            "concentration" => Accepted::Within(0.0, f64::INFINITY),
            _ => declared.accepted,
        };
        fields::check::values_by(cells, extents, range, Self::ITEM, &accepted)
    }

    fn status_in_words(status: Status) -> &'static str {
        outcome::describe(status)
    }

    fn chunk_items(&self, device: Device, extents: &Extents) -> usize {
        let of = |dimension| extents.size(dimension);
        let numbers = 2 * of(SPECIES)
            + of(REACTION)
            + of(RATE_INPUT)
            + of(WANTED_TIME) * of(VARIABLE_SPECIES)
            + of(COUNTED_REACTION)
            + 10;
        match device {
            Device::Thread => CELLS_OF_A_THREAD,
            Device::Cpu => CELLS_OF_A_THREAD * rayon::current_num_threads(),
            Device::Cuda(_) => (CHUNK_BYTES / (numbers * size_of::<f64>()) / WARP * WARP).clamp(1 << 13, 1 << 17),
        }
    }

    fn tables(&self, queue: &Queue) -> Result<DeviceTables, Error> {
        DeviceTables::new(queue, &self.mechanism, self.program.as_deref())
    }

    fn workspace_bytes(&self, device: Device, shape: &Shape<Self>, items: usize) -> usize {
        let rates = if computes_rates(shape) { shape.extents.size(REACTION) * items } else { 0 };
        let options = &shape.options.options;
        let reduces = options.reduction.is_some();
        let shared = self.layout(options).bytes_per_cell() >= LEAST_SHARED_BYTES;
        let rounds = shared && !options.needs_more() && !reduces;
        let scratch = match device {
            Device::Thread | Device::Cpu => 0,
            Device::Cuda(_) => {
                let lanes = self.in_flight.min(items).div_ceil(WARP) * self.scratch_per_warp(shape, rounds);
                if rounds { lanes.max(scratch_of_queues(&shape.extents, items)) } else { lanes }
            }
        };
        (rates + scratch) * size_of::<f64>()
    }

    fn workspace(
        &self,
        queue: &Queue,
        tables: &DeviceTables,
        shape: &Shape<Self>,
        items: usize,
    ) -> Result<Workspace, Error> {
        let (items, options) = (items.next_multiple_of(WARP), &shape.options.options);
        let [absolute, relative] = options.tolerances(shape.extents.size(VARIABLE_SPECIES));
        let on_gpu = !queue.device().is_cpu();
        let rounds = if on_gpu && self.layout(options).bytes_per_cell() >= LEAST_SHARED_BYTES {
            tables.rounds(queue, &self.mechanism, options)?
        } else {
            None
        };
        // Its derivatives may be others.
        let counts = match self.with_slopes(options) {
            Some((Ok(compiled), _)) => compiled,
            _ => &self.mechanism,
        };
        let counted = counts.counted(&options.counted_reactions).expect("checked with the sizes");
        let slopes = match self.with_slopes(options) {
            Some((Ok(compiled), slopes)) => Some(tables.slopes(queue, compiled, slopes.view())?),
            _ => None,
        };
        let reduction = options.reduction.as_ref();
        let variable = shape.extents.size(VARIABLE_SPECIES);
        let reduction = reduction.map(|reduction| DeviceReduction::new(queue, reduction, variable)).transpose()?;
        let rates = if computes_rates(shape) { shape.extents.size(REACTION) * items } else { 0 };
        let rate_constant = queue.zeros(rates)?;
        let queues = if rounds.is_some() { scratch_of_queues(&shape.extents, items) } else { 0 };
        let mut warps = if on_gpu { self.in_flight.min(items).div_ceil(WARP) } else { 0 };
        let scratch = loop {
            match queue.zeros((warps * self.scratch_per_warp(shape, rounds.is_some())).max(queues)) {
                // Fewer cells at the same time, before there are fewer on the device.
                Err(Error::OutOfMemory { .. }) if warps > 1 => warps = warps.div_ceil(2),
                scratch => break scratch?,
            }
        };
        Ok(Workspace {
            absolute_tolerance: queue.upload(&absolute)?,
            relative_tolerance: queue.upload(&relative)?,
            coefficients: queue.upload(&options.method.tableau().numbers())?,
            wanted_times_s: queue.upload(&options.wanted_times_s)?,
            counted: queue.upload(&counted)?,
            rounds,
            reduction,
            slopes,
            rate_constant,
            scratch,
            warps,
            statuses: queue.zeros(items / WARP)?,
        })
    }

    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error> {
        let Job { queue, tables, workspace, options: interval, inputs, outputs, .. } = job;
        let Workspace { rounds, reduction, slopes, rate_constant, scratch, warps, statuses, .. } = workspace;
        let (mechanism, program) = match slopes {
            Some(slopes) => (&slopes.mechanism, &slopes.program),
            None => (&tables.mechanism, &tables.program),
        };
        let count = inputs.concentration.items();
        let mut cells: CellViews<'_, f64> = inputs;
        if cells.first_step_s.is_empty() {
            cells.first_step_s = tables.zero.constant(0, 1, count).row(0);
        }
        let numbers = scratch.len();
        if inputs.rate_constant.is_empty() && interval.options.rates == Rates::Frozen {
            let (reactions, padded) =
                (self.mechanism.tables().sizes().reactions as usize, count.next_multiple_of(WARP));
            let kernel = RateConstants {
                program: tables.program.view(),
                cells: inputs,
                time_s: interval.start_s,
                rate_constant: rate_constant.item_fastest_mut(reactions, padded).range(0..count),
                cells_per_item: if *warps == 0 { CELLS_OF_RATES } else { count.div_ceil(*warps).max(WARP) },
                scratch: scratch.item_fastest_mut(1, numbers),
            };
            queue.launch(&kernel, statuses)?;
            cells.rate_constant = rate_constant.item_fastest(reactions, padded).range(0..count);
        }
        let threads = if queue.device() == Device::Thread { 1 } else { rayon::current_num_threads() };
        let items = if *warps == 0 { threads } else { *warps };
        let taken = AtomicUsize::new(0);
        let work = Work {
            scheme: self,
            interval,
            program,
            absolute_tolerance: &workspace.absolute_tolerance,
            relative_tolerance: &workspace.relative_tolerance,
            coefficients: &workspace.coefficients,
            wanted_times_s: &workspace.wanted_times_s,
            counted: &workspace.counted,
            cells,
            ends: outputs,
            cells_per_item: count.div_ceil(items).max(WARP),
            scratch: scratch.item_fastest_mut(1, numbers),
            taken: &taken,
        };
        if let Some(reduction) = reduction {
            let rules = reduction.view();
            return match mechanism {
                AnyMechanism::Narrow(mechanism) => {
                    queue.launch(&RosenbrockReduced { cells: work.kernel::<u16, true>(mechanism), rules }, statuses)
                }
                AnyMechanism::Wide(mechanism) => {
                    queue.launch(&RosenbrockReduced { cells: work.kernel::<u32, true>(mechanism), rules }, statuses)
                }
            };
        }
        match (mechanism, interval.options.needs_more()) {
            (AnyMechanism::Narrow(mechanism), false) => match rounds {
                Some(rounds) => {
                    let mut cells = work.kernel(mechanism);
                    (cells.layout, cells.cells_per_item) = (rounds.layout(), CELLS_OF_A_QUEUE);
                    queue.launch(&RosenbrockByWarps { cells, rounds: rounds.view() }, statuses)
                }
                None => queue.launch(&work.kernel::<u16, false>(mechanism), statuses),
            },
            (AnyMechanism::Narrow(mechanism), true) => queue.launch(&work.kernel::<u16, true>(mechanism), statuses),
            (AnyMechanism::Wide(mechanism), false) => queue.launch(&work.kernel::<u32, false>(mechanism), statuses),
            (AnyMechanism::Wide(mechanism), true) => queue.launch(&work.kernel::<u32, true>(mechanism), statuses),
        }
    }
}

/// What a kernel needs besides the tables of the mechanism.
struct Work<'a> {
    scheme: &'a Chemistry,
    interval: &'a Interval,
    program: &'a DeviceProgram,
    absolute_tolerance: &'a Buffer<f64>,
    relative_tolerance: &'a Buffer<f64>,
    coefficients: &'a Buffer<f64>,
    wanted_times_s: &'a Buffer<f64>,
    counted: &'a Buffer<u32>,
    cells: CellViews<'a, f64>,
    ends: IntegratedViews<'a, f64>,
    cells_per_item: usize,
    scratch: FieldMut<'a, f64>,
    taken: &'a AtomicUsize,
}

impl<'a> Work<'a> {
    fn kernel<I: Index + Plain, const RATES: bool>(
        self,
        mechanism: &'a DeviceMechanism<I>,
    ) -> Rosenbrock<'a, f64, I, RATES> {
        let options = &self.interval.options;
        Rosenbrock {
            mechanism: mechanism.view(),
            coefficients: options.method.tableau().coefficients(self.coefficients.column()),
            control: self.interval.control(),
            program: self.program.view(),
            absolute_tolerance: self.absolute_tolerance.column(),
            relative_tolerance: self.relative_tolerance.column(),
            wanted_times_s: self.wanted_times_s.column(),
            counted: self.counted.column(),
            cells: self.cells,
            ends: self.ends,
            layout: self.scheme.layout(options),
            cells_per_item: self.cells_per_item,
            scratch: self.scratch,
            // A CPU's items are done when the launch returns.
            taken: self.coefficients.device().is_cpu().then_some(self.taken),
        }
    }
}
