//! Why chemistry is offered in double precision alone: what the core does in single precision.
//!
//! Its concentrations are as good. But what a step changes by less than a rounding of 6e-8 stays, so that long-lived
//! species change by a wrong amount, and sums that reactions keep drift.

use isobar_core::Real;
use isobar_golden::json;
use isobar_rosenbrock::Method;

use crate::case::{Case, case, cell_fastest};
use crate::in_numbers::{Outcome, Setup};

/// The counter of attempted steps.
const STEPS: usize = 2;

/// Runs of one interval with one method.
struct Runs {
    variable: usize,
    cells: usize,
    absolute_tolerance: f64,
    start: Vec<f64>,
    /// Rate constants below the range of normal numbers in single precision.
    small: usize,
    truth: Vec<f64>,
    double: Outcome<f64>,
    single: Outcome<f32>,
}

impl Runs {
    /// All cells of a mechanism, in both precisions.
    fn of(case: &Case, method: Method) -> Self {
        let cells = case.cells("", usize::MAX);
        let count = cells.first_step_s.len();
        let double = [&cells.concentration[..], &cells.rate_constant].concat();
        let single: Vec<f32> = double.iter().map(|&x| x as f32).collect();
        let (options, length) = case.options(&case.report, method);
        let (absolute_tolerance, mechanism) = (options.absolute_tolerance[0], case.mechanism.clone());
        let setup = Setup { mechanism, program: None, options, interval: [0.0, length], cells: count };
        Self {
            variable: case.mechanism.network().variable(),
            cells: count,
            absolute_tolerance,
            truth: cell_fastest(&case.array("conc_reference.npy"), count),
            small: single[setup.species() * count..].iter().filter(|x| x.is_subnormal()).count(),
            single: setup.run(&single),
            double: setup.run(&double),
            start: double,
        }
    }

    /// The relative error of each cell's worst species above its absolute tolerance: the median and the worst cell.
    fn errors<R: Real>(&self, got: &[R], truth: &[f64]) -> [f64; 2] {
        let error = |species: usize, cell: usize| {
            let i = species * self.cells + cell;
            if self.truth[i] > self.absolute_tolerance {
                (got[i].value() - truth[i]).abs() / self.truth[i]
            } else {
                0.0
            }
        };
        let worst = |cell| (0..self.variable).map(|species| error(species, cell)).fold(0.0, f64::max);
        let mut errors: Vec<f64> = (0..self.cells).map(worst).collect();
        errors.sort_by(f64::total_cmp);
        [errors[self.cells / 2], errors[self.cells - 1]]
    }

    /// The error of a species' changes, of all its changes.
    fn change<R: Real>(&self, got: &[R], species: usize) -> f64 {
        let cells = species * self.cells..(species + 1) * self.cells;
        let change = |i: usize| self.truth[i] - self.start[i];
        let error = |i: usize| (got[i].value() - R::from_f64(self.start[i]).value()) - change(i);
        cells.clone().map(|i| error(i).abs()).sum::<f64>() / cells.map(|i| change(i).abs()).sum::<f64>()
    }

    /// The worst relative change of a weighted sum of species.
    fn drift<R: Real>(&self, got: &[R], weights: &[f64]) -> f64 {
        let drift = |cell: usize| {
            let at = |species: usize| species * self.cells + cell;
            let sum = |x: &dyn Fn(usize) -> f64| weights.iter().enumerate().map(|(s, w)| w * x(at(s))).sum::<f64>();
            (sum(&|i| got[i].value()) / sum(&|i| R::from_f64(self.start[i]).value()) - 1.0).abs()
        };
        (0..self.cells).map(drift).fold(0.0, f64::max)
    }
}

fn short([first, second]: [f64; 2]) -> String {
    format!("{first:.1e} {second:.1e}")
}

#[test]
fn concentrations_in_single_precision_are_near() {
    for name in ["small_strato", "cbm4", "saprc99", "mecca_mim1"] {
        let Some(case) = case(name) else { return };
        for method in [Method::Ros3, Method::Rodas3] {
            let runs = Runs::of(&case, method);
            let name = format!("{name}, {}", method.name());
            let (double, single) = (&runs.double, &runs.single);
            assert!(double.status.iter().chain(&single.status).all(|&status| status == 0), "{name}");
            let steps = |all: &[u32]| all[STEPS * runs.cells..][..runs.cells].iter().sum::<u32>();
            let steps = [steps(&double.counters), steps(&single.counters)];
            let near = runs.errors(&single.concentrations, &double.concentrations);
            let own =
                [runs.errors(&double.concentrations, &runs.truth), runs.errors(&single.concentrations, &runs.truth)];
            let [double, single] = own.map(short);
            println!(
                "{name}: {steps:?} steps, single to double {}, to the truth {double} and {single}, {} rate constants \
                    below the range",
                short(near),
                runs.small
            );
            assert!(steps[0].abs_diff(steps[1]) <= 1 + steps[0] / 1000, "{name}");
            // Tolerances are 1e-3.
            assert!(near[0] < 1e-5 && near[1] < 1e-3, "{name}: {near:?}");
        }
    }
}

#[test]
fn what_lives_long_changes_wrongly_in_single_precision() {
    let Some(case) = case("mecca_mim1") else { return };
    let names = json(&case.dir.join("mechanism.json"))["species_kpp_order"].clone();
    let names: Vec<&str> =
        names.as_array().expect("a list").iter().map(|name| name.as_str().expect("a name")).collect();
    let of = |name: &str| names.iter().position(|&species| species == name).expect("a species");
    // BrNO2, CHBr3, ...: an atom, or as many as the digit behind it says.
    let bromine = |name: &&str| match name.split_once("Br") {
        Some((before, behind)) => {
            assert!(!behind.contains("Br"), "{before}");
            behind.chars().next().and_then(|c| c.to_digit(10)).map_or(1.0, f64::from)
        }
        None => 0.0,
    };
    for method in [Method::Ros3, Method::Rodas3] {
        let runs = Runs::of(&case, method);
        let bromine: Vec<f64> = names[..runs.variable].iter().map(bromine).collect();
        let (double, single) = (&runs.double.concentrations[..], &runs.single.concentrations[..]);
        for name in ["N2O", "CH4", "H2O", "H2", "CO", "O3"] {
            let species = of(name);
            let errors = [runs.change(double, species), runs.change(single, species)];
            println!("{}, {name}: changes {} wrong", method.name(), short(errors));
            if name == "N2O" {
                assert!(errors[0] < 1e-3 && errors[1] > 0.03, "{errors:?}");
            }
        }
        let drift = [runs.drift(double, &bromine), runs.drift(single, &bromine)];
        println!("{}: bromine {}", method.name(), short(drift));
        assert!(drift[0] < 1e-14 && drift[1] > 1e-7, "{drift:?}");
    }
}
