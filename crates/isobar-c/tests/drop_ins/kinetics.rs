//! KPP's `INTEGRATE`, on modules such as KPP makes them.

use std::fs;
use std::path::{Path, PathBuf};

use isobar_interface::Callable;
use serde_json::{Value, json};

use crate::fortran::{Bytes, Program, Source};
use crate::library::{self, Values, assert_same};

/// A mechanism whose modules have the species in another order than the library.
pub(crate) struct Mechanism {
    pub(crate) file: PathBuf,
    pub(crate) scheme: Box<dyn Callable>,
    /// The same with sunlight as a number that the host gives.
    host_sun: Box<dyn Callable>,
    /// The library's names.
    pub(crate) species: Vec<String>,
    pub(crate) variable: usize,
    pub(crate) reactions: usize,
    /// Where each species of the modules is in the library.
    order: Vec<usize>,
}

impl Mechanism {
    pub(crate) fn new(file: &Path) -> Self {
        let tables = json!({ "mechanism": file, "include": [file.parent().unwrap()], "sun_from_time": true });
        let scheme = library::scheme("chemistry", "f64", &tables);
        let tables = json!({ "mechanism": file, "include": [file.parent().unwrap()] });
        let host_sun = library::scheme("chemistry", "f64", &tables);
        let facts = scheme.facts();
        let names = facts["species"].as_array().unwrap();
        let species: Vec<String> = names.iter().map(|name| name.as_str().unwrap().to_owned()).collect();
        let variable = facts["variable_species"].as_u64().unwrap() as usize;
        let reactions = facts["reactions"].as_array().unwrap().len();
        let order = (0..variable).rev().chain((variable..species.len()).rev()).collect();
        Self { file: file.to_owned(), scheme, host_sun, species, variable, reactions, order }
    }

    /// The driver with its modules.
    pub(crate) fn driver(&self) -> Option<Program> {
        self.driver_with("")
    }

    /// The driver with modules that declare more.
    pub(crate) fn driver_with(&self, more: &str) -> Option<Program> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let names: Vec<String> = self.order.iter().map(|&index| format!("'{}'", self.species[index])).collect();
        let made = |file: &str| {
            fs::read_to_string(folder.join(file))
                .unwrap()
                .replace("KPP_ROOT", "own")
                .replace("KPP_REAL", "REAL(kind=dp)")
                .replace("COUNT_OF_SPECIES", &self.species.len().to_string())
                .replace("COUNT_OF_VARIABLE", &self.variable.to_string())
                .replace("COUNT_OF_REACTIONS", &self.reactions.to_string())
                .replace("NAMES_OF_SPECIES", &names.join(", &\n    "))
                .replace("! OF_LATER_VERSIONS", more)
        };
        let files = ["tests/fortran/kpp_state.f90", "fortran/kpp/isobar_integrator.f90", "tests/fortran/kpp.f90"];
        let texts = files.map(made);
        Program::new(&[Source::Text(&texts[0]), Source::Text(&texts[1]), Source::Text(&texts[2])])
    }

    /// Values of all species, or of the variable ones, in the order of the modules.
    pub(crate) fn in_modules(&self, values: &[f64]) -> Vec<f64> {
        self.order.iter().filter(|&&index| index < values.len()).map(|&index| values[index]).collect()
    }
}

/// A cell and what it is integrated with.
#[derive(Clone)]
pub(crate) struct Cell<'a> {
    pub(crate) icntrl: [i32; 20],
    pub(crate) rcntrl: [f64; 20],
    pub(crate) interval_s: [f64; 2],
    /// Temperature, conversion factor and sunlight.
    pub(crate) place: [f64; 3],
    /// Tolerances of the variable species, in the order of the library.
    pub(crate) absolute_tolerance: Vec<f64>,
    pub(crate) relative_tolerance: Vec<f64>,
    pub(crate) concentration: &'a [f64],
    pub(crate) rate_constant: &'a [f64],
}

