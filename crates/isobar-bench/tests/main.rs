//! The benches run, and say what they measure and what they cannot.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

#[path = "../src/power_cap.rs"]
mod power_cap;

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isobar-bench")).args(arguments).output().expect("the program starts")
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

fn data(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name);
    path.to_str().expect("UTF-8").to_owned()
}

/// Commands as `--help` lists them.
fn benches() -> Vec<String> {
    let help = printed(&bench(&["--help"]));
    let listed = help.split("Commands:").nth(1).and_then(|rest| rest.split("Options:").next()).expect("a list");
    let named = |line: &str| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')).map(str::to_owned);
    let words = listed.lines().filter_map(named).filter_map(|line| line.split(' ').next().map(str::to_owned));
    words.filter(|name| name != "help").collect()
}

#[test]
fn every_bench_has_an_example_that_is_understood() {
    let benches = benches();
    assert!(benches.len() > 10, "{benches:?}");
    for name in benches {
        let help = printed(&bench(&[&name, "--help"]));
        let example = help.split("Example:").nth(1).unwrap_or_else(|| panic!("{name} has no example")).trim();
        assert!(example.starts_with(&format!("isobar-bench {name} ")), "{example}");
        // What stands before `--help` is read first.
        let words: Vec<&str> = example.split_whitespace().skip(1).chain(["--help"]).collect();
        let output = bench(&words);
        assert!(output.status.success(), "{example}: {}", said(&output));
    }
    assert_eq!(bench(&["pbl", "--column", "1", "--help"]).status.code(), Some(2), "words before --help are not read");
}

