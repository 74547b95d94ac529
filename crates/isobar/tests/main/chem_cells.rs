//! `isobar chem` on cells as GEOS-Chem writes them for KPP-Standalone: both forms, many in a run, and what is refused.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use isobar_core::Real;
use isobar_golden::{find, json, npy, npy_integers};
use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};
use tempfile::TempDir;

use crate::common::said;

/// Names of the counters in an output, in KPP's order.
const COUNTERS: [&str; 8] = [
    "function_calls",
    "jacobian_calls",
    "steps",
    "accepted_steps",
    "rejected_steps",
    "decompositions",
    "solutions",
    "singular_matrices",
];
/// What the model's species database takes out of step control.
const COUNTED: [&str; 16] = [
    "LBRO2H", "LBRO2N", "LCH4", "LCO", "LISOPNO3", "LISOPOH", "LNRO2H", "LOx", "LTRO2H", "LTRO2N", "LXRO2H", "LXRO2N",
    "PCO", "PH2O2", "POx", "PSO4",
];

/// The command in a folder, on a CPU.
fn chem(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    command.args(["chem", "-o", "out.nc", "--device", "cpu"]).args(arguments).current_dir(folder);
    command.output().expect("the command starts")
}

/// A variable of the output, or none.
fn read(folder: &Path, name: &str, unit: &str) -> Option<Vec<f64>> {
    const AXES: [Axis; 2] = [Axis::optional(Dimension::Time), Axis::optional(Dimension::Cell)];
    let accepted = Accepted::FINITE;
    let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: &AXES, accepted };
    let mut file = Dataset::open(&folder.join("out.nc")).unwrap();
    file.has_name(name).then(|| file.read(&spec).unwrap().values)
}

/// Compares an output with rows of one of KPP's runs, a row a cell: species by name, all counters, the next step.
fn compare(folder: &Path, run: &Path, names: &[String], rows: &[usize]) {
    let of = |what: &str| PathBuf::from(format!("{}_{what}.npy", run.display()));
    let ((shape, want), (_, counters), (_, times)) =
        (npy(&of("conc")), npy_integers(&of("istatus")), npy(&of("rstatus")));
    let count = rows.len();
    for (i, name) in names[..shape[1]].iter().enumerate() {
        let got = read(folder, name, "molecule cm-3").unwrap_or_else(|| panic!("{name}"));
        for (cell, &row) in rows.iter().enumerate() {
            let (got, want) = (got[got.len() - count + cell], want[row * shape[1] + i]);
            assert!((got - want).abs() <= 1e-9 * (want.abs() + 1e-2), "cell {cell} {name}: {got} {want}");
        }
    }
    for (i, name) in COUNTERS.into_iter().enumerate() {
        let want: Vec<f64> = rows.iter().map(|row| f64::from(counters[8 * row + i])).collect();
        assert_eq!(read(folder, name, "1").unwrap(), want, "{name}");
    }
    for (got, &row) in read(folder, "next_step", "s").unwrap().into_iter().zip(rows) {
        assert!((got - times[3 * row + 2]).abs() <= 1e-6 * got, "{got} {}", times[3 * row + 2]);
    }
}

/// The cells of 2023: the reference's folder, species in KPP's order, files, and their rows in the reference.
struct OfTheFirstForm {
    dir: PathBuf,
    names: Vec<String>,
    files: Vec<PathBuf>,
    rows: Vec<usize>,
}

impl OfTheFirstForm {
    fn find() -> Option<Self> {
        let dir = fs::canonicalize(find("kpp")?.join("fullchem")).unwrap();
        let report = json(&dir.join("report.json"));
        let all: Vec<&str> = report["cells"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let mechanism = json(&dir.join("mechanism/mechanism.json"));
        let names = mechanism["species_kpp_order"].as_array().unwrap().iter();
        let names = names.map(|name| name.as_str().unwrap().to_owned()).collect();
        let mut files: Vec<_> =
            fs::read_dir(dir.join("cells_raw")).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.to_str().unwrap().contains("IndianOcean"));
        files.sort();
        let row = |path: &PathBuf| all.iter().position(|name| path.file_stem().unwrap() == *name).unwrap();
        let rows: Vec<usize> = files.iter().map(row).collect();
        assert_eq!(rows.len(), 6);
        Some(Self { dir, names, files, rows })
    }

