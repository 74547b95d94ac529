//! The core computes its own derivatives: concentrations after given steps, by what cells start from, against central
//! differences.
//!
//! The step control decides on values, so that a derivative is that of the numerical solution with its steps held. Here
//! the steps are given.

use std::sync::Arc;

use isobar_core::Dual;
use isobar_rosenbrock::{
    BadItems, Cells, Chemistry, Compiled, Device, Instruction, Method, Operation, Options, RateProgram, Rates,
};

use crate::case::case;
use crate::in_numbers::{Outcome, Setup};
use crate::own;
use crate::tolerances::{CHANGE, DERIVATIVE};

/// The steps of differences, of a variable's size.
const SHARE: f64 = 1e-3;
/// The counter of accepted steps.
const ACCEPTED: usize = 3;

impl Setup {
    /// Cells and steps of one length \[s\], whatever their error, from a time \[s\] on.
    fn with_steps(
        mechanism: &Arc<Compiled>,
        mut options: Options,
        cells: usize,
        (start, steps, step): (f64, u32, f64),
    ) -> Self {
        (options.first_step_s, options.min_step_s, options.max_step_s) = (step, step, Some(step));
        let interval = [start, start + f64::from(steps) * step];
        Self { mechanism: mechanism.clone(), program: None, options, interval, cells }
    }

    /// The plain numbers of a batch. `rows` are concentrations of all species, then rate constants or the inputs of
    /// their program, the cell the fastest index.
    fn plain(&self, rows: &[f64]) -> Outcome<f64> {
        let (concentrations, others) = rows.split_at(self.species() * self.cells);
        let (rate_constant, rate_input) =
            if self.program.is_some() { (vec![], others.to_vec()) } else { (others.to_vec(), vec![]) };
        let first_step_s = vec![0.0; self.cells];
        let cells = Cells {
            concentration: concentrations.to_vec(),
            rate_constant,
            rate_input,
            first_step_s,
            ..Cells::default()
        };
        // What is not there becomes negative in differences.
        let chemistry = Chemistry::new(self.mechanism.clone(), self.program.clone());
        let model = chemistry.on(&[Device::Thread]).bad_items(BadItems::Compute);
        let done = model.run(&cells, &self.options.over(self.interval[0]..self.interval[1])).expect("an interval");
        assert_eq!(done.failures().count(), 0, "{}", done.describe(0));
        let mut concentrations = done.concentration;
        concentrations.truncate(self.mechanism.network().variable() * self.cells);
        concentrations.extend(&done.wanted_concentration);
        let times = [done.time_reached_s, done.last_step_s, done.next_step_s, done.first_step_s].concat();
        Outcome { concentrations, times, counters: done.counters, status: done.status }
    }

    /// Compares derivatives by some rows with differences of fourth order, for all cells at once.
    ///
    /// A row of the Jacobian is what one concentration depends on. Variables are in units of their size, for
    /// concentrations differ by many powers of ten.
    fn check<const N: usize>(&self, name: &str, rows: &[f64], variables: [usize; N]) {
        let plain = self.plain(rows);
        let mut dual: Vec<Dual<f64, N>> = rows.iter().map(|&x| Dual::constant(x)).collect();
        for (number, row) in variables.into_iter().enumerate() {
            for x in &mut dual[row * self.cells..][..self.cells] {
                *x = Dual::variable(x.value, number);
            }
        }
        let exact = self.run(&dual);
        assert_eq!((&exact.counters, &exact.status), (&plain.counters, &plain.status), "{name}");
        let accepted = &plain.counters[ACCEPTED * self.cells..][..self.cells];
        let steps = (self.interval[1] - self.interval[0]) / self.options.first_step_s;
        assert!(accepted.iter().all(|&accepted| f64::from(accepted) == steps), "{name}: {accepted:?} steps");
        for (exact, plain) in exact.concentrations.iter().zip(&plain.concentrations) {
            assert_eq!(exact.value.to_bits(), plain.to_bits(), "{name}: values are those of plain numbers");
        }
        // What a cell has none of (light by night) is as large as elsewhere.
        let size = |row: usize, cell: usize| {
            let values = &rows[row * self.cells..][..self.cells];
            let largest = values.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            if values[cell] == 0.0 { largest } else { values[cell].abs() }
        };
        let differences = variables.map(|row| {
            let at = |steps: f64| {
                let mut rows = rows.to_vec();
                for cell in 0..self.cells {
                    rows[row * self.cells + cell] += steps * SHARE * size(row, cell);
                }
                self.plain(&rows).concentrations
            };
            let (near, far) = ([at(1.0), at(-1.0)], [at(2.0), at(-2.0)]);
            let slope = |i: usize| (8.0 * (near[0][i] - near[1][i]) - (far[0][i] - far[1][i])) / (12.0 * SHARE);
            (0..near[0].len()).map(slope).collect::<Vec<_>>()
        });
        let mut worst = 0.0_f64;
        for (i, (exact, plain)) in exact.concentrations.iter().zip(&plain.concentrations).enumerate() {
            let scaled = |number: usize| exact.derivative[number] * size(variables[number], i % self.cells);
            let largest = (0..N).map(|number| scaled(number).abs()).fold(0.0, f64::max);
            let allowed = DERIVATIVE * largest + CHANGE / SHARE * plain.abs();
            for (number, difference) in differences.iter().enumerate() {
                let error = (scaled(number) - difference[i]).abs();
                worst = worst.max(error / allowed);
                assert!(error <= allowed, "{name}, concentration {i}, variable {number}: {error:e} of {largest:e}");
            }
        }
        println!("{name}: {N} variables within {worst:.1e} of the tolerance");
    }
}

