//! A mechanism and its rate program in the memory of a device.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use isobar_core::Column;
use isobar_launch::{Buffer, Error, Plain, Queue};

use crate::{
    AnyTables, Compiled, Index, Instruction, Layout, Mechanism, Options, Part, Program, RateProgram, Reduction,
    ReductionRules, Rounds, Schedule, Sizes, Tables,
};

/// What stays on a device for all runs of a mechanism.
pub struct DeviceTables {
    pub(super) mechanism: AnyMechanism,
    pub(super) program: DeviceProgram,
    /// A first step that is not given.
    pub(super) zero: Buffer<f64>,
    /// Where rate constants are computed at each stage, and depend on concentrations: made once.
    slopes: Mutex<Option<Arc<DeviceSlopes>>>,
    /// By the stages of the method; none where the cells of a warp do not fit into its memory.
    rounds: Mutex<BTreeMap<u32, Option<Arc<DeviceRounds>>>>,
}

impl DeviceTables {
    pub(super) fn new(queue: &Queue, mechanism: &Compiled, program: Option<&RateProgram>) -> Result<Self, Error> {
        let program = program.map_or(Program::empty(), RateProgram::view);
        Ok(Self {
            mechanism: AnyMechanism::new(queue, mechanism)?,
            program: DeviceProgram::new(queue, &program)?,
            zero: queue.zeros(1)?,
            slopes: Mutex::default(),
            rounds: Mutex::default(),
        })
    }

    /// A mechanism with the derivatives of its rate constants, which the program gives.
    pub(super) fn slopes(
        &self,
        queue: &Queue,
        mechanism: &Compiled,
        program: Program<'_>,
    ) -> Result<Arc<DeviceSlopes>, Error> {
        let mut known = self.slopes.lock().expect("no worker panics");
        if let Some(slopes) = &*known {
            return Ok(slopes.clone());
        }
        let (mechanism, program) = (AnyMechanism::new(queue, mechanism)?, DeviceProgram::new(queue, &program)?);
        // They are going to be read by other queues.
        queue.synchronize()?;
        Ok(known.insert(Arc::new(DeviceSlopes { mechanism, program })).clone())
    }

    /// The rounds in which warps compute cells with these options, if they can: made once.
    pub(super) fn rounds(
        &self,
        queue: &Queue,
        mechanism: &Compiled,
        options: &Options,
    ) -> Result<Option<Arc<DeviceRounds>>, Error> {
        if options.needs_more() || !options.wanted_times_s.is_empty() || options.reduction.is_some() {
            return Ok(None);
        }
        let mut known = self.rounds.lock().expect("no worker panics");
        let stages = options.method.tableau().stages;
        if let Some(rounds) = known.get(&stages) {
            return Ok(rounds.clone());
        }
        let schedule = mechanism.schedule(options);
        let rounds = schedule.map(|schedule| DeviceRounds::new(queue, &schedule)).transpose()?.map(Arc::new);
        // They are going to be read by other queues.
        queue.synchronize()?;
        known.insert(stages, rounds.clone());
        Ok(rounds)
    }
}

/// A mechanism with the derivatives of its rate constants.
pub(super) struct DeviceSlopes {
    pub(super) mechanism: AnyMechanism,
    pub(super) program: DeviceProgram,
}

/// Tables of either width.
pub(super) enum AnyMechanism {
    Narrow(DeviceMechanism<u16>),
    Wide(DeviceMechanism<u32>),
}

impl AnyMechanism {
    fn new(queue: &Queue, mechanism: &Compiled) -> Result<Self, Error> {
        Ok(match mechanism.tables() {
            AnyTables::Narrow(tables) => Self::Narrow(DeviceMechanism::new(queue, tables)?),
            AnyTables::Wide(tables) => Self::Wide(DeviceMechanism::new(queue, tables)?),
        })
    }
}

/// The tables of a mechanism: see [`Mechanism`].
pub(super) struct DeviceMechanism<I: Index + Plain> {
    sizes: Sizes,
    reactants: Buffer<[I; 2]>,
    more_reactants: Buffer<[I; 2]>,
    derivatives: Buffer<[I; 2]>,
    more_derivatives: Buffer<[I; 2]>,
    function: Buffer<I>,
    loss: Buffer<I>,
    factor: Buffer<I>,
    rows: Buffer<[I; 2]>,
    columns: Buffer<I>,
    coefficients: Buffer<f64>,
}

impl<I: Index + Plain> DeviceMechanism<I> {
    fn new(queue: &Queue, tables: &Tables<I>) -> Result<Self, Error> {
        let here = tables.view();
        Ok(Self {
            sizes: here.sizes,
            reactants: upload(queue, &here.reactants)?,
            more_reactants: upload(queue, &here.more_reactants)?,
            derivatives: upload(queue, &here.derivatives)?,
            more_derivatives: upload(queue, &here.more_derivatives)?,
            function: upload(queue, &here.function)?,
            loss: upload(queue, &here.loss)?,
            factor: upload(queue, &here.factor)?,
            rows: upload(queue, &here.rows)?,
            columns: upload(queue, &here.columns)?,
            coefficients: upload(queue, &here.coefficients)?,
        })
    }

