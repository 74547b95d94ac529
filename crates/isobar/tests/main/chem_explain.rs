//! `isobar chem explain`: each statement against a closed form, a trace of the library, or KPP's runs.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use isobar_golden::{find, json, npy, npy_integers};
use isobar_kpp::Mechanism;
use isobar_rosenbrock::{Cells, Chemistry, Method, Options};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::classic::Classic;
use crate::common::{printed, said};

const DENSITY: &str = "molecule cm-3";

/// A mechanism and one cell of it.
pub(crate) struct Small(pub(crate) TempDir);

impl Small {
    pub(crate) fn new(
        mechanism: &str,
        concentrations: &[(&'static str, f64)],
        constants: &[(&'static str, &'static str, f64)],
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("m.kpp"), mechanism).unwrap();
        let mut cells = Classic { dimensions: vec![("cell", 1)], ..Classic::default() };
        for &(name, value) in concentrations {
            cells = cells.with(name, &["cell"], DENSITY, &[value]);
        }
        for &(name, unit, value) in constants {
            cells = cells.with(name, &[], unit, &[value]);
        }
        fs::write(folder.path().join("in.nc"), cells.bytes()).unwrap();
        Self(folder)
    }

    pub(crate) fn command(&self, file: &str, more: &[&str]) -> Output {
        explain(self.0.path(), &[&[file, "--mechanism", "m.kpp"], more].concat())
    }

    /// All that is found of the cell in ten minutes by Rodas4.
    pub(crate) fn json(&self, more: &[&str]) -> Value {
        let usual = ["--dt", "600", "--method", "rodas4", "--rtol", "1e-6", "--atol", "1e-2", "--json"];
        parsed(&self.command("in.nc", &[&usual[..], more].concat()))
    }
}

pub(crate) fn explain(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    command.args(["chem", "explain"]).args(arguments).current_dir(folder).output().expect("the command starts")
}

pub(crate) fn parsed(output: &Output) -> Value {
    assert!(output.status.success(), "{}", said(output));
    serde_json::from_str(&printed(output)).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn close(got: &Value, want: f64, tolerance: f64) {
    assert!((number(got) - want).abs() <= tolerance * want.abs(), "{got} instead of {want}");
}

pub(crate) fn says(found: &Value, words: &str) -> bool {
    found["says"].as_array().unwrap().iter().any(|said| said.as_str().unwrap().contains(words))
}

fn trial<'a>(found: &'a Value, choice: &str) -> &'a Value {
    let trials = found["trials"].as_array().unwrap();
    trials.iter().find(|trial| trial["choice"] == choice).unwrap_or_else(|| panic!("{choice}: {trials:?}"))
}

