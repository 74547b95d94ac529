//! The kernel's item in any numbers, on cells in the host's memory.

use std::sync::Arc;

use isobar_core::kernel::WARP;
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status};
use isobar_rosenbrock::{
    AnyTables, COUNTERS, Compiled, End, Index, Options, Program, RateProgram, Rosenbrock, Start, Tables,
};

/// What is integrated.
pub(crate) struct Setup {
    pub(crate) mechanism: Arc<Compiled>,
    pub(crate) program: Option<Arc<RateProgram>>,
    pub(crate) options: Options,
    /// The interval \[s\].
    pub(crate) interval: [f64; 2],
    pub(crate) cells: usize,
}

/// What cells end with.
pub(crate) struct Outcome<R> {
    /// Concentrations of the variable species, then those at wanted times.
    pub(crate) concentrations: Vec<R>,
    pub(crate) counters: Vec<u32>,
    pub(crate) status: Vec<u32>,
}

impl Setup {
    pub(crate) fn species(&self) -> usize {
        self.mechanism.network().variable() + self.mechanism.network().fixed()
    }

    /// Cells integrated. `rows` are concentrations of all species, then rate constants or the inputs of their program,
    /// the cell the fastest index.
    pub(crate) fn run<R: Real>(&self, rows: &[R]) -> Outcome<R> {
        let AnyTables::Narrow(tables) = self.mechanism.tables() else { panic!("a small mechanism has wide tables") };
        if self.options.rates_change() {
            self.compute::<R, _, true>(tables, rows)
        } else {
            self.compute::<R, _, false>(tables, rows)
        }
    }

    fn compute<R: Real, I: Index, const RATES: bool>(&self, tables: &Tables<I>, rows: &[R]) -> Outcome<R> {
        let (count, variable) = (self.cells, self.mechanism.network().variable());
        let (concentrations, others) = rows.split_at(self.species() * count);
        let others = Field::item_fastest(others, others.len() / count, count);
        let (rate_constants, inputs) = if RATES { (Field::empty(), others) } else { (others, Field::empty()) };
        let registers = self.program.as_ref().map_or(0, |program| program.registers());
        let room = self.mechanism.room(&self.options, registers);
        let [absolute, relative] = self.options.tolerances(variable);
        let (tableau, numbers) = (self.options.method.tableau(), self.options.method.tableau().numbers());
        let mut concentrations = concentrations.to_vec();
        let mut scratch = vec![R::ZERO; room.entries as usize * WARP];
        let mut counters = vec![0; COUNTERS.len() * count];
        let mut status = vec![Status::NOT_COMPUTED.0; count];
        let (mut times, mut next_step) = (vec![0.0; 3 * count], vec![0.0; count]);
        let wanted = &self.options.dense_times[..];
        let mut dense = vec![R::ZERO; wanted.len() * variable * count];
        let entries = scratch.len();
        let kernel = Rosenbrock::<R, I, RATES> {
            mechanism: tables.view(),
            coefficients: tableau.coefficients(Column::from(&numbers[..])),
            control: self.options.control(self.interval[0], self.interval[1]),
            program: self.program.as_ref().map_or(Program::empty(), |program| program.view()),
            start: Start {
                rate_constants,
                inputs,
                first_step: Column::empty(),
                absolute_tolerance: Column::from(&absolute[..]),
                relative_tolerance: Column::from(&relative[..]),
            },
            end: End {
                concentrations: FieldMut::item_fastest(&mut concentrations, self.species(), count),
                counters: FieldMut::item_fastest(&mut counters, COUNTERS.len(), count),
                times: FieldMut::item_fastest(&mut times, 3, count),
                next_step: FieldMut::item_fastest(&mut next_step, 1, count),
                status: FieldMut::item_fastest(&mut status, 1, count),
                dense: match wanted.len() {
                    0 => FieldMut::empty(),
                    wanted => FieldMut::item_fastest(&mut dense, wanted * variable, count),
                },
            },
            dense_times: if wanted.is_empty() { Column::empty() } else { Column::from(wanted) },
            room,
            cells_per_item: count,
            scratch: FieldMut::item_fastest(&mut scratch, 1, entries),
        };
        // SAFETY: the only item; the views are those of living vectors, with room for all lanes of a warp.
        unsafe { kernel.item::<WARP>(0, Lanes::starting_at(0)) };
        concentrations.truncate(variable * count);
        concentrations.append(&mut dense);
        Outcome { concentrations, counters, status }
    }
}