    pub(super) fn view(&self) -> Mechanism<'_, I> {
        Mechanism {
            sizes: self.sizes,
            reactants: self.reactants.column(),
            more_reactants: self.more_reactants.column(),
            derivatives: self.derivatives.column(),
            more_derivatives: self.more_derivatives.column(),
            function: self.function.column(),
            loss: self.loss.column(),
            factor: self.factor.column(),
            rows: self.rows.column(),
            columns: self.columns.column(),
            coefficients: self.coefficients.column(),
        }
    }
}

/// The rounds of a mechanism: see [`Rounds`].
pub(super) struct DeviceRounds {
    slots: Buffer<[u64; 2]>,
    diagonals: Buffer<u16>,
    coefficients: Buffer<f64>,
    /// Those of the host, of which numbers count and no views.
    parts: [Part; 4],
    nothing: u32,
    entries: u32,
    layout: Layout,
}

impl DeviceRounds {
    pub(super) fn new(queue: &Queue, schedule: &Schedule) -> Result<Self, Error> {
        let here = schedule.view();
        Ok(Self {
            slots: upload(queue, &here.slots)?,
            diagonals: upload(queue, &here.diagonals)?,
            coefficients: upload(queue, &here.coefficients)?,
            parts: [here.function, here.jacobian, here.factor, here.solve],
            nothing: here.nothing,
            entries: here.entries,
            layout: schedule.layout(),
        })
    }

    pub(super) fn layout(&self) -> Layout {
        self.layout
    }

    pub(super) fn view(&self) -> Rounds<'_> {
        let [function, jacobian, factor, solve] = self.parts;
        Rounds {
            slots: self.slots.column(),
            function,
            jacobian,
            factor,
            solve,
            diagonals: self.diagonals.column(),
            coefficients: self.coefficients.column(),
            nothing: self.nothing,
            entries: self.entries,
        }
    }
}

/// Which species are left out: see [`ReductionRules`].
pub(super) struct DeviceReduction {
    threshold: f64,
    append: u32,
    keep: Buffer<u32>,
    targets: Buffer<u32>,
    ratios: Buffer<f64>,
}

impl DeviceReduction {
    pub(super) fn new(queue: &Queue, reduction: &Reduction, variable: usize) -> Result<Self, Error> {
        let mut keep = vec![0; variable];
        reduction.keep.iter().for_each(|&species| keep[species] = 1);
        let targets: Vec<u32> = reduction.targets.iter().map(|target| target.species as u32).collect();
        let ratios: Vec<f64> = reduction.targets.iter().map(|target| target.ratio).collect();
        Ok(Self {
            threshold: reduction.threshold,
            append: u32::from(reduction.append),
            keep: queue.upload(&keep)?,
            targets: queue.upload(&targets)?,
            ratios: queue.upload(&ratios)?,
        })
    }

    pub(super) fn view(&self) -> ReductionRules<'_> {
        ReductionRules {
            threshold: self.threshold,
            append: self.append,
            keep: self.keep.column(),
            targets: self.targets.column(),
            ratios: self.ratios.column(),
        }
    }
}

/// A rate program.
pub(super) struct DeviceProgram {
    /// Instructions, as the numbers that they are.
    instructions: Buffer<[u32; 4]>,
    constants: Buffer<f64>,
    registers: u32,
    rates: u32,
}

impl DeviceProgram {
    fn new(queue: &Queue, here: &Program<'_>) -> Result<Self, Error> {
        let words = |instruction: Instruction| {
            [instruction.operation as u32, instruction.target, instruction.left, instruction.right]
        };
        let instructions: Vec<_> = (0..here.instructions.len()).map(|i| words(here.instructions.at(i))).collect();
        Ok(Self {
            instructions: queue.upload(&instructions)?,
            constants: upload(queue, &here.constants)?,
            registers: here.registers,
            rates: here.rates,
        })
    }

    pub(super) fn view(&self) -> Program<'_> {
        const { assert!(size_of::<Instruction>() == size_of::<[u32; 4]>()) };
        let words = self.instructions.column();
        // SAFETY: an instruction is four numbers of 32 bits in this order (repr(C); its operation is repr(u32)), and
        // these were made of instructions.
        let instructions = unsafe { Column::from_raw(words.as_ptr().cast::<Instruction>(), words.len(), 1) };
        Program { instructions, constants: self.constants.column(), registers: self.registers, rates: self.rates }
    }
}

fn upload<T: Plain>(queue: &Queue, here: &Column<'_, T>) -> Result<Buffer<T>, Error> {
    let values: Vec<T> = (0..here.len()).map(|i| here.at(i)).collect();
    queue.upload(&values)
}
