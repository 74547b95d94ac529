//! The kernel's item in any numbers, on cells in the host's memory.

use std::sync::Arc;

use isobar_core::fields::{Extents, InputSet, OwnedOutputs, SPECIES};
use isobar_core::kernel::{ThreadMemory, WARP};
use isobar_core::{Column, Field, FieldMut, Kernel, Real};
use isobar_rosenbrock::{
    AnyTables, CELLS_OF_A_WARP, COUNTER, COUNTERS, CellViews, Compiled, Index, Integrated, Options, Program,
    REDUCIBLE_SPECIES, RateProgram, Rosenbrock, RosenbrockByWarps, THRESHOLD, Tables, VARIABLE_SPECIES, WANTED_TIME,
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
    /// The time that was reached, and steps.
    pub(crate) times: Vec<R>,
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

    /// Runs in the order in which a GPU's warps do it; none where there are no rounds.
    pub(crate) fn run_in_rounds(&self, rows: &[f64]) -> Option<Outcome<f64>> {
        let AnyTables::Narrow(tables) = self.mechanism.tables() else { return None };
        let schedule = self.mechanism.schedule(&self.options)?;
        let numbers = tables.sizes().reactions as usize * CELLS_OF_A_WARP;
        Some(self.with_kernel::<f64, u16, false>(tables, rows, |cells| {
            let mut scratch = vec![0.0; numbers];
            let scratch = FieldMut::item_fastest(&mut scratch, numbers, 1);
            let cells = Rosenbrock { layout: schedule.layout(), scratch, ..cells };
            item(&RosenbrockByWarps { cells, rounds: schedule.view() });
        }))
    }

    fn compute<R: Real, I: Index, const RATES: bool>(&self, tables: &Tables<I>, rows: &[R]) -> Outcome<R> {
        self.with_kernel::<R, I, RATES>(tables, rows, |kernel| item(&kernel))
    }

    /// What cells end with after the kernel, which is one item.
    fn with_kernel<R: Real, I: Index, const RATES: bool>(
        &self,
        tables: &Tables<I>,
        rows: &[R],
        run: impl FnOnce(Rosenbrock<'_, R, I, RATES>),
    ) -> Outcome<R> {
        let (count, species, variable) = (self.cells, self.species(), self.mechanism.network().variable());
        let (concentrations, others) = rows.split_at(species * count);
        let others = Field::item_fastest(others, others.len() / count, count);
        let (rate_constant, rate_input) = if RATES { (Field::empty(), others) } else { (others, Field::empty()) };
        let registers = self.program.as_ref().map_or(0, |program| program.registers());
        let [absolute, relative] = self.options.tolerances(variable);
        let (tableau, numbers) = (self.options.method.tableau(), self.options.method.tableau().numbers());
        let wanted = &self.options.wanted_times_s[..];
        let mut done = Integrated::default();
        let extents = Extents::new(count)
            .with(SPECIES, species)
            .with(COUNTER, COUNTERS.len())
            .with(WANTED_TIME, wanted.len())
            .with(VARIABLE_SPECIES, variable)
            .with(REDUCIBLE_SPECIES, 0)
            .with(THRESHOLD, 0);
        done.resize(&extents, &|_| true).unwrap();
        let first_step_s = vec![R::ZERO; count];
        run(Rosenbrock {
            mechanism: tables.view(),
            coefficients: tableau.coefficients(Column::from(&numbers[..])),
            control: self.options.over(self.interval[0]..self.interval[1]).control(),
            program: self.program.as_ref().map_or(Program::empty(), |program| program.view()),
            absolute_tolerance: Column::from(&absolute[..]),
            relative_tolerance: Column::from(&relative[..]),
            counted: Column::empty(),
            wanted_times_s: if wanted.is_empty() { Column::empty() } else { Column::from(wanted) },
            cells: CellViews {
                concentration: Field::item_fastest(concentrations, species, count),
                rate_constant,
                rate_input,
                first_step_s: Column::from(&first_step_s[..]),
                ..CellViews::empty()
            },
            ends: done.views(count),
            layout: self.mechanism.layout(&self.options, registers),
            cells_per_item: count,
            scratch: FieldMut::empty(),
            taken: None,
        });
        let mut concentrations = done.concentration;
        concentrations.truncate(variable * count);
        concentrations.append(&mut done.wanted_concentration);
        let times = [done.time_reached_s, done.last_step_s, done.next_step_s, done.first_step_s].concat();
        Outcome { concentrations, times, counters: done.counters, status: done.status }
    }
}

/// Computes the only item of a kernel.
fn item<K: Kernel>(kernel: &K) {
    assert_eq!(kernel.items(), 1);
    // SAFETY: the views are those of living vectors, and the thread has the memory that the kernel asks for.
    unsafe { kernel.item::<WARP>(0, ThreadMemory::of(kernel).lanes()) };
}