impl Cell<'_> {
    pub(crate) fn write(&self, mechanism: &Mechanism, bytes: &mut Bytes) {
        bytes.integers(&self.icntrl).numbers(&self.rcntrl).numbers(&self.interval_s).numbers(&self.place);
        bytes.numbers(&mechanism.in_modules(&self.absolute_tolerance));
        bytes.numbers(&mechanism.in_modules(&self.relative_tolerance));
        bytes.numbers(&mechanism.in_modules(self.concentration)).numbers(self.rate_constant);
    }
}

/// What becomes of a cell: concentrations in the order of the modules, eight counts, three times, the threshold of a
/// reduction by a target, the code.
pub(crate) struct End<'a> {
    pub(crate) concentration: &'a [f64],
    pub(crate) counts: &'a [f64],
    pub(crate) times: &'a [f64],
    pub(crate) threshold: f64,
    pub(crate) code: f64,
}

pub(crate) fn ends<'a>(mechanism: &Mechanism, written: &'a [f64]) -> Vec<End<'a>> {
    let species = mechanism.species.len();
    let end = |cell: &'a [f64]| End {
        concentration: &cell[..species],
        counts: &cell[species..species + 8],
        times: &cell[species + 8..species + 11],
        threshold: cell[species + 11],
        code: cell[species + 12],
    };
    written.chunks(species + 13).map(end).collect()
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

