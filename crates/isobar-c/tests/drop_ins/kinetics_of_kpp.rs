//! What KPP's integrators do with states and options besides those of `kinetics`: told by formulas for one reaction.

use isobar_core::Real;

use crate::fortran::{Bytes, Program};
use crate::kinetics::{Cell, Mechanism, ends, repository};

/// Rate constant of the photolysis of NO2, which alone goes on \[1/s\].
const DECAY_PER_S: f64 = 0.01;
/// NO2 = NO + O, among the reactions.
const PHOTOLYSIS: usize = 3;

fn mechanism() -> Mechanism {
    Mechanism::new(&repository().join("data/mechanisms/chapman_nox.kpp"))
}

/// A minute of it.
fn cell<'a>(mechanism: &Mechanism, concentration: &'a [f64], rate_constant: &'a [f64]) -> Cell<'a> {
    let mut icntrl = [0; 20];
    (icntrl[0], icntrl[14]) = (1, -1);
    Cell {
        icntrl,
        rcntrl: [0.0; 20],
        interval_s: [0.0, 60.0],
        place: [227.0, 1.0, 0.0],
        absolute_tolerance: vec![1.0; mechanism.variable],
        relative_tolerance: vec![1e-3; mechanism.variable],
        concentration,
        rate_constant,
    }
}

/// Rate constants of all reactions.
fn rates(mechanism: &Mechanism) -> Vec<f64> {
    let mut rates = vec![0.0; mechanism.reactions];
    rates[PHOTOLYSIS] = DECAY_PER_S;
    rates
}

/// A concentration of all species but one of another.
fn all_but(mechanism: &Mechanism, all: f64, name: &str, other: f64) -> Vec<f64> {
    mechanism.species.iter().map(|species| if species == name { other } else { all }).collect()
}

/// Where a species is in the modules.
fn place(mechanism: &Mechanism, name: &str) -> usize {
    let marked = all_but(mechanism, 0.0, name, 1.0);
    mechanism.in_modules(&marked).iter().position(|&mark| mark == 1.0).unwrap()
}

fn said(program: &Program, mechanism: &Mechanism, cell: &Cell<'_>) -> String {
    let mut bytes = Bytes::default();
    cell.write(mechanism, &mut bytes);
    program.says(&bytes.0, &[("ISOBAR_KPP_MECHANISM", mechanism.file.to_str().unwrap())])
}

fn run(program: &Program, mechanism: &Mechanism, cell: &Cell<'_>) -> Vec<f64> {
    let mut bytes = Bytes::default();
    cell.write(mechanism, &mut bytes);
    program.run(&bytes.0, &[("ISOBAR_KPP_MECHANISM", mechanism.file.to_str().unwrap())]).unwrap()
}

/// KPP takes any finite state, for its own results may be below zero by more than the tolerance.
#[test]
fn states_below_zero_go_on() {
    let mechanism = mechanism();
    let Some(program) = mechanism.driver() else { return };
    let rates = rates(&mechanism);
    let no2 = place(&mechanism, "NO2");
    let start = all_but(&mechanism, 1e9, "NO2", -1e3);
    for clip in [0, 1] {
        let mut cell = cell(&mechanism, &start, &rates);
        cell.icntrl[15] = clip;
        let written = run(&program, &mechanism, &cell);
        let end = &ends(&mechanism, &written)[0];
        assert_eq!(end.code, 1.0);
        let expected = if clip == 1 { 0.0 } else { -1e3 * Real::exp(-DECAY_PER_S * 60.0) };
        assert!((end.concentration[no2] - expected).abs() < 1.0, "{} instead of {expected}", end.concentration[no2]);
    }
}

/// Rodas3 with KPP's steps, with the error of NO2 alone, from a concentration: attempts, the last step and the end.
fn decay_by_rodas3(start: f64, absolute: f64, relative: f64, length_s: f64) -> (f64, f64, f64) {
    let slope = |y: f64| -DECAY_PER_S * y;
    let (mut time, mut step, mut y, mut attempts) = (0.0, 1e-5, start, 0.0);
    let (mut rejected, mut last) = (0, 0.0);
    while time - length_s + f64::EPSILON <= 0.0 {
        step = f64::min(step, length_s - time);
        let diagonal = 2.0 / step + DECAY_PER_S;
        let first = slope(y) / diagonal;
        let second = (slope(y) + 4.0 * first / step) / diagonal;
        let third = (slope(y + 2.0 * first) + (first - second) / step) / diagonal;
        let ahead = y + 2.0 * first + third;
        let error = (slope(ahead) + (first - second - 8.0 / 3.0 * third) / step) / diagonal;
        let after = ahead + error;
        let scaled = f64::max(error.abs() / (absolute + relative * f64::max(y.abs(), after.abs())), 1e-10);
        let mut next = step * (0.9 / Real::cbrt(scaled)).clamp(0.2, 6.0);
        attempts += 1.0;
        if scaled <= 1.0 {
            (y, time, last) = (after, time + step, step);
            next = f64::min(next, if rejected > 0 { step } else { length_s });
            rejected = 0;
        } else {
            rejected += 1;
            next = if rejected > 2 { 0.1 * step } else { next };
        }
        step = next;
    }
    (attempts, last, y)
}

