//! `isobar chem --budget` as a user meets it: closed forms, what the file and the table say, and what is refused.

use std::fs;
use std::process::{Command, Output};

use isobar_core::Real;
use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};
use tempfile::TempDir;

use crate::common::classic::Classic;
use crate::common::{printed, said};

/// A decays to B, B comes back, and both go; A and B together are lost by the second pair alone.
const CHAIN: &str = "#DEFVAR A; B; D; #DEFFIX M;
#EQUATIONS <R1> A = B : K; <R2> B = A : 2.0*K; <R3> A + M = D : 1.0E-4; <R4> B + hv = D : 3.0E-4; <R5> D = D : 1.0;";

struct Case(TempDir);

impl Case {
    fn new(mechanism: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("m.kpp"), mechanism).unwrap();
        let density = "molecule cm-3";
        let cells = Classic { dimensions: vec![("cell", 2)], ..Classic::default() }
            .with("A", &["cell"], density, &[1e9, 4e9])
            .with("B", &["cell"], density, &[0.0, 1e9])
            .with("D", &["cell"], density, &[0.0, 0.0])
            .with("M", &["cell"], density, &[1.0, 1.0])
            .with("K", &["cell"], "s-1", &[1e-3, 0.0]);
        fs::write(folder.path().join("in.nc"), cells.bytes()).unwrap();
        Self(folder)
    }

    fn run(&self, more: &[&str]) -> Output {
        let usual = "chem --mechanism m.kpp --cells in.nc -o out.nc --device cpu --method rodas4 --rtol 1e-9 \
                     --atol 1e-3 \
                     --hours 1 --dt 60";
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        command.args(usual.split_whitespace()).args(more).current_dir(self.0.path()).output().expect("it starts")
    }

    fn read(&self, name: &str, unit: &str) -> Vec<f64> {
        const AXES: [Axis; 1] = [Axis::optional(Dimension::Cell)];
        let accepted = Accepted::FINITE;
        let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: &AXES, accepted };
        let mut file = Dataset::open(&self.0.path().join("out.nc")).unwrap();
        file.keep_going();
        file.read(&spec).unwrap().values
    }
}

fn close(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance * want.abs(), "{got} instead of {want}");
}

#[test]
fn budgets_are_those_of_the_formulas() {
    let case = Case::new(CHAIN);
    let output = case.run(&["--budget", "A,AB = A + B"]);
    assert!(output.status.success(), "{}", said(&output));
    let amount = "molecule cm-3";
    // In the second cell A goes to D alone.
    let gone = |start: f64, rate: f64| start * (1.0 - Real::exp(-rate * 3600.0));
    close(case.read("loss_A", amount)[1], gone(4e9, 1e-4), 1e-9);
    assert_eq!(case.read("production_A", amount)[1], 0.0);
    close(case.read("lifetime_A", "s")[1], 1e4, 1e-5);
    close(case.read("loss_AB", amount)[1], gone(4e9, 1e-4) + gone(1e9, 3e-4), 1e-9);
    // In both, what is made and lost is the change; the family knows nothing of A that turns to B.
    for name in ["A", "AB"] {
        let [made, lost, change, residual] =
            ["production", "loss", "change", "residual"].map(|first| case.read(&format!("{first}_{name}"), amount));
        for cell in 0..2 {
            close(made[cell] - lost[cell], change[cell], 1e-12);
            assert!(residual[cell].abs() < 1e-12 * lost[cell], "{name}: {residual:?}");
        }
    }
    let ends = |name: &str| {
        let mut file = Dataset::open(&case.0.path().join("out.nc")).unwrap();
        let axes = [Axis::optional(Dimension::Time), Axis::optional(Dimension::Cell)];
        let accepted = Accepted::FINITE;
        let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit: amount, axes: &axes, accepted };
        let values = file.read(&spec).unwrap().values;
        values[values.len() - 2..].to_vec()
    };
    let (a, b, d) = (ends("A"), ends("B"), ends("D"));
    close(case.read("change_A", amount)[0], a[0] - 1e9, 1e-12);
    close(case.read("loss_AB", amount)[0], d[0], 1e-9);
    close(case.read("change_AB", amount)[0], a[0] + b[0] - 1e9, 1e-12);
    // A turns to B and back more often than it is lost for good.
    assert!(case.read("loss_A", amount)[0] > 2.0 * case.read("loss_AB", amount)[0]);
    let file = Dataset::open(&case.0.path().join("out.nc")).unwrap();
    assert_eq!(file.attribute("reactions_of_A").unwrap(), "R1: A = B\nR2: B = A\nR3: A + M = D");
    assert_eq!(file.attribute("reactions_of_AB").unwrap(), "R3: A + M = D\nR4: B + hv = D");
    // The table has the means of both cells.
    let table = printed(&output);
    let mean = (case.read("loss_A", amount)[0] + case.read("loss_A", amount)[1]) / 2.0;
    for part in [
        "A over 1 h, mean of 2 cells, molecule cm-3",
        &format!("lost {mean:>12.4e}   lifetime "),
        "R1: A = B",
        "lost with: itself ",
        "AB over 1 h",
        "light ",
    ] {
        assert!(table.contains(part), "{part:?} is not in\n{table}");
    }
    // What is counted changes no concentration.
    let bytes = |name: &str| ends(name).iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let with = ["A", "B", "D"].map(bytes);
    let plain = case.run(&["--quiet"]);
    assert!(plain.status.success() && printed(&plain).is_empty(), "{}", said(&plain));
    assert_eq!(["A", "B", "D"].map(bytes), with);
}