/// dA/dt = -2 K A^2 from below zero is at minus infinity after 1/(2 K |A|).
#[test]
fn what_runs_away_is_found() {
    let small =
        Small::new("#DEFVAR A = IGNORE; #EQUATIONS <S7> A + A = PROD : K;", &[("A", -2e9)], &[("K", "cm3 s-1", 1e-12)]);
    let found = small.json(&["--plot", "steps.svg"]);
    assert_eq!(found["outcome"], "step too small (KPP's code -7)");
    close(&found["reached_s"], 250.0, 1e-6);
    let negative = &found["negative"][0];
    assert_eq!((&negative["species"], &negative["since_s"]), (&"A".into(), &Value::Null));
    close(&negative["runs_away_s"], 250.0, 1e-12);
    assert_eq!(found["looked_at_where"], "the first one was below zero");
    // d(dA/dt)/dA = -4 K A grows, for A is below zero.
    close(&found["modes"]["growing"]["time_s"], 1.0 / (4.0 * 1e-12 * 2e9), 1e-9);
    close(&found["ruling"][0]["mean_share"], 1.0, 1e-12);
    let reaction = &found["ruling"][0]["reactions"][0];
    assert_eq!(reaction["reaction"], 1);
    close(&reaction["change"], -2.0 * 1e-12 * 4e18, 1e-12);
    assert!(says(&found, "A is -2.000e9 molecule cm-3 at the start, and S7 A + A = PROD is of second order in it"));
    assert!(says(&found, "minus infinity 2.500e2 s later") && says(&found, "too small to go on; in the last attempt"));
    // Rodas3 steps over infinity, and that is said.
    assert_eq!(trial(&found, "--method rodas3")["outcome"], "success");
    assert!(says(&found, "--method rodas3 succeeds with 11 attempts, but there may be no solution beyond the time"));
    assert_eq!(trial(&found, "--negative clip")["outcome"], "success");
    assert!(says(&found, "--negative clip succeeds with 11 attempts"));
    let svg = fs::read_to_string(small.0.path().join("steps.svg")).unwrap();
    for text in ["step [s]", "error [tolerances]", "share of the mean square [%]", "rejected"] {
        assert!(svg.contains(text), "{text}");
    }
    // In words, the same.
    let output = small.command("in.nc", &["--dt", "600", "--method", "rodas4", "--rtol", "1e-6", "--atol", "1e-2"]);
    let text = printed(&output);
    assert!(output.status.success(), "{}", said(&output));
    for words in
        ["ends with step too small (KPP's code -7) at 2.5", "A 100.0 %", "at minus infinity 2.500e2 s later by S7"]
    {
        assert!(text.contains(words), "{words:?} is not in {text}");
    }
    // From the file that a run leaves of it, where it ended.
    let arguments = [
        "chem",
        "--mechanism",
        "m.kpp",
        "--cells",
        "in.nc",
        "-o",
        "out.nc",
        "--hours",
        "1",
        "--dt",
        "600",
        "--method",
        "rodas4",
    ];
    let run = Command::new(env!("CARGO_BIN_EXE_isobar")).args(arguments).current_dir(small.0.path()).output().unwrap();
    assert_eq!(run.status.code(), Some(4), "{}", said(&run));
    let found = parsed(&small.command("out.cell0.json", &["--json", "--method", "rodas4"]));
    assert!(found["cell"].as_str().unwrap().contains("cell 0 of out.cell0.json"), "{found}");
    assert_eq!(found["outcome"], "step too small (KPP's code -7)");
    assert!(number(&found["reached_s"]) < 1e-3, "{found}");
}

/// C is taken by a reaction that does not need it: dC/dt = -K A, dA/dt = -K A.
#[test]
fn what_is_taken_without_need_is_found() {
    let small = Small::new(
        "#DEFVAR A = IGNORE; C = IGNORE; #EQUATIONS A = PROD - C : K;",
        &[("A", 1e9), ("C", 1e8)],
        &[("K", "s-1", 1e-3)],
    );
    let found = small.json(&[]);
    assert_eq!(found["outcome"], "success");
    // C is gone where A has lost 1e8 of its 1e9: after ln(1/0.9)/K; the step behind that ends later.
    let negative = &found["negative"][0];
    assert_eq!((&negative["species"], &negative["taken_by"]["reaction"]), (&"C".into(), &1.into()));
    let since = number(&negative["since_s"]);
    let gone = 105.360_515_657_826_3;
    let attempts = found["attempts"].as_array().unwrap();
    let step = attempts.iter().find(|one| number(&one["time_s"]) + number(&one["step_s"]) >= since).unwrap();
    assert!(number(&step["time_s"]) <= gone && since >= gone, "{since} {step}");
    // Of the cell at that time, 1e9 exp(-K t) - 9e8 is left of C.
    let left = 1e9 * isobar_core::Real::exp(-1e-3 * since) - 9e8;
    close(&negative["concentration"], left, 1e-4);
    close(&negative["taken_by"]["change"], -1e-3 * (left + 9e8), 1e-6);
    assert!(says(&found, "R1 A = PROD - C takes it without needing it"), "{found}");
}

