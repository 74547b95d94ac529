//! `isobar chem` and `isobar kpp info` as a user meets them: units, inputs in time, given rate constants, failures,
//! plots, and what they refuse.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::common::classic::Classic;
use crate::common::{data, printed, said};
use isobar_core::Real;
use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};
use tempfile::TempDir;

pub(crate) const CELL: &[&str] = &["cell"];
pub(crate) const DENSITY: &str = "molecule cm-3";
/// A turns to B, and B decays to nothing that is counted.
const DECAY: &str = "#DEFVAR A = IGNORE; B = IGNORE; #EQUATIONS <R1> A = B : K; <R2> B = PROD : 0.0;";
/// A grows the faster the more there is: from 1e9 on in no time to infinity.
const EXPLOSION: &str = "#DEFVAR A = IGNORE; #EQUATIONS <R1> A + A = 3 A : K;";

/// A folder with a mechanism and cells.
pub(crate) struct Case(TempDir);

impl Case {
    pub(crate) fn new(mechanism: &str, cells: &Classic) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("m.kpp"), mechanism).unwrap();
        fs::write(folder.path().join("in.nc"), cells.bytes()).unwrap();
        Self(folder)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn isobar(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        command.args(arguments).current_dir(self.0.path()).output().expect("the command starts")
    }

    /// An hour in intervals of ten minutes, precisely.
    pub(crate) fn command(&self, more: &[&str]) -> Output {
        self.start(more).output().expect("the command starts")
    }

    /// Until a file is there.
    fn wait_for(&self, name: &str, child: &mut std::process::Child) {
        while !self.path(name).exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }

    /// The command, to be started.
    fn start(&self, more: &[&str]) -> Command {
        let usual = ["chem", "--mechanism", "m.kpp", "--cells", "in.nc", "-o", "out.nc", "--device", "cpu", "--quiet"];
        let mut all = usual.to_vec();
        for option in
            [["--method", "rodas4"], ["--rtol", "1e-8"], ["--atol", "1e-3"], ["--hours", "1"], ["--dt", "600"]]
        {
            if !more.contains(&option[0]) {
                all.extend(option);
            }
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        command.args(&all).args(more).current_dir(self.0.path());
        command
    }

    /// Runs the command, which has to succeed without a word.
    pub(crate) fn solve(&self, more: &[&str]) {
        let output = self.command(more);
        assert!(output.status.success() && said(&output).is_empty(), "{more:?}: {}", said(&output));
    }

    pub(crate) fn read(&self, name: &str, unit: &str) -> Vec<f64> {
        const AXES: [Axis; 2] = [Axis::optional(Dimension::Time), Axis::optional(Dimension::Cell)];
        let accepted = Accepted::FINITE;
        let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: &AXES, accepted };
        let mut file = Dataset::open(&self.path("out.nc")).unwrap();
        file.keep_going();
        file.read(&spec).unwrap().values
    }

    /// The command has to fail with these words, and leave nothing.
    pub(crate) fn refused(&self, more: &[&str], parts: &[&str]) {
        let output = self.command(more);
        let text = said(&output);
        assert!(!output.status.success() && text.starts_with("isobar: "), "{parts:?}: {text}");
        for part in parts {
            assert!(text.contains(part), "{part:?} is not in {text}");
        }
        assert!(!self.path("out.nc").exists());
    }
}

pub(crate) fn cells(count: usize) -> Classic {
    Classic { dimensions: vec![("cell", count)], ..Classic::default() }
}

fn decaying() -> Classic {
    cells(3).with("A", CELL, DENSITY, &[1e9, 2e9, 0.0]).with("K", CELL, "s-1", &[1e-3, 1e-4, 1e-4])
}

pub(crate) fn close(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance * want.abs(), "{got} instead of {want}");
}

