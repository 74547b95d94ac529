//! What a script is told: `isobar --help` and the guide say the same. Columns, cells and retrievals that fail, and runs
//! that are stopped, are tested beside what becomes of their results, in `pbl.rs`, `chem.rs`, `retrieve.rs` and
//! `run.rs`.

use std::process::{Command, Output};

use crate::common::{data, printed, said};

fn isobar(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    command.args(arguments).current_dir(data()).output().expect("the command starts")
}

fn ends_with(code: i32, arguments: &[&str]) {
    let output = isobar(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", said(&output));
    // Clap explains in several lines.
    if code != 0 && !said(&output).starts_with("error: ") {
        // The demonstration's boundary layers have no surface layer, of which the command warns first.
        let said = said(&output);
        let lines = said.lines().filter(|line| !line.starts_with("isobar: warning: "));
        assert_eq!(lines.count(), 1, "{arguments:?}: {said}");
    }
}

#[test]
fn the_exit_status_says_what_kind_of_failure() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.nc");
    let out = out.to_str().unwrap();
    let pbl = |more: &[&'static str]| [&["pbl", "pbl/columns.nc", "--dt", "60", "-o", out, "--quiet"], more].concat();
    ends_with(0, &pbl(&["--device", "cpu"]));
    ends_with(0, &["devices"]);
    ends_with(1, &["pbl", "pbl/missing.nc", "--dt", "60", "-o", out]);
    ends_with(1, &["pbl", "README.md", "--dt", "60", "-o", out]);
    ends_with(1, &["pbl", "pbl/columns.nc", "--dt", "60", "-o", "missing/out.nc"]);
    ends_with(2, &["pbl", "pbl/columns.nc"]);
    ends_with(2, &["pbi"]);
    ends_with(2, &pbl(&["--device", "gpu"]));
    ends_with(2, &pbl(&["--version", "wrf361", "--top-down"]));
    ends_with(
        2,
        &[
            "raytrace",
            "--ctl",
            "limb/limb.ctl",
            "--atm",
            "limb/atm.tab",
            "--obs",
            "limb/obs.tab",
            "--out",
            out,
            "RAYDZ",
        ],
    );
    // Not compiled in, no driver, or no such GPU.
    ends_with(6, &pbl(&["--device", "cuda:4711"]));
    ends_with(6, &["run", "column/case.toml", "-o", out, "--quiet", "--device", "cuda:4711"]);
}

#[test]
fn the_help_and_the_guide_explain_it_alike() {
    let help = printed(&isobar(&["--help"]));
    let guide = include_str!("../../../../docs/first-run.md");
    for code in 0..=6 {
        let start = format!("  {code}  ");
        let line = help.lines().find_map(|line| line.strip_prefix(&start)).expect("the help has it");
        assert!(guide.contains(&format!("| {code} | {line} |")), "{line}");
    }
}
