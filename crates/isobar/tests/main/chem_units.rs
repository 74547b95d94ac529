//! The units of what `isobar chem` reads for rates: a file's become the mechanism's, or are refused, or are said.

use isobar_core::Real;

use crate::chem::{CELL, Case, DENSITY, cells, close};
use crate::common::classic::Classic;
use crate::common::said;

/// A decays with the input `K`; what is left after an hour is known.
fn decay(rate: &str) -> String {
    format!("#DEFVAR A = IGNORE; #EQUATIONS <R1> A = PROD : {rate};")
}

fn start() -> Classic {
    cells(1).with("A", CELL, DENSITY, &[1e10])
}

#[test]
fn inputs_are_converted_to_what_rates_are_in() {
    let left = 1e10 * Real::exp(-0.36_f64);
    let of = |n: f64| 1e-4 / n;
    for (rate, name, unit, value) in [
        ("J(1)".to_owned(), "J_1", "s-1", 1e-4),
        ("J(1)".to_owned(), "J_1", "min-1", 6e-3),
        ("J(1)".to_owned(), "J_1", "h-1", 0.36),
        ("J(1)".to_owned(), "J_1", "1", 1e-4),
        (format!("{:E}*H2O", of(2e17)), "H2O", "molecule cm-3", 2e17),
        (format!("{:E}*H2O", of(2e17)), "H2O", "m-3", 2e23),
        (format!("{:E}*H2O", of(2e17)), "H2O", "mol mol-1", 0.01),
        (format!("{:E}*H2O", of(2e17)), "H2O", "%", 1.0),
        (format!("{:E}*H2O", of(2e17)), "H2O", "1", 0.01),
        ("2.0E-4*COS(zenith)".to_owned(), "zenith", "degree", 60.0),
        ("2.0E-4*COS(zenith)".to_owned(), "zenith", "rad", std::f64::consts::FRAC_PI_3),
    ] {
        let file = start().with("number_density", CELL, DENSITY, &[2e19]);
        let case = Case::new(&decay(&rate), &file.with(name, CELL, unit, &[value]));
        case.solve(&[]);
        close(case.read("A", DENSITY)[6], left, 1e-6);
    }
}

#[test]
fn units_that_rates_cannot_have_are_refused_or_said() {
    let with = |rate: &str, name: &'static str, unit: &'static str, value: f64| {
        Case::new(&decay(rate), &start().with(name, CELL, unit, &[value]))
    };
    with("J(1)", "J_1", "km", 1.0).refused(&[], &["in.nc: J_1 has units \"km\", which do not convert to s-1"]);
    let words = "in.nc: H2O has units \"g kg-1\", which convert to neither molecule cm-3 nor mol mol-1";
    with("1.0E-21*H2O", "H2O", "g kg-1", 10.0).refused(&[], &[words]);
    with("1.0E-21*H2O", "H2O", "ppmv", 10.0).refused(&[], &["H2O is in \"ppmv\", a part of the air: number_density"]);
    // Of a radius nobody knows in what the rates have it.
    let case = with("1.0E-4*rad", "rad", "um", 1.0);
    let output = case.command(&["--json"]);
    let json: serde_json::Value = serde_json::from_str(&crate::common::printed(&output)).unwrap();
    let told = "rad is taken as it is, in \"um\": the rates' own unit of it is not known";
    assert!(json["derived"].as_array().unwrap().iter().any(|what| what == told), "{json}{}", said(&output));
}

/// An input that is a rate constant has the unit of its reactions' order; what is emitted may be a part of the air.
#[test]
fn the_order_of_reactions_says_the_unit() {
    let emission = "#DEFVAR A = IGNORE; #EQUATIONS <R1> hv = A : E_A;";
    let with = |unit: &'static str, value: f64| {
        let file = cells(1).with("A", CELL, "ppb", &[0.0]).with("number_density", CELL, DENSITY, &[2e19]);
        Case::new(emission, &file.with("E_A", CELL, unit, &[value]))
    };
    for (unit, value) in [("ppb h-1", 1.0), ("nmol mol-1 h-1", 1.0), ("molecule cm-3 h-1", 2e10)] {
        let case = with(unit, value);
        case.solve(&[]);
        close(case.read("A", "mol mol-1")[6], 1e-9, 1e-6);
    }
    with("s-1", 1.0).refused(&[], &["in.nc: E_A has units \"s-1\", which do not convert to molecule cm-3 s-1"]);
    let second = "#DEFVAR A = IGNORE; B = IGNORE; #EQUATIONS <R1> A + A = B : K;";
    let with = |unit| {
        let file = start().with("B", CELL, DENSITY, &[0.0]).with("K", CELL, unit, &[1e-14]);
        Case::new(second, &file)
    };
    with("cm3 s-1").solve(&[]);
    for unit in ["s-1", "ppb-1 s-1"] {
        let words = format!("in.nc: K has units {unit:?}, which do not convert to cm3 molecule-1 s-1 or cm3 s-1");
        with(unit).refused(&[], &[&words]);
    }
}

/// One unit stands for reactions of all orders: what is not in molecules, cm and s cannot be converted.
#[test]
fn rate_constants_in_other_lengths_are_refused() {
    let mechanism = "#DEFVAR A = IGNORE; B = IGNORE; #EQUATIONS <R1> A + B = PROD : 0.0;";
    let with = |unit: &'static str, value: f64| {
        let file = Classic { dimensions: vec![("reaction", 1), ("cell", 1)], ..Classic::default() };
        let file = file.with("A", CELL, DENSITY, &[1e10]).with("B", CELL, DENSITY, &[1e10]);
        Case::new(mechanism, &file.with("rate_constant", &["reaction", "cell"], unit, &[value]))
    };
    for unit in ["cm3 s-1", "cm3 molecule-1 s-1", "cm3/molecule/s", "by order, cm and s", "(molecule cm-3)^(1-n) s-1"] {
        let case = with(unit, 1e-14);
        case.solve(&[]);
        close(case.read("A", DENSITY)[6], 1e10 / 1.36, 1e-6);
    }
    for unit in ["m3 s-1", "m3 molecule-1 s-1", "cm3 mol-1 s-1"] {
        let expected = format!("in.nc: units of rate_constant are {unit:?}: rate constants are per second");
        with(unit, 1e-20).refused(&[], &[&expected]);
    }
}

/// What cannot go together is refused before the work, by its names, and with nothing else.
#[test]
fn what_does_not_go_together_is_one_line() {
    let case = Case::new(&decay("1.0E-4"), &start());
    case.refused(&["--budget", "A", "--reduce", "100"], &["--budget: ", "autoreduction (which --reduce or the cells'"]);
    let rates = Classic { dimensions: vec![("reaction", 1), ("cell", 1)], ..start() };
    let rates = rates.with("rate_constant", &["reaction"], "s-1", &[1e-4]);
    let output = Case::new(&decay("1.0E-4"), &rates).command(&["--rates", "stage"]);
    assert!(output.status.code() == Some(2), "{}", said(&output));
    assert_eq!(
        said(&output),
        "isobar: --rates stage: rate constants are given by the cells, so they cannot change within an interval\n"
    );
    for name in ["status", "steps", "time", "first_step"] {
        let mechanism = decay("1.0E-4").replace("A = ", &format!("{name} = "));
        let case = Case::new(&mechanism, &cells(1).with("number_density", CELL, DENSITY, &[2e19]));
        case.refused(&[], &[&format!("the mechanism has a species {name}, which is the name of another variable")]);
    }
}