#[test]
fn a_system_of_our_own_differentiates() {
    let cells = own::cells(20);
    let rows = [&cells.concentration[..], &cells.rate_constant].concat();
    for method in Method::ALL {
        for (steps, step) in [(1, 0.25), (8, 0.0625)] {
            let options = Options::new(method, 1e-3, 1e-6);
            let setup = Setup::with_steps(&own::mechanism(), options, cells.first_step_s.len(), (0.0, steps, step));
            // A, B, C, the fixed F, and the rate constants of B + C and of the reaction of third order.
            setup.check(&format!("{}, {steps} steps", method.name()), &rows, [0, 1, 2, 4, 5 + 2, 5 + 4]);
        }
    }
}

#[test]
fn mechanisms_of_the_reference_differentiate() {
    // O1D, O, O3, NO and NO2; O3, NO2, OH, CO and HO2.
    for (name, step, variables) in
        [("small_strato", 64.0, [0, 1, 2, 3, 4]), ("mecca_mim1", 4.0, [104, 102, 107, 64, 106])]
    {
        let Some(case) = case(name) else { return };
        let cells = case.cells("", 16);
        let rows = [&cells.concentration[..], &cells.rate_constant].concat();
        let network = case.mechanism.network();
        for steps in [1, 8] {
            let (options, _) = case.options(&case.report, Method::Rodas3);
            let setup = Setup::with_steps(&case.mechanism, options, cells.first_step_s.len(), (0.0, steps, step));
            let [a, b, c, d, e] = variables;
            // And a rate constant.
            let variables = [a, b, c, d, e, network.variable() + network.fixed() + 2];
            setup.check(&format!("{name}, {steps} steps"), &rows, variables);
        }
    }
}

#[test]
fn rate_programs_and_dense_output_differentiate() {
    let instruction = |operation, target, left, right| Instruction { operation, target, left, right };
    // The first rate constant is (exp(-1.5 / input) + C) time; the others are constants.
    let instructions = vec![
        instruction(Operation::Constant, 0, 0, 0),
        instruction(Operation::Input, 1, 0, 0),
        instruction(Operation::Divide, 1, 0, 1),
        instruction(Operation::Exp, 1, 1, 0),
        instruction(Operation::Concentration, 2, 2, 0),
        instruction(Operation::Add, 1, 1, 2),
        instruction(Operation::Time, 2, 0, 0),
        instruction(Operation::Multiply, 1, 1, 2),
        instruction(Operation::Store, 0, 1, 0),
        instruction(Operation::Constant, 0, 1, 0),
        instruction(Operation::Store, 1, 0, 0),
        instruction(Operation::Store, 2, 0, 0),
        instruction(Operation::Constant, 0, 2, 0),
        instruction(Operation::Store, 3, 0, 0),
        instruction(Operation::Store, 4, 0, 0),
    ];
    let program = RateProgram::new(instructions, vec![-1.5, 30.0, 0.1], [1, 5, 5]).expect("a program");
    let cells = own::cells(3);
    let rows = [&cells.concentration[..], &[0.5, 0.6, 0.7]].concat();
    let mut options = Options::new(Method::Rodas4, 1e-3, 1e-6);
    (options.rates, options.autonomous) = (Rates::Stage, false);
    options.wanted_times_s = vec![4.0, 4.1, 4.3];
    let mut setup = Setup::with_steps(&own::mechanism(), options, cells.first_step_s.len(), (4.0, 8, 0.0625));
    setup.program = Some(Arc::new(program));
    // A, B, C, F and the input.
    setup.check("a rate program", &rows, [0, 1, 2, 4, 5]);
}