/// KPP 3.5 has the mean error of the species that are in `NonPassiveSpc_Indices` alone.
#[test]
fn passive_species_are_not_in_the_mean_error() {
    let mechanism = mechanism();
    let no2 = place(&mechanism, "NO2");
    let declared = |count: usize| {
        let indices: Vec<String> =
            (0..mechanism.variable).map(|i| if i < count { (no2 + 1).to_string() } else { "0".to_owned() }).collect();
        format!("integer :: NonPassiveSpc_Count = {count}, NonPassiveSpc_Indices(NVAR) = [{}]", indices.join(", "))
    };
    let Some(program) = mechanism.driver_with(&declared(1)) else { return };
    let rates = rates(&mechanism);
    let start = vec![1e9; mechanism.species.len()];
    let mut cell = cell(&mechanism, &start, &rates);
    let end = |program: &Program, cell: &Cell<'_>| {
        let written = run(program, &mechanism, cell);
        let end = &ends(&mechanism, &written)[0];
        assert_eq!(end.code, 1.0);
        (end.counts[2], end.times[1], end.concentration[no2])
    };
    // As many tolerances as species, or one; shorter and longer intervals.
    for (one, length_s) in [(0, 60.0), (1, 60.0), (0, 600.0)] {
        (cell.icntrl[1], cell.interval_s[1]) = (one, length_s);
        let expected = decay_by_rodas3(1e9, 1.0, 1e-3, length_s);
        let got = end(&program, &cell);
        assert_eq!(got.0, expected.0);
        for (got, expected) in [(got.1, expected.1), (got.2, expected.2)] {
            assert!((got - expected).abs() < 1e-9 * expected, "{got} instead of {expected}");
        }
        // Older modules have no such list, and the error of all species is smaller.
        assert_ne!(end(&mechanism.driver().unwrap(), &cell).1, got.1);
    }
    // Before Initialize there is none.
    let program = mechanism.driver_with(&declared(0)).unwrap();
    let error = said(&program, &mechanism, &cell);
    assert!(error.contains("no species is in the mean error, for NonPassiveSpc_Count is 0"), "{error}");
    assert_eq!(ends(&mechanism, &run(&program, &mechanism, &cell))[0].code, -100.0);
}

/// Without a reaction the error is the least that KPP knows, 1e-10, and steps grow by the filter's formula, without a
/// bound; with one of its two numbers KPP's usual control is on, by factors of 6.
#[test]
fn h211b_governs_steps_where_both_its_numbers_are_given() {
    let mechanism = mechanism();
    let Some(program) = mechanism.driver() else { return };
    let (rates, start) = (vec![0.0; mechanism.reactions], vec![1e9; mechanism.species.len()]);
    let mut cell = cell(&mechanism, &start, &rates);
    for (b, order) in [(0.0, 0.0), (4.0, 0.0), (0.0, 4.0), (4.0, 4.0), (2.0, 3.0)] {
        (cell.rcntrl[14], cell.rcntrl[15]) = (b, order);
        let of_error = Real::powf(1e10, 1.0 / (b * order));
        let (mut time, mut step, mut factor, mut attempts) = (0.0, 1e-5, 1.0, 0);
        while time < 60.0 {
            step = f64::min(step, 60.0 - time);
            (time, attempts) = (time + step, attempts + 1);
            // The error before the first attempt counts as 1.
            let before = if attempts == 1 { 1.0 } else { of_error };
            factor = if b * order > 0.0 { of_error * before / Real::powf(factor, 1.0 / b) } else { 6.0 };
            step = f64::min(step * factor, 60.0);
        }
        let written = run(&program, &mechanism, &cell);
        let end = &ends(&mechanism, &written)[0];
        assert_eq!((end.code, end.counts[2]), (1.0, f64::from(attempts)), "b {b}, k {order}");
        assert!((end.times[2] - step).abs() < 1e-9 * step, "{} s instead of {step} s", end.times[2]);
    }
}

