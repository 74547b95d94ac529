//! How far results lie from the reference codes': the tests that compare with them count, and the counts are kept for
//! the guide's figure. The reference data are not part of the repository (`ISOBAR_REFERENCE`).

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

/// Tests that count: crate, test, and which of its functions.
const TESTS: [[&str; 3]; 7] = [
    ["isobar", "main", "golden"],
    ["isobar-surface", "surface", "all_points_of_all_cases_in_f64"],
    ["isobar-ysu", "ysu", "reference_sets_in_f64"],
    ["isobar-radiation", "radiation", "fluxes_with_the_references_table_are_the_references"],
    ["isobar-radiation", "radiation", "rfmip::fluxes"],
    ["isobar-rosenbrock", "rosenbrock", "runs_have_kpps_steps_and_concentrations"],
    ["isobar-adding", "clear_sky", "golden"],
];

/// Counts, and writes `bench/agreement.json`.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    if let [option, ..] = options {
        return Err(format!("agreement: there is no option '{option}'"));
    }
    let root = crate::root();
    let made = crate::figures::Scratch::new("agreement")?;
    for [package, test, function] in TESTS {
        let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .current_dir(&root)
            .env("ISOBAR_AGREEMENT", &made.0)
            .args(["test", "--quiet", "--package", package, "--test", test, function])
            .status()
            .map_err(|error| format!("cargo does not start: {error}"))?;
        if !status.success() {
            return Err(format!("the test {test} of {package} failed"));
        }
    }
    let entries = fs::read_dir(&made.0).map_err(|error| format!("{}: {error}", made.0.display()))?;
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let comparisons: Vec<Value> = files.iter().map(|file| crate::bench::read(file)).collect::<Result<_, _>>()?;
    if comparisons.is_empty() {
        return Err("nothing was compared: the reference data are missing (ISOBAR_REFERENCE)".to_owned());
    }
    let kept = json!({ "command": "cargo xtask agreement", "date": crate::bench::today(), "comparisons": comparisons });
    crate::bench::write(&root.join("bench/agreement.json"), &kept)
}
