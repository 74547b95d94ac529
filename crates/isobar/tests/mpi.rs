//! `isobar run` with the feature `mpi` under `mpirun`: the same bytes on 1, 2 and 4 ranks, one message for all, and
//! signals.

#[path = "main/common/mod.rs"]
mod common;

use std::fs;
use std::process::{Command, Output, Stdio};

use common::run_case::{CASE, Case};
use common::{data, said};

/// Five columns, which four ranks share unequally, and a satellite.
fn case() -> Case {
    let satellite =
        format!("[satellite]\ncontrol = {:?}\nhours = [1.0]\nlimb_km = [9.0]", data().join("nadir/nadir.ctl"));
    Case::new(&format!("{}\n{satellite}\n", CASE.replacen("columns = 3", "columns = 5", 1)))
}

/// `mpirun` with `ranks` ranks, each with one CPU thread.
fn mpirun(case: &Case, ranks: &str, out: &str, more: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--allow-run-as-root", "--oversubscribe", "-n", ranks, env!("CARGO_BIN_EXE_isobar")]);
    command.args(["run", "case.toml", "-o", out, "--device", "cpu", "--threads", "1"]).args(more);
    command.current_dir(case.path("."));
    command
}

fn done(case: &Case, ranks: &str, out: &str, more: &[&str]) {
    let output = mpirun(case, ranks, out, &[&["--quiet"], more].concat()).output().expect("mpirun starts");
    assert!(output.status.success() && said(&output).is_empty(), "{ranks} ranks: {}", said(&output));
}

/// The words of Isobar, without `mpirun`'s own.
fn words(output: &Output) -> Vec<String> {
    said(output).lines().filter(|line| line.contains("isobar: ")).map(str::to_owned).collect()
}

#[test]
fn ranks_change_no_byte() {
    let case = case();
    let bytes = |name: &str| fs::read(case.path(name)).unwrap();
    let same = |one: &str, other: &str| assert!(bytes(one) == bytes(other), "{one} and {other} differ");
    for precision in ["f64", "f32"] {
        // Without mpirun, too.
        case.done("one.nc", &["--precision", precision, "--plot", "one.svg"]);
        for ranks in ["1", "2", "4"] {
            done(&case, ranks, "many.nc", &["--precision", precision, "--plot", "many.svg"]);
            same("one.nc", "many.nc");
            same("one.restart.nc", "many.restart.nc");
            for figure in ["-profiles.svg", "-day.svg", "-chemistry.svg", "-spectra.svg"] {
                same(&format!("one{figure}"), &format!("many{figure}"));
            }
        }
        // What four ranks have left, one process takes up, and the other way round; columns that take turns on two
        // ranks.
        case.done("again.nc", &["--precision", precision, "--resume", "many.restart.nc"]);
        same("one.nc", "again.nc");
        done(&case, "4", "again.nc", &["--precision", precision, "--resume", "one.restart.nc"]);
        same("one.nc", "again.nc");
        done(&case, "2", "turns.nc", &["--precision", precision, "--at-once", "2"]);
        same("one.nc", "turns.nc");
        same("one.restart.nc", "turns.restart.nc");
    }
}

#[test]
fn a_summary_tells_of_all_ranks() {
    let case = case();
    let output = mpirun(&case, "2", "out.nc", &["--json", "--quiet"]).output().unwrap();
    let two: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one summary");
    let one: serde_json::Value = serde_json::from_str(&case.done("one.nc", &["--json"])).unwrap();
    assert_eq!((two["processes"].as_u64(), one["processes"].as_u64()), (Some(2), Some(1)));
    for key in ["columns", "steps", "bytes_to_host", "heat_budget_error", "water_budget_error", "clamps"] {
        assert_eq!(one[key], two[key], "{key}");
    }
    for stage in 0..8 {
        assert_eq!(one["stages"][stage]["bytes"], two["stages"][stage]["bytes"]);
    }
}

#[test]
fn one_rank_fails_and_all_stop_with_one_message() {
    let case = case();
    let fails = |command: &mut Command, expected: &str| {
        let output = command.output().unwrap();
        assert!(!output.status.success(), "{expected}");
        let words = words(&output);
        assert!(words.len() == 1 && words[0].contains(expected), "{expected}: {words:?}");
        assert!(!case.path("out.nc").exists());
    };
    fails(&mut mpirun(&case, "7", "out.nc", &[]), "5 columns are too few for 7 devices and processes");
    // The second rank alone is given a case that is not there, and a restart file that is none.
    let mut second = mpirun(&case, "1", "out.nc", &[]);
    second.args([":", "-n", "1", env!("CARGO_BIN_EXE_isobar"), "run", "missing.toml", "-o", "out.nc"]);
    fails(&mut second, "part 1 of 2: missing.toml: No such file");
    fs::copy(case.path("ozone_nox.kpp"), case.path("none.nc")).unwrap();
    case.done("one.nc", &[]);
    let mut second = mpirun(&case, "1", "out.nc", &["--resume", "one.restart.nc", "--quiet"]);
    second.args([":", "-n", "1", env!("CARGO_BIN_EXE_isobar"), "run", "case.toml", "-o", "out.nc"]);
    second.args(["--device", "cpu", "--resume", "none.nc", "--quiet"]);
    fails(&mut second, "part 1 of 2: none.nc: ");
    // The first one cannot write.
    fails(&mut mpirun(&case, "2", "/dev/full", &["--restart", "last.nc"]), "/dev/full: cannot write");
    // A restart file that cannot be written stops nobody.
    let output = mpirun(&case, "2", "out.nc", &["--restart", "/dev/full", "--quiet"]).output().unwrap();
    let words = words(&output);
    assert!(output.status.success() && words.len() == 2, "{words:?}");
    assert!(words.iter().all(|line| line.contains("/dev/full: cannot write")), "{words:?}");
    assert!(fs::read(case.path("out.nc")).unwrap() == fs::read(case.path("one.nc")).unwrap());
}

#[test]
fn a_signal_stops_all_ranks_at_the_same_step() {
    let case = Case::new(&CASE.replacen("columns = 3", "columns = 5", 1).replacen("hours = 1.5", "hours = 24.0", 1));
    let child = mpirun(&case, "2", "out.nc", &["--restart", "last.nc"]).stderr(Stdio::piped()).spawn().unwrap();
    while !case.path("last.nc").exists() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    // SAFETY: the child is ours, and has not been waited for.
    unsafe { libc::kill(child.id().cast_signed(), libc::SIGUSR1) };
    let output = child.wait_with_output().unwrap();
    let words = words(&output);
    assert!(!output.status.success(), "the run was done before the signal came");
    assert!(words.len() == 1 && words[0].contains("go on with --resume last.nc"), "{words:?}");
    case.done("out.nc", &["--resume", "last.nc"]);
    case.done("whole.nc", &[]);
    assert!(fs::read(case.path("out.nc")).unwrap() == fs::read(case.path("whole.nc")).unwrap());
}
