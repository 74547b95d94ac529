//! The mechanisms that the project wrote itself.

use std::path::Path;
use std::time::Instant;

use isobar_kpp::{Mechanism, Reader};
use isobar_rosenbrock::{BadItems, Cells, Chemistry, Device, Method, Options, Rates};

fn path(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/mechanisms").join(name)
}

#[test]
fn the_stratosphere_keeps_its_atoms_for_a_day() {
    // Without N2O, which is their source, NOx and its reservoirs keep their nitrogen.
    let text = std::fs::read_to_string(path("chapman_nox.kpp")).expect("the file");
    let text = text.replace("N2O = 1.5E-7", "N2O = 0.0");
    let reader = Reader::new().sun_from_time();
    let mechanism = reader.read_text("chapman_nox.kpp", &text).unwrap_or_else(|error| panic!("{error}"));
    assert!(mechanism.imbalances().is_empty() && mechanism.notes().is_empty(), "{:?}", mechanism.notes());
    let mut cells = Cells {
        concentration: mechanism.initial().to_vec(),
        rate_input: mechanism.input_values(&[], 1).expect("inputs with defaults"),
        first_step_s: vec![0.0],
        ..Cells::default()
    };
    let mut options = Options::new(Method::Rodas4, 1e-5, 1.0);
    (options.rates, options.autonomous) = (Rates::Stage, false);
    let program = Some(mechanism.program().clone());
    let chemistry = Chemistry::new(mechanism.compiled().clone(), program);
    let model = chemistry.on(&[Device::Thread]).bad_items(BadItems::Compute);
    let nitrogen = |cells: &Cells<f64>| -> f64 {
        ["NO", "NO2", "NO3", "N2O5"]
            .iter()
            .zip([1.0, 1.0, 1.0, 2.0])
            .map(|(name, atoms)| atoms * cells.concentration[mechanism.species_index(name).expect("a species")])
            .sum()
    };
    let before = nitrogen(&cells);
    let start = mechanism.setting("TSTART").expect("a start");
    for hour in 0..24 {
        let interval = options.over(start + 3600.0 * f64::from(hour)..start + 3600.0 * f64::from(hour + 1));
        let done = model.run(&cells, &interval).expect("an interval");
        assert_eq!(done.failures().count(), 0, "{}", done.describe(0));
        cells.advance(&done);
        if hour == 11 {
            // By night, NO is gone and reservoirs have grown.
            let at = |name| cells.concentration[mechanism.species_index(name).expect("a species")];
            assert!(at("NO") < 1e-6 * at("NO2") && at("N2O5") > 1e-2 * at("NO2"));
        }
    }
    let change = nitrogen(&cells) / before - 1.0;
    // A Rosenbrock step keeps what the reactions keep, to within roundings. The largest are those of df/dt: NO2 + hv is
    // 2e7 a second, rounded to 2e-9, divided by the 6e-4 s between two calls and times gamma H^2 = 2e5 s^2, which is 1
    // of 4e9 a step.
    assert!(change.abs() < 1e-9, "{change}");
}

#[test]
fn a_large_mechanism_is_ready_soon() {
    // 155 species in chains and rings, as large as the mechanism of an Earth system model.
    let species: Vec<String> = (0..155).map(|i| format!("S{i}")).collect();
    let mut text = format!("#DEFVAR {};\n#EQUATIONS\n", species.join("; "));
    for i in 0..310 {
        let (a, b, c) = (i % 155, (i * 7 + 3) % 23, (i * 13 + 5) % 155);
        text += &format!("<R{i}> S{a} + S{b} = S{c} + 0.5 S{} : ARR_abc(1.0E-12, {}.0, 0.5);\n", (i * 3) % 155, i);
    }
    let start = Instant::now();
    let mechanism = Reader::new().read_text("large.eqn", &text).unwrap_or_else(|error| panic!("{error}"));
    let cells = Cells {
        concentration: vec![1e8; mechanism.species().len()],
        rate_input: mechanism.input_values(&[("TEMP", &[280.0])], 1).expect("inputs"),
        first_step_s: vec![0.0],
        ..Cells::default()
    };
    let mut options = Options::new(Method::Ros3, 1e-3, 1.0);
    options.max_steps = 1;
    let program = Some(mechanism.program().clone());
    let model = Chemistry::new(mechanism.compiled().clone(), program).on(&[Device::Thread]);
    model.run(&cells, &options.over(0.0..1.0)).expect("an interval");
    let taken = start.elapsed();
    println!("{} species from text to the first step: {taken:?}", mechanism.species().len());
    // The promise is 50 ms for optimised code, on a machine with nothing else to do; this leaves room for others.
    assert!(cfg!(debug_assertions) || taken.as_millis() < 500, "{taken:?}");
}

#[test]
fn a_file_is_read_by_its_name() {
    let mechanism = Mechanism::from_file(path("chapman_nox.kpp")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((mechanism.variable(), mechanism.species().len(), mechanism.reactions().len()), (8, 10, 23));
    let inputs: Vec<&str> = mechanism.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs, ["TEMP", "SUN"]);
}