    /// The command on all cells, as GEOS-Chem calls KPP.
    fn run(&self, folder: &Path, more: &[&str]) -> Output {
        let kpp = self.dir.join("mechanism/gc14.kpp");
        let mut arguments = vec!["--mechanism", kpp.to_str().unwrap(), "--hours", "0.25", "--dt", "900"];
        arguments.extend(["--rtol", "5e-3", "--atol", "1e-2"]);
        arguments.extend(more);
        arguments.push("--cells");
        arguments.extend(self.files.iter().map(|path| path.to_str().unwrap()));
        chem(folder, &arguments)
    }
}

/// GEOS-Chem's autoreduction: as many species as KPP has, its thresholds, counters and concentrations.
#[test]
fn reduced_cells_are_kpps() {
    let Some(cells) = OfTheFirstForm::find() else { return };
    let work = tempfile::tempdir().unwrap();
    let passive: Vec<String> =
        COUNTED.iter().filter(|&&name| name != "LNRO2N").map(|name| format!("{name}=5e-3,1e25")).collect();
    let mut more: Vec<&str> = passive.iter().flat_map(|one| ["--tolerance", one]).collect();
    more.extend(["--reduce", "OH=5e-5", "--reduce-night", "NO2=1e-4"]);
    let output = cells.run(work.path(), &more);
    assert!(output.status.success(), "{}", said(&output));
    let run = cells.dir.join("rodas3_gc_hc_artgt");
    compare(work.path(), &run, &cells.names, &cells.rows);
    let of = |what: &str| PathBuf::from(format!("{}_{what}.npy", run.display()));
    let ((_, sizes), (_, thresholds)) = (npy_integers(&of("rnvar")), npy(&of("threshold")));
    let solved: Vec<f64> = cells.rows.iter().map(|row| f64::from(sizes[2 * row])).collect();
    assert_eq!(read(work.path(), "solved_species", "1").unwrap(), solved);
    for (got, &row) in read(work.path(), "reduction_threshold", "molecule cm-3 s-1").unwrap().iter().zip(&cells.rows) {
        assert!((got / thresholds[row] - 1.0).abs() < 1e-13, "{got} {}", thresholds[row]);
    }
    // More that stay, and what joins.
    let solved = |more: &[&str]| {
        let output = cells.run(work.path(), more);
        assert!(output.status.success(), "{}", said(&output));
        read(work.path(), "solved_species", "1").unwrap()
    };
    let (few, kept) = (solved(&["--reduce", "1e4"]), solved(&["--reduce", "1e4", "--reduce-keep", "CH4,BrO"]));
    assert!(few.iter().zip(&kept).all(|(few, kept)| kept >= few && kept <= &(few + 2.0)) && few != kept, "{kept:?}");
    let joined = solved(&["--reduce", "100", "--reduce-append"]);
    assert!(joined.iter().sum::<f64>() > solved(&["--reduce", "100"]).iter().sum(), "{joined:?}");
    // In proportion to the pressure.
    solved(&["--reduce", "100", "--reduce-pressure", "101325"]);
    let (_, env) = npy(&cells.dir.join("env.npy"));
    for (got, row) in read(work.path(), "reduction_threshold", "molecule cm-3 s-1").unwrap().iter().zip(&cells.rows) {
        let want = 100.0 * (100.0 * env[9 * row + 2]) / 101_325.0;
        assert!((got / want - 1.0).abs() < 1e-13, "{got} {want}");
    }
    for (more, words) in [
        (&["--reduce", "XYZ=1"][..], "--reduce: the mechanism has no variable species XYZ"),
        (&["--reduce", "-3"], "for '--reduce <X|NAME=RATIO>'"),
        (&["--reduce-append"], "--reduce-keep and --reduce-append need --reduce"),
        (&["--reduce", "100", "--reduce-night", "NO2=1e-4"], "--reduce-night needs --reduce NAME=RATIO by day"),
        (&["--reduce", "OH=1e-4", "--reduce-pressure", "1e5"], "--reduce-pressure needs --reduce X, a number"),
    ] {
        let output = cells.run(work.path(), more);
        assert!(!output.status.success() && said(&output).contains(words), "{}", said(&output));
    }
}

