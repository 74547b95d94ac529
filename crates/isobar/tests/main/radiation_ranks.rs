//! `isobar radiation --ranks`: processes that share a file, part by part.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::common::classic::Case;
use crate::common::{data, said};
use crate::model_files::{OPTIONS, cam};

const PARTS: [&str; 2] = ["--at-once", "4"];

/// A process in a folder that has `in.nc`, not quiet.
fn start(folder: &Path, command: &str, more: &[&str], environment: &[(&str, &str)]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_isobar"))
        .args([command, "in.nc", "--out", "out.nc", "--device", "cpu"])
        .args(more)
        .env("ISOBAR_DATA", data())
        .envs(environment.iter().copied())
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

/// What a process says that succeeds.
fn end(process: Child) -> String {
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    format!("{}{}", String::from_utf8_lossy(&output.stdout), said(&output))
}

fn case(command: &'static str) -> Case {
    Case::of(command, &cam().0.bytes())
}

/// What one process writes.
fn alone(command: &'static str, more: &[&str]) -> Vec<u8> {
    let case = case(command);
    end(start(case.folder.path(), command, more, &[]));
    fs::read(case.out()).unwrap()
}

/// The lines of the journal, but for the first.
fn parts_of(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("out.nc.parts")).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn two_processes_write_the_bytes_of_one() {
    for (command, options) in [("radiation", &OPTIONS[..]), ("longwave", &OPTIONS[..]), ("shortwave", &OPTIONS[..])] {
        let options = [options, &PARTS].concat();
        let expected = alone(command, &options);
        let case = case(command);
        let folder = case.folder.path();
        // One says its number, the other is told by its starter.
        let first = start(folder, command, &[&options[..], &["--ranks", "2", "--rank", "0"]].concat(), &[]);
        let told = [("OMPI_COMM_WORLD_RANK", "1"), ("OMPI_COMM_WORLD_SIZE", "2")];
        let second = start(folder, command, &[&options[..], &["--ranks=env"]].concat(), &told);
        let texts = [end(first), end(second)];
        assert!(fs::read(case.out()).unwrap() == expected, "{command}: {texts:?}");
        // One of them reports of all columns.
        let reports = texts.iter().filter(|text| text.contains("12 columns, 12 layers")).count();
        let others = texts.iter().filter(|text| text.contains("others complete the file")).count();
        assert_eq!((reports, others), (1, 1), "{texts:?}");
        assert!(!folder.join("out.nc.unfinished").exists());
    }
}

/// What was computed stays when a process ends, and the same command goes on.
#[test]
fn a_run_goes_on_where_it_was_stopped() {
    let options = [&OPTIONS[..], &PARTS].concat();
    let expected = alone("radiation", &options);
    let case = case("radiation");
    let folder = case.folder.path();
    let run =
        |rank: &str| end(start(folder, "radiation", &[&options[..], &["--ranks", "2", "--rank", rank]].concat(), &[]));
    let text = run("0");
    assert!(text.contains("2 parts computed here, 2 of 3 are there: others complete the file"), "{text}");
    assert!(!case.out().exists());
    assert_eq!(
        parts_of(folder),
        ["part 0: 0 failed, 0 masked, 0 outside, 0 low suns", "part 2: 0 failed, 0 masked, 0 outside, 0 low suns"]
    );
    let text = run("0");
    assert!(text.contains("0 parts computed here, 2 of 3 are there"), "{text}");
    // As if it had been stopped within its last part, of which some bytes are there.
    let journal = fs::read_to_string(folder.join("out.nc.parts")).unwrap();
    let without = journal.replace("part 2: 0 failed, 0 masked, 0 outside, 0 low suns\n", "");
    fs::write(folder.join("out.nc.parts"), without).unwrap();
    let unfinished = folder.join("out.nc.unfinished");
    let mut bytes = fs::read(&unfinished).unwrap();
    let last = bytes.len() - 8;
    bytes[last..].fill(0x55);
    fs::write(&unfinished, bytes).unwrap();
    let text = run("1");
    assert!(text.contains("1 parts computed here, 2 of 3 are there"), "{text}");
    // Another computation does not go on with these.
    let other = [&options[..], &["--ranks", "2", "--rank", "0", "--precision", "f32"]].concat();
    let output = start(folder, "radiation", &other, &[]).wait_with_output().unwrap();
    assert!(said(&output).contains("out.nc.parts lists parts of another run"), "{}", said(&output));
    let text = run("0");
    assert!(text.contains("12 columns, 12 layers"), "{text}");
    assert!(fs::read(case.out()).unwrap() == expected);
    assert_eq!(parts_of(folder).last().map(String::as_str), Some("complete"));
    // One that comes late.
    let text = run("1");
    assert!(text.contains("all parts are there already; without out.nc.parts they are computed anew"), "{text}");
    assert!(fs::read(case.out()).unwrap() == expected && !unfinished.exists());
    // Another computation begins anew, whose masked and failed columns are counted over all parts.
    let output = start(folder, "radiation", &other, &[]).wait_with_output().unwrap();
    assert!(output.status.success() && said(&output).contains("2 of 3 are there"), "{}", said(&output));
}

#[test]
fn columns_that_fail_are_counted_over_all_processes() {
    let (mut file, _) = cam();
    let places = [0, 7, 11];
    places.iter().for_each(|&place| file.variable("TS").values[place] = 1e4);
    let case = Case::of("radiation", &file.bytes());
    let options = [&OPTIONS[..], &PARTS, &["--keep-going", "--json"]].concat();
    let run = |rank: &str| {
        let more = [&options[..], &["--ranks", "2", "--rank", rank]].concat();
        start(case.folder.path(), "radiation", &more, &[]).wait_with_output().unwrap()
    };
    let (first, second) = (run("0"), run("1"));
    assert!(first.status.success() && first.stdout.is_empty(), "{}", said(&first));
    let json: serde_json::Value = serde_json::from_slice(&second.stdout).unwrap();
    assert_eq!((json["columns"].as_u64(), json["failed"].as_u64()), (Some(12), Some(3)), "{json}");
    assert_eq!(second.status.code(), Some(3), "{}", said(&second));
}

#[test]
fn what_cannot_be_shared_is_said() {
    let case = case("radiation");
    let refused = |more: &[&str], words: &str| {
        let output = case.command(&[&OPTIONS[..], more].concat());
        assert!(output.status.code() == Some(2) && said(&output).contains(words), "{more:?}: {}", said(&output));
        assert_eq!(fs::read_dir(case.folder.path()).unwrap().count(), 1, "{more:?}");
    };
    refused(&["--rank", "0"], "--ranks");
    refused(&["--ranks", "2"], "--ranks 2 needs --rank, 0 to 1");
    refused(&["--ranks", "2", "--rank", "2"], "rank 2 lies outside [0, 2)");
    refused(&["--ranks", "2", "--rank", "0", "--plot", "out.svg"], "--plot: a plot shows all columns");
    // Without a number of columns there are as many parts as processes, or fewer.
    let options = [&OPTIONS[..], &["--ranks", "3", "--rank", "2"]].concat();
    let text = end(start(case.folder.path(), "radiation", &options, &[]));
    assert!(text.contains("1 parts computed here, 1 of 3 are there"), "{text}");
}