/// A linear chain, whose modes are its rate constants, and growth.
#[test]
fn modes_are_those_of_a_chain() {
    let small = Small::new(
        "#DEFVAR A = IGNORE; B = IGNORE; C = IGNORE; D = IGNORE;
         #EQUATIONS A = B : K; B = C : 1.0E3; C = PROD : 1.0E-2; D = 2 D : 0.05;",
        &[("A", 1e9), ("B", 1e3), ("C", 1e5), ("D", 1e2)],
        &[("K", "s-1", 2.0)],
    );
    let found = small.json(&[]);
    let modes = &found["modes"];
    for (got, want) in modes["decay_s"].as_array().unwrap().iter().zip([1e-3, 0.5, 100.0]) {
        close(got, want, 1e-9);
    }
    close(&modes["growing"]["time_s"], 20.0, 1e-9);
    assert_eq!(modes["growing"]["species"][0], "D");
    let species: Vec<&str> =
        modes["species"].as_array().unwrap().iter().map(|one| one["species"].as_str().unwrap()).collect();
    assert_eq!(species, ["B", "A", "C"]);
    close(&modes["species"][0]["time_s"], 1e-3, 1e-12);
    // The growth is real, and no failure: nothing is said of it.
    assert!(!says(&found, "grows by e"), "{found}");
}

/// Species that only count and rule the error are named with what takes them out of it; retries are among the trials.
#[test]
fn counters_that_rule_are_named() {
    let small = Small::new(
        "#DEFVAR A = IGNORE; P = IGNORE; #EQUATIONS A = P : K; A = PROD : 1.0;",
        &[("A", 1e9), ("P", 0.0)],
        &[("K", "s-1", 1e-6)],
    );
    // A has no error by its tolerance, so that P alone has one.
    let found = small.json(&["--tolerance", "A=1e-6,1e20", "--retry", "ros3,clip"]);
    assert_eq!(found["ruling"][0]["species"], "P");
    assert!(says(&found, "P rule the error and are lost by no reaction"), "{}", found["says"]);
    assert!(says(&found, "--tolerance P=1e-2,1e25 --passive-atol 1e25"), "{}", found["says"]);
    assert_eq!(trial(&found, "--retry ros3,clip")["outcome"], "success");
}

/// A slow decay takes nothing but steps that grow by the factor 6 each: from 1e-5 s on to the end of 600 s there are
/// 10.
#[test]
fn steps_that_only_grow_are_named() {
    let small = Small::new("#DEFVAR A = IGNORE; #EQUATIONS A = PROD : K;", &[("A", 1e9)], &[("K", "s-1", 1e-7)]);
    let found = small.json(&[]);
    assert_eq!(found["attempts"].as_array().unwrap().len(), 11);
    let longer = found["trials"].as_array().unwrap().iter().find(|one| {
        let choice = one["choice"].as_str().unwrap();
        choice.starts_with("--first-step") && number(&one["attempts"]) <= 3.0
    });
    let choice = longer.unwrap_or_else(|| panic!("{}", found["trials"]))["choice"].as_str().unwrap();
    let words =
        format!("steps have to grow from 1.0e-5 s on: with the one that the interval ended with, {choice}, it takes");
    assert!(says(&found, &words), "{}", found["says"]);
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let small = Small::new("#DEFVAR A = IGNORE; #EQUATIONS A = PROD : K;", &[("A", 1e9)], &[("K", "s-1", 1e-3)]);
    for (more, words) in [
        (&[][..], "--dt <S> is needed: in.nc does not say how long an interval is"),
        (&["--dt", "600", "--index", "1"], "--index 1: in.nc has 1 cell"),
        (&["--dt", "-3"], "--dt"),
        (&["--dt", "600", "--method", "rodas5"], "none of ros2, ros3"),
    ] {
        let output = small.command("in.nc", more);
        assert!(!output.status.success() && said(&output).contains(words), "{words}: {}", said(&output));
    }
    fs::write(small.0.path().join("no.json"), "{}").unwrap();
    let output = small.command("no.json", &[]);
    assert!(said(&output).contains("no.json: this is no file of a cell"), "{}", said(&output));
    // The usual command is not disturbed.
    let output = Command::new(env!("CARGO_BIN_EXE_isobar")).args(["chem", "--cells", "in.nc"]).output().unwrap();
    assert!(output.status.code() == Some(2) && said(&output).contains("--mechanism <FILE>"), "{}", said(&output));
}