/// Six cells of 2023 in one run, from the ground to the mesosphere, with the steps that the model had kept.
#[test]
fn cells_of_the_first_form_are_kpps() {
    let Some(OfTheFirstForm { dir, names, files, rows }) = OfTheFirstForm::find() else { return };
    let work = tempfile::tempdir().unwrap();
    let kpp = dir.join("mechanism/gc14.kpp");
    let mut arguments = vec!["--mechanism", kpp.to_str().unwrap(), "--hours", "0.25", "--dt", "900"];
    arguments.extend(["--rtol", "5e-3", "--atol", "1e-2", "--cells"]);
    arguments.extend(files.iter().map(|path| path.to_str().unwrap()));
    let output = chem(work.path(), &arguments);
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    compare(work.path(), &dir.join("rodas3_u5_hc"), &names, &rows);
    let told = "not used of the cells' files: Average water, Cloud fraction, Integration counts, Timestamp\n";
    assert!(text.contains(told) && !text.contains("are these cells of this mechanism"), "{text}");
    let (_, env) = npy(&dir.join("env.npy"));
    let facts = [("air_temperature", "K", 1, 1.0), ("air_pressure", "Pa", 2, 100.0), ("model_level", "1", 0, 1.0)];
    for (name, unit, column, factor) in facts {
        let want: Vec<f64> = rows.iter().map(|row| factor * env[9 * row + column]).collect();
        assert_eq!(read(work.path(), name, unit).unwrap(), want, "{name}");
    }
    // Without the cells' steps it takes three times as many.
    let own = read(work.path(), "steps", "1").unwrap().iter().sum::<f64>();
    let (_, counters) = npy_integers(&dir.join("rodas3_u5_h0_istatus.npy"));
    assert!(own < 0.5 * rows.iter().map(|row| f64::from(counters[8 * row + 2])).sum::<f64>(), "{own}");
    // Another mechanism of as many species and reactions is told from its rates.
    let other =
        fs::read_to_string(dir.join("mechanism/gc14.eqn")).unwrap().replacen("HCl + SALAAL =", "HBr + SALAAL =", 1);
    fs::write(work.path().join("gc14.eqn"), other).unwrap();
    fs::copy(&kpp, work.path().join("other.kpp")).unwrap();
    arguments[1] = "other.kpp";
    let output = chem(work.path(), &arguments[..12]);
    let text = said(&output);
    assert!(output.status.success() && text.contains(": A(") && text.contains("are these cells of"), "{text}");
}

/// The later form: step and interval of the file, tolerances of the command, and those of GEOS-Chem 14.7.
#[test]
fn cells_of_the_later_form_are_kpps() {
    let Some(dir) = find("kpp").map(|dir| dir.join("fullchem")) else { return };
    let dir = fs::canonicalize(dir).unwrap();
    let order = json(&dir.join("beijing/species_kpp_order.json"));
    let names: Vec<String> = order.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect();
    let work = tempfile::tempdir().unwrap();
    let (kpp, cell) = (dir.join("beijing/gc_beijing.kpp"), dir.join("cells_raw/Beijing_L1_20200106_1345.txt"));
    let usual = ["--mechanism", kpp.to_str().unwrap(), "--rtol", "5e-3", "--cells"];
    let with = |cell: &str, more: &[&str]| {
        let output = chem(work.path(), &[&usual[..], &[cell], more].concat());
        assert!(output.status.success(), "{}", said(&output));
        said(&output)
    };
    let text = with(cell.to_str().unwrap(), &["--atol", "1e-2"]);
    assert!(text.contains(", 1 intervals on cpu") && !text.contains("are these cells of"), "{text}");
    assert!(text.contains("Exit KPP Timestep (seconds), Location, Number of internal timesteps, "), "{text}");
    compare(work.path(), &dir.join("beijing/rodas3_u5_hc"), &names, &[0]);
    assert_eq!(
        (read(work.path(), "time", "s"), read(work.path(), "steps", "1")),
        (Some(vec![0.0, 900.0]), Some(vec![28.0]))
    );

    // As GEOS-Chem 14.7 writes it.
    let mut later = String::new();
    let mut head = true;
    for (number, line) in fs::read_to_string(&cell).unwrap().lines().enumerate() {
        let name = line.split(',').next().unwrap();
        if number == 0 {
            later += "60\n";
        } else if line.starts_with("Number of internal") {
            let zeros = "     0     0     0     0";
            writeln!(later, "{line}\nICNTRL integrator options used:").unwrap();
            writeln!(later, "     1     0     4   500{zeros}     0     0\n{zeros}    -1     0{zeros}").unwrap();
            later +=
                "RCNTRL integrator options used:\n     0.000000     0.000000   268.300200     0.000000     0.000000\n";
            later += &"     0.000000     0.000000     0.000000     0.000000     0.000000\n".repeat(3);
        } else if line.starts_with("Name,") {
            later += "Name,   Value,   Absolute Tolerance\n";
            head = false;
        } else if let Some(place) = names.iter().position(|known| !head && known == name) {
            let tolerance = if COUNTED.contains(&name) { "0.1000000000000000E+026" } else { "0.1000000000000000E-001" };
            // What is not transported goes by its number.
            let name = if place % 7 == 3 { format!("C{}", place + 1) } else { name.to_owned() };
            writeln!(later, "{name},{}, {tolerance}", line.split(',').nth(1).unwrap()).unwrap();
        } else {
            writeln!(later, "{line}").unwrap();
        }
    }
    fs::write(work.path().join("later.txt"), &later).unwrap();
    let text = with("later.txt", &[]);
    assert!(
        text.contains("as the cells' files have it: method rodas3, 500 steps at most, absolute tolerances"),
        "{text}"
    );
    compare(work.path(), &dir.join("beijing/rodas3_gc_hc"), &names, &[0]);
    // The file's steps, and what is said otherwise.
    let first = read(work.path(), "steps", "1").unwrap();
    with("later.txt", &["--method", "ros3"]);
    assert_ne!(read(work.path(), "steps", "1").unwrap(), first);
    fs::write(work.path().join("later.txt"), later.replace("     4   500", "     4     3")).unwrap();
    let few = chem(work.path(), &[&usual[..], &["later.txt"]].concat());
    assert!(said(&few).contains("too many steps at step "), "{}", said(&few));
}