#[test]
fn a_program_gets_budgets_and_what_makes_no_sense_is_refused() {
    let case = Case::new(CHAIN);
    let output = case.run(&["--budget", "A", "--budget", "B", "--json", "--quiet"]);
    let summary: serde_json::Value = serde_json::from_str(printed(&output).trim()).unwrap();
    let budgets = summary["budgets"].as_object().unwrap();
    assert_eq!(budgets.keys().collect::<Vec<_>>(), ["A", "B"]);
    close(
        budgets["A"]["production"].as_f64().unwrap() - budgets["A"]["loss"].as_f64().unwrap(),
        budgets["A"]["change"].as_f64().unwrap(),
        1e-12,
    );
    assert_eq!(budgets["B"]["reactions"][2]["reaction"], "R4: B + hv = D");
    for (budget, what) in [
        ("A,X", "--budget: budget `X`: the mechanism has no species `X`"),
        ("M", "M is held"),
        ("D=D", ""),
        ("A,a", "--budget: A stands there twice"),
        ("A=", "no species ``"),
    ] {
        let output = case.run(&["--budget", budget]);
        assert_eq!(output.status.success(), what.is_empty(), "{budget}: {}", said(&output));
        assert!(said(&output).contains(what), "{budget}: {}", said(&output));
    }
}

/// Of a cell that fails nothing is known; the others have theirs.
#[test]
fn a_cell_that_fails_has_no_budget() {
    let case =
        Case::new("#DEFVAR A; B; D; #DEFFIX M; #EQUATIONS <R1> A + A = 3 A : 1.0E-3*K; <R2> A + M = D : 1.0E-4;");
    let output = case.run(&["--budget", "A"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(printed(&output).contains("A over 1 h, one cell"), "{}", printed(&output));
    let lost = case.read("loss_A", "molecule cm-3");
    assert!(lost[0].is_nan(), "{lost:?}");
    close(lost[1], 4e9 * (1.0 - Real::exp(-0.36_f64)), 1e-9);
}

/// What is below zero reacts backwards: A = B makes A. Each list of the table adds up to what stands above it.
#[test]
fn percentages_add_up_below_zero() {
    let case = Case::new("#DEFVAR A; B; D; #DEFFIX M; #EQUATIONS <R1> A = B : 1.0E-5; <R2> B = A : 1.0E-6;");
    let density = "molecule cm-3";
    let cells = Classic { dimensions: vec![("cell", 1)], ..Classic::default() }
        .with("A", &["cell"], density, &[-1e6])
        .with("B", &["cell"], density, &[1e8]);
    fs::write(case.0.path().join("in.nc"), cells.bytes()).unwrap();
    let output = case.run(&["--budget", "A"]);
    let table = printed(&output);
    let list = |head: &str, end: &str| -> (f64, Vec<(String, f64)>) {
        let from = table.find(head).unwrap_or_else(|| panic!("{table}")) + head.len();
        let mut lines = table[from..table.find(end).unwrap()].lines();
        let whole = lines.next().unwrap().split_whitespace().next().unwrap().parse().unwrap();
        let row = |line: &str| {
            let (share, rest) = line.split_once(" % ").unwrap();
            let (_, reaction) = rest.rsplit_once("  ").unwrap();
            (reaction.to_owned(), share.trim().parse().unwrap())
        };
        (whole, lines.map(row).collect())
    };
    let (made, rows) = list("made ", "  lost ");
    // Within the hour A stays below zero: both reactions make it. A + B is S, and A goes to S/11.
    let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["R2: B = A", "R1: A = B"], "{table}");
    let (total, rest): (f64, f64) = (99e6, 99e6 / 11.0);
    let end = rest + (-1e6 - rest) * Real::exp(-1.1e-5 * 3600.0);
    assert!(end < 0.0 && total > 0.0);
    assert!((made - (end + 1e6)).abs() < 1e-4 * made, "{made} instead of {}", end + 1e6);
    assert!((rows.iter().map(|(_, share)| share).sum::<f64>() - 100.0).abs() < 0.02, "{table}");
    let (lost, rows) = list("lost ", "  lost with");
    assert!(lost == 0.0 && rows.iter().all(|(_, share)| *share == 0.0), "{table}");
}