/// A cell of GEOS-Chem: attempts, shares and errors are those of the library's trace.
#[test]
fn shares_are_those_of_the_trace() {
    let Some(dir) = find("kpp").map(|dir| fs::canonicalize(dir.join("fullchem")).unwrap()) else { return };
    let (kpp, cell) = (dir.join("mechanism/gc14.kpp"), dir.join("cells_raw/IndianOcean_L1_20190702_0000.txt"));
    let work = tempfile::tempdir().unwrap();
    let usual = ["--dt", "900", "--rtol", "5e-3", "--atol", "1e-2", "--json"];
    let files = [cell.to_str().unwrap(), "--mechanism", kpp.to_str().unwrap()];
    let found = parsed(&explain(work.path(), &[&files[..], &usual].concat()));
    let mechanism = isobar_kpp::Reader::new().rates_given().read_file(&kpp).unwrap();
    let one = of_text(&mechanism, &fs::read_to_string(&cell).unwrap());
    let options = Options::new(Method::Rodas3, 5e-3, 1e-2);
    let mut shares = vec![0.0; mechanism.variable()];
    let attempts = found["attempts"].as_array().unwrap();
    let (mut count, mut limited) = (0, 0);
    let see = |attempt: &isobar_rosenbrock::AttemptView<'_>| {
        let told = &attempts[count];
        count += 1;
        close(&told["error"], attempt.error, 1e-12);
        close(&told["step_s"], attempt.step_s, 1e-12);
        let squares: Vec<f64> = attempt.errors.iter().map(|error| error * error).collect();
        let sum: f64 = squares.iter().sum();
        for share in told["shares"].as_array().unwrap() {
            let species = mechanism.species_index(share["species"].as_str().unwrap()).unwrap();
            close(&share["share"], squares[species] / sum, 1e-12);
            assert!(squares.iter().filter(|&&square| square > squares[species]).count() < 3);
        }
        // 0.9 / error^(1/3) is below 6.
        let limits = attempt.error > 0.15 * 0.15 * 0.15;
        assert_eq!(told["limited"], limits);
        if limits {
            limited += 1;
            shares.iter_mut().zip(&squares).for_each(|(all, square)| *all += square / sum);
        }
    };
    let chemistry = Chemistry::new(mechanism.compiled().clone(), None);
    let done = chemistry.trace(&one, &options.over(0.0..900.0), see).unwrap();
    assert_eq!(count, attempts.len());
    let first = &found["ruling"][0];
    let species = mechanism.species_index(first["species"].as_str().unwrap()).unwrap();
    close(&first["mean_share"], shares[species] / f64::from(limited), 1e-12);
    assert!(shares.iter().all(|&share| share <= shares[species]));
    assert_eq!(trial(&found, "--method rodas3")["attempts"], done.counters[2]);
    let got: Vec<f64> = found["concentrations"].as_array().unwrap().iter().map(number).collect();
    assert_eq!(got, done.concentration);
}

/// A cell of the first form, which is ` C( i ) = x` and ` R( i ) = x`.
fn of_text(mechanism: &Mechanism, text: &str) -> Cells<f64> {
    let of = |letter: &str| -> Vec<f64> {
        let lines = text.lines().filter(|line| line.trim_start().starts_with(&format!("{letter}(")));
        lines.map(|line| line.split_once('=').unwrap().1.trim().parse().unwrap()).collect()
    };
    let first_step = text.lines().find_map(|line| line.trim_start().strip_prefix("KPP H val:")).unwrap();
    let cells = Cells {
        concentration: of("C"),
        rate_constant: of("R"),
        first_step_s: vec![first_step.trim().parse().unwrap()],
        ..Cells::default()
    };
    assert_eq!(cells.concentration.len(), mechanism.species().len());
    cells
}