/// A small mechanism, and a cell of it in each form.
struct Small(TempDir);

const HEAD: &str =
    "Temperature:              284.57\nPressure:               876.1877\nKPP H val:            0.1000E+01\n";
const FIRST: &str =
    " C(  1 ) =   4.0D+009\n C(  2 ) =  1.0-102\n R( 1 ) =  1.0E-3\n R( 2 ) =  0.0\n A( 1 ) = 4.0e6\n A( 2 ) = 0.0\n";
const LATER: &str = "Chemistry operator timestep (seconds):  600.0\nName,   Value  \nb,  0.5E+009 \nA, -4.0E+009\n\
                     R1,  1.0E-3\nR2, 0.0\n";

impl Small {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // In this order of elimination A is the first.
        let mechanism = "#DEFVAR A = IGNORE; B = IGNORE; #EQUATIONS A = B : RCONST(1); B = PROD : Law(B, State);";
        fs::write(folder.path().join("m.kpp"), mechanism).unwrap();
        let small = Self(folder);
        small.put("first.txt", &format!("{HEAD}{FIRST}"));
        small.put("later.txt", LATER);
        small
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    fn run(&self, cells: &[&str], more: &[&str]) -> Output {
        let usual = ["--mechanism", "m.kpp", "--method", "rodas4", "--rtol", "1e-8", "--atol", "1e-3", "--cells"];
        chem(self.0.path(), &[&usual[..], cells, more].concat())
    }
}

#[test]
fn both_forms_may_be_in_one_run() {
    let small = Small::new();
    let output = small.run(&["first.txt", "later.txt", "first.txt"], &["--hours", "0.5", "--dt", "600"]);
    assert!(output.status.success(), "{}", said(&output));
    let a = read(small.0.path(), "A", "molecule cm-3").unwrap();
    let left = Real::exp(-1.8_f64);
    for (cell, start) in [4e9, -4e9, 4e9].into_iter().enumerate() {
        assert_eq!(a[cell], start);
        assert!((a[9 + cell] - start * left).abs() < 1e-6 * start.abs(), "{a:?}");
    }
    assert!(
        said(&output).contains("A: 1 value is below 0, the least -4e9 molecule cm-3: taken as it is"),
        "{}",
        said(&output)
    );
    // Not all have a pressure.
    assert_eq!(read(small.0.path(), "air_pressure", "Pa"), None);
    // A file that says its interval needs no other.
    let output = small.run(&["later.txt"], &[]);
    assert!(output.status.success() && read(small.0.path(), "time", "s").unwrap() == [0.0, 600.0], "{}", said(&output));
    assert!(said(&output).contains("--hours and --dt are the interval of the model, 600 s"), "{}", said(&output));
    let output = small.run(&["later.txt"], &["--hours", "0.5"]);
    assert!(said(&output).contains("--dt is the interval of the model, 600 s, as its cells"), "{}", said(&output));
    let output = small.run(&["first.txt"], &[]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("--hours <H> is needed: the cells do not say the interval"), "{}", said(&output));
}

