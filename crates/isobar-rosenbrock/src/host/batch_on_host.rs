//! Cells and their results in the host's memory, and a plain loop over them.

use std::sync::Arc;

use isobar_core::kernel::{ThreadMemory, WARP};
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Status};

use crate::host::cells::Cells;
use crate::host::compiled::{AnyTables, Compiled};
use crate::host::error::Error;
use crate::host::options::Options;
use crate::host::rates::RateProgram;
use crate::host::tables::Tables;
use crate::physics::control::Rates;
use crate::physics::index::Index;
use crate::physics::outcome;
use crate::physics::program::Program;
use crate::schedule::arguments::{CELLS_OF_A_WARP, COUNTERS, End, Rosenbrock, RosenbrockByWarps, Start};
use crate::schedule::rate_constants::RateConstants;
use crate::schedule::workspace::Room;

/// Results of an interval, the cell the fastest index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// Counters, `[counter * cells + cell]`: see [`COUNTERS`].
    pub counters: Vec<u32>,
    /// The time that was reached, the last accepted step and the next one as KPP has them \[s\], `[3 * cells]`.
    pub times: Vec<f64>,
    /// The first step for the next interval \[s\].
    pub next_step: Vec<f64>,
    /// The [`Status`] of each cell.
    pub status: Vec<u32>,
    /// Concentrations of the variable species at the wanted times, `[(time * species + species) * cells + cell]`.
    pub dense: Vec<f64>,
}

/// Cells of a mechanism, with room for their results.
#[derive(Clone, Debug)]
pub struct Batch {
    mechanism: Arc<Compiled>,
    program: Option<Arc<RateProgram>>,
    options: Options,
    cells: Cells,
    /// Are rate constants the program's?
    computes_rates: bool,
    tolerances: [Vec<f64>; 2],
    /// Those of the method.
    coefficients: Vec<f64>,
    outputs: Outputs,
    scratch: Scratch,
}

/// Numbers aligned to a vector of the processor.
#[derive(Clone, Debug, Default)]
pub struct Scratch(Vec<Line>);

#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
struct Line([f64; 8]);

impl Scratch {
    /// Room for so many numbers.
    #[must_use]
    pub fn new(numbers: usize) -> Self {
        Self(vec![Line::default(); numbers.div_ceil(8)])
    }

    /// The numbers, as one profile.
    pub fn view(&mut self) -> FieldMut<'_, f64> {
        let numbers = self.0.len() * 8;
        // SAFETY: a Line is eight numbers, and nothing else.
        let all = unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast::<f64>(), numbers) };
        if all.is_empty() { FieldMut::empty() } else { FieldMut::item_fastest(all, 1, numbers) }
    }
}

impl Batch {
    /// A batch of cells, which are checked. Without given rate constants, `program` computes them.
    ///
    /// # Errors
    /// Options, sizes or values that do not fit.
    pub fn new(
        mechanism: Arc<Compiled>,
        program: Option<Arc<RateProgram>>,
        cells: Cells,
        options: Options,
    ) -> Result<Self, Error> {
        let batch = Self::with_bad_cells(mechanism, program, cells, options)?;
        batch.cells.check_values(&batch.tolerances[0])?;
        Ok(batch)
    }

    /// A batch of cells whose values are not checked: those that are no finite numbers fail with
    /// [`outcome::NOT_FINITE`], and all others are computed.
    ///
    /// # Errors
    /// Options or sizes that do not fit.
    pub fn with_bad_cells(
        mechanism: Arc<Compiled>,
        program: Option<Arc<RateProgram>>,
        mut cells: Cells,
        options: Options,
    ) -> Result<Self, Error> {
        let sizes = mechanism.tables().sizes();
        let (variable, count) = (sizes.variable as usize, cells.count);
        cells.validate_sizes(&mechanism, program.as_deref(), &options)?;
        let computes_rates = cells.rate_constants.is_empty();
        if computes_rates && options.rates == Rates::Frozen {
            cells.rate_constants = vec![0.0; sizes.reactions as usize * count];
        }
        let tolerances = options.tolerances(variable);
        let outputs = Outputs {
            counters: vec![0; COUNTERS.len() * count],
            times: vec![0.0; 3 * count],
            next_step: vec![0.0; count],
            status: vec![Status::NOT_COMPUTED.0; count],
            dense: vec![0.0; options.dense_times.len() * variable * count],
        };
        let (coefficients, scratch) = (options.method.tableau().numbers().to_vec(), Scratch::default());
        Ok(Self { mechanism, program, options, cells, computes_rates, tolerances, coefficients, outputs, scratch })
    }

