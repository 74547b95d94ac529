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