#[test]
fn what_is_wrong_with_a_cell_has_its_place() {
    let small = Small::new();
    let first = |from: &str, to: &str| format!("{HEAD}{FIRST}").replacen(from, to, 1);
    let later = |from: &str, to: &str| LATER.replacen(from, to, 1);
    for (text, words) in [
        (first("284.57", "2.8457"), "bad.txt:1: Temperature = 2.8457 K lies outside [100, 400]"),
        (first("876.1877", "87618.77"), "bad.txt:2: Pressure = 87618.77 hPa lies outside (0, 10000]"),
        (first("0.1000E+01", "-1.0"), "bad.txt:3: KPP H val = -1 s lies outside [0, inf)"),
        (first("KPP H val:            0.1000E+01", "Temperature: 280"), "bad.txt:3: Temperature stands here again"),
        (first("4.0D+009", "*******"), "bad.txt:4: \"*******\" is not a number (C(1))"),
        (first("4.0D+009", "NaN"), "bad.txt:4: C(1) = NaN molecule cm-3 lies outside [-1e21, 1e21]"),
        (first("C(  2 )", "C(  3 )"), "bad.txt:5: C( 3 ) stands where C( 2 ) belongs"),
        (first(" R( 2 ) =  0.0\n", ""), "bad.txt: 2 rates of 1 reactions: is the file whole?"),
        (
            first(" R( 2 ) =  0.0\n A( 1 ) = 4.0e6\n A( 2 ) = 0.0\n", ""),
            "bad.txt:6: 1 rate constants, but the mechanism has 2 reactions",
        ),
        (first(" A( 2 ) = 0.0\n", " C( 3 ) = 1.0\n"), "bad.txt:9: C( 3 ) stands where A( 2 ) belongs"),
        (first(" A( 2 ) = 0.0\n", ""), "bad.txt: 1 rates of 2 reactions: is the file whole?"),
        (first(" A( 2 ) = 0.0\n", "end\n"), "bad.txt:9: \"end\" is not of the form `C( i ) = value`"),
        (first(" C(  2 ) =  1.0-102\n", ""), "bad.txt: 1 concentrations, but the mechanism has 2 species"),
        (later("600.0", "0.0"), "bad.txt:1: Chemistry operator timestep (seconds) = 0 s lies outside (0, inf)"),
        (later("b,", "NO,"), "bad.txt:3: the mechanism has no species NO"),
        (later("b,", "A,"), "bad.txt:4: A stands here again"),
        (later("b,  0.5E+009 \n", ""), "bad.txt: B is missing: 1 of the mechanism's 2 species are there"),
        (
            later("A, -4.0E+009", "A, -4.0E+009, 0.0"),
            "bad.txt:4: the absolute tolerance of A = 0 molecule cm-3 lies outside",
        ),
        (later("A, -4.0E+009", "A"), "bad.txt:4: \"A\" is not of the form `NAME, value`"),
        (later("R2", "R3"), "bad.txt:6: R3 stands where R2 belongs"),
        (later("R1,  1.0E-3\nR2, 0.0\n", ""), "bad.txt: the file has no rate constants"),
        (
            later("Chem", "ICNTRL integrator options used:\n 1 x\nChem"),
            "bad.txt:2: \"x\" is not a number (ICNTRL(2), a whole",
        ),
        (
            later("Chem", &format!("ICNTRL integrator options used:\n{}\nChem", "7 ".repeat(21))),
            "bad.txt:2: ICNTRL has more than 20 numbers",
        ),
    ] {
        small.put("bad.txt", &text);
        let output = small.run(&["bad.txt"], &["--hours", "0.5", "--dt", "600"]);
        assert!(!output.status.success() && said(&output).contains(words), "{words:?} is not in {}", said(&output));
    }
    // A method that is not there, options that differ, and a file of another kind.
    let options = |method: i32| {
        let zeros = "0 ".repeat(17);
        later("Chem", &format!("ICNTRL integrator options used:\n1 0 {method} {zeros}\nChem"))
    };
    small.put("bad.txt", &options(8));
    let output = chem(small.0.path(), &["--mechanism", "m.kpp", "--cells", "bad.txt"]);
    assert!(said(&output).contains("bad.txt: ICNTRL(3) is 8, none of 0 to 7"), "{}", said(&output));
    small.put("good.txt", &options(5));
    let output = small.run(&["good.txt", "bad.txt"], &[]);
    assert!(said(&output).contains("bad.txt: ICNTRL(3) is 8, but 5 in good.txt"), "{}", said(&output));
    let output = small.run(&["good.txt", "m.kpp"], &[]);
    assert!(said(&output).contains("m.kpp: no cell as text"), "{}", said(&output));
}