#[test]
fn figures_are_json_where_it_is_asked_for() {
    let output = bench(&["pbl", "--columns", "100", "--launches", "1", "--device", "cpu", "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let printed: Value = serde_json::from_str(&printed(&output)).unwrap();
    let figure = &printed["figures"][0];
    assert_eq!((&figure["unit"], &figure["columns"]), (&"columns/s".into(), &100.into()));
    assert!(figure["value"].as_f64().unwrap() > 0.0);
}

/// Each retrieval converges or is counted with the reason.
#[test]
fn synthetic_retrievals_converge_or_say_why() {
    let keys = "RETT_ZMIN=10 RETT_ZMAX=30 ERR_TEMP=5 ERR_TEMP_CZ=6 ERR_TEMP_CH=1000 RETQ_ZMIN[2]=15 RETQ_ZMAX[2]=25 \
        ERR_Q[2]=20 ERR_Q_CZ[2]=-999 ERR_NOISE[*]=1e-6 ERR_FORMOD[*]=0.1 KERNEL_RECOMP=1 CONV_DMIN=0.01 \
        WRITE_MATRIX=1 CONV_ITMAX=20";
    let keys: Vec<&str> = keys.split_whitespace().collect();
    let retrievals =
        |more: &[&str]| bench(&[&["retrieval", "--cases", "4", "--runs", "1", "--device", "cpu"][..], more].concat());
    let (ctl, atm, obs) = (data("limb/limb.ctl"), data("limb/atm.tab"), data("limb/obs.tab"));
    let files = ["--ctl", &ctl, "--atm", &atm, "--obs", &obs, "--compare", "2"];
    for (more, none) in [(&[][..], false), (&["CONV_ITMAX=0"][..], true)] {
        let output = retrievals(&[&files[..], more, &keys].concat());
        let text = printed(&output);
        assert!(output.status.success(), "{}", said(&output));
        assert!(text.contains("4 cases of 14 rays x 4 channels") && text.contains(" 0 radiances, 0 of "), "{text}");
        let words: Vec<&str> = text.split_whitespace().collect();
        let count = |after: &str| words.iter().position(|word| *word == after).map(|i| words[i + 1]);
        let converged: usize = count("retrievals/s;").expect("a rate").parse().expect("a number");
        let others = text.lines().filter_map(|line| line.trim().split_once(" not: "));
        let others: usize = others.map(|(count, _)| count.parse::<usize>().expect("a number")).sum();
        assert_eq!((converged + others, converged == 0), (4, none), "{text}");
    }
    let output = retrievals(&["--atm", &atm]);
    assert!(!output.status.success() && said(&output).contains("--ctl"), "{}", said(&output));
}

/// More than there is, whatever the machine, is one line, at once, that says what would fit.
#[cfg(unix)]
#[test]
fn work_that_no_memory_holds_is_refused_at_once() {
    let mechanism = data("mechanisms/chapman_nox.kpp");
    for (arguments, items) in [
        ("pbl --columns 1000000000".to_owned(), "1000000000 columns take"),
        ("longwave --columns 1000000000".into(), "1000000000 columns take"),
        ("adding --shape 1000000000x60x6".into(), "1000000000 profiles take"),
        ("scattering --shape 1000000000x60x8".into(), "1000000000 profiles take"),
        ("ega --rays 1000000000".into(), "1000000000 rays take"),
        ("retrieval --cases 1000000000".into(), "1000000000 retrievals take"),
        (format!("chem {mechanism} --cells 10000000000"), "10000000000 cells take"),
    ] {
        // Of the processor's time, which others on the machine do not lengthen.
        let line = format!("ulimit -t 10 && exec {} {arguments} --device cpu", env!("CARGO_BIN_EXE_isobar-bench"));
        let output = Command::new("sh").args(["-c", &line]).output().expect("sh starts");
        let text = said(&output);
        let last = text.lines().last().unwrap_or_default();
        assert_eq!(output.status.code(), Some(6), "{arguments}: {text}");
        let is_told = last.starts_with("isobar: ") && last.contains(items) && last.contains("would fit");
        assert!(is_told, "{arguments}: {text}");
    }
}

/// With little memory a bench is refused, or does its work: it never aborts.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_memory_is_an_error_and_never_an_abort() {
    let mechanism = data("mechanisms/chapman_nox.kpp");
    let (mut refused, mut done) = (0, 0);
    for arguments in ["pbl --columns 5000 --launches 1".to_owned(), format!("chem {mechanism} --cells 5000")] {
        // With less the system does not even load a program that was built for tests.
        for kilobytes in [80_000, 140_000, 320_000, 640_000] {
            let program = env!("CARGO_BIN_EXE_isobar-bench");
            let line = format!("ulimit -v {kilobytes} && exec {program} {arguments} --device cpu");
            let output = Command::new("sh").args(["-c", &line]).output().expect("sh starts");
            let text = said(&output);
            match output.status.code() {
                Some(0) => done += 1,
                Some(1 | 6) if text.lines().any(|line| line.starts_with("isobar: ")) => refused += 1,
                other => panic!("{other:?} with {kilobytes} kB, {arguments}: {text}"),
            }
        }
    }
    assert!(refused > 0 && done > 0, "{refused} refused, {done} done");
}

#[test]
fn a_chart_is_drawn_or_says_what_it_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let draw = |chart: Value| {
        fs::write(path("chart.json"), chart.to_string()).unwrap();
        bench(&["draw", &path("chart.json"), "-o", &path("chart.svg")])
    };
    let axis = json!({ "name": "columns", "logarithmic": true });
    let chart = |points: Value| {
        let curves = json!([{ "name": "c", "points": points }]);
        json!({ "panels": [{ "title": "t", "x": axis, "y": axis, "curves": curves }] })
    };
    for (wrong, problem) in
        [(json!({}), "there is no list 'panels'"), (chart(json!([["x", 1]])), "a point is [x, y], not [\"x\",1]")]
    {
        let output = draw(wrong);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(said(&output), format!("isobar: {}: {problem}\n", path("chart.json")));
        assert!(!Path::new(&path("chart.svg")).exists());
    }
    assert!(draw(chart(json!([[1, 10], [100, 500]]))).status.success());
    assert!(fs::read_to_string(path("chart.svg")).unwrap().contains("columns"));
}