    /// Integrates all cells over an interval \[s\] on the calling thread. The status of each cell is in the outputs.
    ///
    /// # Errors
    /// An interval that does not fit.
    pub fn integrate(&mut self, start: f64, end: f64) -> Result<(), Error> {
        self.options.validate_interval(start, end)?;
        if self.computes_rates && self.options.rates == Rates::Frozen {
            self.compute_rates(start);
        }
        let mechanism = Arc::clone(&self.mechanism);
        match mechanism.tables() {
            AnyTables::Narrow(tables) => self.integrate_with(tables, start, end),
            AnyTables::Wide(tables) => self.integrate_with(tables, start, end),
        }
        Ok(())
    }

    /// The same in the order in which a GPU's warps do it ([`RosenbrockByWarps`]), for comparisons: the bits are those
    /// of [`Batch::integrate`]. False, and nothing done, where [`Compiled::schedule`] has none for this batch.
    ///
    /// # Errors
    /// An interval that does not fit.
    pub fn integrate_in_rounds(&mut self, start: f64, end: f64) -> Result<bool, Error> {
        self.options.validate_interval(start, end)?;
        let mechanism = Arc::clone(&self.mechanism);
        let (AnyTables::Narrow(tables), Some(schedule)) = (mechanism.tables(), mechanism.schedule(&self.options))
        else {
            return Ok(false);
        };
        if self.computes_rates {
            self.compute_rates(start);
        }
        self.scratch = Scratch::new(tables.sizes().reactions as usize * CELLS_OF_A_WARP);
        let cells = self.kernel::<u16, false>(tables, schedule.room(), start, end);
        let kernel = RosenbrockByWarps { cells, rounds: schedule.view() };
        let mut memory = ThreadMemory::of(&kernel);
        for index in 0..kernel.items() {
            // SAFETY: each index once; the views are those of living vectors.
            unsafe { kernel.item::<WARP>(index, memory.lanes()) };
        }
        Ok(true)
    }

    /// Computes rate constants at a time \[s\], where they are not given.
    pub fn compute_rates(&mut self, time: f64) {
        let Some(program) = self.program.clone().filter(|_| self.computes_rates) else { return };
        let sizes = self.mechanism.tables().sizes();
        let (species, reactions, count) =
            ((sizes.variable + sizes.fixed) as usize, sizes.reactions as usize, self.cells.count);
        if self.cells.rate_constants.is_empty() {
            self.cells.rate_constants = vec![0.0; reactions * count];
        }
        let mut kernel = RateConstants {
            program: program.view(),
            inputs: field(&self.cells.inputs, program.inputs(), count),
            concentrations: Field::item_fastest(&self.cells.concentrations, species, count),
            time,
            rate_constants: FieldMut::item_fastest(&mut self.cells.rate_constants, reactions, count),
            cells_per_item: count,
            scratch: FieldMut::empty(),
        };
        self.scratch = Scratch::new(kernel.scratch_per_item());
        kernel.scratch = self.scratch.view();
        run(&kernel);
    }

    fn integrate_with<I: Index>(&mut self, tables: &Tables<I>, start: f64, end: f64) {
        let registers = self.program.as_ref().map_or(0, |program| program.registers());
        let room = self.mechanism.room(&self.options, registers);
        self.scratch = Scratch::new(room.entries as usize * WARP);
        if self.options.rates_change() {
            run(&self.kernel::<I, true>(tables, room, start, end));
        } else {
            run(&self.kernel::<I, false>(tables, room, start, end));
        }
    }