/// Hard cells fail as KPP's do, for the reason that they were made with, and clipping helps as it does KPP.
#[test]
fn hard_cells_are_explained() {
    let Some(dir) = find("kpp").map(|dir| fs::canonicalize(dir.join("fullchem")).unwrap()) else { return };
    let order = json(&dir.join("mechanism/mechanism.json"));
    let names: Vec<&str> =
        order["species_kpp_order"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let hard = |name: &str| npy(&dir.join("hard").join(name));
    let ((shape, start), (of_rates, constants)) = (hard("conc_init.npy"), hard("rconst.npy"));
    let (_, times) = hard("rodas3_u5_h0_rstatus.npy");
    let (_, clipped) = npy_integers(&dir.join("hard/rodas3_u5_h0_istatus.npy"));
    let kpp = dir.join("mechanism/gc14.kpp");
    let work = tempfile::tempdir().unwrap();
    for (row, species, reaction) in [(10, "HO2", "HO2 + HO2"), (11, "ClO", "ClO + ClO")] {
        let mut text = String::from("Temperature: 290.0\n");
        for (letter, width, values) in
            [("C", shape[1], &start), ("R", of_rates[1], &constants), ("A", of_rates[1], &constants)]
        {
            for (i, value) in values[row * width..][..width].iter().enumerate() {
                text += &format!(" {letter}({}) = {value:e}\n", i + 1);
            }
        }
        fs::write(work.path().join("cell.txt"), text).unwrap();
        let arguments =
            ["cell.txt", "--mechanism", kpp.to_str().unwrap(), "--dt", "900", "--rtol", "5e-3", "--atol", "1e-2"];
        let found = parsed(&explain(work.path(), &[&arguments[..], &["--json"]].concat()));
        assert_eq!(found["outcome"], "step too small (KPP's code -7)", "{row}");
        close(&found["reached_s"], times[3 * row], 1e-6);
        assert_eq!(trial(&found, "--method rodas3")["attempts"], clipped[8 * row + 2], "{row}");
        // What started below zero comes first, and runs away by the reaction with itself.
        let negative = found["negative"].as_array().unwrap().iter().find(|one| one["species"] == species).unwrap();
        assert!(negative["since_s"].is_null(), "{row}: {negative}");
        let number_of = negative["runs_away_by"].as_u64().unwrap() as usize;
        let mechanism_reaction = &order["reactions"][number_of - 1];
        let index = names.iter().position(|name| *name == species).unwrap();
        let factor =
            mechanism_reaction["net"].as_array().unwrap().iter().find(|one| {
                one[0].as_str().map_or_else(|| one[0].as_u64() == Some(index as u64), |name| name == species)
            });
        let factor = number(&factor.unwrap()[1]);
        let rate_constant = constants[row * of_rates[1] + number_of - 1];
        let value = start[row * shape[1] + index];
        close(&negative["runs_away_s"], 1.0 / (factor * rate_constant * value), 1e-12);
        assert!(says(&found, reaction), "{row}: {}", found["says"]);
        assert_eq!(trial(&found, "--negative clip")["outcome"], "success");
        assert!(says(&found, "none of 6 other methods succeeds") && says(&found, "--negative clip succeeds"), "{row}");
    }
}

/// Nothing beside the report, and the time at which the mechanism begins where the Sun follows from it, as in a run.
#[test]
fn a_quiet_report_is_the_report_and_begins_as_a_run_does() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let report = |more: &[&str]| {
        let usual = ["chemistry/cells.nc", "--mechanism", "mechanisms/chapman_nox.kpp", "--dt", "600"];
        explain(&data, &[&usual, more].concat())
    };
    let (told, quiet) = (report(&[]), report(&["--quiet"]));
    assert!(!told.stderr.is_empty() && quiet.stderr.is_empty());
    assert_eq!(told.stdout, quiet.stdout);
    let noon = report(&["--sun-from-time"]).stdout;
    assert_eq!(noon, report(&["--sun-from-time", "--start", "43200"]).stdout);
    assert_ne!(noon, report(&["--sun-from-time", "--start", "0"]).stdout);
}