/// Each of two cells has the rate constants of its row of a table in NumPy's format: where one reacts and the other
/// does not, in both orders, they take as many steps in all as two that react and two that do not.
#[test]
fn rate_constants_of_cells_come_from_rows_of_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("rates.npy");
    let mechanism = data("mechanisms/chapman_nox.kpp");
    let chem = |columns: usize, rows: [f64; 2]| {
        let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': (2, {columns}), }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        rows.iter().for_each(|value| (0..columns).for_each(|_| bytes.extend(value.to_le_bytes())));
        fs::write(&table, bytes).unwrap();
        let table = table.to_str().unwrap();
        bench(&["chem", &mechanism, "--cells", "2", "--rate-constants", table, "--device", "cpu", "--json"])
    };
    let output = chem(3, [0.0; 2]);
    assert_eq!(output.status.code(), Some(1));
    let problem = said(&output);
    let reactions = problem.split("the mechanism has ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let reactions: usize = reactions.parse().unwrap_or_else(|_| panic!("{problem}"));
    let steps = |rows: [f64; 2]| {
        let output = chem(reactions, rows);
        assert!(output.status.success(), "{}", said(&output));
        let printed: Value = serde_json::from_str(&printed(&output)).unwrap();
        2.0 * printed["figures"][0]["steps_per_cell"].as_f64().unwrap()
    };
    let (fast, still) = (1e-3, 0.0);
    let (both, none) = (steps([fast; 2]), steps([still; 2]));
    assert!(none >= 2.0 && both > none, "{none} and {both} steps");
    assert_eq!(steps([fast, still]) + steps([still, fast]), both + none);
    fs::write(&table, b"text").unwrap();
    let output = bench(&["chem", &mechanism, "--rate-constants", table.to_str().unwrap()]);
    assert!(said(&output).contains("not a table of doubles"), "{}", said(&output));
}

/// The file has the columns that were asked for, in the order of a model, part by part.
#[test]
fn a_model_file_has_its_columns() {
    use isobar::io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("columns.nc");
    let path_in_words = path.to_str().unwrap();
    // More rows than are written at a time.
    let output = bench(&["model-file", "--columns", "30050", "--layers", "3", "-o", path_in_words]);
    assert!(output.status.success(), "{}", said(&output));
    let spec = VariableSpec {
        name: "hyai",
        aliases: &[],
        standard_names: &[],
        unit: "Pa",
        axes: &[Axis::required(Dimension::Level)],
        accepted: Accepted::FINITE,
    };
    let mut file = Dataset::open(&path).unwrap();
    let coefficients = file.read(&spec).unwrap().values;
    assert!(coefficients.len() == 4 && coefficients[0] == 0.0 && coefficients[3] == 0.0, "{coefficients:?}");
    // 301 rows of 100 columns, 6 variables of 3 layers and 4 of the surface in single precision, and a header.
    let length = fs::metadata(&path).unwrap().len();
    let values = 301 * 100 * (6 * 3 + 4) * 4 + (301 + 100 + 8) * 8;
    assert!((values..values + 4096).contains(&length), "{length} {values}");
}

/// Energy is measured, or it is said why it cannot be.
#[test]
fn energy_is_measured_or_its_counter_is_missed() {
    let output = bench(&["surface", "--columns", "100", "--launches", "1", "--device", "thread", "--energy"]);
    let counters = power_cap::packages(Path::new("/sys/class/powercap"));
    if counters.as_ref().is_ok_and(|counters| !counters.is_empty()) {
        assert!(output.status.success(), "{}", said(&output));
        assert!(printed(&output).contains(" J a column, "), "{}", printed(&output));
    } else {
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("--energy: ") && said.contains("/sys/class/powercap"), "{said}");
    }
    let refused = bench(&["machine", "--energy"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused).contains("--energy is of work that is timed"), "{}", said(&refused));
}