    /// The kernel for an interval: one item with all cells, for which the scratch has room.
    fn kernel<'a, I: Index, const RATES: bool>(
        &'a mut self,
        tables: &'a Tables<I>,
        room: Room,
        start: f64,
        end: f64,
    ) -> Rosenbrock<'a, f64, I, RATES> {
        let sizes = tables.sizes();
        let (variable, species) = (sizes.variable as usize, (sizes.variable + sizes.fixed) as usize);
        let (count, out, cells) = (self.cells.count, &mut self.outputs, &mut self.cells);
        Rosenbrock {
            mechanism: tables.view(),
            coefficients: self.options.method.tableau().coefficients(column(&self.coefficients)),
            control: self.options.control(start, end),
            program: self.program.as_ref().map_or(Program::empty(), |program| program.view()),
            start: Start {
                rate_constants: field(&cells.rate_constants, sizes.reactions as usize, count),
                inputs: field(&cells.inputs, cells.inputs.len() / count, count),
                first_step: column(&cells.first_step),
                absolute_tolerance: column(&self.tolerances[0]),
                relative_tolerance: column(&self.tolerances[1]),
            },
            end: End {
                concentrations: FieldMut::item_fastest(&mut cells.concentrations, species, count),
                counters: FieldMut::item_fastest(&mut out.counters, COUNTERS.len(), count),
                times: FieldMut::item_fastest(&mut out.times, 3, count),
                next_step: FieldMut::item_fastest(&mut out.next_step, 1, count),
                status: FieldMut::item_fastest(&mut out.status, 1, count),
                dense: match out.dense.len() {
                    0 => FieldMut::empty(),
                    _ => FieldMut::item_fastest(&mut out.dense, self.options.dense_times.len() * variable, count),
                },
            },
            dense_times: column(&self.options.dense_times),
            room,
            cells_per_item: count,
            scratch: self.scratch.view(),
        }
    }

    /// The cells: concentrations as they are now.
    #[must_use]
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The cells, to change them between intervals. The numbers of values must stay.
    pub fn cells_mut(&mut self) -> &mut Cells {
        &mut self.cells
    }

    /// The first step of each cell's next interval is what this one ended with.
    pub fn keep_steps(&mut self) {
        self.cells.first_step.clone_from(&self.outputs.next_step);
    }

    /// The results of the last interval.
    #[must_use]
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The mechanism.
    #[must_use]
    pub fn mechanism(&self) -> &Arc<Compiled> {
        &self.mechanism
    }

    /// The status of a cell.
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn status(&self, cell: usize) -> Status {
        Status(self.outputs.status[cell])
    }

    /// Cells that failed in the last interval, with their status.
    pub fn failures(&self) -> impl Iterator<Item = (usize, Status)> + '_ {
        let all = self.outputs.status.iter().enumerate();
        all.filter(|&(_, &status)| status != Status::OK.0).map(|(cell, &status)| (cell, Status(status)))
    }

    /// The failures in words, one a cell: status, cell, step and time.
    #[must_use]
    pub fn describe_failure(&self, cell: usize) -> String {
        let count = self.cells.count;
        let status = self.status(cell);
        let (steps, time) = (self.outputs.counters[2 * count + cell], self.outputs.times[cell]);
        format!(
            "cell {cell}: {} (KPP's code {}) at step {steps}, time {time} s",
            outcome::describe(status),
            outcome::kpp_code(status)
        )
    }
}

fn column(values: &[f64]) -> Column<'_, f64> {
    if values.is_empty() { Column::empty() } else { Column::from(values) }
}

fn field(values: &[f64], rows: usize, cells: usize) -> Field<'_, f64> {
    if values.is_empty() { Field::empty() } else { Field::item_fastest(values, rows, cells) }
}

/// Computes all items on the calling thread.
fn run<K: Kernel>(kernel: &K) {
    vectors::run(kernel, 0..kernel.items());
}

/// A loop over items, compiled for the vectors that the processor has.
mod vectors {
    use std::ops::Range;

    use super::{Kernel, Lanes, WARP};

    pub(super) fn run<K: Kernel>(kernel: &K, items: Range<usize>) {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("fma")
            {
                // SAFETY: the processor has what the function is compiled for.
                return unsafe { avx512(kernel, items) };
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: as above.
                return unsafe { avx2(kernel, items) };
            }
        }
        plain(kernel, items);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,fma")]
    fn avx512<K: Kernel>(kernel: &K, items: Range<usize>) {
        plain(kernel, items);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn avx2<K: Kernel>(kernel: &K, items: Range<usize>) {
        plain(kernel, items);
    }

    #[inline(always)]
    fn plain<K: Kernel>(kernel: &K, items: Range<usize>) {
        for index in items {
            // SAFETY: each index once; the views are those of living vectors.
            unsafe { kernel.item::<WARP>(index, Lanes::starting_at(0)) };
        }
    }
}