/// A species that is left out relaxes by KPP's formula with the production and loss of the start: NO2 decays as without
/// reduction, and NO, which nothing takes, stays as it is.
#[test]
fn autoreduction_leaves_out_what_is_slow() {
    let mechanism = mechanism();
    let [no2, no, o3] = ["NO2", "NO", "O3"].map(|name| place(&mechanism, name));
    let flags: Vec<&str> = (0..mechanism.variable).map(|i| if i == no { ".true." } else { ".false." }).collect();
    let keep = |active: &str| {
        format!("logical :: keepActive = {active}, keepSpcActive(NVAR) = [logical :: {}]", flags.join(", &\n    "))
    };
    let Some(program) = mechanism.driver() else { return };
    let keeping = mechanism.driver_with(&keep(".true.")).unwrap();
    let not_keeping = mechanism.driver_with(&keep(".false.")).unwrap();
    let (rates, start) = (rates(&mechanism), vec![1e9; mechanism.species.len()]);
    let mut cell = cell(&mechanism, &start, &rates);
    cell.icntrl[11] = 1;
    let left = 1e9 * Real::exp(-DECAY_PER_S * 60.0);
    // With KPP's threshold of 100 all that reacts is solved for; 1e7 are lost in a second.
    for (program, threshold, target, ratio, gained) in [
        (&program, 0.0, 0, 0.0, 1e9 - left),
        (&program, 1.1e7, 0, 0.0, 0.0),
        (&program, 0.9e7, 0, 0.0, 1e9 - left),
        (&program, 1.1e7, no2 + 1, 0.9, 1e9 - left),
        (&program, 0.0, no2 + 1, 1.1, 0.0),
        (&program, 1.1e7, o3 + 1, 1.0, 1e9 - left),
        (&not_keeping, 1.1e7, 0, 0.0, 0.0),
        // NO is made of what NO2 was at the start.
        (&keeping, 1.1e7, 0, 0.0, 60.0 * DECAY_PER_S * 1e9),
    ] {
        cell.icntrl[13] = target as i32;
        (cell.rcntrl[11], cell.rcntrl[13]) = (threshold, ratio);
        let written = run(program, &mechanism, &cell);
        let end = &ends(&mechanism, &written)[0];
        let what = format!("threshold {threshold}, target {target}, ratio {ratio}");
        assert_eq!(end.code, 1.0, "{what}");
        let fastest = if target == no2 + 1 { DECAY_PER_S * 1e9 } else { 0.0 };
        assert!((end.threshold - ratio * fastest).abs() <= 1e-9 * fastest, "{what}: {}", end.threshold);
        for (species, expected) in [(no2, left), (no, 1e9 + gained)] {
            let got = end.concentration[species];
            assert!((got - expected).abs() < 1e-3 * expected, "{what}: {got} instead of {expected}");
        }
    }
}

/// What cannot be done as it is asked for is said.
#[test]
fn options_of_other_integrators_that_are_not_there_are_errors() {
    let mechanism = mechanism();
    let Some(program) = mechanism.driver() else { return };
    let (rates, start) = (rates(&mechanism), vec![1e9; mechanism.species.len()]);
    let error = |icntrl: &[(usize, i32)], ratio: f64| {
        let mut cell = cell(&mechanism, &start, &rates);
        icntrl.iter().for_each(|&(number, value)| cell.icntrl[number - 1] = value);
        cell.rcntrl[13] = ratio;
        said(&program, &mechanism, &cell)
    };
    assert!(error(&[(18, 1)], 0.0).contains("ICNTRL(18) is 1, and the QSSA"));
    for (target, ratio) in [(9, 0.1), (-1, 0.1), (3, 0.0)] {
        let error = error(&[(12, 1), (14, target)], ratio);
        assert!(
            error.contains(&format!("needs one of 1 to 8 in ICNTRL(14), which is {target}, and its ratio")),
            "{error}"
        );
    }
    // Without reduction there is no target.
    assert_eq!(error(&[(14, 9)], 0.0), "");
}

/// Numbers of species differ between the modules and the library.
#[test]
fn species_are_named_in_errors() {
    let mechanism = mechanism();
    let Some(program) = mechanism.driver() else { return };
    let rates = rates(&mechanism);
    let state = |name: &str, value: f64| {
        let start = all_but(&mechanism, 1e9, name, value);
        said(&program, &mechanism, &cell(&mechanism, &start, &rates))
    };
    assert_eq!(state("NO2", -1e12), "");
    let error = state("NO3", f64::INFINITY);
    assert!(error.contains("the concentration of NO3 is Inf, which is no finite number\n"), "{error}");
    let error = state("N2", -1.0);
    assert!(
        error.contains("the concentration of N2 is -1.000000, which is no finite number of at least 0\n"),
        "{error}"
    );
    let start = vec![1e9; mechanism.species.len()];
    let mut cell = cell(&mechanism, &start, &rates);
    let o3 = mechanism.species.iter().position(|name| name == "O3").unwrap();
    cell.absolute_tolerance[o3] = 0.0;
    let error = said(&program, &mechanism, &cell);
    assert!(error.contains("tolerances of O3 are 0.000000, which has to be above 0"), "{error}");
}
