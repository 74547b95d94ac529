//! Faults: too little memory, commands that are killed. What was finished is kept, files are whole, and whoever goes on
//! gets the same bytes.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::classic::Classic;
use crate::common::run_case::{CASE, Case};
use crate::common::{data, said};

/// The command with `kilobytes` of addresses.
fn limited(kilobytes: u32, folder: &Path, arguments: &str) -> Output {
    let line = format!("ulimit -v {kilobytes} && exec {} {arguments}", env!("CARGO_BIN_EXE_isobar"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(folder).env("ISOBAR_DATA", data()).output().expect("sh starts")
}

/// More than there is, whatever the machine, is one line, at once, that says what would fit.
#[test]
fn work_that_no_memory_holds_is_refused_at_once() {
    let case = Case::new(&CASE.replacen("columns = 3", "columns = 90000000", 1));
    let folder = case.path(".");
    let mechanism = data().join("mechanisms/chapman_nox.kpp");
    let chem = format!(
        "chem --mechanism {} --cells {} -o out.nc --dt 600 --device cpu --quiet",
        mechanism.display(),
        data().join("chemistry/cells.nc").display()
    );
    for (arguments, parts) in [
        ("run case.toml -o out.nc --device cpu --quiet".to_owned(), ["90000000 columns", "columns would fit"]),
        (format!("{chem} --hours 1e12"), ["8 cells and 6000000000001 results of each", "hours would fit, or --every"]),
        (format!("{chem} --hours 1e300"), ["results of each", "would fit"]),
    ] {
        // Of the processor's time, which others on the machine do not lengthen.
        let line = format!("ulimit -t 10 && exec {} {arguments}", env!("CARGO_BIN_EXE_isobar"));
        let output = Command::new("sh").args(["-c", &line]).current_dir(&folder).output().unwrap();
        let text = said(&output);
        let last = text.lines().last().unwrap_or_default();
        assert_eq!(output.status.code(), Some(6), "{arguments}: {text}");
        assert!(last.starts_with("isobar: ") && parts.iter().all(|part| last.contains(part)), "{arguments}: {text}");
        assert!(!case.path("out.nc").exists());
    }
}

/// A file says in its header how large it is: nothing is read of one that no memory holds.
#[test]
fn files_that_no_memory_holds_are_refused_by_their_headers() {
    let layers: &[&str] = &["layer", "column"];
    let cells: &[&str] = &["layer", "cell"];
    for (command, dimensions) in [
        // Without --at-once these are read part by part.
        ("pbl in.nc --dt 60 --at-once 500000000", layers),
        ("radiation in.nc --at-once 500000000", layers),
        ("adding in.nc", layers),
        ("chem --mechanism m.kpp --cells in.nc --hours 1 --dt 60", cells),
    ] {
        let header = Classic { dimensions: vec![("layer", 4000), (dimensions[1], 500_000_000)], ..Classic::default() };
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("in.nc"), header.with("t", dimensions, "K", &[]).bytes()).unwrap();
        fs::write(folder.path().join("m.kpp"), "#DEFVAR A = IGNORE; #EQUATIONS <R1> A = PROD : 1.0;").unwrap();
        // It has no place on the disk.
        let file = fs::File::options().write(true).open(folder.path().join("in.nc")).unwrap();
        file.set_len(1 << 42).unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_isobar"));
        program.args(command.split(' ')).args(["-o", "out.nc", "--device", "cpu", "--quiet"]);
        let output = program.current_dir(folder.path()).env("ISOBAR_DATA", data()).output().unwrap();
        let text = said(&output);
        assert_eq!((output.status.code(), text.lines().count()), (Some(6), 1), "{command}: {text}");
        assert!(
            text.starts_with("isobar: in.nc: its items take about ") && text.contains("of them would fit"),
            "{text}"
        );
    }
}

/// With little memory a command is refused, or does its work: it never aborts.
#[test]
fn a_limit_of_memory_is_an_error_and_never_an_abort() {
    let case = Case::new(&CASE.replacen("columns = 3", "columns = 300", 1).replacen("hours = 1.5", "hours = 0.5", 1));
    for file in ["pbl/columns.nc", "radiation/columns.nc", "adding/profiles.nc", "chemistry/cells.nc"] {
        fs::copy(data().join(file), case.path(&file.replace('/', "_"))).unwrap();
    }
    fs::copy(data().join("mechanisms/chapman_nox.kpp"), case.path("m.kpp")).unwrap();
    let limb = data().join("limb");
    let limb = limb.display();
    // With less the system does not even load the program, which is large where it was built for tests.
    let runs = |kilobytes: &u32| limited(*kilobytes, &case.path("."), "--version").status.success();
    let loads = (30..55).map(|step| 2_000 * step).find(runs).expect("the program is loaded with 108 MB");
    let (mut refused, mut done) = (0, 0);
    for arguments in [
        "run case.toml -o out.nc --device cpu".to_owned(),
        "chem --mechanism m.kpp --cells chemistry_cells.nc -o out.nc --hours 2000 --dt 36000 --rtol 0.1 --atol 1e9"
            .into(),
        "pbl pbl_columns.nc -o out.nc --dt 60".into(),
        "longwave radiation_columns.nc -o out.nc".into(),
        "adding adding_profiles.nc -o out.nc --levels".into(),
        format!("forward --ctl {limb}/limb.ctl --atm {limb}/atm.tab --obs {limb}/obs.tab --out out.tab"),
    ] {
        for kilobytes in [loads + 2_000, 110_000, 140_000, 180_000, 240_000, 320_000] {
            let output = limited(kilobytes, &case.path("."), &arguments);
            let text = said(&output);
            match output.status.code() {
                Some(0) => done += 1,
                Some(1 | 6) => {
                    assert!(
                        text.lines().any(|line| line.starts_with("isobar: ")),
                        "{kilobytes} kB, {arguments}: {text}"
                    );
                    refused += 1;
                }
                other => panic!("{other:?} with {kilobytes} kB, {arguments}: {text}"),
            }
        }
    }
    println!("{} limits of memory: {refused} refused, {done} done, 0 aborted", refused + done);
    assert!(refused > 8 && done > 8, "{refused} refused, {done} done");
}

/// Until a file is there, or a process has ended.
fn wait_for(path: &Path, child: &mut Child) {
    while !path.exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A run that is killed outright goes on from its last restart file to the same bytes; one that is asked to stop does,
/// too: tests of `run` and `chem`.
#[test]
fn a_run_that_is_killed_goes_on_to_the_same_bytes() {
    let case = Case::new(&CASE.replacen("hours = 1.5", "hours = 24.0", 1));
    case.done("whole.nc", &[]);
    let mut child = case.command("out.nc", &["--restart", "last.nc"]).spawn().unwrap();
    wait_for(&case.path("last.nc"), &mut child);
    child.kill().unwrap();
    let status = child.wait().unwrap();
    assert!(status.code().is_none() && !case.path("out.nc").exists(), "the run was done before it was killed");
    case.done("out.nc", &["--resume", "last.nc"]);
    assert!(fs::read(case.path("whole.nc")).unwrap() == fs::read(case.path("out.nc")).unwrap());
}

/// A command that is asked to stop and cannot save what it has done says so, and not that it can be resumed.
#[test]
fn what_is_stopped_and_cannot_be_saved_says_so() {
    let case = Case::new(&CASE.replacen("hours = 1.5", "hours = 2400.0", 1));
    fs::copy(data().join("chemistry/cells.nc"), case.path("cells.nc")).unwrap();
    fs::copy(data().join("mechanisms/chapman_nox.kpp"), case.path("m.kpp")).unwrap();
    let chem = "chem --mechanism m.kpp --cells cells.nc -o out.nc --hours 2400 --dt 60 --every 10000 --rtol 1e-6";
    for arguments in ["run case.toml -o out.nc", chem] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        command.args(arguments.split(' ')).args(["--device", "cpu", "--quiet", "--restart", "missing/last.nc"]);
        let mut child = command.current_dir(case.path(".")).stderr(Stdio::piped()).spawn().unwrap();
        let mut words = BufReader::new(child.stderr.take().unwrap());
        // It is told at the start, when signals are heard, behind what there is to say of the file's times.
        let mut text = String::new();
        while !text.contains("missing") && words.read_line(&mut text).unwrap() > 0 {}
        assert!(text.contains("missing/last.nc: cannot write: ") && text.contains("no restart file"), "{text}");
        // SAFETY: the child is ours, and has not been waited for.
        unsafe { libc::kill(child.id().cast_signed(), libc::SIGTERM) };
        words.read_to_string(&mut text).unwrap();
        let cannot = "which could not be saved (missing/last.nc: cannot write: ";
        assert_eq!(child.wait().unwrap().code(), Some(1), "{arguments}: {text}");
        let last = text.lines().last().unwrap();
        assert!(last.starts_with("isobar: stopped by a signal after ") && last.contains(cannot), "{text}");
        assert!(last.ends_with("there is no restart file, and the run has to begin anew"), "{text}");
    }
}

/// Work of more than two seconds says how far it has come, where standard error is a terminal. Not where there is no
/// `script` to make one.
#[test]
fn work_that_takes_long_shows_how_far_it_has_come() {
    if Command::new("script").arg("--version").output().is_err() {
        return;
    }
    let case = Case::new(&CASE.replacen("columns = 3", "columns = 400", 1).replacen("hours = 1.5", "hours = 240.0", 1));
    let shown = |line: String, expected: &str| {
        let mut command = Command::new("script");
        command.args(["-qefc", &line, "shown"]).current_dir(case.path(".")).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let start = Instant::now();
        let has =
            |name: &str| fs::read(case.path(name)).is_ok_and(|text| String::from_utf8_lossy(&text).contains(expected));
        while !has("shown") && child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(50));
        }
        assert!(has("shown"), "{line}: no {expected:?}");
        // SAFETY: the child is ours; its end ends the command, which loses its terminal.
        unsafe { libc::kill(child.id().cast_signed(), libc::SIGTERM) };
        child.wait().unwrap();
    };
    let program = env!("CARGO_BIN_EXE_isobar");
    shown(format!("{program} run case.toml -o out.nc --device cpu"), "columns and steps");
}
