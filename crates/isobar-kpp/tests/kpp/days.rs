//! A day of each mechanism against another integrator, which has a tolerance of 1e-9.

use isobar_golden::npy;
use isobar_kpp::{Mechanism, Reader};
use isobar_rosenbrock::{BadItems, Cells, Chemistry, Device, Method, Options, Rates};

use crate::golden::inputs_of;
use crate::radau::{Cell, Tolerance, integrate};
use crate::reference::{dir, read};

/// What is asked for: relative, to which this much is added \[molecule/cm3\]; concentrations below it do not matter.
const WITHIN: f64 = 1e-5;
const LEAST: f64 = 1e2;
/// Of the other integrator.
const OTHER: Tolerance = Tolerance(1e-9, 1e-7);
/// Of the methods that are checked.
const OWN: (f64, f64) = (1e-7, 1e-4);

/// A day in intervals with inputs of their own.
struct Day {
    mechanism: Mechanism,
    start: Vec<f64>,
    intervals: Vec<(f64, f64, Vec<f64>)>,
}

/// Sunlight of KPP's own form goes with the time.
fn with_sun(name: &str) -> Option<Day> {
    let file = dir()?.join(format!("mechanisms/{name}.def"));
    let mechanism = Reader::new().sun_from_time().read_file(file).unwrap_or_else(|error| panic!("{error}"));
    let inputs = mechanism.input_values(&[], 1).expect("inputs");
    let noon = 43_200.0;
    let hours =
        (0..4).map(|part| (noon + 21_600.0 * f64::from(part), noon + 21_600.0 * f64::from(part + 1), inputs.clone()));
    let intervals = hours.collect();
    Some(Day { start: mechanism.initial().to_vec(), mechanism, intervals })
}

/// Photolysis of a table holds for three hours.
fn of_table(name: &str) -> Option<Day> {
    let mechanism = read(name)?;
    let folder = dir()?.join(name);
    let (shape, values) = npy(&folder.join("env.npy"));
    let (_, start) = npy(&folder.join("conc_init.npy"));
    let count = 8;
    let mut rows = vec![];
    for part in 0..count {
        let mut row = values[..shape[1]].to_vec();
        // From noon on: the part of the day's light, or the angle from the zenith.
        let turn = 2.0 * std::f64::consts::PI * (f64::from(part) + 0.5) / f64::from(count);
        #[allow(clippy::disallowed_methods, reason = "an input")]
        let height = turn.cos();
        row[1] = match name {
            "mcm" => (turn - 2.0 * std::f64::consts::PI * (turn / std::f64::consts::PI).floor()).abs().min(1.56),
            _ => height.max(0.0),
        };
        rows.extend(row);
    }
    let inputs = inputs_of(name, &mechanism, (count as usize, shape[1]), &rows);
    let of = |part: usize| inputs.iter().skip(part).step_by(count as usize).copied().collect();
    let length = 86_400.0 / f64::from(count);
    let intervals = (0..count).map(|part| (length * f64::from(part), length * f64::from(part + 1), of(part as usize)));
    let start = start[..mechanism.species().len()].to_vec();
    let intervals = intervals.collect();
    Some(Day { mechanism, start, intervals })
}

/// Integrates with both, and compares at the end of each interval.
fn compare(name: &str, day: &Day) {
    let mechanism = &day.mechanism;
    let variable = mechanism.variable();
    let mut cell = Cell { mechanism, inputs: vec![], all: day.start.clone() };
    let (mut y, mut step) = (day.start[..variable].to_vec(), 1e-5);
    let mut options = Options::new(Method::Rodas4, OWN.0, OWN.1);
    (options.rates, options.autonomous) = (Rates::Stage, false);
    let chemistry = Chemistry::new(mechanism.compiled().clone(), Some(mechanism.program().clone()));
    let model = chemistry.on(&[Device::Thread]).bad_items(BadItems::Compute);
    let mut cells = Cells { concentration: day.start.clone(), first_step_s: vec![0.0], ..Cells::default() };
    let mut worst = (0.0_f64, String::new());
    for (from, to, inputs) in &day.intervals {
        cell.inputs.clone_from(inputs);
        integrate(&cell, &mut y, (*from, *to), OTHER, &mut step);
        cells.rate_input.clone_from(inputs);
        let done = model.run(&cells, &options.over(*from..*to)).expect("an interval");
        assert_eq!(done.failures().count(), 0, "{name}: {}", done.describe(0));
        cells.concentration = done.concentration;
        for ((got, want), species) in cells.concentration.iter().zip(&y).zip(mechanism.species()) {
            let error = (got - want).abs() / (want.abs() + LEAST);
            if error > worst.0 {
                worst = (error, format!("{} at {to} s: {got:e} instead of {want:e}", species.name));
            }
        }
    }
    println!("{name}: within {:.1e}, {}", worst.0, worst.1);
    assert!(worst.0 <= WITHIN, "{name}: {}", worst.1);
}

#[test]
fn days_of_kpps_models_are_those_of_another_integrator() {
    for name in ["small_strato", "carbon", "strato", "cbm4", "saprc99"] {
        let Some(day) = with_sun(name) else { return };
        compare(name, &day);
    }
}

#[test]
fn a_day_of_mecca_is_that_of_another_integrator() {
    let Some(day) = of_table("mecca_mim1") else { return };
    compare("mecca_mim1", &day);
}

#[test]
fn a_day_of_mozart_is_that_of_another_integrator() {
    let Some(day) = of_table("t1_mozcart") else { return };
    compare("t1_mozcart", &day);
}

#[test]
fn a_day_of_mcm_is_that_of_another_integrator() {
    let Some(day) = of_table("mcm") else { return };
    compare("mcm", &day);
}

/// The other integrator itself: order 5 on a problem whose solution is known.
#[test]
fn the_other_integrator_follows_a_known_solution() {
    let text = "#DEFVAR A; B; D; #EQUATIONS A = B : 1.0; B = D : 2.0E3;";
    let mechanism = Reader::new().read_text("chain.kpp", text).expect("a mechanism");
    let cell = Cell { mechanism: &mechanism, inputs: vec![], all: vec![0.0; 3] };
    let at = |name: &str| mechanism.species_index(name).expect("a species");
    let (a, b) = (at("A"), at("B"));
    let mut y = vec![0.0; 3];
    y[a] = 1.0;
    integrate(&cell, &mut y, (0.0, 2.0), Tolerance(1e-10, 1e-14), &mut 1e-6);
    #[allow(clippy::disallowed_methods, reason = "another computation than the program's")]
    let want = (-2.0_f64).exp();
    for (got, want) in [(y[a], want), (y[b], want / (2e3 - 1.0))] {
        assert!((got / want - 1.0).abs() < 1e-9, "{got} instead of {want}");
    }
}