/// What a run leaves below 0 within its tolerance may start another, and is said.
#[test]
fn what_our_own_output_has_is_taken_as_it_is() {
    let mut negative = decaying();
    negative.variable("A").values[2] = -8.54e-5;
    let output = Case::new(DECAY, &negative).command(&["--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let json: serde_json::Value = serde_json::from_str(&crate::common::printed(&output)).unwrap();
    let told = "A: 1 value is below 0, the least -8.54e-5 molecule cm-3: taken as it is";
    assert!(json["derived"].as_array().unwrap().iter().any(|what| what == told), "{json}");
}

/// However far below 0, as in KPP: what decays does so from there, and what reacts with itself fails for a reason.
#[test]
fn cells_may_start_below_zero() {
    let mut negative = decaying();
    negative.variable("A").values[1] = -3e9;
    let case = Case::new(DECAY, &negative);
    let words = case.solve_with_words(&["--json"]);
    assert!(words.contains("concentrations below minus the tolerance at ends of intervals; the worst: A"), "{words}");
    close(case.read("A", DENSITY)[19], -3e9 * Real::exp(-0.36_f64), 1e-6);
    let loss = "#DEFVAR A = IGNORE; #EQUATIONS A + A = PROD : K;";
    let start = cells(2).with("A", CELL, DENSITY, &[1e9, -1e9]).with("K", &[], "cm3 s-1", &[1e-12]);
    let case = Case::new(loss, &start);
    let output = case.command(&[]);
    // dA/dt = -2 K A^2 is at minus infinity after 1/(2 K 1e9) = 500 s.
    let text = said(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("1 of 2 cells failed; the first: cell 1: step too small at step "), "{text}");
    assert!((case.read("time_reached", "s")[1] - 500.0).abs() < 0.1);
}

#[test]
fn the_demonstration_gives_the_committed_bytes() {
    let work = tempfile::tempdir().unwrap();
    for name in ["mechanisms/chapman_nox.kpp", "chemistry/cells.nc"] {
        fs::create_dir_all(work.path().join(name).parent().unwrap()).unwrap();
        fs::copy(data().join(name), work.path().join(name)).unwrap();
    }
    let name = "chemistry/concentrations.nc";
    let arguments = "chem --mechanism mechanisms/chapman_nox.kpp --cells chemistry/cells.nc -o \
                     chemistry/concentrations.nc \
                     --hours 24 --dt 600 --every 6 --method rodas4 --rtol 1e-4 --device cpu";
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    let output = command.args(arguments.split_whitespace()).current_dir(work.path()).output().unwrap();
    let text = said(&output);
    assert!(text.contains("8 cells, 10 species, 23 reactions, 144 intervals on cpu: "), "{text}");
    assert!(text.contains("6 of 10 species start from the mechanism's initial values, "), "{text}");
    assert!(text.contains("nothing needs height\n"), "{text}");
    assert!(fs::read(work.path().join(name)).unwrap() == fs::read(data().join(name)).unwrap());
    // By night what only sunlight makes falls to round-off.
    let negative = Dataset::open(&work.path().join(name)).unwrap().attribute("negative_concentrations").unwrap();
    let lines: Vec<&str> = negative.lines().collect();
    assert!(lines[0].starts_with("O1D: ") && lines[1].starts_with("O: ") && lines.len() == 2, "{negative}");
    assert!(lines.iter().all(|line| line.contains("of 200 values are below 0, the lowest -")), "{negative}");
}

#[test]
fn decay_is_exponential_and_statistics_are_there() {
    let case = Case::new(DECAY, &decaying());
    case.solve(&["--every", "4"]);
    assert_eq!(case.read("time", "s"), [0.0, 2400.0, 3600.0]);
    let (a, b) = (case.read("A", DENSITY), case.read("B", DENSITY));
    for (cell, (start, rate)) in [(1e9, 1e-3), (2e9, 1e-4)].into_iter().enumerate() {
        for (i, time) in [0.0, 2400.0, 3600.0].into_iter().enumerate() {
            let left = start * Real::exp(-rate * time);
            close(a[3 * i + cell], left, 1e-6);
            assert!((b[3 * i + cell] - (start - left)).abs() < 1e-6 * start);
        }
        let [steps, accepted, rejected] =
            ["steps", "accepted_steps", "rejected_steps"].map(|name| case.read(name, "1")[cell]);
        assert!(steps >= 6.0 && accepted <= steps && rejected <= steps - accepted);
    }
    assert_eq!(a[8], 0.0);
    assert_eq!((case.read("status", "1"), case.read("time_reached", "s")), (vec![0.0; 3], vec![3600.0; 3]));
}

#[test]
fn mixing_ratios_come_and_go_as_such() {
    let mole = cells(2)
        .with("A", CELL, "ppbv", &[40.0, 50.0])
        .with("K", &[], "s-1", &[1e-3])
        .with("air_pressure", CELL, "hPa", &[1000.0, 500.0])
        .with("air_temperature", CELL, "K", &[300.0, 250.0]);
    let mechanism = DECAY.replace(": K", ": K*CFACTOR/CFACTOR");
    let case = Case::new(&mechanism, &mole);
    case.solve(&[]);
    let (a, b) = (case.read("A", "mol mol-1"), case.read("B", DENSITY));
    let left = Real::exp(-3.6_f64);
    close(a[12], 40e-9 * left, 1e-6);
    let density = 1e-6 * 5e4 / (1.380_649e-23 * 250.0);
    close(b[13], 50e-9 * density * (1.0 - left), 1e-6);
    let without = cells(2).with("A", CELL, "ppbv", &[40.0, 50.0]).with("K", &[], "s-1", &[1e-3]);
    Case::new(DECAY, &without).refused(&[], &["in.nc: A is in mol/mol: number_density, or air_pressure"]);
}

#[test]
fn inputs_may_change_in_time() {
    let times = Classic { dimensions: vec![("time", 3), ("cell", 2)], ..Classic::default() };
    let changing = times
        .with("time", &["time"], "min", &[0.0, 20.0, 80.0])
        .with("K", &["time", "cell"], "s-1", &[0.0, 1e-3, 2e-3, 1e-3, 2e-3, 7e-3])
        .with("A", &["time"], DENSITY, &[1e9, 5e8, 6e8]);
    let case = Case::new(DECAY, &changing);
    let words = case.solve_with_words(&[]);
    assert!(words.contains("A: of the file's times only the start is read"), "{words}");
    // Taken at the start of each interval of 600 s.
    let a = case.read("A", DENSITY);
    close(a[12], 1e9 * Real::exp(-600.0 * (0.0 + 1e-3 + 4.0 * 2e-3_f64)), 1e-6);
    close(a[13], 1e9 * Real::exp(-600.0 * (1e-3 + 1e-3 + 1e-3 + 2e-3 + 3e-3 + 4e-3_f64)), 1e-6);
    // From a later start.
    let words = case.solve_with_words(&["--start", "4800", "--hours", "0.5"]);
    assert!(words.contains("intervals start from 4800 to 6000 s, and the file's times are 0 to 4800 s"), "{words}");
    close(case.read("A", DENSITY)[7], 6e8 * Real::exp(-1800.0 * 7e-3_f64), 1e-5);
    let mut falling = changing;
    falling.variable("time").values[2] = 10.0;
    Case::new(DECAY, &falling).refused(&[], &["in.nc: time[2] is 600 s, but time[1] is 1200 s: times rise"]);
}

#[test]
fn rate_constants_may_be_given() {
    let given = Classic { dimensions: vec![("reaction", 2), ("cell", 2)], ..Classic::default() }
        .with("A", CELL, DENSITY, &[1e9, 1e9])
        .with("rate_constant", &["reaction", "cell"], "s-1", &[1e-3, 2e-3, 0.0, 0.0]);
    let case = Case::new(DECAY, &given);
    case.solve(&[]);
    close(case.read("A", DENSITY)[13], 1e9 * Real::exp(-7.2_f64), 1e-6);
    case.refused_with_output(&["--rates", "stage"], "rate constants are given");
    let other = Classic { dimensions: vec![("reaction", 1)], ..Classic::default() }.with(
        "rate_constant",
        &["reaction"],
        "s-1",
        &[1e-3],
    );
    Case::new(DECAY, &other)
        .refused(&[], &["in.nc: rate_constant has dimension reaction = 1, but the mechanism has 2"]);
    for unit in ["min-1", "cm3 molecule-1 h-1", "1/day"] {
        let mut other = given.clone();
        other.variable("rate_constant").units = Some(unit);
        let expected = format!("in.nc: units of rate_constant are {unit:?}: rate constants are per second");
        Case::new(DECAY, &other).refused(&[], &[&expected]);
    }
}

impl Case {
    /// An output that is there already stays.
    fn refused_with_output(&self, more: &[&str], part: &str) {
        let before = fs::read(self.path("out.nc")).unwrap();
        let output = self.command(more);
        assert!(!output.status.success() && said(&output).contains(part), "{}", said(&output));
        assert!(fs::read(self.path("out.nc")).unwrap() == before);
    }
}

#[test]
fn a_cell_that_fails_leaves_a_file_and_the_others_alone() {
    let explosive = cells(3).with("A", CELL, DENSITY, &[1e3, 1e9, 2e3]).with("K", &[], "cm3 s-1", &[1e-9]);
    let case = Case::new(EXPLOSION, &explosive);
    let output = case.command(&[]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(
        text.starts_with("isobar: warning: 1 of 3 cells failed; the first: cell 1: ")
            && text.contains("out.cell1.json"),
        "{text}"
    );
    let (a, status) = (case.read("A", DENSITY), case.read("status", "1"));
    assert!(status[1] != 0.0 && status[0] == 0.0 && status[2] == 0.0, "{status:?}");
    close(a[18], 1e3 / (1.0 - 1e-9 * 1e3 * 3600.0), 1e-6);
    close(a[20], 2e3 / (1.0 - 1e-9 * 2e3 * 3600.0), 1e-6);
    assert!(a[1] == 1e9 && a[4].is_nan() && a[19].is_nan());
    // None is left: what there is of it is written, too.
    let explosive = cells(2).with("A", CELL, DENSITY, &[1e9, 2e9]).with("K", &[], "cm3 s-1", &[1e-9]);
    let none = Case::new(EXPLOSION, &explosive);
    assert_eq!(none.command(&[]).status.code(), Some(4));
    assert!(none.read("status", "1").iter().all(|&status| status != 0.0));
    let reached = case.read("time_reached", "s")[1];
    assert!((0.9..1.001).contains(&reached), "{reached}");
    // The file leads to the same end.
    let again = case.isobar(&[
        "chem",
        "--mechanism",
        "m.kpp",
        "--cell",
        "out.cell1.json",
        "--method",
        "rodas4",
        "--rtol",
        "1e-8",
        "--atol",
        "1e-3",
    ]);
    let text = printed(&again);
    assert!(again.status.code() == Some(4) && text.starts_with("cell 1: "), "{text}{}", said(&again));
    let outcome = text.lines().next().unwrap().trim_start_matches("cell 1: ").split(" at ").next().unwrap();
    assert!(text.contains(&format!("again from there to 600 s: {outcome}")), "{text}");
    // What it does not read is refused.
    for option in [["--set", "K=1"], ["--every", "2"], ["--retry", "again"], ["--carry-step", "hnew"]] {
        let refused = case.isobar(&["chem", "--mechanism", "m.kpp", "--cell", "out.cell1.json", option[0], option[1]]);
        assert!(!refused.status.success() && said(&refused).contains("cannot be used with"), "{}", said(&refused));
    }
    fs::write(case.path("m.kpp"), DECAY).unwrap();
    let other = case.isobar(&["chem", "--mechanism", "m.kpp", "--cell", "out.cell1.json"]);
    let words = "out.cell1.json: the cell has no species B, which the mechanism has";
    assert!(said(&other).contains(words), "{}", said(&other));
}

/// What the file of a cell has goes to the species and reactions of its names, whatever their order; a rate that is
/// another one now is said, and so is a file without names.
#[test]
fn a_cell_is_read_again_by_name() {
    let first = "#DEFVAR A = IGNORE; B = IGNORE; #EQUATIONS A = B : 1.0E-3; B = A : 1.0E-4;";
    let other = "#DEFVAR B = IGNORE; A = IGNORE; #EQUATIONS B = A : 1.0E-4; A = B : 1.0E-3;";
    let case = Case::new(first, &cells(1).with("A", CELL, DENSITY, &[1e10]).with("B", CELL, DENSITY, &[0.0]));
    assert_eq!(case.command(&["--max-steps", "1"]).status.code(), Some(4));
    let again = |mechanism: &str| {
        fs::write(case.path("m.kpp"), mechanism).unwrap();
        case.isobar(&["chem", "--mechanism", "m.kpp", "--cell", "out.cell0.json"])
    };
    let rows = |output: &Output| {
        let text = printed(output);
        let mut rows: Vec<String> = text.lines().rev().take(2).map(|line| line.trim().to_owned()).collect();
        rows.sort();
        rows
    };
    let want = rows(&again(first));
    let output = again(other);
    assert!(output.status.success() && said(&output).is_empty(), "{}", said(&output));
    let close_rows = |got: &[String]| {
        let numbers = |rows: &[String]| -> Vec<f64> {
            rows.iter()
                .flat_map(|row| row.split_whitespace().skip(1).map(|x| x.parse().unwrap()).collect::<Vec<_>>())
                .collect()
        };
        numbers(got).iter().zip(numbers(&want)).for_each(|(&got, want)| close(got, want, 1e-9));
    };
    close_rows(&rows(&output));
    let output = again(&first.replace("1.0E-3", "5.0E-3"));
    let words = "out.cell0.json: rate constants are the file's, but the rate of A = B is 5.0E-3 in the mechanism and \
                 was 1.0E-3 there";
    assert!(output.status.success() && said(&output).contains(words), "{}", said(&output));
    close_rows(&rows(&output));
    let output = again(&first.replace("B = A", "B + A = A"));
    let words = "out.cell0.json: the cell has no reaction B + A = A, which the mechanism has";
    assert!(!output.status.success() && said(&output).contains(words), "{}", said(&output));
    // Files of before have no names.
    let text = fs::read_to_string(case.path("out.cell0.json")).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    ["species", "reactions", "rates", "input_names"]
        .iter()
        .for_each(|key| _ = json.as_object_mut().unwrap().remove(*key));
    fs::write(case.path("out.cell0.json"), json.to_string()).unwrap();
    let output = again(first);
    assert!(said(&output).contains("out.cell0.json has no names"), "{}", said(&output));
    close_rows(&rows(&output));
}

/// What fails starts again as it is told, and what helped is said and recorded.
#[test]
fn cells_that_fail_are_tried_again() {
    // Far below zero A reacts with itself without end.
    let loss = "#DEFVAR A = IGNORE; #EQUATIONS A + A = PROD : K;";
    let start = cells(3).with("A", CELL, DENSITY, &[1e9, -1e9, -2e9]).with("K", &[], "cm3 s-1", &[1e-12]);
    let case = Case::new(loss, &start);
    let output = case.command(&["--retry", "again", "--retry", "ros3,clip", "--retry", "ros2"]);
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    let told = "2 failures of cells were tried again, with success 0 of 2 by again, 2 of 2 by ros3,clip\n";
    assert!(text.contains(told), "{text}");
    assert_eq!(case.read("retries", "1"), [0.0, 2.0, 2.0]);
    assert_eq!(case.read("status", "1"), [0.0; 3]);
    // A clipped step has left nothing.
    let a = case.read("A", DENSITY);
    assert_eq!(a[19..], [0.0, 0.0]);
    close(a[18], 1e9 / (1.0 + 2.0 * 1e-12 * 1e9 * 3600.0), 1e-6);
    // What does not help ends as the first attempt.
    let output = case.command(&["--retry", "again"]);
    let text = said(&output);
    assert!(output.status.code() == Some(3) && text.contains("success 0 of 2 by again\n"), "{text}");
    assert!(text.contains("2 of 3 cells failed; the first: cell 1: step too small"), "{text}");
    // Too few steps for the first attempt: counters are those of both, in each of six intervals.
    let case = Case::new(DECAY, &decaying());
    case.solve(&["--carry-step", "start"]);
    let steps = case.read("steps", "1");
    let output = case.command(&["--carry-step", "start", "--max-steps", "3", "--retry", "steps=100000"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(
        said(&output).contains("18 failures of cells were tried again, with success 18 of 18"),
        "{}",
        said(&output)
    );
    // KPP's most steps are those after which it attempts one more.
    let both: Vec<f64> = steps.iter().map(|steps| steps + 6.0 * 4.0).collect();
    assert_eq!(case.read("steps", "1"), both);
    Case::new(DECAY, &decaying())
        .refused(&["--retry", "rtol=2"], &["--retry rtol=2: the relative tolerance of species 0 is 2"]);
}

/// Cells enough, and steps small enough, for seconds of work.
fn slow() -> Case {
    let count = 500;
    let a: Vec<f64> = (0..count).map(|i| 1e9 + 1e5 * f64::from(i)).collect();
    // A cell that fails on the way, and one that fails at once.
    let b: Vec<f64> = (0..count).map(|i| if i == 7 { 2.9e5 } else { f64::from(i % 3) }).collect();
    let file = cells(count as usize)
        .with("A", CELL, DENSITY, &a)
        .with("B", CELL, DENSITY, &b)
        .with("K", &[], "s-1", &[1e-4])
        .with("E", &[], "cm3 s-1", &[1e-9]);
    // B explodes after 1 / (E B).
    Case::new("#DEFVAR A = IGNORE; B = IGNORE; #EQUATIONS <R1> A = PROD : K; <R2> B + B = 3 B : E;", &file)
}

#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_goes_on_to_the_same_bytes() {
    let usual = ["--hours", "24", "--dt", "60", "--every", "7", "--method", "ros2", "--budget", "A,AB=A+B"];
    let (whole, stopped) = (slow(), slow());
    let done = whole.command(&usual);
    assert!(
        done.status.code() == Some(3) && said(&done).contains("1 of 500 cells failed; the first: cell 7"),
        "{}",
        said(&done)
    );
    // Killed outright: the file of an hour or two is there.
    let saving = [&usual[..], &["--restart", "last.nc", "--restart-hours", "1"]].concat();
    let mut child = stopped.start(&saving).spawn().unwrap();
    stopped.wait_for("last.nc", &mut child);
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(!output.status.success() && !stopped.path("out.nc").exists(), "it was done before the signal came");
    // Asked to stop, on the way on: what is finished is written.
    let before = fs::read(stopped.path("last.nc")).unwrap();
    let on = [&saving[..], &["--resume", "last.nc"]].concat();
    let mut child = stopped.start(&on).stderr(std::process::Stdio::piped()).spawn().unwrap();
    while fs::read(stopped.path("last.nc")).unwrap() == before && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    // SAFETY: the child is ours, and has not been waited for.
    unsafe { libc::kill(child.id().cast_signed(), libc::SIGTERM) };
    let output = child.wait_with_output().unwrap();
    let text = said(&output);
    assert!(text.contains("what is finished is written: go on with --resume last.nc"), "{text}");
    assert_eq!(output.status.code(), Some(5));
    let reached = stopped.read("time", "s").len();
    assert!((2..207).contains(&reached), "{reached}");
    assert!(
        Dataset::open(&stopped.path("out.nc")).unwrap().attribute("stopped").unwrap().starts_with("after interval ")
    );
    // On with other threads, to the same bytes.
    let done = stopped.command(&[&usual[..], &["--resume", "last.nc"]].concat());
    assert!(done.status.code() == Some(3) && said(&done).contains("the first: cell 7"), "{}", said(&done));
    for name in ["out.nc", "out.cell7.json"] {
        assert!(fs::read(whole.path(name)).unwrap() == fs::read(stopped.path(name)).unwrap(), "{name}");
    }
    let mut names: Vec<_> = fs::read_dir(stopped.path(".")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    // What was killed leaves a temporary file at most.
    names.retain(|name| !name.to_str().unwrap().starts_with(".isobar-"));
    assert_eq!(names, ["in.nc", "last.nc", "m.kpp", "out.cell7.json", "out.nc"]);
    // Another run is refused, and so is a file that is none, or damaged.
    stopped.refused_with_output(&[&usual[2..], &["--hours", "23", "--resume", "last.nc"]].concat(), "of another run");
    stopped.refused_with_output(&[&usual[..], &["--resume", "in.nc"]].concat(), "no restart file of isobar chem");
    let mut bytes = fs::read(stopped.path("last.nc")).unwrap();
    let number = 1e9_f64.to_be_bytes();
    let place = bytes.windows(8).position(|window| window == number).unwrap();
    bytes[place] ^= 1;
    fs::write(stopped.path("last.nc"), bytes).unwrap();
    let damaged = "records is not what was written: its checksum differs";
    stopped.refused_with_output(&[&usual[..], &["--resume", "last.nc"]].concat(), damaged);
}

#[test]
fn sunlight_may_follow_from_the_time() {
    let stratosphere = fs::read_to_string(data().join("mechanisms/chapman_nox.kpp")).unwrap();
    let case = Case::new(&stratosphere, &cells(1).with("TEMP", &[], "K", &[230.0]));
    case.refused(&[], &["in.nc: SUN is missing: the mechanism's rates need it"]);
    let usual = ["--sun-from-time", "--rates", "stage", "--dt", "3600", "--rtol", "1e-5", "--plot", "out.svg"];
    case.solve(&[&usual[..], &["--hours", "12"]].concat());
    // From noon, which the mechanism says, to midnight.
    let times = case.read("time", "s");
    assert_eq!((times[0], times[12]), (43_200.0, 86_400.0));
    let (no, no2) = (case.read("NO", DENSITY), case.read("NO2", DENSITY));
    assert!(no[0] > 0.5 * no2[0] && no[12] < 1e-6 * no2[12], "{no:?} {no2:?}");
    let svg = fs::read_to_string(case.path("out.svg")).unwrap();
    for part in ["<svg", "Cell 0", "time [h]", "concentration [molecule cm⁻³]", "N2O5"] {
        assert!(svg.contains(part), "{part}");
    }
    assert!(!svg.contains("NaN"));
}

#[test]
fn bad_cells_are_refused_with_their_place() {
    let with = |variable: &str, index: usize, value: f64| {
        let mut file = decaying();
        file.variable(variable).values[index] = value;
        file
    };
    let in_unit = |variable: &str, units| {
        let mut file = decaying();
        file.variable(variable).units = units;
        file
    };
    for (file, parts) in [
        (with("A", 1, -2e21), ["in.nc: A", "-2e21", "cell 1", "[-1e21, 1e21]"]),
        (with("A", 2, f64::NAN), ["in.nc: A", "NaN", "cell 2", "[-1e21, 1e21]"]),
        (with("K", 0, f64::INFINITY), ["in.nc: K", "inf", "cell 0", "the finite numbers"]),
        (in_unit("A", Some("kg kg-1")), ["in.nc: A", "\"kg kg-1\"", "do not convert to", "molecule cm-3"]),
        (in_unit("A", None), ["in.nc: A", "no attribute", "units", "molecule cm-3"]),
        (in_unit("K", None), ["in.nc: K", "no attribute", "units", ""]),
        (decaying().with("TEMP", CELL, "degC", &[20.0, -300.0, 0.0]), ["in.nc: TEMP", "cell 1", "[100, 400]", "K"]),
        (decaying().with("TEMP", CELL, "K", &[280.0, 2.2, 21_665.0]), ["in.nc: TEMP", "2.2", "cell 1", "[100, 400]"]),
        (
            decaying().with("air_pressure", CELL, "hPa", &[1e3, 1e5, 1e3]),
            ["air_pressure", "cell 1", "(0, 1000000]", "Pa"],
        ),
        (decaying().with("CFACTOR", CELL, DENSITY, &[1e19, 1e25, 1e19]), ["CFACTOR", "1e25", "cell 1", "(0, 1e21]"]),
        (
            decaying().with("CFACTOR", CELL, DENSITY, &[1e19; 3]).with("B", CELL, "mol mol-1", &[0.5, 2.0, 0.0]),
            ["in.nc: B", "2 mol mol-1", "cell 1", "[-1, 1]"],
        ),
    ] {
        Case::new(DECAY, &file).refused(&[], &parts);
    }
    let mut without = decaying();
    without.variables.retain(|variable| variable.name != "K");
    Case::new(DECAY, &without)
        .refused(&[], &["in.nc: K is missing: the mechanism's rates need it, (cell) or (time, cell)"]);
    let mut short = decaying();
    short.dimensions.push(("cells", 2));
    let short = short.with("B", &["cells"], DENSITY, &[1.0, 2.0]);
    Case::new(DECAY, &short).refused(&[], &["in.nc: B has dimension cell (cells) = 2, but A has cell = 3"]);
}

#[test]
fn bad_mechanisms_and_options_are_refused() {
    let case = Case::new(&DECAY.replace("A = B", "A = BB"), &decaying());
    case.refused(&[], &["m.kpp:1:53: unknown species `BB`", "^^", "did you mean `B`?"]);
    let case = Case::new(DECAY, &decaying());
    case.refused(&["--rtol", "0"], &["the relative tolerance of species 0 is 0"]);
    case.refused(&["--passive-atol", "1e-4"], &["all are passive"]);
    let idle = "--passive-atol 1e30 changes nothing: no species has such an absolute tolerance";
    let output = case.command(&["--passive-atol", "1e30"]);
    assert!(output.status.success() && said(&output).contains(idle), "{}", said(&output));
    fs::remove_file(case.path("out.nc")).unwrap();
    case.refused(&["--tolerance", "X=1e-3,1"], &["the mechanism has no variable species X"]);
    case.refused(&["--precision", "f32"], &["computed in f64"]);
    for (more, part) in [
        (&["--method", "euler"][..], "none of ros2"),
        (&["--hours", "-1"], "(0, inf)"),
        (&["--dt", "0"], "(0, inf)"),
        (&["--tolerance", "A"], "NAME=RELATIVE,ABSOLUTE"),
        (&["--h211b", "2,0"], "(0, inf)"),
        (&["--h211b", "9"], "9 is not in [2, 8]"),
        (&["--h211b", "1,3"], "1 is not in [2, 8]"),
    ] {
        let output = case.command(more);
        assert!(output.status.code() == Some(2) && said(&output).contains(part), "{}", said(&output));
    }
    let bare = case.isobar(&["chem", "--mechanism", "m.kpp"]);
    assert!(said(&bare).contains("--cells <FILE>"), "{}", said(&bare));
}

#[test]
fn a_tolerance_of_its_own_counts() {
    let case = Case::new(DECAY, &decaying());
    let steps = |more: &[&str]| {
        case.solve(more);
        case.read("steps", "1")[0]
    };
    assert!(steps(&["--tolerance", "A=1e-2,1e7", "--tolerance", "b=1e-2,1e7"]) < steps(&[]));
}

#[test]
fn a_mechanism_is_described() {
    let path = data().join("mechanisms/chapman_nox.kpp");
    let output = crate::common::isobar(&["kpp", "info", path.to_str().unwrap(), "--list"]);
    assert!(output.status.success() && said(&output).is_empty(), "{}", said(&output));
    let text = printed(&output);
    for part in [
        "species       8 variable, 2 fixed",
        "reactions     23, 8 of them photolysis",
        "input         TEMP, 227 unless given",
        "input         SUN\n",
        "Jacobian      37 entries, 38 after elimination: 1 fill in",
        "bytes a cell in flight: ros2 1120, ros3 1184",
        "R13 NO + NO3 = 2 NO2 : ARR_ab(1.5E-11, -170.)",
        "2 N + 5 O",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let lossy =
        "#INCLUDE atoms.kpp #DEFVAR NO = N + O; O3 = 3O; NO2 = N + 2O; UNUSED = O; #EQUATIONS NO + O3 = NO2 : 1E-14;";
    let case = Case::new(lossy, &cells(1));
    let text = printed(&case.isobar(&["kpp", "info", "m.kpp"]));
    assert!(text.contains("loses 2 O: NO + O3 = NO2") && text.contains("left out      UNUSED"), "{text}");
    let missing = case.isobar(&["kpp", "info", "nobody.kpp"]);
    assert!(!missing.status.success() && said(&missing).contains("nobody.kpp"), "{}", said(&missing));
}

/// The case with one cell of `#INITVALUES`.
fn own_values(mechanism: &str) -> Case {
    Case::new(mechanism, &cells(1).with("TEMP", &[], "K", &[280.0]))
}

#[test]
fn rates_follow_what_reacts() {
    // dA/dt = -A^2, as a rate that reads A: A(1 s) = 1/2.
    let square = own_values("#DEFVAR A; B; #INITVALUES A = 1.; #EQUATIONS A = B : 1.0*C(ind_A);");
    for method in ["ros2", "ros3", "ros4", "rodas3", "rodas4", "rodas3.1"] {
        let second = ["--hours", "2.777777777777778e-4", "--dt", "1", "--atol", "1e-14", "--rates", "stage"];
        let output = square.command(&[&second[..], &["--method", method]].concat());
        assert!(output.status.success(), "{}", said(&output));
        // Local errors of 1e-8 of some hundred steps.
        close(square.read("A", DENSITY)[1], 0.5, 1e-6);
    }
    let linear = own_values("#DEFVAR A; B; #INITVALUES A = 1.; #EQUATIONS A = B : 1e-3;");
    let words = linear.solve_with_words(&["--hours", "1", "--dt", "3600", "--method", "rang3"]);
    assert!(words.contains("warning: rang3 does not see errors of what is linear"), "{words}");
    // A fixed species that no reaction has counts, from the mechanism or the file: A(1 s) = exp(-0.5 M).
    let text = "#DEFVAR A; B; #DEFFIX M; #INITVALUES A = 1.; M = 4.; #EQUATIONS A = B : 0.5*C(ind_M);";
    let second = ["--hours", "2.777777777777778e-4", "--dt", "1", "--atol", "1e-14"];
    let held = own_values(text);
    held.solve_with_words(&second);
    close(held.read("A", DENSITY)[1], Real::exp(-2.0_f64), 1e-7);
    assert_eq!(held.read("M", DENSITY), [4.0, 4.0]);
    let given = Case::new(text, &cells(1).with("M", CELL, DENSITY, &[3.0]));
    given.solve_with_words(&second);
    close(given.read("A", DENSITY)[1], Real::exp(-1.5_f64), 1e-7);
    // A name alone is none.
    let bare = own_values("#DEFVAR NO; NO2; X;\n#EQUATIONS NO = NO2 : 1e-3;\nX = NO : 1.0d-12*NO;");
    bare.refused(&[], &["m.kpp:3:18: `NO` is a species", "write `C(ind_NO)`"]);
}

impl Case {
    /// Runs the command, which has to succeed, whatever it says.
    fn solve_with_words(&self, more: &[&str]) -> String {
        let output = self.command(more);
        assert!(output.status.success(), "{more:?}: {}", said(&output));
        said(&output)
    }
}

#[test]
fn when_a_run_starts_changes_nothing() {
    let stratosphere = fs::read_to_string(data().join("mechanisms/chapman_nox.kpp")).unwrap();
    let file = cells(1).with("TEMP", &[], "K", &[230.0]).with("SUN", &[], "1", &[0.7]);
    let case = Case::new(&stratosphere, &file);
    for method in ["ros3", "ros4", "rodas3"] {
        let run = |start: &str| {
            let words = case.solve_with_words(&["--method", method, "--start", start, "--rtol", "1e-4", "--atol", "1"]);
            (words, ["O3", "NO", "O1D"].map(|name| case.read(name, DENSITY)))
        };
        let (words, early) = run("0");
        assert!(words.is_empty() && early[0][6] != early[0][0], "{words}");
        for start in ["1e7", "1.7e9", "1e20"] {
            let (words, late) = run(start);
            assert_eq!(late, early, "{method} {start}");
            assert_eq!(words.contains("times of 1e20 s are rounded to 16384 s"), start == "1e20");
        }
    }
}

#[test]
fn negatives_beyond_the_tolerance_are_named() {
    // What is not there is taken.
    let mechanism = "#DEFVAR A = IGNORE; B = IGNORE; PAR = IGNORE; #EQUATIONS A = B - PAR : K;";
    let case = Case::new(mechanism, &decaying());
    let output = case.command(&["--json"]);
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    assert!(
        text.starts_with(
            "isobar: warning: 12 concentrations below minus the tolerance at ends of intervals; the worst: PAR in \
             cell 0 at 3600 s: -9.7"
        ),
        "{text}"
    );
    let summary: serde_json::Value = serde_json::from_str(&printed(&output)).unwrap();
    let worst = &summary["below_tolerance"]["worst"];
    assert_eq!(
        (&summary["below_tolerance"]["count"], &worst["species"], &worst["cell"]),
        (&12.into(), &"PAR".into(), &0.into())
    );
    let lost = worst["value_per_cm3"].as_f64().unwrap();
    close(lost, -1e9 * (1.0 - Real::exp(-3.6_f64)), 1e-6);
    // A tolerance as large as that counts none.
    let output = case.command(&["--json", "--tolerance", "PAR=1e-3,1e10"]);
    let summary: serde_json::Value = serde_json::from_str(&printed(&output)).unwrap();
    assert_eq!((summary["below_tolerance"]["count"].as_u64(), said(&output).is_empty()), (Some(0), true));
}

#[test]
fn choices_without_effect_are_told() {
    let case = Case::new(DECAY, &decaying());
    for rates in ["step", "stage"] {
        let words = case.solve_with_words(&["--rates", rates]);
        assert!(words.contains(&format!("--rates {rates} changes nothing: no rate depends on the time")), "{words}");
    }
    let output = case.command(&["--include", "nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("--include: there is no folder nowhere"), "{}", said(&output));
    let empty = Case::new("#DEFVAR A; B;", &decaying());
    empty.refused(&[], &["m.kpp: the mechanism has no reactions"]);
}

#[test]
fn given_rate_constants_need_no_readable_rates() {
    let text = "#DEFVAR A; B; #EQUATIONS A = B : Uptake( SR_MW(ind_A), .FALSE., Het ); B = PROD : 0.0;";
    let given = Classic { dimensions: vec![("reaction", 2), ("cell", 1)], ..Classic::default() }
        .with("A", CELL, DENSITY, &[1e9])
        .with("rate_constant", &["reaction", "cell"], "s-1", &[1e-3, 0.0]);
    let case = Case::new(text, &given);
    let words = case.solve_with_words(&[]);
    assert!(words.contains("m.kpp: 1 of 2 rates are not read; rate constants are those of the cells"), "{words}");
    close(case.read("A", DENSITY)[6], 1e9 * Real::exp(-3.6_f64), 1e-6);
    Case::new(text, &decaying()).refused(&[], &["m.kpp:1:"]);
}

/// A law that is not known is no hindrance where its values are given; what it wants is said.
#[test]
fn values_of_open_laws_are_inputs() {
    let text =
        "#DEFVAR A; B; #EQUATIONS A = B : 2.0*Uptake( SR_MW(ind_A), 0.1_dp, Het );\nB = PROD : GCARR_ac(0.0, 1.0);";
    let input = "Uptake_SR_MW_ind_A_0_1_dp_Het";
    let given = cells(1).with("A", CELL, DENSITY, &[1e9]).with("TEMP", CELL, "K", &[300.0]);
    let refused = Case::new(text, &given);
    refused.refused(&[], &["m.kpp:1:38: unknown rate function `Uptake` of 3 arguments", "isobar kpp info"]);
    let info = printed(&refused.isobar(&["kpp", "info", "m.kpp"]));
    assert!(info.contains("input         Uptake(SR_MW(ind_A),0.1_dp,Het)\n"), "{info}");
    let law = "open law      Uptake, 1 input in 1 reaction, first m.kpp:1: unknown rate function";
    assert!(info.contains(law), "{info}");
    let json: serde_json::Value =
        serde_json::from_str(&printed(&refused.isobar(&["kpp", "info", "m.kpp", "--json"]))).unwrap();
    assert_eq!(json["open_laws"][0]["reactions"], serde_json::json!([0]));
    assert_eq!(json["open_laws"][0]["line"], 1);

    let case = Case::new(text, &given.with(input, CELL, "s-1", &[5e-4]));
    let words = case.solve_with_words(&[]);
    assert!(words.contains("m.kpp: 1 call in rates cannot be read; the cells have their values"), "{words}");
    close(case.read("A", DENSITY)[6], 1e9 * Real::exp(-3.6_f64), 1e-6);
}

/// What an interval leaves is what the next one begins with, in one run and from run to run, to the bit.
#[test]
fn first_steps_of_cells_count_and_are_kept() {
    let chain = "#DEFVAR A = IGNORE; B = IGNORE; #EQUATIONS A = B : K; B = PROD : 20.0*K; B + B = A : E;";
    let start = decaying().with("E", &[], "cm3 s-1", &[1e-12]);
    let case = Case::new(chain, &start);
    let ends = || {
        ["A", "B", "first_step", "next_step", "steps"].map(|name| {
            let values = case.read(
                name,
                if matches!(name, "A" | "B") {
                    DENSITY
                } else if name == "steps" {
                    "1"
                } else {
                    "s"
                },
            );
            values[values.len() - 3..].to_vec()
        })
    };
    let run = |hours: &str, more: &[&str]| {
        case.solve(&[&["--hours", hours, "--dt", "300", "--rtol", "1e-4", "--method", "ros3"], more].concat());
        ends()
    };
    let (one, two) = ("0.08333333333333333", "0.16666666666666666");
    let put = |a: &[f64], b: &[f64], name: &'static str, steps: &[f64], units: &'static str| {
        let mut next = start.clone().with("B", CELL, DENSITY, b).with(name, CELL, units, steps);
        next.variable("A").values = a.to_vec();
        fs::write(case.path("in.nc"), next.bytes()).unwrap();
    };
    // From run to run by our own output, and as GEOS-Chem keeps KPP's step.
    for (carried, name, units, which) in
        [("longest", "first_step", "s", 2), ("hnew", "KPPHvalue", "1", 3), ("hnew", "Chem_KPPHvalue", "s", 2)]
    {
        let carry = ["--carry-step", carried];
        put(&[1e9, 2e9, 0.0], &[0.0; 3], "first_step", &[0.0; 3], "s");
        let (whole, half) = (run(two, &carry), run(one, &carry));
        put(&half[0], &half[1], name, &half[which], units);
        let rest = run(one, &carry);
        assert_eq!((&rest[..4], carried), (&whole[..4], carried));
        let sum: Vec<f64> = half[4].iter().zip(&rest[4]).map(|(a, b)| a + b).collect();
        assert_eq!(sum, whole[4]);
    }
    put(&[1e9, 2e9, 0.0], &[0.0; 3], "first_step", &[0.0; 3], "s");
    let [longest, hnew, begun] = ["longest", "hnew", "start"].map(|how| run(two, &["--carry-step", how]));
    assert!(longest[4][0] <= hnew[4][0] && hnew[4][0] < begun[4][0], "{longest:?} {hnew:?} {begun:?}");
    assert!(longest[2][0] > longest[3][0] && hnew[2] == hnew[3] && begun[2] == [0.0; 3], "{longest:?} {hnew:?}");
    // A cell's own step, or that of all that have none.
    let small = run(one, &[]);
    let large = run(one, &["--first-step", "1"]);
    assert!(large[4][0] < small[4][0] && large[4][1] < small[4][1], "{large:?} {small:?}");
    put(&[1e9, 2e9, 0.0], &[0.0; 3], "first_step", &[0.0, 1.0, 1.0], "s");
    let own = run(one, &[]);
    for (cell, all) in [(0, &small), (1, &large), (2, &large)] {
        assert_eq!(own.each_ref().map(|values| values[cell]), all.each_ref().map(|values| values[cell]), "cell {cell}");
    }
    put(&[1e9, 2e9, 0.0], &[0.0; 3], "first_step", &[0.0, -1.0, 1.0], "s");
    let refused = case.command(&[]);
    assert!(said(&refused).contains("in.nc: first_step") && said(&refused).contains("cell 1"), "{}", said(&refused));
    assert_eq!(case.command(&["--first-step", "0"]).status.code(), Some(2));
}

/// Each choice of how cells are integrated does something that no other value of it does.
#[test]
fn each_choice_counts() {
    let taken = "#DEFVAR A = IGNORE; B = IGNORE; PAR = IGNORE; #EQUATIONS A = B - PAR : K; B = A : 0.1*K*TIME;";
    let case = Case::new(taken, &decaying());
    let run = |more: &[&str]| {
        case.solve_with_words(more);
        (case.read("steps", "1"), case.read("A", DENSITY)[18], case.read("PAR", DENSITY)[18])
    };
    let usual = run(&[]);
    let mut steps = vec![usual.0.clone()];
    for method in ["ros2", "ros3", "ros4", "rodas3", "rodas3.1"] {
        steps.push(run(&["--method", method]).0);
    }
    // With the filter there is no safety factor, and k is 4 unless it is given.
    let filtered = ["2", "4", "2,2"].map(|b| run(&["--h211b", b]).0);
    assert_eq!(filtered[0], run(&["--h211b", "2,4"]).0);
    steps.extend(filtered);
    // B does not count, but in the number of species.
    let loose = ["--tolerance", "B=1e-8,1e25"];
    steps.push(run(&loose).0);
    steps.push(run(&[&loose[..], &["--passive-atol", "1e25"]].concat()).0);
    for more in [["--rtol", "1e-5"], ["--atol", "1e6"]] {
        steps.push(run(&more).0);
    }
    for (number, one) in steps.iter().enumerate() {
        assert!(steps[..number].iter().all(|other| other != one), "choice {number}: {one:?} steps");
    }
    // The second rate follows the time.
    let [frozen, step, stage] = ["frozen", "step", "stage"].map(|rates| run(&["--rates", rates]).1);
    assert!(
        frozen != step && step != stage && (step - stage).abs() < (frozen - stage).abs(),
        "{frozen} {step} {stage}"
    );
    assert!(usual.2 < -1e8 && run(&["--negative", "clip"]).2 == 0.0);
    // No step leads there that is not rejected.
    let rejected = case.command(&["--negative", "reject", "--max-steps", "2000"]);
    assert!(rejected.status.code() == Some(3), "{}", said(&rejected));
    let few = case.command(&["--max-steps", "2"]);
    assert!(said(&few).contains("too many steps at step 3"), "{}", said(&few));
    let folder = case.path("elsewhere");
    fs::create_dir(&folder).unwrap();
    fs::rename(case.path("m.kpp"), folder.join("inner.kpp")).unwrap();
    fs::write(case.path("m.kpp"), "#INCLUDE inner.kpp\n").unwrap();
    case.solve_with_words(&["--include", "elsewhere"]);
    case.refused_with_output(&[], "there is no file inner.kpp");
}