#[test]
fn integrate_has_the_bits_of_the_library() {
    let mechanism = Mechanism::new(&repository().join("data/mechanisms/chapman_nox.kpp"));
    let Some(program) = mechanism.driver() else { return };
    let initial: Vec<f64> =
        mechanism.scheme.facts()["initial"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let variable = mechanism.variable;
    let frozen: Vec<f64> = (0..mechanism.reactions).map(|i| 1e-14 * f64::from(i as u32 + 1)).collect();
    // Method, ICNTRL(15), ICNTRL(1), tolerances that differ.
    let runs = [
        (0, 0, 0, false),
        (2, -1, 1, true),
        (5, 5, 1, false),
        (3, 1, 0, true),
        (7, -1, 1, false),
        (4, 3, 1, false),
        (6, 7, 0, false),
    ];
    let (mut bytes, mut expected) = (Bytes::default(), Vec::new());
    for (method, updates, autonomous, differ) in runs {
        let mut icntrl = [0; 20];
        (icntrl[0], icntrl[2], icntrl[14]) = (autonomous, method, updates);
        let tolerances = |one: f64| -> Vec<f64> {
            (0..variable).map(|i| if differ { one * (1.0 + 0.125 * f64::from(i as u32)) } else { one }).collect()
        };
        let cell = Cell {
            icntrl,
            rcntrl: [0.0; 20],
            interval_s: [43200.0, 45000.0],
            place: [227.0, 3.7e17, 0.25],
            absolute_tolerance: tolerances(10.0),
            relative_tolerance: tolerances(1e-3),
            concentration: &initial,
            rate_constant: &frozen,
        };
        cell.write(&mechanism, &mut bytes);
        let name = ["rodas3", "ros2", "ros3", "ros4", "rodas3", "rodas4", "rang3", "rodas3.1"][method as usize];
        let options = json!({
            "start_s": 43200.0, "end_s": 45000.0, "method": name,
            "rates": if updates == -1 { "frozen" } else { "stage" },
            "autonomous": updates == -1 || autonomous != 0, "absolute_tolerance": cell.absolute_tolerance,
            "relative_tolerance": cell.relative_tolerance,
        });
        // Without sunlight of the time, the first bit alone, it is what the host has.
        let scheme = if [1, 3].contains(&updates) { &*mechanism.host_sun } else { &*mechanism.scheme };
        let names = scheme.facts()["rate_inputs"].as_array().unwrap();
        let input = |input: &Value| if input["name"] == "SUN" { 0.25 } else { 227.0 };
        let rate_inputs: Vec<f64> = names.iter().map(input).collect();
        assert_eq!(rate_inputs.len(), if [1, 3].contains(&updates) { 2 } else { 1 });
        let sizes = [("species", initial.len()), ("reaction", frozen.len()), ("input", rate_inputs.len())];
        let mut inputs =
            vec![("concentration", Values::Real(initial.clone())), ("first_step_s", Values::Real(vec![0.0]))];
        inputs.push(match updates {
            -1 => ("rate_constant", Values::Real(frozen.clone())),
            _ => ("rate_input", Values::Real(rate_inputs)),
        });
        expected.push(library::run(scheme, 1, &sizes, inputs, &options));
    }
    let environment = [("ISOBAR_KPP_MECHANISM", mechanism.file.to_str().unwrap())];
    let written = program.run(&bytes.0, &environment).unwrap();
    let ends = ends(&mechanism, &written);
    assert_eq!(ends.len(), runs.len());
    for (end, expected) in ends.iter().zip(expected) {
        assert_same(end.concentration, &mechanism.in_modules(&expected["concentration"]), "concentrations");
        assert_same(end.counts, &expected["counters"], "counts");
        let times = ["time_reached_s", "last_step_s", "next_step_s"].map(|name| expected[name][0]);
        assert_same(end.times, &times, "times");
        assert_eq!(end.code, 1.0);
        assert!(end.concentration.iter().all(|x| x.is_finite()) && end.times[0] == 45000.0);
    }
}

#[test]
fn what_is_wrong_is_said() {
    let mechanism = Mechanism::new(&repository().join("data/mechanisms/chapman_nox.kpp"));
    let Some(program) = mechanism.driver() else { return };
    let variable = mechanism.variable;
    let (concentration, rates) = (vec![1e9; mechanism.species.len()], vec![0.0; mechanism.reactions]);
    let mut cell = Cell {
        icntrl: [0; 20],
        rcntrl: [0.0; 20],
        interval_s: [0.0, 60.0],
        place: [227.0, 1.0, 0.0],
        absolute_tolerance: vec![1.0; variable],
        relative_tolerance: vec![1e-3; variable],
        concentration: &concentration,
        rate_constant: &rates,
    };
    let codes = |cells: &[&Cell<'_>], file: &Path| -> Vec<f64> {
        let mut bytes = Bytes::default();
        cells.iter().for_each(|cell| cell.write(&mechanism, &mut bytes));
        let written = program.run(&bytes.0, &[("ISOBAR_KPP_MECHANISM", file.to_str().unwrap())]).unwrap();
        ends(&mechanism, &written).iter().map(|end| end.code).collect()
    };
    let code = |cell: &Cell<'_>, file: &Path| codes(&[cell], file)[0];
    assert_eq!(code(&cell, &mechanism.file), 1.0);
    assert_eq!(code(&cell, Path::new("no_such_file.kpp")), -100.0);
    // One step is not enough.
    cell.icntrl[3] = 1;
    assert_eq!(code(&cell, &mechanism.file), -6.0);
    // There are seven methods.
    cell.icntrl[2] = 8;
    assert_eq!(code(&cell, &mechanism.file), -2.0);
    // Less than no step.
    cell.icntrl = [0; 20];
    cell.icntrl[3] = -3;
    assert_eq!(code(&cell, &mechanism.file), -1.0);
    // Sunlight or photolysis alone.
    cell.icntrl = [0; 20];
    for updates in [2, 4, 6, 8, -2] {
        cell.icntrl[14] = updates;
        assert_eq!(code(&cell, &mechanism.file), -100.0, "ICNTRL(15) = {updates}");
    }
    cell.icntrl = [0; 20];
    // KPP's bounds of tolerances.
    for (absolute, relative) in [(0.0, 1e-3), (-1.0, 1e-3), (f64::NAN, 1e-3), (1.0, 1.0), (1.0, 1e-15), (1.0, f64::NAN)]
    {
        let mut cell = cell.clone();
        (cell.absolute_tolerance[variable - 1], cell.relative_tolerance[variable - 1]) = (absolute, relative);
        assert_eq!(code(&cell, &mechanism.file), -5.0, "{absolute}, {relative}");
    }
    cell.interval_s = [60.0, 0.0];
    assert_eq!(code(&cell, &mechanism.file), -7.0);
    cell.interval_s = [60.0, 60.0];
    assert_eq!(code(&cell, &mechanism.file), 1.0);
    cell.interval_s = [0.0, 60.0];
    let mut bad = concentration.clone();
    bad[2] = f64::NAN;
    assert_eq!(code(&Cell { concentration: &bad, ..cell.clone() }, &mechanism.file), -9.0);
    // Another mechanism than that of the modules: as many species, one of which has another name. Twice.
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.kpp");
    let text = fs::read_to_string(&mechanism.file).unwrap();
    fs::write(&other, text.replace("N2O5", "N2OX")).unwrap();
    assert_eq!(codes(&[&cell, &cell], &other), [-100.0, -100.0]);
}

/// Concentrations relative to themselves and the absolute tolerance: the bound of `isobar-rosenbrock`, where it is
/// derived.
const CONCENTRATION: f64 = 1e-10;

#[test]
fn integrate_has_the_reference_s_numbers() {
    let Some(dir) = isobar_golden::find("kpp") else { return };
    let mechanism = Mechanism::new(&dir.join("mechanisms/small_strato.def"));
    let Some(program) = mechanism.driver() else { return };
    let dir = dir.join("small_strato");
    let read = |name: &str| isobar_golden::npy(&dir.join(format!("{name}.npy"))).1;
    let Value::Object(report) = isobar_golden::json(&dir.join("report.json")) else { panic!("an object") };
    let [dt, atol, rtol] = ["dt", "atol", "rtol"].map(|name| report[name].as_f64().unwrap());
    let (concentration, rates) = (read("conc_init"), read("rconst"));
    let (species, reactions, variable) = (mechanism.species.len(), mechanism.reactions, mechanism.variable);
    for (method, name) in [(1, "ros2"), (2, "ros3"), (3, "ros4"), (4, "rodas3"), (5, "rodas4")] {
        let mut bytes = Bytes::default();
        for (concentration, rate_constant) in concentration.chunks(species).zip(rates.chunks(reactions)) {
            let mut icntrl = [0; 20];
            (icntrl[0], icntrl[2], icntrl[14]) = (1, method, -1);
            let cell = Cell {
                icntrl,
                rcntrl: [0.0; 20],
                interval_s: [0.0, dt],
                place: [0.0; 3],
                absolute_tolerance: vec![atol; variable],
                relative_tolerance: vec![rtol; variable],
                concentration,
                rate_constant,
            };
            cell.write(&mechanism, &mut bytes);
        }
        let environment = [("ISOBAR_KPP_MECHANISM", mechanism.file.to_str().unwrap())];
        let written = program.run(&bytes.0, &environment).unwrap();
        let (after, (_, counts)) =
            (read(&format!("{name}_conc")), isobar_golden::npy_integers(&dir.join(format!("{name}_istatus.npy"))));
        let ends = ends(&mechanism, &written);
        assert_eq!(ends.len(), 256);
        for (cell, (end, (after, counts))) in ends.iter().zip(after.chunks(variable).zip(counts.chunks(8))).enumerate()
        {
            assert!(end.counts.iter().zip(counts).all(|(got, &count)| *got == f64::from(count)), "{name} cell {cell}");
            assert_eq!(end.code, 1.0, "{name} cell {cell}");
            for (got, expected) in end.concentration.iter().zip(mechanism.in_modules(after)) {
                let error = (got - expected).abs() / (expected.abs() + atol);
                assert!(error <= CONCENTRATION, "{name} cell {cell}: {error:e}");
            }
        }
    }
}
